package metadata

import (
	"cmp"
	"strings"

	"github.com/lede-news/lede/article"
)

// leadPicture is the picture that the page offers for its story.
func (p *page) leadPicture() (*article.Image, string) {
	for _, c := range p.found[ofPicture] {
		src := p.resolve(tidy(c.text))
		if src == "" || c.width == 1 || c.height == 1 || tracking(src) {
			continue
		}
		im := &article.Image{URL: src, Alt: tidy(c.alt), Width: c.width, Height: c.height}
		for _, o := range p.found[ofPicture] { // one source has its address, another its words
			if o.alt+o.caption+o.credit != "" && p.resolve(tidy(o.text)) == src {
				im.Alt = cmp.Or(im.Alt, tidy(o.alt))
				im.Caption = cmp.Or(im.Caption, tidy(o.caption))
				im.Credit = cmp.Or(im.Credit, tidy(o.credit))
			}
		}
		return im, c.from
	}
	return nil, ""
}

// tracking reports whether an address is that of a pixel that shows nothing.
func tracking(src string) bool {
	return strings.Contains(src, "1x1.") || strings.HasSuffix(src, "/pixel.gif") || strings.HasSuffix(src, "/blank.gif") || strings.HasSuffix(src, "/spacer.gif")
}
