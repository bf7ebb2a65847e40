package site

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// Site is the name of the page's site: by the address that it was found at, or
// else by the one that it gives itself. It is empty when nobody says.
func (p *Page) Site(address string) string {
	if name := NameOf(address); name != "" {
		return name
	}
	d := p.doc
	for n := range d.All(d.Root(), dom.Link) {
		if strings.EqualFold(strings.TrimSpace(d.AttrOr(n, "rel")), "canonical") {
			if name := NameOf(d.AttrOr(n, "href")); name != "" {
				return name
			}
		}
	}
	for n := range d.All(d.Root(), dom.Meta) {
		if strings.EqualFold(d.AttrOr(n, "property"), "og:url") {
			if name := NameOf(d.AttrOr(n, "content")); name != "" {
				return name
			}
		}
	}
	return ""
}
