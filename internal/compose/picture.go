package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// picture sets an image that is worth one: no icon, no counting pixel.
func (c *compositor) picture(n dom.Node) {
	if !c.mask[n] {
		return
	}
	im := c.image(n)
	if im == nil {
		return
	}
	b := article.Block{Kind: article.Picture, Image: im}
	if box := c.captionBox(n); box != dom.None {
		c.giveCaption(&b, box)
		c.show(b)
		c.captionText(box)
		return
	}
	c.show(b)
}

// image reads one <img>, <picture> or <amp-img>; nil if there is nothing to see.
func (c *compositor) image(n dom.Node) *article.Image {
	d := c.doc
	src := c.absolute(d.Source(n), "http", "https")
	if src == "" {
		return nil
	}
	img := n
	for k := range d.All(n, dom.Img) {
		img = k
		break
	}
	im := &article.Image{
		URL:    src,
		Alt:    strings.Join(strings.Fields(d.AttrOr(img, "alt")), " "),
		Width:  pixels(d.AttrOr(img, "width")),
		Height: pixels(d.AttrOr(img, "height")),
	}
	const icon = 48 // pixels
	if im.Width > 0 && im.Width <= icon || im.Height > 0 && im.Height <= icon || isPixel(d, img, src) {
		return nil
	}
	class := d.AttrOr(img, "class")
	for _, word := range [...]string{"emoji", "icon", "avatar", "pixel", "smiley", "logo"} {
		if containsFold(class, word) {
			return nil
		}
	}
	return im
}

func pixels(s string) int {
	return max(0, number(strings.TrimSuffix(strings.TrimSpace(s), "px")))
}

// isPixel tells a picture that is there to be counted, not to be seen: of no
// size, or of one pixel by its style, or from a server that is named for it.
func isPixel(d *dom.Document, n dom.Node, src string) bool {
	for _, key := range []string{"width", "height"} {
		if v := strings.TrimSpace(d.AttrOr(n, key)); v == "0" || v == "0px" {
			return true
		}
	}
	for rule := range strings.SplitSeq(strings.ToLower(d.AttrOr(n, "style")), ";") {
		name, value, _ := strings.Cut(rule, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if (name == "width" || name == "height") && (value == "0" || value == "0px" || value == "1px") {
			return true
		}
	}
	_, host, _ := strings.Cut(src, "//")
	for _, server := range []string{"pixel.", "beacon.", "tracking.", "tracker.", "analytics.", "counter."} {
		if strings.HasPrefix(host, server) {
			return true
		}
	}
	return false
}
