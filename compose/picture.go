package compose

import (
	"strconv"
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
	if im.Width > 0 && im.Width <= icon || im.Height > 0 && im.Height <= icon {
		return nil
	}
	for _, word := range []string{"emoji", "icon", "avatar", "pixel", "smiley", "logo"} {
		if strings.Contains(strings.ToLower(d.AttrOr(img, "class")), word) {
			return nil
		}
	}
	return im
}

func pixels(s string) int {
	v, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "px"))
	if err != nil || v < 0 {
		return 0
	}
	return v
}
