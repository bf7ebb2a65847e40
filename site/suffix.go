package site

import (
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// suffixes are the ends of the page's <title> that may be the site's: what
// follows the headline, or else what follows any of the signs that part the
// two, the longest first.
func (p *Page) suffixes(title string) []string {
	full := p.title()
	if rest, ok := strings.CutPrefix(full, title); ok && title != "" && rest != "" {
		return one(rest)
	}
	var out []string
	for i, c := range full {
		if !strings.ContainsRune("|-–—:·•»«/", c) || i == 0 {
			continue
		}
		rest := full[i:]
		if full[i-1] == ' ' {
			rest = full[i-1:]
		} else if c == '-' || c == ':' || c == '/' {
			continue // part of a word, a time or a date
		}
		if title == "" || !strings.Contains(rest, title) {
			out = append(out, one(rest)...)
		}
	}
	return out[max(0, len(out)-maxSuffixes):]
}

func one(s string) []string {
	if len(s) > maxName || utf8.RuneCountInString(s) < 3 {
		return nil
	}
	return []string{strings.Clone(s)}
}

// title is the page's <title>, white space folded.
func (p *Page) title() string {
	n := p.doc.First(dom.Title)
	if n == dom.None {
		return ""
	}
	return strings.Join(strings.Fields(p.doc.Raw(n)), " ")
}
