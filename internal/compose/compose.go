// Package compose is the composing room: it sets the nodes that a method chose
// into the blocks of an article.
package compose

import (
	"math/bits"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Options say what goes into the blocks.
type Options struct {
	// URL is the address of the page; links become absolute with it.
	URL string
	// Pictures keeps pictures and videos. They never change the text.
	Pictures bool
	// Captions sets the captions of pictures as paragraphs of the story too.
	Captions bool
	// CaptionFallback includes captions if more than half of the selected
	// text would be left out without them, as in a gallery.
	CaptionFallback bool
}

// maxDepth bounds how deep blocks nest; maxLevel how deep elements are followed
// at all, so that no page can use up the stack. What is deeper is set flat.
const (
	maxDepth = 64
	maxLevel = 512
)

// Blocks returns the blocks of the selected nodes.
func Blocks(d *dom.Document, mask []bool, opts Options) []article.Block {
	blocks := compose(d, mask, opts)
	if opts.CaptionFallback && !opts.Captions && 2*textLen(blocks) < selectedLen(d, mask) {
		opts.Captions = true
		blocks = compose(d, mask, opts)
	}
	return blocks
}

// textLen returns the length of the text of blocks in bytes.
func textLen(blocks []article.Block) int {
	n := 0
	a := article.Article{Body: blocks}
	for b := range a.Blocks() {
		line := len(b.Code)
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

func compose(d *dom.Document, mask []bool, opts Options) []article.Block {
	c := &compositor{doc: d, mask: mask, kept: count(mask), opts: opts, base: baseURL(d, opts.URL)}
	c.measure()
	c.children(d.Root(), 0)
	blocks := c.galley.done()
	if !opts.Pictures {
		// They are set first and taken out at the end: what is a caption and
		// what is not must not depend on whether anybody wants the picture.
		blocks = withoutPictures(blocks)
	}
	return blocks
}

type compositor struct {
	doc   *dom.Document
	mask  []bool
	kept  tally // of mask
	opts  Options
	base  *url.URL
	stock stock
	*galley
	mark  article.Mark
	href  string
	end   int  // in the text of the page: behind the words set last
	cut   bool // a picture stood there
	level int
}

// set composes one node and what is in it.
func (c *compositor) set(n dom.Node, depth int) {
	d := c.doc
	tag := d.Tag(n)
	switch {
	case tag == dom.Text:
		if c.mask[n] && !d.Hidden(n) {
			c.words(n)
		}
		return
	case d.Hidden(n) && !isPlayer(d, n):
		return
	case tag == dom.Br: // kept or not, it parts what stands on both sides
		c.breakLine()
		return
	case !c.touched(n):
		if tag.IsBlock() {
			c.flush()
		}
		return
	}
	switch {
	case tag == dom.Hr:
		c.add(article.Block{Kind: article.Rule})
	case tag == dom.Img, tag == dom.Picture, tag == dom.Unknown && d.Name(n) == "amp-img":
		c.cut = true
		c.picture(n)
	case isPlayer(d, n):
		c.clip(n)
	case tag == dom.Pre || tag == dom.Listing || tag == dom.Xmp || tag == dom.Plaintext:
		c.preformatted(n)
	case isControl(tag):
		// It is for the reader's hand, not for reading.
	case depth > maxDepth:
		c.plain(n, depth)
	case tag == dom.Figure:
		c.figure(n, depth)
	case tag.IsHeading():
		c.heading(n, depth)
	case isList(tag):
		c.list(n, depth)
	case tag == dom.Blockquote:
		c.add(article.Block{Kind: article.Quote, Blocks: c.inside(n, depth)})
	case tag == dom.Table && isData(d, n):
		c.table(n, depth)
	case c.isCaption(n):
		c.caption(n)
	default:
		c.plain(n, depth)
	}
}

// touched reports whether anything of the subtree is kept.
func (c *compositor) touched(n dom.Node) bool {
	return c.kept.before(c.doc.End(n)) > c.kept.before(n)
}

// plain sets an element that is only a box or a style.
func (c *compositor) plain(n dom.Node, depth int) {
	d := c.doc
	if d.Tag(n).IsBlock() {
		c.flush()
		c.children(n, depth+1)
		c.flush()
		return
	}
	mark, href := c.mark, c.href
	c.mark |= markOf(d.Tag(n))
	if d.Tag(n) == dom.A {
		if h := c.link(d.AttrOr(n, "href")); h != "" {
			c.href = h
		}
	}
	c.children(n, depth)
	c.mark, c.href = mark, href
}

func (c *compositor) children(n dom.Node, depth int) {
	if c.level == maxLevel {
		c.flat(n)
		return
	}
	c.level++
	for k := range c.doc.Children(n) {
		c.set(k, depth)
	}
	c.level--
}

// flat sets the text below n, a row a paragraph, without following the tree.
func (c *compositor) flat(n dom.Node) {
	d := c.doc
	for m := n + 1; m < d.End(n); {
		tag := d.Tag(m)
		if d.Hidden(m) || isControl(tag) {
			m = d.End(m)
			continue
		}
		if tag == dom.Text && c.mask[m] {
			if from, _ := d.Span(m); from > 0 && d.AllText()[from-1] == '\n' {
				c.flush()
			}
			c.words(m)
		}
		m++
	}
	c.flush()
}

func isControl(t dom.Tag) bool {
	return t == dom.Button || t == dom.Select || t == dom.Textarea || t == dom.Input
}

// inside sets the children of n on a galley of their own.
func (c *compositor) inside(n dom.Node, depth int) []article.Block {
	outer := c.galley
	c.galley = c.stock.galley()
	c.children(n, depth+1)
	blocks := c.stock.empty(c.galley)
	c.galley = outer
	return blocks
}

// words sets a run of text with the space before it, if any.
func (c *compositor) words(n dom.Node) {
	from, to := c.doc.Span(n)
	if from == to {
		return
	}
	all := c.doc.AllText()
	spaced := from > 0 && (all[from-1] == ' ' || all[from-1] == '\n')
	if !spaced && (c.cut || c.end < from) { // something stood between
		spaced = endsInWord(all[:c.end]) && beginsWord(all[from:])
	}
	c.text(all[from:to], spaced, c.mark, c.href)
	c.end, c.cut = to, false
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func endsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func markOf(t dom.Tag) article.Mark {
	switch t {
	case dom.B, dom.Strong:
		return article.Strong
	case dom.I, dom.Em, dom.Cite, dom.Var, dom.Dfn:
		return article.Emphasis
	case dom.Code, dom.Kbd, dom.Samp, dom.Tt:
		return article.Monospace
	case dom.Sub:
		return article.Subscript
	case dom.Sup:
		return article.Superscript
	case dom.S, dom.Strike, dom.Del:
		return article.Strike
	}
	return 0
}

func isList(t dom.Tag) bool {
	return t == dom.Ul || t == dom.Ol || t == dom.Menu || t == dom.Dir || t == dom.Dl
}

// listing is a list while it is set.
type listing struct {
	items [][]article.Block
	// loose holds what stands in the list outside its items and becomes an
	// item of its own: nothing is lost for bad markup.
	loose *galley
}

func (l *listing) add(blocks []article.Block) {
	if len(blocks) > 0 {
		l.items = append(l.items, blocks)
	}
}

// join adds to the item set last.
func (l *listing) join(blocks []article.Block) {
	if len(l.items) == 0 {
		l.add(blocks)
		return
	}
	last := &l.items[len(l.items)-1]
	*last = append(*last, blocks...)
}

func (l *listing) endLoose(s *stock) {
	if l.loose != nil {
		l.add(s.empty(l.loose))
		l.loose = nil
	}
}

// list sets ul, ol and their kin.
func (c *compositor) list(n dom.Node, depth int) {
	d := c.doc
	b := article.Block{Kind: article.List, Ordered: d.Tag(n) == dom.Ol}
	if s := number(d.AttrOr(n, "start")); b.Ordered && s > 1 {
		b.Start = s
	}
	var l listing
	c.items(n, depth, &l)
	l.endLoose(&c.stock)
	b.Items = l.items
	c.add(b)
}

func (c *compositor) items(n dom.Node, depth int, l *listing) {
	d := c.doc
	for k := range d.Children(n) {
		switch tag := d.Tag(k); {
		case tag == dom.Li:
			l.endLoose(&c.stock)
			l.add(c.item(k, depth))
		case tag == dom.Dt:
			l.endLoose(&c.stock)
			mark := c.mark
			c.mark |= article.Strong
			l.add(c.item(k, depth))
			c.mark = mark
		case tag == dom.Dd: // a term and what it means are one item
			l.endLoose(&c.stock)
			l.join(c.item(k, depth))
		case tag == dom.Div && d.Tag(n) == dom.Dl && !d.Hidden(k): // a group of terms
			l.endLoose(&c.stock)
			c.items(k, depth, l)
		case isList(tag) && l.loose == nil: // old pages nest lists without an item around
			l.join(c.alone(k, depth))
		default:
			if l.loose == nil {
				l.loose = c.stock.galley()
			}
			outer := c.galley
			c.galley = l.loose
			c.set(k, depth+1)
			c.galley = outer
		}
	}
}

// item sets the content of a list item, if it is seen at all.
func (c *compositor) item(n dom.Node, depth int) []article.Block {
	if c.doc.Hidden(n) || !c.touched(n) {
		return nil
	}
	return c.inside(n, depth)
}

// alone sets n on a galley of its own.
func (c *compositor) alone(n dom.Node, depth int) []article.Block {
	outer := c.galley
	c.galley = c.stock.galley()
	c.set(n, depth+1)
	blocks := c.stock.empty(c.galley)
	c.galley = outer
	return blocks
}

func (c *compositor) heading(n dom.Node, depth int) {
	const long = 100 // words: somebody forgot to close it
	if c.doc.Words(n) > long {
		c.plain(n, depth)
		return
	}
	level := int(c.doc.Tag(n)-dom.H1) + 1
	spans, pictures := oneLine(c.inside(n, depth))
	c.flush()
	if len(spans) > 0 {
		c.add(article.Block{Kind: article.Heading, Level: level, Spans: spans})
	}
	c.blocks = append(c.blocks, pictures...)
}

// oneLine joins the text of blocks, for a heading or a caption that the page
// has laid out in several, and gives back the pictures.
func oneLine(blocks []article.Block) (spans []article.Span, pictures []article.Block) {
	for i := range blocks {
		b := &blocks[i]
		if isShown(b) {
			pictures = append(pictures, *b)
			continue
		}
		part := b.Spans
		if b.Kind != article.Paragraph && b.Kind != article.Heading {
			part = []article.Span{{Text: strings.Join(strings.Fields(b.Text()), " ")}}
		}
		if part = trim(part); len(part) == 0 {
			continue
		}
		if len(spans) == 0 {
			spans = part // most have one block and no need of a copy
			continue
		}
		spans = append(spans, article.Span{Text: " "})
		spans = append(spans, part...)
	}
	return spans, pictures
}

// tally counts the nodes of a mask. It has a bit for each node and a sum for
// every 64 of them, a twentieth of what a sum for each node would take.
type tally struct {
	bits []uint64
	sums []int32 // of the bits before
}

func count(mask []bool) tally {
	t := tally{bits: make([]uint64, len(mask)/64+1), sums: make([]int32, len(mask)/64+1)}
	for n, kept := range mask {
		if kept {
			t.bits[n/64] |= 1 << (n % 64)
		}
	}
	for i := range t.bits[1:] {
		t.sums[i+1] = t.sums[i] + int32(bits.OnesCount64(t.bits[i]))
	}
	return t
}

// before is how many nodes before n are in the mask.
func (t tally) before(n dom.Node) int {
	below := uint64(1)<<(n%64) - 1
	return int(t.sums[n/64]) + bits.OnesCount64(t.bits[n/64]&below)
}
