package stadynot

import (
	"html"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Clean returns the output of the paper (sections 1 and 3.3): the page as HTML,
// with its elements and their formatting, reduced to the selection. It has no
// scripts, loads only pictures, and its text is that of the selection.
func Clean(d *dom.Document, s *method.Selection) string {
	c := cleaner{doc: d, mask: s.Mask(d), last: -1}
	c.count()
	c.out.WriteString("<!DOCTYPE html>\n<html")
	if root := d.First(dom.HTML); root != dom.None {
		c.attributes(root)
	}
	c.out.WriteString(">\n<head><meta charset=\"utf-8\">")
	if t := d.First(dom.Title); t != dom.None {
		c.out.WriteString("<title>" + html.EscapeString(strings.Join(strings.Fields(d.Raw(t)), " ")) + "</title>")
	}
	c.out.WriteString("</head>\n<body>")
	c.body()
	c.out.WriteString("</body>\n</html>\n")
	return c.out.String()
}

// cleaner writes one page.
type cleaner struct {
	doc  *dom.Document
	mask []bool
	kept []int32 // by node: the number of nodes with content before it
	open []dom.Node
	last int // end of the text written so far
	out  strings.Builder
}

// count fills kept. Text, pictures and line breaks are content.
func (c *cleaner) count() {
	c.kept = make([]int32, len(c.mask)+1)
	for n, keep := range c.mask {
		c.kept[n+1] = c.kept[n]
		id := dom.Node(n)
		if !keep || c.doc.Hidden(id) {
			continue
		}
		switch c.doc.Tag(id) {
		case dom.Text, dom.Img, dom.Br, dom.Hr:
			c.kept[n+1]++
		}
	}
}

// body writes the page. It does not recurse, since pages may nest deeply.
func (c *cleaner) body() {
	d := c.doc
	for n := d.Root() + 1; int(n) < d.Len(); {
		c.close(n)
		switch {
		case d.Hidden(n), c.kept[d.End(n)] == c.kept[n]:
			n = d.End(n)
			continue
		case d.IsText(n):
			c.text(n)
		default:
			c.start(n)
		}
		n++
	}
	c.close(dom.Node(d.Len()))
}

// text writes a text node, separated from the text before as on the page.
func (c *cleaner) text(n dom.Node) {
	from, to := c.doc.Span(n)
	all := c.doc.AllText()
	if c.last >= 0 && from > c.last {
		if strings.Contains(all[c.last:from], "\n") {
			c.out.WriteByte('\n')
		} else {
			c.out.WriteByte(' ')
		}
	}
	c.last = to
	c.out.WriteString(html.EscapeString(all[from:to]))
}

func (c *cleaner) start(n dom.Node) {
	name := cleanName(c.doc, n)
	if name == "" {
		return
	}
	c.out.WriteString("<" + name)
	c.attributes(n)
	c.out.WriteByte('>')
	switch c.doc.Tag(n) {
	case dom.Br, dom.Hr, dom.Img, dom.Wbr, dom.Col:
	default:
		c.open = append(c.open, n)
	}
}

// close closes the elements that end before n.
func (c *cleaner) close(n dom.Node) {
	for len(c.open) > 0 {
		last := c.open[len(c.open)-1]
		if c.doc.End(last) > n {
			return
		}
		c.open = c.open[:len(c.open)-1]
		c.out.WriteString("</" + cleanName(c.doc, last) + ">")
	}
}

// cleanName returns the name of an element on the clean page. Interactive elements
// become div or span. It returns "" for elements that Clean writes itself.
func cleanName(d *dom.Document, n dom.Node) string {
	switch t := d.Tag(n); t {
	case dom.HTML, dom.Head, dom.Body, dom.Frameset:
		return ""
	case dom.Form, dom.Fieldset, dom.Noscript, dom.Template, dom.Dialog, dom.Plaintext, dom.Xmp, dom.Listing, dom.Search:
		if d.Preformatted(n) {
			return "pre"
		}
		return "div"
	case dom.Unknown, dom.Button, dom.Select, dom.Optgroup, dom.Option, dom.Textarea, dom.Input, dom.Datalist,
		dom.Object, dom.Embed, dom.Applet, dom.Iframe, dom.Frame, dom.Noframes, dom.Noembed, dom.Video, dom.Audio,
		dom.Canvas, dom.SVG, dom.Math, dom.Script, dom.Style, dom.Title, dom.Link, dom.Meta, dom.Base, dom.Map, dom.Nobr:
		return "span"
	default:
		return t.String()
	}
}

// attributes writes the attributes for formatting, layout and links.
func (c *cleaner) attributes(n dom.Node) {
	for key, value := range c.doc.Attrs(n) {
		switch key {
		case "align", "valign", "color", "face", "size", "width", "height", "bgcolor", "border", "colspan", "rowspan",
			"dir", "lang", "start", "type", "alt", "title", "datetime":
		case "href":
			if c.doc.Tag(n) != dom.A || !isSafe(value) {
				continue
			}
		case "src":
			if c.doc.Tag(n) != dom.Img || !isSafe(value) {
				continue
			}
		case "style":
			if value = cleanStyle(value); value == "" {
				continue
			}
		default:
			continue
		}
		c.out.WriteString(" " + key + `="` + html.EscapeString(value) + `"`)
	}
}

// isSafe reports whether an address cannot run code.
func isSafe(address string) bool {
	address = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1 // browsers ignore these
		}
		return r
	}, address)
	scheme, _, ok := strings.Cut(address, ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "tel":
		return true
	}
	return false
}

// cleanStyle returns the declarations of a style attribute that format text.
func cleanStyle(style string) string {
	var keep []string
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		isFont := strings.HasPrefix(name, "font") || strings.HasPrefix(name, "text-")
		if (isFont || name == "color" || name == "background-color" || name == "vertical-align") && !strings.ContainsAny(value, `(\/@`) {
			keep = append(keep, name+":"+value)
		}
	}
	return strings.Join(keep, ";")
}
