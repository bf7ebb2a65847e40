// Package frame makes copies of pages to be shown in a frame of an application
// of lede: the page as it looks, without what it does. They are served with [Policy]
// into an <iframe sandbox="allow-same-origin">.
package frame

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
)

// Policy is the content security policy of a copy. Both script-src and the sandbox
// prevent scripts. The copy has the origin of the application, which must see what is
// clicked.
const Policy = "default-src 'none'; script-src 'none'; connect-src 'none'; frame-src 'none'; object-src 'none'; media-src 'none'; " +
	"worker-src 'none'; manifest-src 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin; " +
	"style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'"

// Options change a copy.
type Options struct {
	// Marks are the runs of text to be marked, in the order of the page. They must not
	// overlap.
	Marks []Mark
	// Places are elements or texts with a role of their own, which their texts have
	// instead of that of their mark.
	Places map[dom.Node]string
	// Pictures are the pictures to be marked.
	Pictures []dom.Node
}

// Page returns a copy of a page: the tree of the document, in which data-n is the
// node of each element, with marks (see Mark).
//
// It leaves out scripts, event handlers, links, forms and frames, and whatever loads
// something. That holds however a browser parses the copy, because all text and attributes are escaped, and no element is left whose text is
// not, except <style>, which cannot contain a tag. The safety does not depend on
// this alone, but also on the sandbox and the content security policy.
func Page(d *dom.Document, opts Options) ([]byte, error) {
	f := builder{d: d, nodes: make(map[*html.Node]dom.Node, d.Len())}
	for i := 1; i < d.Len(); i++ {
		f.nodes[d.HTML(dom.Node(i))] = dom.Node(i)
	}
	f.setMarks(&opts)
	root := &html.Node{Type: html.DocumentNode}
	f.children(root, d.HTML(d.Root()))
	f.addHead(root)
	var b bytes.Buffer
	err := html.Render(&b, root)
	return b.Bytes(), err
}

type builder struct {
	d        *dom.Document
	nodes    map[*html.Node]dom.Node
	unstyled bool // a style sheet is left out
	marks
}

func (f *builder) children(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.DoctypeNode:
			to.AppendChild(doctype(c))
		case html.TextNode:
			f.text(to, c)
		case html.ElementNode:
			if e := f.element(c); e != nil {
				to.AppendChild(e)
			}
		}
	}
}

// doctype returns a copy of a document type, which decides between the modes of
// rendering. Identifiers are not escaped, so only harmless ones are kept.
func doctype(n *html.Node) *html.Node {
	c := &html.Node{Type: html.DoctypeNode, Data: "html"}
	for _, a := range n.Attr {
		if !isPlain(a.Val, " -/.:,+()'_") {
			return c
		}
	}
	c.Attr = n.Attr
	return c
}

// isPlain reports whether s has only ASCII letters, digits and some other bytes.
func isPlain(s, other string) bool {
	for i := range len(s) {
		if b := s[i]; !('a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || strings.IndexByte(other, b) >= 0) {
			return false
		}
	}
	return true
}

// text adds a copy of a text, with its mark.
func (f *builder) text(to, n *html.Node) {
	c := &html.Node{Type: html.TextNode, Data: n.Data}
	if strings.EqualFold(to.Data, "style") {
		c.Data = withoutTags(withoutRequests(n.Data))
	}
	if id, ok := f.nodes[n]; ok {
		if span := f.mark(id, to); span != nil {
			span.AppendChild(c)
			c = span
		}
	}
	to.AppendChild(c)
}

// isVoid are elements that have no end tag in HTML, but can have children in a
// drawing; embedded elements stay without their contents; removed ones do not stay.
var (
	isVoid   = setOf("area col input keygen source wbr br hr img")
	embedded = setOf("iframe frame object embed applet audio video")
	removed  = setOf("script base meta param track noembed noframes portal fencedframe " +
		"animate animatecolor animatemotion animatetransform discard mpath set handler listener")
)

// element returns a safe copy of an element, or nil.
func (f *builder) element(n *html.Node) *html.Node {
	id, known := f.nodes[n]
	shown := known && !f.d.Hidden(id)
	e := &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace}
	name := strings.ToLower(n.Data)
	if removed[name] {
		return nil
	}
	switch name {
	case "link":
		f.unstyled = f.unstyled || isStyleSheet(n)
		return nil
	case "noscript", "template":
		// Without scripts, the frame would show elements that lede does not.
		if !shown {
			return nil
		}
		e.Data, e.DataAtom = "div", atom.Div
	case "plaintext", "xmp", "listing":
		e.Data, e.DataAtom = "pre", atom.Pre
	default:
		if !isPlain(n.Data, "-_") || n.Namespace != "" && isVoid[name] {
			e.Data, e.DataAtom = "g", 0
		}
	}
	if e.Data == n.Data {
		attributes(e, n, shown)
	}
	if known {
		e.Attr = append(e.Attr, html.Attribute{Key: "data-n", Val: strconv.Itoa(int(id))})
		f.markElement(e, id)
	}
	if !embedded[name] {
		f.children(e, n)
	}
	return e
}

// isStyleSheet reports whether a link is a style sheet.
func isStyleSheet(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "rel" && strings.EqualFold(strings.TrimSpace(a.Val), "stylesheet")
	})
}

// addHead adds the styles of the frame to the head.
func (f *builder) addHead(root *html.Node) {
	head := find(root, atom.Head)
	if head == nil {
		return
	}
	style := frameStyle
	if f.unstyled {
		style += plainStyle
	}
	if f.marked {
		style += markStyle
	}
	e := &html.Node{Type: html.ElementNode, Data: "style", DataAtom: atom.Style}
	e.AppendChild(&html.Node{Type: html.TextNode, Data: style})
	head.InsertBefore(e, head.FirstChild)
}

func find(n *html.Node, a atom.Atom) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == a {
			return c
		}
		if c.DataAtom == atom.Html {
			return find(c, a)
		}
	}
	return nil
}

// frameStyle enables scrolling and ends animations, since no script does.
const frameStyle = `html{overflow:auto!important;scroll-behavior:auto!important}body{overflow:visible!important}` +
	`*,::before,::after{animation-duration:1ms!important;animation-delay:0s!important;animation-iteration-count:1!important;transition:none!important}` +
	`[data-blank]{background:#b8b8b840}`

// plainStyle is for pages without their style sheets. Any rule of the page
// overrides it.
const plainStyle = `:where(html){font:16px/1.5 system-ui,sans-serif}:where(body){max-width:60rem;margin:1rem auto;padding:0 1rem}` +
	`:where(img,svg,video,iframe){max-width:100%}:where(svg){max-height:4rem}`
