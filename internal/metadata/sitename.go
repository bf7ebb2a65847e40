package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// siteNames lists what the site is called, folded for comparing.
func (p *page) siteNames() []string {
	if p.names != nil {
		return p.names
	}
	p.names = []string{}
	for _, c := range p.found[ofSite] {
		name := tidy(c.text)
		if k := fold(name); k != "" && len(name) <= 60 {
			p.names = append(p.names, k)
		}
	}
	if p.host != "" {
		p.names = append(p.names, fold(p.host), fold(hostCore(p.host)))
	}
	return p.names
}

// hostCore is the label of a host that names the site: "thedaily" of
// news.thedaily.co.uk.
func hostCore(host string) string {
	labels := strings.Split(host, ".")
	i := len(labels) - 2
	if i > 0 && len(labels[i]) <= 3 && len(labels[i+1]) == 2 {
		i-- // co.uk, com.au
	}
	if i < 0 {
		i = 0
	}
	return labels[i]
}

// isSite reports whether a piece of a title names the site and nothing else.
func (p *page) isSite(piece string) bool {
	k := fold(piece)
	if k == "" {
		return true
	}
	for _, name := range p.siteNames() {
		switch {
		case k == name:
			return true
		case len(k) >= 3 && 2*len(k) >= len(name) && strings.Contains(name, k):
			return true
		case utf8.RuneCountInString(name) >= 4 && strings.Contains(k, name) && len(k) <= len(name)+14 && countWords(piece, 6) <= 5:
			return true
		}
	}
	if p.host == "" {
		return false
	}
	core := p.names[len(p.names)-1] // of the host, see siteNames
	short := initials(piece)
	return len(short) >= 3 && strings.HasPrefix(core, short)
}

// initials of "New York Times" are "nyt".
func initials(s string) string {
	var b strings.Builder
	for w := range strings.FieldsSeq(s) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// seam is where two parts of a title meet.
type seam struct {
	from, to int
	weak     bool // as likely a part of the headline: the colon
}

// seams finds the places where sites join headline, section and name.
func seams(title string) []seam {
	var out []seam
	for i := 0; i < len(title); {
		r, n := utf8.DecodeRuneInString(title[i:])
		from, to := i, i+n
		i = to
		spaceBefore := from > 0 && title[from-1] == ' '
		spaceAfter := to < len(title) && title[to] == ' '
		weak := false
		switch r {
		case '|', '»', '«', '›', '‹', '•', '·', '｜', '►', '→', '←', '¦', '–', '—', '-', '/', '>', '<', '~', '*', '―', '−':
			han := false
			if !spaceBefore && !spaceAfter {
				// Chinese pages join without spaces.
				a, _ := utf8.DecodeLastRuneInString(title[:from])
				b, _ := utf8.DecodeRuneInString(title[to:])
				han = ideograph(a) || ideograph(b)
			}
			if r != '|' && r != '｜' && !han && !(spaceBefore && spaceAfter) {
				continue
			}
		case '_':
			a, _ := utf8.DecodeLastRuneInString(title[:from])
			if !ideograph(a) && !(spaceBefore && spaceAfter) {
				continue
			}
		case ':', '：':
			for to < len(title) && title[to] == ':' {
				to++
			}
			if r == ':' && !spaceAfter && to == from+1 {
				continue
			}
			weak = r == ':' && !spaceBefore
		default:
			continue
		}
		i = to
		for from > 0 && title[from-1] == ' ' {
			from--
		}
		for to < len(title) && title[to] == ' ' {
			to++
		}
		if n := len(out); n > 0 && out[n-1].to >= from {
			out[n-1].to = to
		} else {
			out = append(out, seam{from, to, weak})
		}
		i = max(i, to)
	}
	return out
}
