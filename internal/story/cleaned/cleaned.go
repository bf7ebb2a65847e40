// Package cleaned writes a page without its noise: the page's own HTML, with its
// structure and formatting, reduced to what a method keeps. It is the output of
// StaDyNoT (Barua, Patel and Agrawal 2014, sections 1 and 3.3).
//
// The result is safe to open. Elements and attributes that are not known to be
// harmless are left out: there are no scripts, event handlers, forms, frames,
// plugins, style sheets or redirects. Links lead to pages and mail addresses, and
// only pictures are loaded from the network. A content security policy forbids the
// rest once more.
package cleaned

import (
	"html"
	"net/url"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/words"
	"github.com/lede-news/lede/method"
)

// Options are the options of Page.
type Options struct {
	URL   string // of the page, for relative links; may be empty
	Title string // headline that is kept as well if it is a heading of the page; may be empty

	NoPictures bool // leaves out pictures

	Steps *steps.Counter // ends the work early, with a part of the page; may be nil
}

// policy allows pictures and the style attributes that are left.
const policy = "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// Page returns the page, reduced to a selection and its headline. Its text is that
// of the selection.
func Page(d *dom.Document, s *method.Selection, opts Options) string {
	c := cleaner{doc: d, base: links.Base(d, opts.URL), mask: s.Mask(d), noPictures: opts.NoPictures, steps: opts.Steps, last: -1}
	c.keepTitle(s.Title, opts.Title)
	c.count()
	c.out.WriteString("<!DOCTYPE html>\n<html")
	if root := d.First(dom.HTML); root != dom.None {
		c.attributes(root)
	}
	c.out.WriteString(">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy +
		"\">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
	if t := d.First(dom.Title); t != dom.None {
		c.out.WriteString("<title>" + html.EscapeString(oneLine(d.Raw(t))) + "</title>\n")
	}
	c.out.WriteString("</head>\n<body")
	if body := d.First(dom.Body); body != dom.None {
		c.attributes(body)
	}
	c.out.WriteString(">\n")
	c.body()
	c.out.WriteString("\n</body>\n</html>\n")
	return c.out.String()
}

// cleaner writes one page.
type cleaner struct {
	doc  *dom.Document
	base *url.URL
	mask []bool
	kept []int32 // by node: the number of nodes with content before it
	open []dom.Node
	last int // end of the text written so far
	out  strings.Builder

	noPictures bool
	steps      *steps.Counter
}

// keepTitle adds the headline to the mask: the node that the method found, or else
// the first heading with the text of the title.
func (c *cleaner) keepTitle(n dom.Node, title string) {
	d := c.doc
	if title = oneLine(title); n == dom.None && title != "" {
		for h := dom.Node(0); int(h) < d.Len() && !c.steps.Done(); h++ {
			if d.Tag(h).IsHeading() && !d.Hidden(h) && oneLine(d.Text(h)) == title {
				n = h
				break
			}
		}
	}
	if n == dom.None || d.Hidden(n) {
		return
	}
	for k := n; k < d.End(n); k++ {
		c.mask[k] = true
	}
}

// count fills kept. Text, pictures and line breaks are content.
func (c *cleaner) count() {
	c.kept = make([]int32, len(c.mask)+1)
	for n, keep := range c.mask {
		c.kept[n+1] = c.kept[n]
		tag := c.doc.Tag(dom.Node(n))
		isContent := tag == dom.Text || tag == dom.Br || tag == dom.Hr || tag == dom.Img && !c.noPictures
		if keep && isContent && !c.doc.Hidden(dom.Node(n)) {
			c.kept[n+1]++
		}
	}
}

// body writes the page. It does not recurse, since pages may nest deeply.
func (c *cleaner) body() {
	d := c.doc
	for n := d.Root() + 1; int(n) < d.Len() && !c.steps.Done(); n++ {
		c.close(n)
		switch {
		case d.Hidden(n), c.kept[d.End(n)] == c.kept[n]:
			n = d.End(n) - 1
		case d.IsText(n):
			c.separate(n)
			from, to := d.Span(n)
			c.last = to
			c.out.WriteString(html.EscapeString(d.AllText()[from:to]))
		default:
			c.start(n)
		}
	}
	c.close(dom.Node(d.Len()))
}

// separate separates a node from the text before as on the page.
func (c *cleaner) separate(n dom.Node) {
	from, to := c.doc.Span(n)
	inside := c.doc.AllText()[from:to]
	from += len(inside) - len(strings.TrimLeft(inside, " \n")) // an element begins with the separator
	if c.last < 0 || from <= c.last {
		return
	}
	if strings.Contains(c.doc.AllText()[c.last:from], "\n") {
		c.out.WriteByte('\n')
	} else {
		c.out.WriteByte(' ')
	}
	c.last = from
}

func (c *cleaner) start(n dom.Node) {
	name := nameOf(c.doc, n)
	if name == "" {
		return
	}
	c.separate(n)
	if name == "img" {
		c.picture(n)
		return
	}
	c.out.WriteString("<" + name)
	c.attributes(n)
	c.out.WriteByte('>')
	switch c.doc.Tag(n) {
	case dom.Br, dom.Hr, dom.Wbr, dom.Col:
	default:
		c.open = append(c.open, n)
	}
}

// close closes the elements that end before n.
func (c *cleaner) close(n dom.Node) {
	for i := len(c.open) - 1; i >= 0 && c.doc.End(c.open[i]) <= n; i-- {
		c.out.WriteString("</" + nameOf(c.doc, c.open[i]) + ">")
		c.open = c.open[:i]
	}
}

// picture writes an image, unless it is a tracking pixel.
func (c *cleaner) picture(n dom.Node) {
	src := links.Resolve(c.base, c.doc.ImageURL(n), "http", "https")
	if src == "" || !c.steps.Write(len(src)) || isPixel(c.doc.Attr(n, "width")) || isPixel(c.doc.Attr(n, "height")) {
		return
	}
	c.out.WriteString("<img")
	c.attribute("src", src)
	c.attributes(n)
	c.out.WriteByte('>')
}

func isPixel(size string) bool {
	size = strings.TrimSuffix(strings.TrimSpace(size), "px")
	return size == "0" || size == "1"
}

var (
	// plainElements are those that only show their text or a picture.
	plainElements = words.NewSet("a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del " +
		"details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nav ol " +
		"p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr")
	// blockElements are others that begin a line.
	blockElements = words.NewSet("form fieldset noscript template dialog search")
	// plainAttributes are those for names, formatting and layout.
	plainAttributes = words.NewSet("align valign color face size width height bgcolor border cellpadding cellspacing colspan rowspan dir lang " +
		"start type alt title datetime class id itemprop itemscope itemtype")
)

// nameOf returns the name of an element on the clean page. Elements that do more
// than show their text become div or span. It returns "" for those that Page
// writes itself.
func nameOf(d *dom.Document, n dom.Node) string {
	switch name, t := d.Name(n), d.Tag(n); {
	case t == dom.HTML || t == dom.Head || t == dom.Body || t == dom.Frameset:
		return ""
	case plainElements[name]:
		return name
	case t == dom.Plaintext || t == dom.Xmp || t == dom.Listing:
		return "pre"
	case blockElements[name]:
		return "div"
	}
	return "span"
}

// attributes writes the attributes for names, formatting, layout and links.
func (c *cleaner) attributes(n dom.Node) {
	for key, value := range c.doc.Attrs(n) {
		switch {
		case key == "href" && c.doc.Tag(n) == dom.A:
			value = c.address(value)
		case key == "style":
			value = cleanStyle(value)
		case !plainAttributes[key]:
			continue
		}
		if value != "" || plainAttributes[key] {
			c.attribute(key, value)
		}
	}
}

func (c *cleaner) attribute(key, value string) {
	c.out.WriteString(" " + key + `="` + html.EscapeString(value) + `"`)
}

// address returns the absolute address of a link, or "" if it is not that of a page
// or a person. A link within the page stays as it is.
func (c *cleaner) address(href string) string {
	if href = strings.TrimSpace(href); strings.HasPrefix(href, "#") {
		return href
	}
	to := links.Resolve(c.base, href, "http", "https", "mailto", "tel")
	if !c.steps.Write(len(to)) {
		return ""
	}
	return to
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

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
