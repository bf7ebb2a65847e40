package storylinks

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
)

// element is an element with an href.
type element struct {
	node      dom.Node
	url, text string
	link      int    // in the group, or -1
	why       string // if it is none
}

// collect reads the links of a page.
func collect(d *dom.Document, address string) *group {
	g := &group{page: page{base: parseTarget(address)}}
	byKey := map[string]int{}
	for _, l := range links.Read(d, address) {
		byKey[links.Key(l.URL)] = len(g.links)
		g.add(l.URL, cleanText(l.Text), l.Node, false)
	}
	g.shown = len(g.links)
	base, self, room := links.Base(d, address), links.Key(address), steps.Output(d.Size())
	for n := range dom.Node(d.Len()) {
		if t := d.Tag(n); t != dom.A && t != dom.Area {
			continue
		}
		href, ok := d.LookupAttr(n, "href")
		if !ok {
			continue
		}
		e := element{node: n, text: textOf(d, n), link: -1}
		to := links.ResolveWeb(base, href)
		if !room.Write(len(to)) {
			break
		}
		key := links.Key(to)
		switch trimmed := strings.TrimSpace(href); {
		case to == "":
			e.url, e.why = trimmed, "not an address of the web"
			if trimmed == "" || trimmed[0] == '#' {
				e.url, e.why = strings.TrimRight(address, "#")+trimmed, "a part of this page"
			}
		case strings.HasPrefix(trimmed, "#"):
			e.url, e.why = to, "a part of this page"
		case key == self && key != "":
			e.url, e.why = asWritten(base, trimmed, to), "this page"
		default:
			e.url = asWritten(base, trimmed, to)
			at, known := byKey[key]
			if !known { // hidden
				at = len(g.links)
				byKey[key] = at
				g.add(to, cleanText(e.text), n, false)
			} else if at >= g.shown && len(e.text) > len(g.links[at].text) {
				g.links[at].setText(cleanText(e.text))
			}
			e.link = at
		}
		g.elements = append(g.elements, e)
	}
	g.findPlaces(d)
	return g
}

// asWritten returns the absolute form of an address with the characters that the page
// has, such as letters that are not escaped, so that it can be compared with the page.
// Others are as they were resolved.
func asWritten(base *url.URL, href, resolved string) string {
	if strings.ContainsFunc(href, unicode.IsControl) {
		return resolved
	}
	u, err := links.Parse(href)
	switch {
	case err != nil:
	case u.IsAbs() && strings.Contains(href, "://"):
		return href
	case base != nil && base.Host != "" && strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "//"):
		return base.Scheme + "://" + base.Host + href
	}
	return resolved
}

// textOf returns the text of a link in one line, or else the description of its
// picture or its label. The text of a hidden link is that of its source.
func textOf(d *dom.Document, n dom.Node) string {
	text := d.Text(n)
	if text == "" && d.Hidden(n) {
		var b strings.Builder
		sourceText(d.HTML(n), &b)
		text = b.String()
	}
	text = oneLine(text)
	for in := n; in < d.End(n) && text == ""; in++ {
		if d.Tag(in) == dom.Img {
			text = oneLine(d.Attr(in, "alt"))
		}
	}
	for _, key := range [...]string{"alt", "aria-label", "title"} {
		if text == "" {
			text = oneLine(d.Attr(n, key))
		}
	}
	return strings.Clone(text)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// sourceText writes the text below a node, whether it is shown or not.
func sourceText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			b.WriteString(c.Data)
		case html.ElementNode:
			if c.Data != "script" && c.Data != "style" && c.Data != "template" {
				b.WriteByte(' ')
				sourceText(c, b)
				b.WriteByte(' ')
			}
		}
	}
}

// cleanText returns a text in one line, cut off where it is too long for a headline.
func cleanText(text string) string {
	if len(text) > 4*maxText {
		text = text[:4*maxText]
	}
	text = oneLine(text)
	if len(text) > maxText {
		text = text[:maxText]
	}
	return strings.ToValidUTF8(text, "")
}
