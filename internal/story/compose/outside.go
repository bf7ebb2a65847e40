package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// addUnselected adds the pictures of the story below n, of which nothing is
// selected: those in figures and galleries outside of the text.
func (c *composer) addUnselected(n dom.Node, level int) {
	d := c.doc
	tag := d.Tag(n)
	switch {
	case tag == dom.Text || level > maxLevel || d.Hidden(n):
		return
	case n < c.pictures.start || n > c.pictures.last:
		return
	case tag == dom.Figure:
		c.addFigure(n)
		return
	case d.Counts(n).Images == 0, tag == dom.Nav || tag == dom.Footer || tag == dom.Aside || tag == dom.Form:
		return
	case isPicture(d, n):
		c.addOutside(n)
		return
	}
	for k := range d.Children(n) {
		if c.opts.Steps.Done() {
			return
		}
		c.addUnselected(k, level+1)
	}
}

// addFigure adds the pictures of a <figure> of which nothing is selected.
func (c *composer) addFigure(n dom.Node) {
	d := c.doc
	if d.Words(n) > maxCaption || d.Counts(n).Links > 0 && d.LinkDensity(n) > 0.5 && !c.isLightbox(n) {
		return
	}
	var first *article.Block
	for m := n + 1; m < d.End(n); m++ {
		if !isPicture(d, m) {
			continue
		}
		if im := c.image(m); im != nil && c.accept(m, im) {
			c.useMedia(m)
			b := article.Block{Kind: article.Picture, Image: im}
			c.addMedia(b)
			if first == nil {
				first = &b
			}
		}
		m = d.End(m) - 1
	}
	if first == nil {
		if first = c.addLate(n); first == nil {
			return
		}
	}
	caption := c.figcaption(n)
	if caption == dom.None {
		caption = n
	}
	if d.Words(caption) > 0 {
		c.setCaption(first, caption)
		c.addCaption(caption)
	}
}

// isPicture reports whether n is an element that shows a picture.
func isPicture(d *dom.Document, n dom.Node) bool {
	tag := d.Tag(n)
	return tag == dom.Img || tag == dom.Picture || tag == dom.Unknown && d.Name(n) == "amp-img"
}

// addLate adds the picture of a <figure> that a script shows: one that is hidden
// until it is loaded, one in a <noscript>, or one whose address an empty element
// has. It returns its block, or nil.
func (c *composer) addLate(n dom.Node) *article.Block {
	d := c.doc
	const maxNodes = 200
	for m := n + 1; m < min(d.End(n), n+maxNodes); m++ {
		tag := d.Tag(m)
		late := tag == dom.Img && d.Hidden(m) || tag == dom.Noscript || (tag == dom.Div || tag == dom.Span) && d.Words(m) == 0 && isPictureFile(d.ImageURL(m))
		if !late {
			continue
		}
		if im := c.image(m); im != nil && (tag != dom.Img || isSubstantial(im)) && c.accept(m, im) {
			c.useMedia(m)
			b := article.Block{Kind: article.Picture, Image: im}
			c.addMedia(b)
			return &b
		}
	}
	return nil
}

// isLightbox reports whether the link around or in n leads to a place on the page.
func (c *composer) isLightbox(n dom.Node) bool {
	d := c.doc
	a := d.Closest(n, dom.A)
	for m := n; a == dom.None && m < d.End(n); m++ {
		if d.Tag(m) == dom.A {
			a = m
		}
	}
	return a != dom.None && strings.HasPrefix(strings.TrimSpace(d.Attr(a, "href")), "#")
}

// addOutside adds a picture that is neither selected nor in a <figure>. The page
// must say that it is one of the story.
func (c *composer) addOutside(n dom.Node) {
	im := c.image(n)
	if im == nil {
		return
	}
	b := article.Block{Kind: article.Picture, Image: im}
	box := c.captionElement(n)
	if box != dom.None {
		text, credit := c.captionOf(box)
		im.Caption, im.Credit = text, credit
	}
	known := c.pictures.declared[pictureKey(im.URL)] || im.Width >= 2*minPicture ||
		im.Width >= minPicture && (box != dom.None || c.hasPictureName(n)) || box != dom.None && hasWord(c.doc, box, "caption")
	if !known || c.isTeaser(n) || !c.accept(n, im) {
		return
	}
	c.useMedia(n)
	c.addMedia(b)
	if box != dom.None {
		c.setCaption(&b, box)
		c.addCaption(box)
	}
}

// pictureWords are words in the names of boxes that hold the pictures of a story.
var pictureWords = wordSet("figure image images photo photos picture pictures media gallery slideshow carousel hero lead lede featured opener caption foto fotos bild bilder")

// hasPictureName reports whether one of the elements around a picture is named as a
// place for pictures.
func (c *composer) hasPictureName(n dom.Node) bool {
	const maxLevels = 5
	for p, i := c.doc.Parent(n), 0; p != dom.None && i < maxLevels && c.doc.Words(p) <= maxCaption; p, i = c.doc.Parent(p), i+1 {
		if hasNameWord(c.doc, p, pictureWords) {
			return true
		}
	}
	return false
}
