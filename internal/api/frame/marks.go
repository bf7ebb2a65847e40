package frame

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
)

// Mark is a run of text. Each text node of it is inside of a <span> whose data-b is
// the index and whose data-r is the role. A block that
// has no other text has the role as data-block, and the first text of a headline,
// byline, date and standfirst has data-label.
//
// Text where a <span> would not be possible or would change the page, such as that
// of <option> or of a drawing, is not marked.
type Mark struct {
	First, Last dom.Node // text nodes; those between belong to the mark
	Role        string   // one of the roles below
	Index       int
}

// Roles of marks and pictures.
const (
	Kept       = "kept"
	Dropped    = "dropped"
	Hidden     = "hidden"
	Title      = "title"
	Byline     = "byline"
	Date       = "date"
	Standfirst = "standfirst"
	Picture    = "picture"
)

// marks is the part of a builder that marks texts and pictures.
type marks struct {
	marked   bool
	list     []Mark
	next     int                 // index of the first mark that does not end before the text
	roles    []string            // by node: the role of its place, if there is any
	blocks   map[dom.Node]string // roles of blocks
	pictures map[dom.Node]bool
	labelled map[string]bool // roles that have a label
}

func (f *builder) setMarks(opts *Options) {
	f.marks = marks{marked: len(opts.Marks) > 0 || len(opts.Pictures) > 0, list: opts.Marks}
	if !f.marked {
		return
	}
	f.labelled = make(map[string]bool)
	if len(opts.Places) > 0 {
		f.roles = make([]string, f.d.Len())
		for i := range f.roles {
			n := dom.Node(i)
			if role := opts.Places[n]; role != "" {
				f.roles[i] = role
			} else if p := f.d.Parent(n); p != dom.None {
				f.roles[i] = f.roles[p]
			}
		}
	}
	f.pictures = make(map[dom.Node]bool, len(opts.Pictures))
	for _, n := range opts.Pictures {
		f.pictures[n] = true
	}
	f.blocks = make(map[dom.Node]string, len(f.list))
	for i := range f.list {
		if n := f.blockOf(i); n != dom.None {
			f.blocks[n] = f.roleOf(f.list[i].First, &f.list[i])
		}
	}
}

// blockOf returns the innermost block that contains a mark and no text of another, or
// None.
func (f *builder) blockOf(i int) dom.Node {
	m := &f.list[i]
	n := f.d.CommonAncestor(m.First, m.Last)
	for n != dom.None && !f.d.Tag(n).IsBlock() {
		n = f.d.Parent(n)
	}
	if n == dom.None || f.d.Tag(n) == dom.Body || f.d.Tag(n) == dom.HTML ||
		i > 0 && f.list[i-1].Last >= n || i+1 < len(f.list) && f.list[i+1].First < f.d.End(n) {
		return dom.None
	}
	return n
}

// roleOf returns the role of a text of a mark.
func (f *builder) roleOf(n dom.Node, m *Mark) string {
	if f.roles != nil && f.roles[n] != "" && m.Role != Hidden {
		return f.roles[n]
	}
	return m.Role
}

// mark returns the element for a text that is to be added to a parent, or nil if it
// is not marked. Texts must be in the order of the page.
func (f *builder) mark(n dom.Node, parent *html.Node) *html.Node {
	for f.next < len(f.list) && f.list[f.next].Last < n {
		f.next++
	}
	if f.next == len(f.list) || n < f.list[f.next].First || !takesSpan(parent) {
		return nil
	}
	m := &f.list[f.next]
	role := f.roleOf(n, m)
	e := &html.Node{Type: html.ElementNode, Data: "span", DataAtom: atom.Span, Attr: []html.Attribute{
		{Key: "data-b", Val: strconv.Itoa(m.Index)}, {Key: "data-r", Val: role},
	}}
	if label := labels[role]; label != "" && !f.labelled[role] && !f.d.Hidden(n) {
		f.labelled[role] = true
		e.Attr = append(e.Attr, html.Attribute{Key: "data-label", Val: label})
	}
	return e
}

// labels are shown above the first text of a role.
var labels = map[string]string{Title: "Headline", Byline: "Byline", Date: "Date", Standfirst: "Standfirst"}

// takesSpan reports whether a <span> may be in an element.
func takesSpan(e *html.Node) bool {
	if e.Namespace != "" {
		return false
	}
	switch e.DataAtom {
	case atom.Title, atom.Textarea, atom.Option, atom.Optgroup, atom.Select, atom.Datalist, atom.Style, atom.Head, atom.Html,
		atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Colgroup, atom.Frameset:
		return false
	}
	return true
}

// markElement marks a picture, or a block that has the text of one mark.
func (f *builder) markElement(e *html.Node, n dom.Node) {
	if f.pictures[n] {
		e.Attr = append(e.Attr, html.Attribute{Key: "data-r", Val: Picture})
	}
	if role := f.blocks[n]; role != "" && e.Namespace == "" {
		e.Attr = append(e.Attr, html.Attribute{Key: "data-block", Val: role})
	}
}

// markStyle shows the marks. Each role differs from others by a line and not only by
// its colour, and nothing takes up space. The colours are legible on light and dark
// pages: tints are translucent, lines are of medium lightness. What the page says
// about all of its spans does not apply to marks.
var markStyle = strings.NewReplacer("\n", "", "\t", "").Replace(`
span[data-b]{all:unset!important;cursor:pointer!important;-webkit-box-decoration-break:clone!important;box-decoration-break:clone!important}
span[data-r=kept]{background-color:#2da44e2b!important}
span[data-r=dropped],span[data-r=hidden]{opacity:.5!important;text-decoration:underline dotted 1px #8c8c8c!important}
span[data-r=hidden]{text-decoration-style:dashed!important}
span[data-r=title]{outline:4px double #3b82f6!important;outline-offset:2px!important;background-color:#3b82f626!important}
span[data-r=byline]{outline:2px dashed #a371f7!important;outline-offset:1px!important;background-color:#a371f726!important}
span[data-r=date]{outline:2px dotted #d4772c!important;outline-offset:1px!important;background-color:#d4772c26!important}
span[data-r=standfirst]{text-decoration:underline solid 2px #1b9aaa!important;background-color:#1b9aaa26!important}
[data-block=kept]{box-shadow:-5px 0 0 #2da44e!important}
[data-block=dropped]{box-shadow:-1px 0 0 #8c8c8c80!important}
[data-block=kept]:dir(rtl){box-shadow:5px 0 0 #2da44e!important}
[data-block=dropped]:dir(rtl){box-shadow:1px 0 0 #8c8c8c80!important}
span[data-label]::before{all:initial!important;content:attr(data-label)!important;position:absolute!important;z-index:2147483647!important;
	transform:translateY(-115%)!important;font:600 11px/1.4 system-ui,sans-serif!important;padding:0 5px!important;border-radius:3px!important;
	color:#fff!important;background:#1f2328!important;box-shadow:0 0 0 1px #fff!important;pointer-events:none!important;white-space:nowrap!important}
img,svg,video,iframe,embed,object,canvas{opacity:.45!important}
[data-r=picture],[data-r=picture] *{opacity:1!important}
[data-r=picture]{outline:4px solid #2da44e!important;outline-offset:-4px!important}
img[data-blank]{max-width:100%!important;max-height:60vh!important}
img[data-r=picture][data-blank]{min-width:8rem!important;min-height:4.5rem!important;background:#8c8c8c40 url("data:image/svg+xml,
	%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%238c8c8c' stroke-width='1.5'%3E
	%3Crect x='3' y='5' width='18' height='14'/%3E%3Cpath d='m3 16 5-5 4 4 3-3 6 6'/%3E%3Ccircle cx='16' cy='9' r='1.5'/%3E%3C/svg%3E") center/3rem no-repeat!important}
span[data-b]:hover{text-decoration:underline solid 2px currentcolor!important}
span[data-b].selected,[data-r=picture].selected{opacity:1!important;outline:3px solid #e3116c!important;outline-offset:1px!important;box-shadow:0 0 0 6px #ffffffd9!important}
`)
