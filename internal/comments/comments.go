// Package comments finds what readers wrote under a story.
//
// Pages name the place of comments for their scripts and style sheets, and so
// it is found by names in class and id attributes and by microdata. Inside it
// everything is a comment but for what is there to be pressed.
package comments

import (
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
