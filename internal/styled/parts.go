package styled

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Parts are the nodes of a page from which its look is taken.
type Parts struct {
	Headline, Standfirst, Byline []dom.Node
	Lede                         []dom.Node // the first paragraph, which is not in Body
	Body, Heading, Quote         []dom.Node
	Caption, Link                []dom.Node
}

// Find finds the parts of an article on its page by their text. Each is the
// innermost element with that text, which has its style.
func Find(d *dom.Document, a *article.Article) Parts {
	f := &finder{doc: d, want: map[string]*[]dom.Node{}}
	if a != nil {
		f.gather(a)
	}
	f.search()
	if len(f.parts.Lede)+len(f.parts.Body) == 0 && a != nil {
		f.parts.Body = f.within(article.Text(a.Body))
	}
	f.parts.Headline = f.chooseHeadline()
	f.links()
	return f.parts
}

type finder struct {
	doc     *dom.Document
	want    map[string]*[]dom.Node // by text
	longest int
	parts   Parts
}

func (f *finder) add(s string, part *[]dom.Node) {
	if s = oneLine(s); s == "" {
		return
	}
	if _, there := f.want[s]; !there {
		f.want[s] = part
		f.longest = max(f.longest, len(s))
	}
}

func (f *finder) gather(a *article.Article) {
	f.add(a.Title, &f.parts.Headline)
	f.add(a.Standfirst, &f.parts.Standfirst)
	for _, au := range a.Authors {
		f.add(au.Name, &f.parts.Byline)
		f.add("By "+au.Name, &f.parts.Byline)
	}
	for _, im := range a.Images() {
		for _, s := range []string{im.Caption, strings.TrimSpace(im.Caption + " " + im.Credit)} {
			f.add(s, &f.parts.Caption)
		}
	}
	for i := range a.Body {
		if s := article.SpanText(a.Body[i].Spans); a.Body[i].Kind == article.Paragraph && oneLine(s) != oneLine(a.Standfirst) {
			f.add(s, &f.parts.Lede)
			break
		}
	}
	f.gatherBlocks(a.Body, &f.parts.Body)
}

func (f *finder) gatherBlocks(bs []article.Block, prose *[]dom.Node) {
	for i := range bs {
		switch b := &bs[i]; b.Kind {
		case article.Paragraph:
			f.add(article.SpanText(b.Spans), prose)
		case article.Heading:
			f.add(article.SpanText(b.Spans), &f.parts.Heading)
		case article.List:
			for _, it := range b.Items {
				f.gatherBlocks(it, prose)
			}
		case article.Quote:
			f.gatherBlocks(b.Blocks, &f.parts.Quote)
		}
	}
}

// search finds the wanted texts on the page. Of nested elements with the same
// text it takes the innermost.
func (f *finder) search() {
	d := f.doc
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		size := len(d.Text(n))
		if d.Hidden(n) || size == 0 || size > 2*f.longest || f.wraps(n, size) {
			continue
		}
		part, ok := f.want[oneLine(d.Text(n))]
		if !ok || d.Closest(n, dom.Head) != dom.None {
			continue
		}
		at := n
		if d.IsText(n) { // a paragraph between line breaks
			if at = d.Parent(n); len(d.Text(at)) == size {
				continue // found as an element
			}
		}
		if part == &f.parts.Byline {
			for d.InLink(at) { // names are links, but the byline is not
				at = d.Parent(at)
			}
		}
		if k := len(*part); k == 0 || (*part)[k-1] != at {
			*part = append(*part, at)
		}
	}
}

func (f *finder) wraps(n dom.Node, size int) bool {
	for c := range f.doc.Children(n) {
		if !f.doc.IsText(c) && len(f.doc.Text(c)) == size {
			return true
		}
	}
	return false
}

// within finds the element with the story as one run of text, as in old wire
// copy, by the beginning of its longest line.
func (f *finder) within(story string) []dom.Node {
	longest := ""
	for line := range strings.Lines(story) {
		if len(line) > len(longest) {
			longest = line
		}
	}
	longest = oneLine(longest)
	longest = longest[:min(len(longest), 80)]
	for n := dom.Node(1); int(n) < f.doc.Len() && longest != ""; n++ {
		if f.doc.IsText(n) && !f.doc.Hidden(n) && strings.Contains(oneLine(f.doc.Text(n)), longest) {
			return []dom.Node{f.doc.Parent(n)}
		}
	}
	return nil
}

// chooseHeadline prefers a heading, since breadcrumbs and lists repeat the
// headline.
func (f *finder) chooseHeadline() []dom.Node {
	for _, tags := range [][]dom.Tag{{dom.H1}, {dom.H2}, {dom.H3, dom.H4}} {
		for _, n := range f.parts.Headline {
			if f.doc.Closest(n, tags...) != dom.None {
				return []dom.Node{n}
			}
		}
	}
	return f.parts.Headline[:min(len(f.parts.Headline), 1)]
}

// links finds the links in paragraphs.
func (f *finder) links() {
	for _, p := range slices.Concat(f.parts.Lede, f.parts.Body) {
		for l := range f.doc.All(p, dom.A) {
			if l != p && f.doc.InLink(l) && f.doc.Text(l) != "" && !slices.Contains(f.parts.Link, l) {
				f.parts.Link = append(f.parts.Link, l)
			}
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
