package site

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// role is a part of a story that has its place on the pages of a site.
type role uint8

const (
	headline role = iota
	body
	byline
	date
	picture
	roles
)

var roleNames = [roles]string{"headline", "body", "byline", "date", "picture"}

// habits are the names of the places where a page has its parts.
type habits [roles]string

// observeHabits notes where the parts of the story stand.
func (p *Page) observeHabits(o *Observation, x *Extraction, mask []bool) {
	d, sel, a := p.doc, x.Selection, x.Article
	home := p.home(keptWords(d, mask))
	if home == dom.None {
		return
	}
	set := func(r role, n dom.Node) {
		if n != dom.None {
			o.habits[r] = clip(p.placeName(n), maxName)
		}
	}
	set(body, home)
	set(headline, sel.Title)
	set(byline, p.findByline(a))
	set(date, p.findDate(a))
	set(picture, p.findPicture(a))
	p.observePlaces(o, mask, sel.Title)
	o.suffixes = p.suffixes(a.Title)
}

// keptWords counts the words of a mask before each node.
func keptWords(d *dom.Document, mask []bool) []int32 {
	kept := make([]int32, d.Len()+1)
	for n := range dom.Node(d.Len()) {
		kept[n+1] = kept[n]
		if mask[n] && d.IsText(n) {
			kept[n+1] += int32(d.Words(n))
		}
	}
	return kept
}

// home is the deepest element that has nearly all of the story.
func (p *Page) home(kept []int32) dom.Node {
	d := p.doc
	words := func(n dom.Node) int32 { return kept[d.End(n)] - kept[n] }
	all := words(d.Root())
	if all == 0 {
		return dom.None
	}
	home := d.Root()
next:
	for c := range d.Children(home) {
		if !d.IsText(c) && words(c) >= all-all/10 {
			home = c
			goto next
		}
	}
	return home
}

// observePlaces notes which places have text of the story, or its headline,
// and which have not.
func (p *Page) observePlaces(o *Observation, mask []bool, title dom.Node) {
	if title != dom.None {
		mask = slices.Clone(mask)
		for n := title; n < p.doc.End(title); n++ {
			mask[n] = true
		}
	}
	kept := keptWords(p.doc, mask)
	var last [2]key // of a list, all items are in one place
	for n, k := range p.places {
		if k&named == 0 {
			continue
		}
		list, i := &o.left, 0
		if kept[p.doc.End(dom.Node(n))] > kept[n] {
			list, i = &o.kept, 1
		}
		if last[i] != k {
			*list = append(*list, k)
			last[i] = k
		}
	}
	o.kept = distinct(o.kept, maxPlaces)
	o.left = distinct(o.left, maxPlaces)
	// A place that has text of the story once on the page is one of the story.
	i := 0
	o.left = slices.DeleteFunc(o.left, func(k key) bool {
		for i < len(o.kept) && o.kept[i] < k {
			i++
		}
		return i < len(o.kept) && o.kept[i] == k
	})
}

const maxLine = 15 // words of a row that may be a byline or a dateline

// findByline is the element of the first short row that names an author.
func (p *Page) findByline(a *article.Article) dom.Node {
	if len(a.Authors) == 0 || a.Authors[0].Name == "" {
		return dom.None
	}
	name := strings.ToLower(a.Authors[0].Name)
	return p.findRow(func(text string) bool { return strings.Contains(strings.ToLower(text), name) })
}

// findDate is the element of the first short row, or <time>, that has the
// day and the year of publication in digits.
func (p *Page) findDate(a *article.Article) dom.Node {
	if a.Published.IsZero() {
		return dom.None
	}
	d := p.doc
	when := a.Published.String()
	if len(when) >= len("2006-01-02") {
		for n := range d.All(d.Root(), dom.Time) {
			if strings.HasPrefix(d.AttrOr(n, "datetime"), when[:len("2006-01-02")]) && d.Words(n) > 0 {
				return n
			}
		}
	}
	day, year := a.Published.Time.Day(), a.Published.Time.Year()
	return p.findRow(func(text string) bool { return hasNumber(text, day) && hasNumber(text, year) })
}

func (p *Page) findRow(is func(string) bool) dom.Node {
	for i := range p.rows {
		r := &p.rows[i]
		if r.words > maxLine || r.words == 0 {
			continue
		}
		if is(p.text(r)) {
			return p.doc.CommonAncestor(p.doc.Parent(r.first), p.doc.Parent(r.last))
		}
	}
	return dom.None
}

// hasNumber looks for a number that stands by itself, with or without a zero
// before it.
func hasNumber(text string, number int) bool {
	digits := func(c rune) bool { return c < '0' || c > '9' }
	for f := range strings.FieldsFuncSeq(text, digits) {
		if n, err := strconv.Atoi(f); err == nil && n == number {
			return true
		}
	}
	return false
}

// findPicture is the lead picture, by its file name: pages offer it in many sizes.
func (p *Page) findPicture(a *article.Article) dom.Node {
	if a.Lead == nil {
		return dom.None
	}
	file, _, _ := strings.Cut(path.Base(a.Lead.URL), "?")
	if len(file) < 3 {
		return dom.None
	}
	for n := range p.doc.All(p.doc.Root(), dom.Img) {
		if p.places[n] != 0 && strings.Contains(p.doc.Source(n), file) {
			return n
		}
	}
	return dom.None
}
