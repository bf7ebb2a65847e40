package coreex

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// isCaption tells the words under a picture (section 6.1, "Content in image
// captions"): a <figcaption>, or a short text that the page calls a caption
// beside a picture.
func isCaption(d *dom.Document, n dom.Node) bool {
	const long, near = 100, 2 // words; levels up
	switch d.Tag(n) {
	case dom.Figcaption:
		return true
	case dom.Text, dom.Body, dom.Caption: // the caption of a table has no picture
		return false
	}
	if !saysCaption(d.AttrOr(n, "class")) && !saysCaption(d.AttrOr(n, "id")) {
		return false
	}
	if d.Words(n) == 0 || d.Words(n) > long || d.Counts(n).Images > 0 {
		return false
	}
	for p, up := d.Parent(n), 0; p != dom.None && up < near; p, up = d.Parent(p), up+1 {
		if d.Counts(p).Images > 0 {
			return true
		}
	}
	return false
}

func saysCaption(names string) bool {
	return strings.Contains(strings.ToLower(names), "caption")
}
