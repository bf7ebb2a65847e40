package metadata

import (
	"cmp"
	"strings"

	"github.com/lede-news/lede/article"
)

// leadPicture is the picture that the page offers for its story.
func (p *page) leadPicture() (*article.Image, string) {
	claims := p.found[ofPicture]
	for i := range claims {
		src, told := p.resolve(tidy(claims[i].text)), claims[i].detail()
		if src == "" || told.width == 1 || told.height == 1 || tracking(src) {
			continue
		}
		im := &article.Image{URL: src, Alt: tidy(told.alt), Width: told.width, Height: told.height}
		for j := range claims { // one source has its address, another its words
			if o := claims[j].shot; o != nil && cmp.Or(o.alt, o.caption, o.credit) != "" && p.resolve(tidy(claims[j].text)) == src {
				im.Alt = cmp.Or(im.Alt, tidy(o.alt))
				im.Caption = cmp.Or(im.Caption, tidy(o.caption))
				im.Credit = cmp.Or(im.Credit, tidy(o.credit))
			}
		}
		return im, claims[i].from
	}
	return nil, ""
}

// tracking reports whether an address is that of a pixel that shows nothing.
func tracking(src string) bool {
	return strings.Contains(src, "1x1.") || strings.HasSuffix(src, "/pixel.gif") || strings.HasSuffix(src, "/blank.gif") || strings.HasSuffix(src, "/spacer.gif")
}
