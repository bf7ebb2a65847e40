package metadata

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// marks is what the page says of its own kind.
type marks struct {
	free, locked         bool // what the page says of its price, for machines
	wall                 bool // an element that is called a paywall
	live, gallery, video bool
}

// paywalled believes what is said for machines before the names of elements:
// templates have a paywall on every page.
func (m marks) paywalled() bool { return m.locked || m.wall && !m.free }

// isVideo reports whether the page is about a film: by JSON-LD, or by a type
// of OpenGraph such as video.other (https://ogp.me/#type_video).
func (p *page) isVideo() bool {
	for _, c := range p.found[ofType] {
		if strings.HasPrefix(c.text, "video.") || c.text == "video" {
			return true
		}
	}
	return p.marks.video
}

// markStory notes what JSON-LD says of the story
// (https://schema.org/isAccessibleForFree); a part of it may cost by itself.
func (p *page) markStory(n *jsonValue) {
	switch free := n.get("isAccessibleForFree").truth(); free {
	case "true":
		p.marks.free = true
	case "false":
		p.marks.locked = true
	}
	parts := n.get("hasPart")
	if parts == nil {
		return
	}
	list := []jsonValue{*parts}
	if parts.kind == jsonArray {
		list = parts.items
	}
	for i := range list {
		if list[i].get("isAccessibleForFree").truth() == "false" {
			p.marks.locked = true
		}
	}
}

// markType notes a kind of page by the name of its type in schema.org.
func (p *page) markType(name string) {
	switch name {
	case "LiveBlogPosting":
		p.marks.live = true
	case "ImageGallery", "MediaGallery":
		p.marks.gallery = true
	}
}

// markTier reads <meta name="article:content_tier">.
func (p *page) markTier(value string) {
	switch strings.ToLower(value) {
	case "locked", "metered", "paid", "premium", "subscription":
		p.marks.locked = true
	case "free":
		p.marks.free = true
	}
}

// markElement notes an element whose name says that the reader must pay.
func (p *page) markElement(n dom.Node, name string) {
	if !p.marks.wall && strings.Contains(name, "ywall") {
		p.marks.wall = p.d.Chars(n) > 0
	}
}

// truth reads true, "True" and "https://schema.org/True", and the same for
// false; all else is empty.
func (v *jsonValue) truth() string {
	if v == nil || v.kind != jsonString && v.kind != jsonBare {
		return ""
	}
	switch s := strings.ToLower(schemaName(strings.Trim(v.raw, " '"))); s {
	case "true", "false":
		return s
	}
	return ""
}
