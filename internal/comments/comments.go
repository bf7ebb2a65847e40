// Package comments finds what readers wrote under a story.
//
// Pages name the place of comments for their scripts and style sheets, and so
// it is found by names in class and id attributes and by microdata. Inside it
// everything is a comment but for what is there to be pressed.
package comments

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// Find gives the readers' comments of a page in their order, each as one text:
// the line with name and date, where there is one, and what was said. story is
// the mask of the nodes that are the story; nothing of it is a comment.
func Find(d *dom.Document, story []bool) []string {
	f := finder{doc: d, story: make([]int32, d.Len()+1)}
	for n := range dom.Node(d.Len()) {
		f.story[n+1] = f.story[n]
		if int(n) < len(story) && story[n] && d.IsText(n) {
			f.story[n+1] += int32(d.Words(n))
		}
	}
	return f.find()
}

// said is the comments of one place. What the page does not call a comment has
// to look like one: comments are dated, and what stands in their place while
// there are none is not.
func (f *finder) said(place dom.Node) []string {
	items, named := f.items(place)
	const links, only = 0.6, 0.85 // of all characters: a list of other stories
	if density := f.doc.LinkDensity(place); density > only || !named && density > links {
		return nil
	}
	if len(items) == 0 {
		const few = 8 // words: a line about the story
		if f.doc.Words(place) < few {
			return nil
		}
		items = []item{{place, f.doc.End(place)}}
	}
	out, dated := f.texts(items)
	const enough = 5 // words: a button has fewer
	if 2*dated > len(out) || named && (dated > 0 || len(strings.Fields(strings.Join(out, " "))) >= enough) {
		return out
	}
	return nil
}

// texts is what was said in each of the comments, and how many are dated.
func (f *finder) texts(items []item) (out []string, dated int) {
	ends := map[dom.Node]dom.Node{}
	for _, it := range items {
		ends[it.from] = it.to
	}
	for _, it := range items {
		text := f.text(it, ends)
		if text == "" || isInstruction(text) {
			continue
		}
		out = append(out, text)
		if hasDate(text) {
			dated++
		}
	}
	return out, dated
}

type finder struct {
	doc   *dom.Document
	story []int32  // prefix sums of the words of the story
	tried dom.Node // nothing before it is under a heading
}

// told is how many words of the story stand in n.
func (f *finder) told(n dom.Node) int { return int(f.story[f.doc.End(n)] - f.story[n]) }

// find goes through the outermost elements that are named for comments, hold
// nothing of the story, or next to nothing, and stand where comments on it do;
// and through the headings over comments elsewhere.
func (f *finder) find() []string {
	d := f.doc
	var out []string
	for n := dom.Node(1); int(n) < d.Len(); {
		told := f.told(n)
		switch {
		case d.IsText(n):
			n++
		case d.Hidden(n) || d.Words(n) == 0 || isTool(d.Tag(n)) && told == 0:
			n = d.End(n)
		case told == 0 && (d.Tag(n) == dom.Aside || hasRole(d, n, apart)):
			n = d.End(n) // comments on other stories
		case IsNamed(d, n) && 2*told <= d.Words(n):
			out = append(out, f.said(n)...)
			n = d.End(n)
		case f.isHeading(n):
			var said []string
			said, n = f.under(n)
			out = append(out, said...)
		default:
			n++
		}
	}
	return out
}

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

// text is the words of a comment, a row of the page a line, without what is
// pressed and without the answers inside it.
func (f *finder) text(it item, ends map[dom.Node]dom.Node) string {
	d := f.doc
	all := d.AllText()
	var rows []string
	var row strings.Builder
	end := -1
	flush := func() {
		if s := strings.TrimSpace(row.String()); s != "" && !isPhrase(s) {
			rows = append(rows, s)
		}
		row.Reset()
	}
	for m := it.from; m < it.to; {
		if to := ends[m]; to > 0 && m > it.from {
			m = to
			continue
		}
		if !d.IsText(m) {
			if d.Hidden(m) || m > it.from && isToolBox(d, m) {
				m = d.End(m)
				continue
			}
			m++
			continue
		}
		from, to := d.Span(m)
		m++
		if from == to || f.told(m-1) > 0 || isPhrase(all[from:to]) && d.InLink(m-1) {
			continue
		}
		if end >= 0 && strings.Contains(all[end:from], "\n") {
			flush()
		} else if row.Len() > 0 && end < from {
			row.WriteByte(' ')
		}
		row.WriteString(all[from:to])
		end = to
	}
	flush()
	return strings.Join(rows, "\n")
}
