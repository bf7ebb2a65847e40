package layout

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// mode is how faithfully browsers follow CSS on a page (Quirks Mode Standard).
type mode uint8

const (
	standards mode = iota
	limited        // a line without words is only as high as what stands in it
	quirks         // also tables and their cells as in the nineties
)

// modeOf goes by the doctype (HTML §13.2.6.4.1).
func modeOf(d *dom.Document) mode {
	n := d.HTML(0).FirstChild
	for ; n != nil; n = n.NextSibling {
		if n.DataAtom != 0 {
			return quirks // an element comes first
		}
		if n.Data == "html" { // only a doctype has this name, but is no element
			break
		}
	}
	if n == nil {
		return standards // a part of a page, which does not tell
	}
	public, system := "", false
	for _, a := range n.Attr {
		switch a.Key {
		case "public":
			public = lower(a.Val)
		case "system":
			system = true
		}
	}
	is := func(ids ...string) bool {
		for _, id := range ids {
			if strings.HasPrefix(public, id) {
				return true
			}
		}
		return false
	}
	loose := is("-//w3c//dtd html 4.01 transitional//", "-//w3c//dtd html 4.01 frameset//")
	switch {
	case is("-//w3c//dtd html 3", "-//w3c//dtd html 4.0 ", "-//ietf//", "-//netscape", "-//microsoft"), loose && !system:
		return quirks
	case loose, is("-//w3c//dtd xhtml 1.0 transitional//", "-//w3c//dtd xhtml 1.0 frameset//"):
		return limited
	}
	return standards
}
