// Package compose turns the nodes that a method selected into the blocks of an
// article.
package compose

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/words"
)

// Options select what Blocks includes.
type Options struct {
	// URL is the address of the page, to resolve links.
	URL string
	// Pictures includes pictures and videos. They never change the text.
	Pictures bool
	// Captions includes the captions of pictures as paragraphs.
	Captions bool
	// CaptionFallback includes captions if they are more than half of the selected
	// text, as in a gallery.
	CaptionFallback bool
	// Title is the headline. 0 and dom.None mean unknown.
	Title dom.Node
	// SelectedOnly leaves out pictures that stand in the story and are not selected.
	SelectedOnly bool
	// Declared are the pictures in the metadata of the page.
	Declared []article.Image
	// Steps ends the work early, with any blocks. It may be nil.
	Steps *steps.Counter
}

// Body is the body of an article that knows the nodes of the page that it is made of: texts,
// rules, pictures and players, and the elements and texts of captions.
type Body struct {
	blocks []article.Block
	nodes  []dom.Node // of all blocks
	ends   []int      // of the nodes of each block
}

// Article returns the blocks.
func (b Body) Article() []article.Block { return b.blocks }

// Nodes returns the nodes of all blocks in page order.
func (b Body) Nodes() []dom.Node {
	nodes := slices.Clone(b.nodes)
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// without removes blocks and their nodes.
func (b Body) without(is func(*article.Block) bool) Body {
	kept, from, nodes := 0, 0, b.nodes[:0]
	for i, to := range b.ends {
		if !is(&b.blocks[i]) {
			nodes = append(nodes, b.nodes[from:to]...)
			b.blocks[kept], b.ends[kept] = b.blocks[i], len(nodes)
			kept++
		}
		from = to
	}
	return Body{b.blocks[:kept], nodes, b.ends[:kept]}
}

// maxDepth bounds the nesting of blocks, and maxLevel that of elements, so that
// no page can exhaust the stack. What is nested deeper is flattened.
const (
	maxDepth = 64
	maxLevel = 512
)

// Blocks returns the blocks of the selected nodes.
func Blocks(d *dom.Document, mask []bool, opts Options) Body {
	if opts.Steps.Look() != nil {
		return Body{}
	}
	c := &composer{doc: d, mask: mask, opts: opts, base: links.Base(d, opts.URL), lastText: dom.None}
	c.findTexts()
	c.findMedia()
	c.children(d.Root(), 0)
	if opts.Steps.Look() != nil {
		return Body{}
	}
	c.finish()
	promoteBoldLines(c.blocks)
	return c.dropRepeated(c.Body)
}

type composer struct {
	doc    *dom.Document
	mask   []bool
	opts   Options
	base   *url.URL
	labels map[string]int // texts at the end of links, and how many links have them
	media  []medium       // in page order
	// texts are the texts of the body. textSums counts them up to a node.
	texts               []bool
	textSums            []int32
	length              int      // of the texts that are selected, in bytes
	firstText, lastText dom.Node // that have words, or dom.None
	builder
	mark     article.Mark
	href     string
	end      int  // end of the last text, in the text of the page
	gap      bool // a picture follows that text
	labelled bool // a label that is left out follows that text
	level    int
	// nestedBlocks counts the blocks inside of others so far.
	nestedBlocks int
}

// findTexts finds the selected texts that a reader sees. Those of controls are not
// part of a story.
func (c *composer) findTexts() {
	d := c.doc
	c.texts = make([]bool, d.Len())
	texts, lines := 0, 0
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		switch {
		case isControl(d.Tag(n)):
			n = d.End(n) - 1
		case c.mask[n] && d.IsText(n) && !d.Hidden(n):
			c.texts[n] = true
			c.countLabel(n)
			from, to := d.Span(n)
			texts, c.length = texts+1, c.length+to-from
			if d.Words(n) > 0 {
				if c.lastText == dom.None {
					c.firstText = n
				}
				c.lastText = n
			}
			if from > 0 && d.AllText()[from-1] == '\n' {
				lines++
			}
		}
	}
	const maxLines = 100
	c.text.Grow(c.length)
	c.spans = make([]article.Span, 0, texts)
	c.nodes = make([]dom.Node, 0, texts)
	c.blocks = make([]article.Block, 0, min(lines+1, maxLines))
	c.textSums = make([]int32, d.Len()+1)
	c.countTexts()
}

// countTexts sets textSums.
func (c *composer) countTexts() {
	sum := int32(0)
	for n, ok := range c.texts {
		c.textSums[n] = sum
		if ok {
			sum++
		}
	}
	c.textSums[len(c.texts)] = sum
}

// hasText reports whether a text of the subtree is in the body.
func (c *composer) hasText(n dom.Node) bool { return c.textSums[c.doc.End(n)] > c.textSums[n] }

// node adds a node and its content.
func (c *composer) node(n dom.Node, depth int) {
	d := c.doc
	tag := d.Tag(n)
	switch {
	case tag == dom.Text:
		if c.texts[n] {
			c.textNode(n)
		}
		return
	case tag == dom.Br: // separates lines even if it is not selected
		c.breakLine()
		return
	case tag == dom.Span && d.End(n) == n+1:
		if breakNames.IsInName(d.Attr(n, "class")) {
			c.breakLine()
			c.breakLine()
		}
		return
	case isPicture(d, n):
		c.gap = true
		c.addMedium(n)
		return
	case !c.hasText(n) && len(c.mediaIn(n)) == 0:
		c.empty(n)
		return
	case c.addMedium(n):
		return
	}
	switch {
	case !c.hasText(n), depth > maxDepth: // only media: their lists and quotes are those of the layout
		c.container(n, depth)
	case tag == dom.Pre || tag == dom.Listing || tag == dom.Xmp || tag == dom.Plaintext:
		c.preformatted(n)
	case tag.IsHeading():
		c.heading(n, depth)
	case isList(tag) && !c.isStoryInList(n):
		c.list(n, depth)
	case tag == dom.Blockquote:
		c.add(article.Block{Kind: article.Quote, Blocks: c.nested(n, depth)})
	case tag == dom.Table && IsDataTable(d, n):
		c.table(n, depth)
	default:
		c.container(n, depth)
	}
}

// empty adds the line breaks of an element without content.
func (c *composer) empty(n dom.Node) {
	switch d, tag := c.doc, c.doc.Tag(n); {
	case d.Hidden(n) || isControl(tag):
	case tag.IsBlock():
		c.flush()
	default:
		for range d.All(n, dom.Br) {
			c.breakLine()
		}
		c.gap = c.gap || d.Counts(n).Images > 0
	}
}

// breakNames are words in the classes of empty elements that a style sheet makes line
// breaks.
var breakNames = words.NewSet("br break linebreak")

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
	for m := n + 1; m < d.End(n) && !c.opts.Steps.Done(); m++ {
		if !c.texts[m] {
			continue
		}
		if from, _ := d.Span(m); from > 0 && d.AllText()[from-1] == '\n' {
			c.flush()
		}
		c.textNode(m)
	}
	c.flush()
}

func isControl(t dom.Tag) bool {
	return t == dom.Button || t == dom.Select || t == dom.Textarea || t == dom.Input
}

// nested returns the blocks of the children of n.
func (c *composer) nested(n dom.Node, depth int) []article.Block {
	return c.inside(func() { c.children(n, depth+1) })
}

// inside returns the blocks that add adds.
func (c *composer) inside(add func()) []article.Block {
	const indent = 16 // bytes, for the lines of a block in most formats
	c.flush()
	outer, before := c.Body, c.nestedBlocks
	c.blocks = nil
	add()
	c.finish()
	inner := c.blocks
	c.blocks, c.ends = outer.blocks, c.ends[:len(outer.ends)]
	c.nestedBlocks += len(inner)
	c.opts.Steps.Write(indent * (c.nestedBlocks - before))
	return inner
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
		spaced = words.EndsInWord(all[:c.end]) && words.BeginsWithWord(all[from:])
	}
	if c.labelled && strings.IndexByte(".,;:!?)", all[from]) >= 0 { // the space was that of the label
		spaced = false
	}
	if c.addText(all[from:to], spaced, c.mark, c.href) {
		c.opts.Steps.Write(len(c.href))
	}
	c.nodes = append(c.nodes, n)
	c.end, c.gap, c.labelled = to, false, false
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
	if _, weight, ok := strings.Cut(style, "font-weight:"); ok {
		weight = strings.TrimSpace(weight)
		if strings.HasPrefix(weight, "bold") || len(weight) >= 3 && weight[0] >= '6' && weight[0] <= '9' && weight[1:3] == "00" {
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
	line, media := joinLines(c.nested(n, depth))
	switch {
	case len(line) == 0:
	case fold(line, maxLen*utf8.UTFMax) == "": // a line of signs: ___
		c.add(article.Block{Kind: article.Rule})
	default:
		c.add(article.Block{Kind: article.Heading, Level: int(c.doc.Tag(n)-dom.H1) + 1, Spans: line})
	}
	for _, m := range media {
		c.add(m)
	}
}

// joinLines joins the text of the blocks in a heading or caption to one line,
// and returns the pictures and videos separately.
func joinLines(blocks []article.Block) (line []article.Span, media []article.Block) {
	for i := range blocks {
		b := &blocks[i]
		if isMedia(b) {
			media = append(media, *b)
			continue
		}
		spans := b.Spans
		if b.Kind != article.Paragraph && b.Kind != article.Heading {
			spans = []article.Span{{Text: collapseSpace(b.Text())}}
			for inner := range (&article.Article{Body: blocks[i : i+1]}).Blocks() {
				if isMedia(inner) {
					media = append(media, *inner)
				}
			}
		}
		if spans = trim(spans); len(spans) == 0 {
			continue
		}
		if len(line) > 0 {
			line = append(line, article.Span{Text: " "})
		}
		line = append(line, spans...)
	}
	return line, media
}

// collapseSpace replaces each run of white space by one space.
func collapseSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// link returns the absolute address of a link, or "" if it leads to a script or
// within the page.
func (c *composer) link(href string) string {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' {
		return ""
	}
	return c.absolute(href, "http", "https", "mailto")
}

// absolute resolves an address. It returns "" unless it has one of the schemes.
func (c *composer) absolute(addr string, schemes ...string) string {
	to := links.Resolve(c.base, addr, schemes...)
	if to != addr && !c.opts.Steps.Write(len(to)) {
		return ""
	}
	return to
}

func (c *composer) web(addr string) string { return c.absolute(addr, "http", "https") }
