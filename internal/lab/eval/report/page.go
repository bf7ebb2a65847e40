package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/page/css"
)

// maxText is the number of characters of a text that are shown. Articles are far
// shorter.
const maxText = 200_000

// page is the data of the view of one page.
type page struct {
	Gold    story   `json:"gold"`
	Outputs []story `json:"outputs"` // distinct outputs
	By      []int   `json:"by"`      // by system: index in Outputs
	Outline outline `json:"outline"`
}

// story is the gold or an output.
type story struct {
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Authors []string `json:"authors"`
	Date    string   `json:"date"`
	Type    string   `json:"type"`
	Error   string   `json:"error,omitempty"`
	// With and Without are snippets that must and must not be in the text.
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`
	// TitleInText means that the gold's text begins with the headline.
	TitleInText bool `json:"titleInText,omitempty"`
	Cut         bool `json:"cut,omitempty"` // the text is longer than maxText
}

func newPage(p *eval.Page) *page {
	out := &page{Gold: goldStory(p)}
	texts := []string{p.Gold.Text}
	for _, o := range p.Outputs {
		s := outputStory(o)
		at := slices.IndexFunc(out.Outputs, func(x story) bool { return same(x, s) })
		if at < 0 {
			at = len(out.Outputs)
			out.Outputs = append(out.Outputs, s)
			texts = append(texts, s.Text)
		}
		out.By = append(out.By, at)
	}
	if p.Doc != nil {
		out.Outline = newOutline(p.Doc, texts)
	}
	return out
}

func goldStory(p *eval.Page) story {
	g := p.Gold
	s := story{
		Title: g.Title, Authors: g.Authors, Date: g.Date, Type: g.Type, TitleInText: g.TitleInText,
		With: g.With, Without: g.Without,
	}
	s.Text, s.Cut = cut(g.Text, maxText)
	return s
}

func outputStory(o *measure.Output) story {
	if o == nil {
		return story{Error: "no output"}
	}
	s := story{Title: o.Title, Authors: o.Authors, Date: o.Date, Type: o.Type, Error: o.Error}
	s.Text, s.Cut = cut(o.Text, maxText)
	return s
}

func same(a, b story) bool {
	return a.Text == b.Text && a.Title == b.Title && a.Date == b.Date && a.Type == b.Type && a.Error == b.Error &&
		a.Cut == b.Cut && slices.Equal(a.Authors, b.Authors)
}

// cut returns the first n characters of s, and whether there are more.
func cut(s string, n int) (string, bool) {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s, false
	}
	for i := range s {
		if n == 0 {
			return s[:i], true
		}
		n--
	}
	return s, false
}

const (
	maxBlocks = 1500 // blocks of a page
	maxBlock  = 400  // characters of a block
)

// outline is the tree of the blocks of a page, in preorder.
type outline struct {
	Items []item `json:"items"`
	Left  int    `json:"left,omitempty"` // number of blocks left out
}

// item is a block, or an element that contains several blocks.
type item struct {
	Depth int     `json:"d"`
	Label string  `json:"l"` // path from the item above
	Text  []piece `json:"t,omitempty"`
}

// piece is a text and the set of texts that contain it: bit 0 is the gold, bit 1
// the first output.
type piece struct {
	Text string `json:"s"`
	In   uint64 `json:"w,omitempty"`
}

// newOutline returns the outline of a page, marked with the texts that contain
// each piece.
func newOutline(d *dom.Document, texts []string) outline {
	in := make([]uint64, d.Len())
	for i, text := range texts {
		if text == "" || i >= 53 { // JavaScript's integers have 53 bits
			continue
		}
		for n, has := range measure.Align(d, text) {
			if has {
				in[n] |= 1 << i
			}
		}
	}
	all := blocks(d, in)
	kept := limitBlocks(all)
	return outline{Items: tree(d, kept), Left: len(all) - len(kept)}
}

// block is a run of text without block elements in it.
type block struct {
	node dom.Node // innermost block element around it
	text []piece
}

// blocks splits the page into blocks.
func blocks(d *dom.Document, in []uint64) []block {
	var all []block
	text := d.AllText()
	within := make([]dom.Node, d.Len()) // by node: its innermost block element
	last, end := d.Root(), 0            // last text node, and the end of its text
	for i := 1; i < d.Len(); i++ {
		n := dom.Node(i)
		within[n] = within[d.Parent(n)]
		switch {
		case d.Tag(n).IsBlock():
			within[n] = n
		case d.IsText(n):
			from, to := d.Span(n)
			if strings.TrimSpace(text[from:to]) == "" {
				continue
			}
			if k := len(all) - 1; k < 0 || all[k].node != within[n] || separated(within, last, n) {
				all = append(all, block{node: within[n]})
				end = from
			}
			all[len(all)-1].add(text[end:to], in[n]) // includes the space before it
			last, end = n, to
		}
	}
	return all
}

// separated reports whether there is a block element between two nodes.
func separated(within []dom.Node, a, b dom.Node) bool {
	for n := a + 1; n < b; n++ {
		if within[n] == n {
			return true
		}
	}
	return false
}

func (b *block) add(text string, in uint64) {
	if k := len(b.text) - 1; k >= 0 && b.text[k].In == in {
		b.text[k].Text += text
		return
	}
	b.text = append(b.text, piece{text, in})
}

// limitBlocks removes blocks that no text contains if there are too many.
func limitBlocks(all []block) []block {
	if len(all) <= maxBlocks {
		return all
	}
	left := maxBlocks
	for _, b := range all {
		if b.contained() {
			left--
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(b block) bool {
		if b.contained() {
			return false
		}
		left--
		return left < 0
	})
}

// contained reports whether any text contains part of the block.
func (b block) contained() bool {
	return slices.ContainsFunc(b.text, func(p piece) bool { return p.In != 0 })
}

// truncated returns the beginning of the text of a block.
func (b block) truncated() []piece {
	var out []piece
	left := maxBlock
	for _, p := range b.text {
		text, more := cut(p.Text, left)
		if left -= len([]rune(text)); more {
			text += "…"
		}
		if out = append(out, piece{text, p.In}); more || left <= 0 {
			break
		}
	}
	return out
}

// treeNode is an element that contains blocks, or a block.
type treeNode struct {
	node     dom.Node // None for text after or between block elements
	text     []piece
	children []*treeNode
}

// tree returns the items for blocks. An element with a single child shares its
// line.
func tree(d *dom.Document, all []block) []item {
	root := &treeNode{node: d.Root()}
	known := map[dom.Node]*treeNode{d.Root(): root}
	for _, b := range all {
		t := findOrAdd(d, known, b.node)
		if len(t.text) > 0 || len(t.children) > 0 {
			text := &treeNode{node: dom.None}
			t.children = append(t.children, text)
			t = text
		}
		t.text = b.truncated()
	}
	return root.items(d, nil, 0, "")
}

// findOrAdd returns the tree node of a block element and adds it if necessary.
func findOrAdd(d *dom.Document, known map[dom.Node]*treeNode, n dom.Node) *treeNode {
	if t := known[n]; t != nil {
		return t
	}
	up := d.Parent(n)
	for up > d.Root() && !d.Tag(up).IsBlock() {
		up = d.Parent(up)
	}
	parent := findOrAdd(d, known, max(up, d.Root()))
	t := &treeNode{node: n}
	known[n] = t
	parent.children = append(parent.children, t)
	return t
}

// items appends the items of a subtree to out.
func (t *treeNode) items(d *dom.Document, out []item, depth int, above string) []item {
	name := above
	switch t.node {
	case d.Root():
	case dom.None:
		name = joinPath(above, "text")
	default:
		name = joinPath(above, css.SelectorOf(d, t.node))
	}
	if len(t.text) == 0 && len(t.children) == 1 {
		return t.children[0].items(d, out, depth, name)
	}
	if t.node != d.Root() || len(t.text) > 0 {
		out = append(out, item{depth, name, t.text})
		depth++
	}
	for _, c := range t.children {
		out = c.items(d, out, depth, "")
	}
	return out
}

// joinPath appends a name to a path, which keeps its last three elements.
func joinPath(above, name string) string {
	const separator = " › "
	if above == "" {
		return name
	}
	parts := append(strings.Split(above, separator), name)
	if len(parts) > 3 {
		parts = append([]string{"…"}, parts[len(parts)-3:]...)
	}
	return strings.Join(parts, separator)
}
