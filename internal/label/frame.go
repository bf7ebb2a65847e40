package label

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
)

// frame writes a page for the frame it is labelled in: lede's own tree, every
// element with its number in data-n, so that a click tells the node of the index.
//
// What could act is left out: scripts, handlers, addresses to go to, forms to send, frames
// in the frame. This is for a quiet page, not for safety: that the page can do nothing
// rests on the sandbox and the policy that it is served with (see framePolicy).
func frame(d *dom.Document, addr string, network bool) ([]byte, error) {
	f := framer{d: d, network: network, base: baseOf(d, addr), nodes: make(map[*html.Node]dom.Node, d.Len())}
	for i := 1; i < d.Len(); i++ {
		f.nodes[d.HTML(dom.Node(i))] = dom.Node(i)
	}
	root := &html.Node{Type: html.DocumentNode}
	f.children(root, d.HTML(d.Root()))
	f.furnish(root)
	var b bytes.Buffer
	err := html.Render(&b, root)
	return b.Bytes(), err
}

// baseOf is what addresses on the page are relative to.
func baseOf(d *dom.Document, addr string) *url.URL {
	base, err := url.Parse(addr)
	if err != nil || !isWeb(base) {
		return nil
	}
	if n := d.First(dom.Base); n != dom.None {
		if u, err := base.Parse(strings.TrimSpace(d.AttrOr(n, "href"))); err == nil && isWeb(u) {
			base = u
		}
	}
	return base
}

func isWeb(u *url.URL) bool { return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" }

type framer struct {
	d        *dom.Document
	network  bool
	base     *url.URL
	nodes    map[*html.Node]dom.Node
	unstyled bool // a style sheet was left out
}

func (f *framer) children(to, from *html.Node) {
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

// hollow elements keep their place on the page, without what is in them.
var hollow = map[atom.Atom]bool{
	atom.Iframe: true, atom.Frame: true, atom.Object: true, atom.Embed: true, atom.Applet: true, atom.Audio: true, atom.Video: true,
}

// element is the quiet form of an element, or nil.
func (f *framer) element(n *html.Node) *html.Node {
	id, known := f.nodes[n]
	shown := known && !f.d.Hidden(id)
	e := &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace}
	switch strings.ToLower(n.Data) {
	case "script", "base", "meta", "param", "track", "noembed", "noframes", "portal", "fencedframe",
		"animate", "animatemotion", "animatetransform", "set", "handler", "listener":
		return nil
	case "link":
		if !f.sheet(n) {
			return nil
		}
	case "noscript", "template":
		// The frame runs no scripts and would show what lede does not.
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
	if !hollow[n.DataAtom] {
		f.children(e, n)
	}
	return e
}

// sheet tells whether a link is to a style sheet that may be loaded.
func (f *framer) sheet(n *html.Node) bool {
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

// furnish adds what the frame itself needs to the head.
func (f *framer) furnish(root *html.Node) {
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

// frameStyle lets the page be scrolled and look as it does in the end: scripts that
// would take a lock off or start a motion never run.
const frameStyle = `html{overflow:auto!important;scroll-behavior:auto!important}body{overflow:visible!important}` +
	`*,::before,::after{animation-duration:1ms!important;animation-delay:0s!important;animation-iteration-count:1!important;transition:none!important}` +
	`[data-blank]{background:#b8b8b840}`

// plainStyle makes pages legible whose style sheets are not loaded. It gives way
// to any rule of the page.
const plainStyle = `:where(html){font:16px/1.5 system-ui,sans-serif}:where(body){max-width:60rem;margin:1rem auto;padding:0 1rem}` +
	`:where(img,svg,video,iframe){max-width:100%}:where(svg){max-height:4rem}`

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

// hides tells whether a style attribute hides its element.
func hides(style string) bool {
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}
