// Package parts finds the next page of a story that is split over several pages,
// and joins the pages.
package parts

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/words"
)

//go:embed words.txt
var wordsFile string

var nextWords = sync.OnceValue(func() words.Set {
	set := words.Set{}
	for w := range lines.Data(wordsFile) {
		set[words.Fold(w)] = true
	}
	return set
})

// Story is what Next has to know about the story of a page.
type Story struct {
	URL  string // address of the page, or ""
	Body dom.Node
	End  dom.Node // first and last node of the body
}

// unknownURL is the address of pages without one.
const unknownURL = "http://page.invalid/"

const (
	// maxLinks bounds the links that are looked at.
	maxLinks = 200
	// maxWords is how many words there may be between the story and the links to its
	// pages. Comments and lists of other stories are longer.
	maxWords = 150
	// maxPages is the highest number of a page. Higher ones are those of stories.
	maxPages = 99
)

// Next returns the address of the next page of a story, or "" if there is none.
//
// A link to it has the number of the page as its text, or a word such as "next", or
// rel=next, and its address is that of this page but for the number. That is why
// neither the next story nor the next page of comments or of a list is taken for
// it: their addresses differ in more, or in something else. Where the number has no
// name, as in /story-2.html, which may be another story, a row of numbers is
// needed. So it is if the address of the page is unknown; the result may then be
// relative.
func Next(d *dom.Document, s Story) string {
	f := finder{doc: d, story: s, own: links.Key(s.URL)}
	if f.own == "" {
		s.URL = unknownURL
	}
	base := links.Base(d, s.URL)
	for n := range d.All(d.Root(), dom.Link) {
		if isNext(d.Attr(n, "rel")) && len(f.declared) < 4 {
			f.declared = append(f.declared, links.Key(links.ResolveWeb(base, d.Attr(n, "href"))))
		}
	}
	seen := 0
	for n := range d.All(d.Root(), dom.A) {
		if !f.isNear(n) {
			continue
		}
		l, ok := f.label(n)
		if !ok {
			continue
		}
		if seen++; seen > maxLinks {
			break
		}
		href := d.Attr(n, "href")
		if to := links.ResolveWeb(base, href); to != "" && !f.isElsewhere(n) {
			f.add(to, href, l)
		}
	}
	return f.choose()
}

// label is what a link says.
type label struct {
	number int  // the number of a page, or 0
	next   bool // a word for "next"
	rel    bool // rel=next
}

// target is a page of the story that is linked to.
type target struct {
	key, address string
	href         string // as on the page
	label
	place
}

type finder struct {
	doc      *dom.Document
	story    Story
	own      string   // key of the page
	declared []string // keys of <link rel=next>
	targets  []*target
	numbers  int // pages that are linked to by their numbers
}

// label reads the text of a link. It returns false if the link cannot lead to
// another page of the story.
func (f *finder) label(n dom.Node) (label, bool) {
	d := f.doc
	const longest = 40 // bytes
	from, to := d.Span(n)
	l := label{rel: isNext(d.Attr(n, "rel"))}
	if d.Hidden(n) || to-from > longest {
		return l, false
	}
	text := ""
	for _, s := range [...]string{d.Text(n), d.Attr(n, "aria-label"), d.Attr(n, "title")} {
		if text == "" && len(s) <= longest {
			text = strings.ToLower(strings.Join(slices.Collect(words.All(s)), " "))
		}
	}
	word, number, ok := strings.Cut(text, " ")
	if !ok || pageWords[word] {
		l.number = pageNumber(cmp.Or(number, word))
	}
	// An arrow alone is a word for "next", too: »
	l.next = nextWords()[words.Fold(text)] || slices.Contains(arrows, strings.TrimSpace(d.Text(n)))
	return l, l.number > 0 || l.next || l.rel
}

var arrows = []string{"»", "›", ">", ">>", "→", "▶", "►"}

func isNext(rel string) bool {
	return slices.Contains(strings.Fields(strings.ToLower(rel)), "next")
}

func pageNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= maxPages {
		return n
	}
	return 0
}

// isNear reports whether a link is in the story or close to it.
func (f *finder) isNear(n dom.Node) bool {
	d, s := f.doc, f.story
	switch {
	case s.Body == dom.None || s.End == dom.None:
		return false
	case n < s.Body:
		return d.WordsBetween(n, s.Body) <= maxWords
	case n >= d.End(s.End):
		return d.WordsBetween(d.End(s.End), n) <= maxWords
	}
	return true
}

// otherWords are parts of the names of what has pages of its own.
var otherWords = []string{"comment", "kommentar", "disqus", "reply", "respond", "discussion", "forum", "related", "search"}

// isElsewhere reports whether a link is part of something with pages of its own:
// comments, related stories, search results.
func (f *finder) isElsewhere(n dom.Node) bool {
	for p := range f.doc.Ancestors(n) {
		if tag := f.doc.Tag(p); tag == dom.Body || tag == dom.HTML || f.doc.Contains(p, f.story.Body) {
			return false // an element around the story is not about something else
		}
		name := strings.ToLower(f.doc.Attr(p, "id") + " " + f.doc.Attr(p, "class"))
		if slices.ContainsFunc(otherWords, func(w string) bool { return strings.Contains(name, w) }) {
			return true
		}
	}
	return false
}

// add adds a link to the pages of the story, unless its address is another one.
func (f *finder) add(to, href string, l label) {
	if _, fragment, ok := strings.Cut(to, "#"); ok && strings.Contains(strings.ToLower(fragment), "comment") {
		return
	}
	key := links.Key(to)
	i := slices.IndexFunc(f.targets, func(t *target) bool { return t.key == key })
	if i < 0 {
		at, ok := compare(f.own, key)
		if f.own == "" {
			at, ok = guess(key)
			if strings.HasPrefix(to, unknownURL) {
				to = strings.Clone(strings.TrimSpace(href))
			}
		}
		if !ok {
			return
		}
		i = len(f.targets)
		f.targets = append(f.targets, &target{key: key, address: to, href: href, place: at, label: label{rel: slices.Contains(f.declared, key)}})
	}
	t := f.targets[i]
	if l.number > 0 && l.number == t.page && t.number == 0 {
		t.number = l.number
		f.numbers++
	}
	t.next = t.next || l.next
	t.rel = t.rel || l.rel
}

// choose returns the address of the page after this one, or "".
func (f *finder) choose() string {
	for _, t := range f.targets {
		if t.page != t.current+1 {
			continue
		}
		if f.own == "" && slices.ContainsFunc(f.targets, func(t *target) bool { return t.page == 1 }) {
			return "" // this is not the first page
		}
		if t.named && (t.number > 0 || t.next || t.rel) || t.number > 0 && (f.numbers > 1 || t.next || t.rel) {
			if f.isList(t) {
				return ""
			}
			return t.address
		}
	}
	return ""
}

// isList reports whether there are too many pages for a story: the links are those
// of a list, such as all stories of the site.
func (f *finder) isList(t *target) bool {
	const maxDigits = 6
	i := strings.LastIndex(t.href, strconv.Itoa(t.page))
	if i <= 0 {
		return false
	}
	for n := range f.doc.All(f.doc.Root(), dom.A) {
		rest, ok := strings.CutPrefix(f.doc.Attr(n, "href"), t.href[:i])
		if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); ok && digits > len(strconv.Itoa(maxPages)) && digits <= maxDigits {
			return true
		}
	}
	return false
}
