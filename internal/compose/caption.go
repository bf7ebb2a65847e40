package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// giveCaption writes the words of a caption to its picture, the credit apart.
// A picture keeps the first that it gets.
func (c *compositor) giveCaption(b *article.Block, n dom.Node) {
	text, credit := c.captionOf(n)
	if b.Kind == article.Video {
		b.Video.Caption = firstOf(b.Video.Caption, text, credit)
		return
	}
	b.Image.Caption = firstOf(b.Image.Caption, text)
	b.Image.Credit = firstOf(b.Image.Credit, credit)
}

func (c *compositor) captionOf(n dom.Node) (text, credit string) {
	d := c.doc
	text = strings.Join(strings.Fields(d.Text(n)), " ")
	for k := n + 1; k < d.End(n); k++ {
		if d.IsText(k) || d.Hidden(k) {
			continue
		}
		if isCredit(d, k) {
			credit = strings.Join(strings.Fields(d.Text(k)), " ")
			if credit == "" {
				continue
			}
			rest, ok := strings.CutSuffix(text, credit)
			if !ok {
				rest, ok = strings.CutPrefix(text, credit)
			}
			if ok {
				text = strings.TrimSpace(rest)
			}
			return text, credit
		}
	}
	return cutCredit(text)
}

// captionText sets a caption as a paragraph too, when that was asked for.
func (c *compositor) captionText(n dom.Node) {
	if c.opts.Captions {
		if text := strings.Join(strings.Fields(c.doc.Text(n)), " "); text != "" {
			c.add(article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: c.stock.print([]byte(text))}}})
		}
	}
}

// longCaption is the most words that stand under a picture.
const longCaption = 100

// isCaption tells the words under a picture on pages that know no
// <figcaption>: their class says so and the picture stands beside them.
func (c *compositor) isCaption(n dom.Node) bool {
	d := c.doc
	if d.Tag(n) == dom.Figcaption {
		return true
	}
	if d.Words(n) > longCaption || !hasWord(d, n, "caption") || d.Counts(n).Images > 0 {
		return false
	}
	for p, up := d.Parent(n), 0; p != dom.None && up < 2; p, up = d.Parent(p), up+1 {
		if d.Counts(p).Images > 0 && d.Words(p) < 2*longCaption {
			return true
		}
	}
	return false
}

// captionBox finds the small box that a picture shares with words that the
// method did not keep: they are its caption, whatever the page calls them.
func (c *compositor) captionBox(n dom.Node) dom.Node {
	d := c.doc
	const up, long = 3, 40
	for p, i := d.Parent(n), 0; p != dom.None && i < up; p, i = d.Parent(p), i+1 {
		tag := d.Tag(p)
		if tag == dom.Figure || tag == dom.A || tag == dom.Body || tag == dom.Article || tag == dom.Section || tag == dom.Li ||
			tag.IsHeading() || d.Words(p) > long || d.Counts(p).Images > 1 {
			return dom.None
		}
		if d.Words(p) == 0 {
			continue
		}
		for m := p; m < d.End(p); m++ {
			if d.IsText(m) && (c.mask[m] || d.InLink(m) || m < n) {
				return dom.None
			}
		}
		return p
	}
	return dom.None
}

func (c *compositor) caption(n dom.Node) {
	c.flush()
	if b := c.last(); b != nil && isShown(b) {
		c.giveCaption(b, n)
	}
	c.captionText(n)
}

// hasWord looks for a word inside the class and id of n.
func hasWord(d *dom.Document, n dom.Node, word string) bool {
	return containsFold(d.AttrOr(n, "class"), word) || containsFold(d.AttrOr(n, "id"), word)
}

// containsFold finds a word of small ASCII letters in a text, whatever its case
// there, without a copy in lower case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
