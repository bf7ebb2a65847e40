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

// Block is a block of an article that knows its nodes.
type Block struct {
	article.Block
	// Nodes are the nodes of the page that the block is made of: texts, rules,
	// pictures and players, and the elements and texts of captions.
	Nodes []dom.Node
}

// Body is the body of an article.
type Body []Block

// Article returns the blocks without their nodes.
func (b Body) Article() []article.Block {
	if len(b) == 0 {
		return nil
	}
	out := make([]article.Block, len(b))
	for i := range b {
		out[i] = b[i].Block
	}
	return out
}

// Nodes returns the nodes of all blocks in page order.
func (b Body) Nodes() []dom.Node {
	var nodes []dom.Node
	for i := range b {
		nodes = append(nodes, b[i].Nodes...)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
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
		return nil
	}
	c := &composer{doc: d, mask: mask, opts: opts, base: links.Base(d, opts.URL)}
	c.findTexts()
	c.findEmbeds()
	c.findMedia()
	c.children(d.Root(), 0)
	if opts.Steps.Look() != nil {
		return nil
	}
	body := c.finish()
	promoteBoldLines(body)
	return c.dropRepeated(body)
}

type composer struct {
	doc    *dom.Document
	mask   []bool
	opts   Options
	base   *url.URL
	labels map[string]int // texts at the end of links, and how many links have them
	embeds []embed        // in page order, as media
	media  []medium
	// texts are the texts of the body. content has them and the other nodes that
	// become blocks. The sums count them, up to a node.
	texts, content       []bool
	textSums, contentSum []int32
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
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		switch {
		case isControl(d.Tag(n)):
			n = d.End(n) - 1
		case c.mask[n] && d.IsText(n) && !d.Hidden(n):
			c.texts[n] = true
			c.countLabel(n)
		}
	}
	c.textSums = sums(c.texts)
}

// sums returns how many values before each index are true.
func sums(set []bool) []int32 {
	out := make([]int32, len(set)+1)
	for i, ok := range set {
		out[i+1] = out[i]
		if ok {
			out[i+1]++
		}
	}
	return out
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
	case c.contentSum[d.End(n)] == c.contentSum[n]:
		c.empty(n)
		return
	case c.content[n]:
		c.addContent(n)
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
		body := c.nested(n, depth)
		c.add(Block{article.Block{Kind: article.Quote, Blocks: body.Article()}, body.Nodes()})
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

// addContent adds a node that is a block by itself.
func (c *composer) addContent(n dom.Node) {
	switch d := c.doc; {
	case d.Tag(n) == dom.Hr:
		c.add(Block{article.Block{Kind: article.Rule}, []dom.Node{n}})
	case !c.addEmbed(n):
		c.addMedium(n)
	}
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
func (c *composer) nested(n dom.Node, depth int) Body {
	return c.inside(func() { c.children(n, depth+1) })
}

// inside returns the blocks that add adds.
func (c *composer) inside(add func()) Body {
	const indent = 16 // bytes, for the lines of a block in most formats
	outer, before := c.builder, c.nestedBlocks
	c.builder = builder{}
	add()
	body := c.finish()
	c.builder = outer
	c.nestedBlocks += len(body)
	c.opts.Steps.Write(indent * (c.nestedBlocks - before))
	return body
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
	c.flush()
	switch {
	case len(line.Spans) == 0:
	case line.fold(maxLen*utf8.UTFMax) == "": // a line of signs: ___
		c.add(Block{article.Block{Kind: article.Rule}, line.Nodes})
	default:
		line.Kind, line.Level = article.Heading, int(c.doc.Tag(n)-dom.H1)+1
		c.add(line)
	}
	c.blocks = append(c.blocks, media...)
}

// joinLines joins the text of the blocks in a heading or caption to one line,
// and returns the pictures and videos separately.
func joinLines(body Body) (line Block, media Body) {
	for i := range body {
		b := &body[i]
		if isMedia(&b.Block) {
			media = append(media, *b)
			continue
		}
		line.Nodes = append(line.Nodes, b.Nodes...)
		spans := b.Spans
		if b.Kind != article.Paragraph && b.Kind != article.Heading {
			spans = []article.Span{{Text: collapseSpace(b.Text())}}
			for inner := range (&article.Article{Body: []article.Block{b.Block}}).Blocks() {
				if isMedia(inner) {
					media = append(media, Block{Block: *inner})
				}
			}
		}
		if spans = trim(spans); len(spans) == 0 {
			continue
		}
		if len(line.Spans) > 0 {
			line.Spans = append(line.Spans, article.Span{Text: " "})
		}
		line.Spans = append(line.Spans, spans...)
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
	if len(addr) <= links.MaxURL && links.IsResolved(addr) { // as most are
		return strings.Clone(addr) // an article does not keep its page
	}
	to := links.Resolve(c.base, addr, schemes...)
	if !c.opts.Steps.Write(len(to)) {
		return ""
	}
	return to
}

func (c *composer) web(addr string) string { return c.absolute(addr, "http", "https") }
