package comments

import (
	_ "embed" // the words of headings
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

//go:embed headings.txt
var headingList string

// headings are the words of headings.txt. Read only.
var headings = slices.Collect(func(yield func(string) bool) {
	for line := range strings.Lines(headingList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			if !yield(w) {
				return
			}
		}
	}
})

// isHeading reports whether n stands over comments, behind the story: a line of
// its own that speaks of them.
func (f *finder) isHeading(n dom.Node) bool {
	d := f.doc
	const words, chars = 8, 100 // the most in a heading
	if n < f.tried || f.story[n] == 0 || !d.Tag(n).IsBlock() || d.Words(n) > words || d.Chars(n) > chars || f.told(n) > 0 {
		return false
	}
	low := strings.ToLower(d.Text(n))
	return slices.ContainsFunc(headings, func(w string) bool { return strings.Contains(low, w) })
}

// under is the comments below a heading: the boxes next to it that are called
// alike and dated, or what is in the only one.
func (f *finder) under(heading dom.Node) (said []string, end dom.Node) {
	d := f.doc
	end = d.End(heading)
	for p := d.Parent(heading); p != dom.None && d.Words(p) == d.Words(heading); p = d.Parent(p) {
		heading = p
	}
	var run []item
	for n := d.Next(heading); n != dom.None; n = d.Next(n) {
		if d.Words(n) == 0 && !d.IsText(n) {
			continue
		}
		if !isBox(d.Tag(n)) && d.Tag(n) != dom.Ol && d.Tag(n) != dom.Ul || f.told(n) > 0 || len(run) > 0 && !alike(d, run[0].from, n) {
			break
		}
		run = append(run, item{n, d.End(n)})
	}
	switch len(run) {
	case 0:
		return nil, end
	case 1:
		if said = f.said(run[0].from); len(said) == 1 && !hasClock(said[0]) {
			said = nil // the year of a copyright
		}
	default:
		var dated int
		if said, dated = f.texts(run); 2*dated <= len(said) {
			said = nil
		}
	}
	last := run[len(run)-1].to
	if said == nil {
		f.tried = last // or a page of headings would be tried again from each
		return nil, end
	}
	return said, last
}

func alike(d *dom.Document, a, b dom.Node) bool {
	return d.Tag(a) == d.Tag(b) && d.AttrOr(a, "class") == d.AttrOr(b, "class")
}
