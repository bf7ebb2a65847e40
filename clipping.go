package lede

import (
	"strings"

	"github.com/lede-news/lede/article"
)

// clipping cuts an article out of its page: what are pieces of the page's own
// text and markup become copies, so that who keeps many articles does not keep
// all their pages in memory as well. The words of the body and all addresses
// are copies already.
func clipping(a *Article) {
	var c clipper
	c.copy(&a.Title, &a.Standfirst, &a.Lang, &a.Site, &a.Section)
	for i := range a.Authors {
		c.copy(&a.Authors[i].Name)
	}
	for _, list := range [...][]string{a.Tags, a.Comments} {
		for i := range list {
			c.copy(&list[i])
		}
	}
	c.image(a.Lead)
	article.Walk(a.Body, func(b *article.Block) {
		c.copy(&b.Lang)
		c.image(b.Image)
		if b.Video != nil {
			c.copy(&b.Video.Title, &b.Video.Caption)
		}
	})
}

// clipper writes its copies one after another: one piece of memory does for
// most articles.
type clipper struct{ paper strings.Builder }

func (c *clipper) copy(texts ...*string) {
	for _, t := range texts {
		from := c.paper.Len()
		c.paper.WriteString(*t)
		*t = c.paper.String()[from:]
	}
}

func (c *clipper) image(im *article.Image) {
	if im != nil {
		c.copy(&im.Alt, &im.Caption, &im.Credit)
	}
}
