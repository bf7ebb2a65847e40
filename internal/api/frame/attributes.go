package frame

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blank is an empty picture in place of one that is not loaded.
const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

// dropped attributes have an effect, load something or take the focus.
var dropped = setOf(`accesskey action archive attributionsrc autofocus autoplay cite classid code codebase command commandfor
	contenteditable data data-b data-blank data-block data-label data-n data-r download form formaction icon imagesrcset interestfor
	interesttarget is itemid itemtype longdesc manifest nonce ping popovertarget profile shadowroot shadowrootmode srcdoc srcset tabindex
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
func attributes(e, n *html.Node, shown bool) {
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
		case key == "href":
			if n.DataAtom != atom.A && n.DataAtom != atom.Area || n.Namespace != "" {
				if !strings.HasPrefix(a.Val, "#") {
					continue
				}
				break // part of the same drawing
			}
			a.Val = "#" // so that it looks like a link
		case key == "src" || key == "poster" || key == "background" || key == "lowsrc" || key == "dynsrc":
			if embedded[strings.ToLower(n.Data)] && key != "poster" || n.DataAtom == atom.Input && key != "src" ||
				!strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "data:image/") {
				continue
			}
		}
		if key == "style" || strings.Contains(a.Val, "(") && n.Namespace != "" {
			a.Val = withoutRequests(a.Val)
		}
		e.Attr = append(e.Attr, a)
	}
	switch n.DataAtom {
	case atom.Img:
		if !slices.ContainsFunc(e.Attr, func(a html.Attribute) bool { return a.Key == "src" }) {
			e.Attr = append(e.Attr, html.Attribute{Key: "src", Val: blank}, html.Attribute{Key: "data-blank"})
		}
	case atom.Button, atom.Fieldset, atom.Input, atom.Object, atom.Output, atom.Select, atom.Textarea:
		e.Attr = append(e.Attr, html.Attribute{Key: "form"}) // no property of its form
	}
}

// hides reports whether a style attribute hides its element.
func hides(style string) bool {
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}
