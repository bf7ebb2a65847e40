package frame

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blank is an empty picture in place of one that is not loaded.
const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

// dropped attributes have an effect, load something or take the focus.
var dropped = setOf(`accesskey action archive attributionsrc autofocus autoplay cite classid code codebase command commandfor
	contenteditable data data-b data-blank data-block data-label data-n data-r download form formaction icon imagesrcset interestfor
	interesttarget is itemid itemtype longdesc manifest nonce ping popovertarget profile shadowroot shadowrootmode srcdoc tabindex
	target usemap`)

// setOf returns the set of some words.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// attributes copies the harmless attributes of an element.
func (f *builder) attributes(e, n *html.Node, shown bool) {
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on") || dropped[key] || a.Namespace == "xml" || !isPlain(key, "-_:."):
			continue
		case key == "name" && n.DataAtom != atom.A || key == "id" && (n.DataAtom == atom.Img || embedded[strings.ToLower(n.Data)]):
			continue // would be a property of the document or of a form
		case shown && (key == "hidden" || key == "aria-hidden"):
			continue // lede shows the element
		case key == "style" && shown && hides(a.Val):
			a.Val += ";display:block!important;visibility:visible!important"
		case key == "href" && n.DataAtom != atom.Link:
			if n.DataAtom != atom.A && n.DataAtom != atom.Area || n.Namespace != "" {
				if !strings.HasPrefix(a.Val, "#") {
					continue
				}
				break // part of the same drawing
			}
			a.Val = "#" // so that it looks like a link
		case key == "src" || key == "srcset" || key == "poster" || key == "background" || key == "lowsrc" || key == "dynsrc":
			if !f.loads(n, key, a.Val) {
				continue
			}
		case key == "media" && n.DataAtom == atom.Link && strings.EqualFold(strings.TrimSpace(a.Val), "print"):
			continue // a script would change it after loading
		}
		if key == "style" || strings.Contains(a.Val, "(") && n.Namespace != "" {
			a.Val = f.declarations(a.Val)
		}
		e.Attr = append(e.Attr, a)
	}
	switch n.DataAtom {
	case atom.Img:
		f.picture(e, n)
	case atom.Button, atom.Fieldset, atom.Input, atom.Object, atom.Output, atom.Select, atom.Textarea:
		e.Attr = append(e.Attr, html.Attribute{Key: "form"}) // no property of its form
	}
}

// loads reports whether the URL in an attribute may be loaded.
func (f *builder) loads(n *html.Node, key, value string) bool {
	if embedded[strings.ToLower(n.Data)] && key != "poster" || n.DataAtom == atom.Input && key != "src" {
		return false
	}
	return f.network || strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "data:image/") && key != "srcset"
}

// picture sets the source of an image to the visible one, or to a blank one.
func (f *builder) picture(e, n *html.Node) {
	if id, ok := f.nodes[n]; ok && f.network {
		if src := f.d.ImageURL(id); src != "" {
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

// hides reports whether a style attribute hides its element.
func hides(style string) bool {
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}
