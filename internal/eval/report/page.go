package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

// maxText is how many characters of a text are shown. Stories are far shorter;
// what is longer is a page taken whole by mistake.
const maxText = 200_000

// page is what the view of one page needs.
type page struct {
	Gold    story   `json:"gold"`
	Outputs []story `json:"outputs"` // each that is different, once
	By      []int   `json:"by"`      // by system: which of Outputs
	Outline outline `json:"outline"`
}

// story is a gold or an output.
type story struct {
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Authors []string `json:"authors"`
	Date    string   `json:"date"`
	Type    string   `json:"type"`
	Error   string   `json:"error,omitempty"`
	// With and Without are snippets that a text must and must not have.
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`
	// TitleInText says that the gold's text begins with the headline.
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
		return story{Error: "nothing was given"}
	}
	s := story{Title: o.Title, Authors: o.Authors, Date: o.Date, Type: o.Type, Error: o.Error}
	s.Text, s.Cut = cut(o.Text, maxText)
	return s
}

func same(a, b story) bool {
	return a.Text == b.Text && a.Title == b.Title && a.Date == b.Date && a.Type == b.Type && a.Error == b.Error &&
		a.Cut == b.Cut && slices.Equal(a.Authors, b.Authors)
}

// cut takes the first n characters of s.
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
	maxBlocks = 1500 // of a page; the longest lists of links go beyond
	maxBlock  = 400  // characters of a block
	maxLabel  = 40   // characters that name an element
)

// outline is the page as a tree of its blocks, in order.
type outline struct {
	Items []item `json:"items"`
	Left  int    `json:"left,omitempty"` // blocks that nobody wants and that are too many to show
}

// item is an element with text of its own, or one that holds several such.
type item struct {
	Depth int     `json:"d"`
	Label string  `json:"l"` // names from the item above down to this one
	Text  []piece `json:"t,omitempty"`
}

// piece is text with who has it: bit 0 is the gold, bit 1 the first output.
type piece struct {
	Text string `json:"s"`
	Who  uint64 `json:"w,omitempty"`
}

// newOutline marks the text of a page with which of the texts have it.
func newOutline(d *dom.Document, texts []string) outline {
	who := make([]uint64, d.Len())
	for i, text := range texts {
		if text == "" || i >= 53 { // browsers count to 2⁵³
			continue
		}
		for n, has := range measure.Align(d, text) {
			if has {
				who[n] |= 1 << i
			}
		}
	}
	all := blocks(d, who)
	kept := few(all)
	return outline{Items: tree(d, kept), Left: len(all) - len(kept)}
}

// block is a run of text without an edge of a block in it.
type block struct {
	in   dom.Node // the block element around it
	text []piece
}

// blocks cuts the page into runs of text.
func blocks(d *dom.Document, who []uint64) []block {
	var all []block
	text := d.AllText()
	within := make([]dom.Node, d.Len()) // the block element of each node
	last, end := d.Root(), 0            // the last text, and where it ends
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
			if k := len(all) - 1; k < 0 || all[k].in != within[n] || broken(within, last, n) {
				all = append(all, block{in: within[n]})
				end = from
			}
			all[len(all)-1].add(text[end:to], who[n]) // with the space before it
			last, end = n, to
		}
	}
	return all
}

// broken tells whether a block element stands between two texts of one.
func broken(within []dom.Node, a, b dom.Node) bool {
	for n := a + 1; n < b; n++ {
		if within[n] == n {
			return true
		}
	}
	return false
}

func (b *block) add(text string, who uint64) {
	if k := len(b.text) - 1; k >= 0 && b.text[k].Who == who {
		b.text[k].Text += text
		return
	}
	b.text = append(b.text, piece{text, who})
}

// few leaves out blocks that are in no text when there are too many.
func few(all []block) []block {
	if len(all) <= maxBlocks {
		return all
	}
	wanted := 0
	for _, b := range all {
		if b.wanted() {
			wanted++
		}
	}
	room := max(0, maxBlocks-wanted)
	return slices.DeleteFunc(slices.Clone(all), func(b block) bool {
		if b.wanted() {
			return false
		}
		room--
		return room < 0
	})
}

func (b block) wanted() bool {
	return slices.ContainsFunc(b.text, func(p piece) bool { return p.Who != 0 })
}

// short is the text of a block as far as it is shown.
func (b block) short() []piece {
	var out []piece
	room := maxBlock
	for _, p := range b.text {
		text, more := cut(p.Text, room)
		if room -= len([]rune(text)); more {
			text += "…"
		}
		if out = append(out, piece{text, p.Who}); more || room <= 0 {
			break
		}
	}
	return out
}

// branch is an element on the way to blocks.
type branch struct {
	node     dom.Node
	text     []piece
	children []*branch
}

// tree puts blocks under the elements that they stand in. An element with one
// block and nothing else shares its line.
func tree(d *dom.Document, all []block) []item {
	root := &branch{node: d.Root()}
	known := map[dom.Node]*branch{d.Root(): root}
	for _, b := range all {
		at := grow(d, known, b.in)
		if len(at.text) > 0 || len(at.children) > 0 {
			text := &branch{node: dom.None} // text after or between blocks
			at.children = append(at.children, text)
			at = text
		}
		at.text = b.short()
	}
	return root.items(d, nil, 0, "")
}

// grow finds the branch of a block element, or makes it.
func grow(d *dom.Document, known map[dom.Node]*branch, n dom.Node) *branch {
	if b := known[n]; b != nil {
		return b
	}
	up := d.Parent(n)
	for up > d.Root() && !d.Tag(up).IsBlock() {
		up = d.Parent(up)
	}
	parent := grow(d, known, max(up, d.Root()))
	b := &branch{node: n}
	known[n] = b
	parent.children = append(parent.children, b)
	return b
}

func (b *branch) items(d *dom.Document, out []item, depth int, above string) []item {
	name := above
	if b.node != d.Root() {
		name = join(above, label(d, b.node))
	}
	if len(b.text) == 0 && len(b.children) == 1 {
		return b.children[0].items(d, out, depth, name)
	}
	if b.node != d.Root() || len(b.text) > 0 {
		out = append(out, item{depth, name, b.text})
		depth++
	}
	for _, c := range b.children {
		out = c.items(d, out, depth, "")
	}
	return out
}

// join is a path, of which the last three elements are enough.
func join(above, name string) string {
	const to = " › "
	if above == "" {
		return name
	}
	parts := append(strings.Split(above, to), name)
	if len(parts) > 3 {
		parts = append([]string{"…"}, parts[len(parts)-3:]...)
	}
	return strings.Join(parts, to)
}

// label names an element as a style sheet would.
func label(d *dom.Document, n dom.Node) string {
	if n == dom.None {
		return "text"
	}
	s := d.Name(n)
	if id := strings.TrimSpace(d.AttrOr(n, "id")); id != "" {
		s += "#" + id
	}
	for i, class := range strings.Fields(d.AttrOr(n, "class")) {
		if i == 2 {
			break
		}
		s += "." + class
	}
	if short, more := cut(s, maxLabel); more {
		return short + "…"
	}
	return s
}
