package label

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blank is a picture of nothing, in the place of one that is not loaded.
const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

// dropped attributes act, or lead somewhere, or take the focus.
var dropped = map[string]bool{
	"accesskey": true, "action": true, "archive": true, "attributionsrc": true, "autofocus": true, "autoplay": true, "cite": true,
	"classid": true, "code": true, "codebase": true, "contenteditable": true, "data": true, "data-blank": true, "data-n": true,
	"download": true, "formaction": true, "is": true, "longdesc": true, "manifest": true, "nonce": true, "ping": true,
	"popovertarget": true, "profile": true, "srcdoc": true, "tabindex": true, "target": true, "usemap": true, "xml:base": true,
}

// attributes copies the attributes of an element that may stay.
func (f *framer) attributes(e, n *html.Node, shown bool) {
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on") || dropped[key]:
			continue
		case shown && (key == "hidden" || key == "aria-hidden"):
			continue // lede shows it after all
		case key == "style" && shown && hides(a.Val):
			a.Val += ";display:block!important;visibility:visible!important"
		case key == "href" && n.DataAtom != atom.Link:
			if n.DataAtom != atom.A && n.DataAtom != atom.Area || n.Namespace != "" {
				if !strings.HasPrefix(a.Val, "#") {
					continue
				}
				break // a piece of the same drawing
			}
			a.Val = "#" // a link looks like one
		case key == "src" || key == "srcset" || key == "poster" || key == "background" || key == "lowsrc" || key == "dynsrc":
			if !f.loads(n, key, a.Val) {
				continue
			}
		case key == "media" && n.DataAtom == atom.Link && strings.EqualFold(strings.TrimSpace(a.Val), "print"):
			continue // loaded late: a script would change it
		}
		e.Attr = append(e.Attr, a)
	}
	if n.DataAtom == atom.Img {
		f.picture(e, n)
	}
}

// loads tells whether what an attribute points to may be loaded.
func (f *framer) loads(n *html.Node, key, value string) bool {
	if hollow[n.DataAtom] && key != "poster" || n.DataAtom == atom.Input && key != "src" {
		return false
	}
	return f.network || strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "data:image/") && key != "srcset"
}

// picture gives an image the source that a reader would see, or a blank one.
func (f *framer) picture(e, n *html.Node) {
	if id, ok := f.nodes[n]; ok && f.network {
		if src := f.d.Source(id); src != "" {
			setAttr(e, "src", src)
			setAttr(e, "srcset", "")
			setAttr(e, "loading", "eager")
		}
		return
	}
	for _, a := range e.Attr {
		if a.Key == "src" {
			return
		}
	}
	setAttr(e, "src", blank)
	setAttr(e, "data-blank", "")
}

func setAttr(e *html.Node, key, value string) {
	for i := range e.Attr {
		if e.Attr[i].Key == key {
			e.Attr[i].Val = value
			return
		}
	}
	e.Attr = append(e.Attr, html.Attribute{Key: key, Val: value})
}

// hides tells whether a style attribute hides its element.
func hides(style string) bool {
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}
