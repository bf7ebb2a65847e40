package wrapper

import (
	_ "embed" // the list of words
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
	"github.com/lede-news/lede/method"
)

// clean drops what "might appear in the extracted article, e.g., ads close to the
// bottom of news bodies" (section 7): menus and forms by their tags, teasers and
// share bars by their names, and blocks of hardly anything but links. It keeps an
// element with half of the words outside links whatever its name, and drops
// nothing if all elements together have that much.
func clean(d *dom.Document, body, title dom.Node, s *method.Selection) {
	inside := title != dom.None && d.Contains(body, title)
	all, dropped := plainWords(d, body), 0
	var drop []method.Reason
	for n := body + 1; n < d.End(body); {
		why := ""
		switch {
		case n == title:
			n = d.End(n)
			continue
		case d.IsText(n) || d.Hidden(n) || d.Contains(n, title) || 2*plainWords(d, n) > all:
		case inside && d.End(n) <= title && d.Words(n) > 0:
			why = "above the headline"
		default:
			why = boilerplate(d, n)
		}
		if why == "" {
			n++
			continue
		}
		drop = append(drop, method.Reason{Node: n, Score: d.LinkDensity(n), Why: why})
		dropped += plainWords(d, n)
		n = d.End(n)
	}
	if 2*dropped > all {
		return
	}
	for _, r := range drop {
		s.Drop = append(s.Drop, r.Node)
	}
	s.Reasons = append(s.Reasons, drop...)
}

// plainWords returns the number of words outside links.
func plainWords(d *dom.Document, n dom.Node) int {
	c := d.Counts(n)
	return int(c.Words - c.LinkWords)
}

// boilerplate returns why an element inside the body is no part of the article, or
// "".
func boilerplate(d *dom.Document, n dom.Node) string {
	const mostlyLinks = 0.7
	tag := d.Tag(n)
	switch tag {
	case dom.Nav, dom.Aside, dom.Footer, dom.Form, dom.Button, dom.Select, dom.Dialog:
		return reasons.Element(tag)
	}
	if d.InLink(n) || !tag.IsBlock() && tag != dom.Unknown {
		return ""
	}
	for _, key := range []string{"class", "id"} {
		if w := boilerplateWord(d.Attr(n, key)); w != "" {
			return "in a box named “" + w + "”"
		}
	}
	if density := d.LinkDensity(n); density >= mostlyLinks {
		return "mostly links: " + reasons.Percent(density) + " of it"
	}
	return ""
}

//go:embed words.txt
var wordList string

// boilerplateWords holds the words of words.txt. Read only.
var boilerplateWords = sync.OnceValue(func() words.Set {
	return words.NewSet(strings.Join(slices.Collect(lines.Data(wordList)), " "))
})

// boilerplateWord returns the first of boilerplateWords in a class or id such as
// "c-related_box" or "shareBar", or "".
func boilerplateWord(names string) string {
	for w := range words.InName(names) {
		if boilerplateWords()[w] {
			return w
		}
	}
	return ""
}
