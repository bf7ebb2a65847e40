// Package compose turns the nodes that a method selected into the blocks of an
// article.
package compose

import (
	"math/bits"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
)

// Options select what Blocks includes.
type Options struct {
	// URL is the address of the page, to resolve links.
	URL string
	// Pictures includes pictures and videos. They never change the text.
	Pictures bool
	// Captions includes the captions of pictures as paragraphs.
	Captions bool
	// CaptionFallback includes captions if more than half of the selected
	// text would be left out without them, as in a gallery.
	CaptionFallback bool
	// Title is the headline. 0 and dom.None mean unknown.
	Title dom.Node
	// Declared are the pictures in the metadata of the page.
	Declared []article.Image
	// Steps ends the work early, with any blocks. It may be nil.
	Steps *steps.Counter
}

// maxDepth bounds the nesting of blocks, and maxLevel that of elements, so that
// no page can exhaust the stack. What is nested deeper is flattened.
const (
	maxDepth = 64
	maxLevel = 512
)

// Blocks returns the blocks of the selected nodes.
func Blocks(d *dom.Document, mask []bool, opts Options) []article.Block {
	return blocks(d, mask, opts, nil)
}

// blocks is Blocks. It records the nodes of the blocks in used, unless it is nil.
func blocks(d *dom.Document, mask []bool, opts Options, used []bool) []article.Block {
	out := compose(d, mask, opts, used)
	if opts.CaptionFallback && !opts.Captions && 2*textLen(out) < selectedLen(d, mask) {
		opts.Captions = true
		clear(used)
		out = compose(d, mask, opts, used)
	}
	return out
}

// textLen returns the length of the text of blocks in bytes.
func textLen(blocks []article.Block) int {
	n := 0
	a := article.Article{Body: blocks}
	for b := range a.Blocks() {
		line := len(b.Code)
		if b.Embed != nil {
			line += len(b.Embed.Text) + len(b.Embed.Author)
		}
		for _, s := range b.Spans {
			line += len(s.Text)
		}
		if line > 0 {
			n += line + 1
		}
	}
	return max(0, n-1)
}

// selectedLen returns the length of the selected text in bytes.
func selectedLen(d *dom.Document, mask []bool) (n int) {
	for k, selected := range mask {
		if m := dom.Node(k); selected && d.IsText(m) && !d.Hidden(m) {
			from, to := d.Span(m)
			n += to - from
		}
	}
	return n
}

func compose(d *dom.Document, mask []bool, opts Options, used []bool) []article.Block {
	if opts.Steps.Look() != nil {
		return nil
	}
	c := &composer{doc: d, mask: mask, selected: newMaskIndex(mask), opts: opts, base: links.Base(d, opts.URL), used: used}
	if c.embeds = c.findEmbeds(); len(c.embeds) > 0 {
		c.selected.add(c.embeds)
	}
	c.memory.steps = opts.Steps
	c.reserve()
	c.findStory()
	c.children(d.Root(), 0)
	if opts.Steps.Look() != nil {
		return nil
	}
	blocks := c.dropPictures(c.builder.finish())
	promoteBoldLines(blocks)
	if !opts.Pictures {
		// They are removed last because what is a caption must not depend on
		// this option.
		blocks = dropMedia(blocks)
	}
	return blocks
}

type composer struct {
	doc      *dom.Document
	mask     []bool
	selected maskIndex // of mask and embeds
	embeds   []embed
	opts     Options
	base     *url.URL
	used     []bool         // nodes of the blocks; may be nil
	labels   map[string]int // texts at the end of links, and how many links have them
	memory   memory
	pictures pictures
	*builder
	mark     article.Mark
	href     string
	end      int  // end of the last text, in the text of the page
	gap      bool // a picture follows that text
	labelled bool // a label that is left out follows that text
	level    int
}

// reserve allocates the memory that the selected text needs, and counts labels of
// links.
func (c *composer) reserve() {
	const maxBlocks = 64 // lines in tables and lists are not blocks of their own
	d, all := c.doc, c.doc.AllText()
	text, lines, spans := 0, 0, 0
	for k, selected := range c.mask {
		n := dom.Node(k)
		if !selected || d.Tag(n) != dom.Text {
			continue
		}
		from, to := d.Span(n)
		text += to - from + 1 // with the space before it
		spans++
		if from == 0 || all[from-1] == '\n' {
			lines++
		}
		if from < to && (all[from] == '(' || all[from] == ',' || all[from] == "（"[0]) && d.InLink(n) {
			c.countLabel(n)
		}
	}
	c.memory.text.Grow(text)
	c.memory.spans = make([]article.Span, 0, spans)
	c.builder = c.memory.newBuilder()
	if lines > 0 {
		c.builder.blocks = make([]article.Block, 0, min(lines, maxBlocks))
	}
}

// node adds a node and its content.
func (c *composer) node(n dom.Node, depth int) {
	d := c.doc
	tag := d.Tag(n)
	switch {
	case tag == dom.Text:
		if c.mask[n] && !d.Hidden(n) {
			c.textNode(n)
		}
		return
	case c.embedAt(n) != nil:
		c.addEmbed(n, c.embedAt(n))
		return
	case d.Hidden(n) && !isPlayer(d, n):
		return
	case tag == dom.Br: // separates lines even if it is not selected
		c.breakLine()
		return
	case tag == dom.Span && d.End(n) == n+1:
		if isBreakName(d.Attr(n, "class")) {
			c.breakLine()
			c.breakLine()
		}
		return
	case !c.hasSelected(n):
		if tag.IsBlock() {
			c.flush()
		}
		c.addUnselected(n, c.level)
		return
	}
	switch {
	case tag == dom.Hr:
		c.use(n)
		c.add(article.Block{Kind: article.Rule})
	case isPicture(d, n):
		c.gap = true
		c.picture(n)
	case isPlayer(d, n):
		c.player(n)
	case tag == dom.Pre || tag == dom.Listing || tag == dom.Xmp || tag == dom.Plaintext:
		c.preformatted(n)
	case isControl(tag): // a picture in a button opens a gallery
		c.addUnselected(n, c.level)
	case depth > maxDepth:
		c.container(n, depth)
	case tag == dom.Figure:
		c.figure(n, depth)
	case tag.IsHeading():
		c.heading(n, depth)
	case isList(tag):
		c.list(n, depth)
	case tag == dom.Blockquote:
		c.add(article.Block{Kind: article.Quote, Blocks: c.nested(n, depth)})
	case tag == dom.Table && IsDataTable(d, n):
		c.table(n, depth)
	case c.isCaption(n):
		c.caption(n)
	default:
		c.container(n, depth)
	}
}

// isBreakName reports whether a class is that of an empty element which a style
// sheet makes a line break.
func isBreakName(class string) bool {
	if !strings.Contains(class, "br") {
		return false // fast path
	}
	for name := range strings.FieldsSeq(class) {
		switch name {
		case "br", "break", "linebreak", "line-break", "paragraph-break":
			return true
		}
	}
	return false
}

// hasSelected reports whether a node of the subtree is selected.
func (c *composer) hasSelected(n dom.Node) bool {
	return c.selected.before(c.doc.End(n)) > c.selected.before(n)
}

// container adds the content of an element that has no block of its own.
func (c *composer) container(n dom.Node, depth int) {
	d := c.doc
	if d.Tag(n).IsBlock() {
		c.flush()
		c.children(n, depth+1)
		c.flush()
		return
	}
	mark, href := c.mark, c.href
	c.mark |= marks[d.Tag(n)]
	if d.Tag(n) == dom.Span {
		c.mark |= spanMark(d.Attr(n, "class"), d.Attr(n, "style"))
	}
	if d.Tag(n) == dom.A {
		if h := c.link(d.Attr(n, "href")); h != "" {
			c.href = h
		}
	}
	c.children(n, depth)
	c.mark, c.href = mark, href
}

func (c *composer) children(n dom.Node, depth int) {
	if c.level == maxLevel {
		c.flatten(n)
		return
	}
	c.level++
	for k := range c.doc.Children(n) {
		if c.opts.Steps.Done() {
			break
		}
		c.node(k, depth)
	}
	c.level--
}

// flatten adds the text below n, one paragraph for each line, without recursion.
func (c *composer) flatten(n dom.Node) {
	d := c.doc
	for m := n + 1; m < d.End(n) && !c.opts.Steps.Done(); {
		tag := d.Tag(m)
		if d.Hidden(m) || isControl(tag) {
			m = d.End(m)
			continue
		}
		if tag == dom.Text && c.mask[m] {
			if from, _ := d.Span(m); from > 0 && d.AllText()[from-1] == '\n' {
				c.flush()
			}
			c.textNode(m)
		}
		m++
	}
	c.flush()
}

func isControl(t dom.Tag) bool {
	return t == dom.Button || t == dom.Select || t == dom.Textarea || t == dom.Input
}

// nested returns the blocks of the children of n.
func (c *composer) nested(n dom.Node, depth int) []article.Block {
	const indent = 16 // bytes, for the lines of a block in most formats
	outer, before := c.builder, c.memory.pushed
	c.builder = c.memory.newBuilder()
	c.children(n, depth+1)
	blocks := c.memory.finish(c.builder)
	c.builder = outer
	c.opts.Steps.Write(indent * (c.memory.pushed - before))
	return blocks
}

// textNode adds the text of a node, with the space before it if there is one.
func (c *composer) textNode(n dom.Node) {
	from, to := c.doc.Span(n)
	if from == to {
		return
	}
	if c.isLabel(n) {
		c.end, c.labelled = to, true
		return
	}
	all := c.doc.AllText()
	spaced := from > 0 && (all[from-1] == ' ' || all[from-1] == '\n')
	if !spaced && (c.gap || c.end < from) { // something between them is not selected
		spaced = endsInWord(all[:c.end]) && beginsWord(all[from:])
	}
	if c.labelled && strings.IndexByte(".,;:!?)", all[from]) >= 0 { // the space was that of the label
		spaced = false
	}
	c.use(n)
	c.addText(all[from:to], spaced, c.mark, c.href)
	c.end, c.gap, c.labelled = to, false, false
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func endsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// marks holds the styles of tags. Read only.
var marks = [256]article.Mark{
	dom.B: article.Strong, dom.Strong: article.Strong,
	dom.I: article.Emphasis, dom.Em: article.Emphasis, dom.Cite: article.Emphasis, dom.Var: article.Emphasis, dom.Dfn: article.Emphasis,
	dom.Code: article.Monospace, dom.Kbd: article.Monospace, dom.Samp: article.Monospace, dom.Tt: article.Monospace,
	dom.Sub: article.Subscript, dom.Sup: article.Superscript,
	dom.S: article.Strike, dom.Strike: article.Strike, dom.Del: article.Strike,
}

// spanMark returns the style that a <span> has by its class or its own rules.
func spanMark(class, style string) (m article.Mark) {
	for name := range strings.FieldsSeq(class) {
		switch name {
		case "strong", "bold":
			m |= article.Strong
		case "em", "italic":
			m |= article.Emphasis
		}
	}
	if i := strings.Index(style, "font-weight:"); i >= 0 {
		if v := strings.TrimSpace(style[i+len("font-weight:"):]); strings.HasPrefix(v, "bold") || len(v) >= 3 && v[0] >= '6' && v[0] <= '9' && v[1:3] == "00" {
			m |= article.Strong
		}
	}
	return m
}

func (c *composer) heading(n dom.Node, depth int) {
	const maxWords = 100 // a longer one was not closed
	const maxLen = 160   // characters; a longer one is a paragraph in large type
	if c.doc.Words(n) > maxWords || c.doc.Chars(n) > maxLen {
		c.container(n, depth)
		return
	}
	level := int(c.doc.Tag(n)-dom.H1) + 1
	spans, media := joinLines(c.nested(n, depth))
	c.flush()
	switch {
	case len(spans) == 0:
	case !slices.ContainsFunc(spans, func(s article.Span) bool { return strings.ContainsFunc(s.Text, isFolded) }): // a line of signs: ___
		c.add(article.Block{Kind: article.Rule})
	default:
		c.add(article.Block{Kind: article.Heading, Level: level, Spans: spans})
	}
	c.blocks = append(c.blocks, media...)
}

// joinLines joins the text of the blocks in a heading or caption to one line,
// and returns the pictures and videos separately.
func joinLines(blocks []article.Block) (spans []article.Span, media []article.Block) {
	for i := range blocks {
		b := &blocks[i]
		if isMedia(b) {
			media = append(media, *b)
			continue
		}
		line := b.Spans
		if b.Kind != article.Paragraph && b.Kind != article.Heading {
			line = []article.Span{{Text: collapseSpace(b.Text())}}
			for inner := range (&article.Article{Body: blocks[i : i+1]}).Blocks() {
				if isMedia(inner) {
					media = append(media, *inner)
				}
			}
		}
		if line = trim(line); len(line) == 0 {
			continue
		}
		if len(spans) == 0 {
			spans = line // most have one block, which needs no copy
			continue
		}
		spans = append(spans, article.Span{Text: " "})
		spans = append(spans, line...)
	}
	return spans, media
}

// collapseSpace replaces each run of white space by one space.
func collapseSpace(s string) string {
	for i, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// item returns the content of a list item or table cell.
func (c *composer) item(n dom.Node, depth int) []article.Block {
	if c.doc.Hidden(n) || !c.hasSelected(n) {
		return nil
	}
	return c.nested(n, depth)
}

// maskIndex counts the nodes in a mask. It has a bit for each node and a sum for
// every 64 nodes, a twentieth of the memory that a sum for each node needs.
type maskIndex struct {
	words []maskWord
}

type maskWord struct {
	bits   uint64
	before int32 // the number of bits in all words before
}

func newMaskIndex(mask []bool) maskIndex {
	x := maskIndex{make([]maskWord, len(mask)/64+1)}
	for n, selected := range mask {
		if selected {
			x.words[n/64].bits |= 1 << (n % 64)
		}
	}
	x.sum()
	return x
}

// add adds the elements of posts.
func (x maskIndex) add(embeds []embed) {
	for _, e := range embeds {
		x.words[e.node/64].bits |= 1 << (e.node % 64)
	}
	x.sum()
}

func (x maskIndex) sum() {
	for i := range x.words[1:] {
		x.words[i+1].before = x.words[i].before + int32(bits.OnesCount64(x.words[i].bits))
	}
}

// before returns the number of nodes before n that are in the mask.
func (x maskIndex) before(n dom.Node) int {
	below := uint64(1)<<(n%64) - 1
	w := &x.words[n/64]
	return int(w.before) + bits.OnesCount64(w.bits&below)
}
