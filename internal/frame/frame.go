// Package frame makes copies of pages to be shown in a frame of an application
// of lede: the page as it looks, without what it does. They are served with
// [Policy] or [NetworkPolicy] into an <iframe sandbox="allow-same-origin">.
package frame

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
)

// Content security policies of a copy. Both script-src and the sandbox prevent
// scripts. The copy has the origin of the application, which must see what is
// clicked. NetworkPolicy lets the copy load style sheets, pictures and fonts.
const (
	Policy        = basePolicy + "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'"
	NetworkPolicy = basePolicy + "style-src 'unsafe-inline' http: https:; img-src data: http: https:; font-src data: http: https:; base-uri http: https:"

	basePolicy = "default-src 'none'; script-src 'none'; connect-src 'none'; frame-src 'none'; object-src 'none'; media-src 'none'; " +
		"worker-src 'none'; manifest-src 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin; "
)

// Options change a copy.
type Options struct {
	URL     string // address of the page
	Network bool   // the copy loads style sheets and pictures; it needs NetworkPolicy
}

// Page returns a copy of a page: the tree of the document, in which data-n is the
// node of each element.
//
// It leaves out scripts, event handlers, links, forms and frames. The safety does
// not depend on this alone, but also on the sandbox and the content security
// policy.
func Page(d *dom.Document, opts Options) ([]byte, error) {
	f := builder{d: d, network: opts.Network, base: baseOf(d, opts.URL), nodes: make(map[*html.Node]dom.Node, d.Len())}
	for i := 1; i < d.Len(); i++ {
		f.nodes[d.HTML(dom.Node(i))] = dom.Node(i)
	}
	root := &html.Node{Type: html.DocumentNode}
	f.children(root, d.HTML(d.Root()))
	f.addHead(root)
	var b bytes.Buffer
	err := html.Render(&b, root)
	return b.Bytes(), err
}

// baseOf returns the base URL of the page.
func baseOf(d *dom.Document, addr string) *url.URL {
	base, err := url.Parse(addr)
	if err != nil || !isWeb(base) {
		return nil
	}
	if n := d.First(dom.Base); n != dom.None {
		if u, err := base.Parse(strings.TrimSpace(d.Attr(n, "href"))); err == nil && isWeb(u) {
			base = u
		}
	}
	return base
}

func isWeb(u *url.URL) bool { return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" }

type builder struct {
	d        *dom.Document
	network  bool
	base     *url.URL
	nodes    map[*html.Node]dom.Node
	unstyled bool // a style sheet is left out
}

func (f *builder) children(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.DoctypeNode, html.TextNode:
			to.AppendChild(&html.Node{Type: c.Type, Data: c.Data, Attr: c.Attr})
		case html.ElementNode:
			if e := f.element(c); e != nil {
				to.AppendChild(e)
			}
		}
	}
}

// embedded elements stay without their contents.
var embedded = map[atom.Atom]bool{
	atom.Iframe: true, atom.Frame: true, atom.Object: true, atom.Embed: true, atom.Applet: true, atom.Audio: true, atom.Video: true,
}

// element returns a safe copy of an element, or nil.
func (f *builder) element(n *html.Node) *html.Node {
	id, known := f.nodes[n]
	shown := known && !f.d.Hidden(id)
	e := &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace}
	switch strings.ToLower(n.Data) {
	case "script", "base", "meta", "param", "track", "noembed", "noframes", "portal", "fencedframe",
		"animate", "animatemotion", "animatetransform", "set", "handler", "listener":
		return nil
	case "link":
		if !f.isStyleSheet(n) {
			return nil
		}
	case "noscript", "template":
		// Without scripts, the frame would show elements that lede does not.
		if !shown {
			return nil
		}
		e.Data, e.DataAtom = "div", atom.Div
	case "plaintext", "xmp":
		e.Data, e.DataAtom = "pre", atom.Pre
	}
	if e.Data == n.Data {
		f.attributes(e, n, shown)
	}
	if known {
		e.Attr = append(e.Attr, html.Attribute{Key: "data-n", Val: strconv.Itoa(int(id))})
	}
	if !embedded[n.DataAtom] {
		f.children(e, n)
	}
	return e
}

// isStyleSheet reports whether a link is a style sheet that may be loaded.
func (f *builder) isStyleSheet(n *html.Node) bool {
	is := false
	for _, a := range n.Attr {
		if a.Key == "rel" {
			rel := strings.Fields(strings.ToLower(a.Val))
			is = len(rel) == 1 && rel[0] == "stylesheet"
		}
	}
	if is && !f.network {
		f.unstyled = true
	}
	return is && f.network
}

// addHead adds the styles of the frame and the base URL to the head.
func (f *builder) addHead(root *html.Node) {
	head := find(root, atom.Head)
	if head == nil {
		return
	}
	style := frameStyle
	if f.unstyled {
		style += plainStyle
	}
	e := &html.Node{Type: html.ElementNode, Data: "style", DataAtom: atom.Style}
	e.AppendChild(&html.Node{Type: html.TextNode, Data: style})
	head.InsertBefore(e, head.FirstChild)
	if f.network && f.base != nil {
		base := &html.Node{Type: html.ElementNode, Data: "base", DataAtom: atom.Base,
			Attr: []html.Attribute{{Key: "href", Val: f.base.String()}}}
		head.InsertBefore(base, head.FirstChild)
	}
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

// blank is an empty picture in place of one that is not loaded.
const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

// dropped attributes have an effect, load something or take the focus.
var dropped = map[string]bool{
	"accesskey": true, "action": true, "archive": true, "attributionsrc": true, "autofocus": true, "autoplay": true, "cite": true,
	"classid": true, "code": true, "codebase": true, "contenteditable": true, "data": true, "data-blank": true, "data-n": true,
	"download": true, "formaction": true, "is": true, "longdesc": true, "manifest": true, "nonce": true, "ping": true,
	"popovertarget": true, "profile": true, "srcdoc": true, "tabindex": true, "target": true, "usemap": true, "xml:base": true,
}

// attributes copies the harmless attributes of an element.
func (f *builder) attributes(e, n *html.Node, shown bool) {
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on") || dropped[key]:
			continue
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
		e.Attr = append(e.Attr, a)
	}
	if n.DataAtom == atom.Img {
		f.picture(e, n)
	}
}

// loads reports whether the URL in an attribute may be loaded.
func (f *builder) loads(n *html.Node, key, value string) bool {
	if embedded[n.DataAtom] && key != "poster" || n.DataAtom == atom.Input && key != "src" {
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
