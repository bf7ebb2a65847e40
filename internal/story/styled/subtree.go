package styled

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/internal/words"
)

// subtree copies the part of a page that an article is from: the elements from
// the common root of its nodes down to them, and nothing else.
type subtree struct {
	doc    *dom.Document
	nodes  []dom.Node // of the article, in page order
	base   *url.URL
	media  map[dom.Node]*article.Block
	sheet  *sheet
	embed  *embedder
	blocks []dom.Node // elements of the article that are blocks
	chars  []int      // of the nodes before each one
	end    int        // end of the last text, in the text of the page
	gap    bool       // a picture follows that text
	steps  *steps.Counter
}

// newSubtree finds the block of every picture and player: both are in page order.
func newSubtree(d *dom.Document, nodes []dom.Node, a *article.Article, base *url.URL) *subtree {
	t := &subtree{doc: d, nodes: slices.Clone(nodes), base: base, media: map[dom.Node]*article.Block{}}
	var blocks []*article.Block
	for b := range a.Blocks() {
		if b.Image != nil || b.Video != nil {
			blocks = append(blocks, b)
		}
	}
	for _, n := range nodes {
		switch {
		case !isMedia(d, n):
		case t.isLead(n, a.Lead, blocks):
			t.media[n] = &article.Block{Kind: article.Picture, Image: a.Lead}
		case len(blocks) > 0:
			t.media[n], blocks = blocks[0], blocks[1:]
		}
	}
	return t
}

// addPlugins adds the selected animations and other plugins inside the article: the paper keeps
// them (Wang et al. 2009, section 1), and no browser plays them any more. Above and below
// the article most are advertisements, and pages in an <object> are buttons of social networks.
func (t *subtree) addPlugins(selected []bool, steps *steps.Counter) {
	if selected == nil || len(t.nodes) == 0 {
		return
	}
	d, nodes := t.doc, t.nodes
	for n := nodes[0]; n < nodes[len(t.nodes)-1] && !steps.Done(); n++ {
		if tag := d.Tag(n); !selected[n] || tag != dom.Object && tag != dom.Embed || strings.EqualFold(d.Attr(n, "type"), "text/html") {
			continue
		}
		v := &article.Media{URL: links.ResolveWeb(t.base, pluginSource(d, n)), Title: d.Attr(n, "title")}
		if !t.has(n) && v.URL != "" && !d.Hidden(d.Parent(n)) && steps.Write(len(v.URL)) {
			t.media[n] = &article.Block{Kind: article.Video, Video: v}
			nodes = append(nodes, n)
		}
		n = d.End(n) - 1 // <embed> in <object> is the same for other browsers
	}
	slices.Sort(nodes)
	t.nodes = nodes
}

// pluginSource returns the address of what an <object> or <embed> shows, or "".
func pluginSource(d *dom.Document, n dom.Node) string {
	for k := n; k < d.End(n); k++ {
		src := cmp.Or(d.Attr(k, "data"), d.Attr(k, "src"))
		if name := d.Attr(k, "name"); d.Tag(k) == dom.Param && (strings.EqualFold(name, "movie") || strings.EqualFold(name, "src")) {
			src = d.Attr(k, "value")
		}
		if src != "" {
			return src
		}
	}
	return ""
}

// isLead reports whether a picture is the lead, and not the next of the blocks.
func (t *subtree) isLead(n dom.Node, lead *article.Image, blocks []*article.Block) bool {
	if lead == nil || len(blocks) > 0 && blocks[0].Image != nil && blocks[0].Image.URL == lead.URL {
		return false
	}
	return links.Resolve(t.base, t.doc.ImageURL(n), "http", "https") == lead.URL
}

// shows reports whether a picture is part of the story, maybe in another size or from another
// server.
func (t *subtree) shows(im *article.Image) bool {
	for _, b := range t.media {
		if b.Image != nil && path.Base(b.Image.URL) == path.Base(im.URL) {
			return true
		}
	}
	return false
}

// isMedia tells the pictures and players among the nodes of an article from
// texts, rules and captions.
func isMedia(d *dom.Document, n dom.Node) bool {
	switch d.Tag(n) {
	case dom.Img, dom.Picture, dom.Video, dom.Audio, dom.Iframe, dom.Embed, dom.Object:
		return true
	}
	return strings.HasPrefix(d.Name(n), "amp-")
}

// root returns the innermost block that contains the whole article, or dom.None.
func (t *subtree) root() dom.Node {
	if len(t.nodes) == 0 {
		return dom.None
	}
	d := t.doc
	n := d.CommonAncestor(t.nodes[0], t.nodes[len(t.nodes)-1])
	for d.Parent(n) != dom.None && !d.Tag(n).IsBlock() || isMedia(d, n) {
		n = d.Parent(n)
	}
	for _, whole := range []dom.Tag{dom.Table, dom.Ul, dom.Ol, dom.Dl, dom.Pre, dom.Figure} {
		if at := d.Closest(n, whole); at != dom.None && (whole != dom.Table || compose.IsDataTable(d, at)) {
			n = at
		}
	}
	return n
}

// index counts the nodes and finds the blocks of the article below its root.
func (t *subtree) index(root dom.Node) {
	d := t.doc
	t.chars = make([]int, len(t.nodes)+1)
	for i, n := range t.nodes {
		t.chars[i+1] = t.chars[i]
		if d.IsText(n) {
			t.chars[i+1] += d.Chars(n)
		}
	}
	for n := root; n < d.End(root); n++ {
		if d.Tag(n).IsBlock() && t.has(n) {
			t.blocks = append(t.blocks, n)
		}
	}
}

// length returns the number of characters of the article in n.
func (t *subtree) length(n dom.Node) int {
	from, _ := slices.BinarySearch(t.nodes, n)
	to, _ := slices.BinarySearch(t.nodes, t.doc.End(n))
	return t.chars[to] - t.chars[from]
}

// has reports whether the subtree of n contains a node of the article.
func (t *subtree) has(n dom.Node) bool {
	i, _ := slices.BinarySearch(t.nodes, n)
	return i < len(t.nodes) && t.nodes[i] < t.doc.End(n)
}

// isUsed reports whether n itself is a node of the article.
func (t *subtree) isUsed(n dom.Node) bool {
	_, ok := slices.BinarySearch(t.nodes, n)
	return ok
}

// around is what encloses an element in the copy.
type around struct {
	palette
	depth                int
	link, heading, table bool
	parent               atom.Atom
}

// maxDepth bounds the nesting of the copy. What is nested deeper is flattened.
const maxDepth = 200

// children copies the contents of n.
func (t *subtree) children(n dom.Node, out *html.Node, in around) {
	in.depth++
	for k := range t.doc.Children(n) {
		if t.steps.Done() {
			return
		}
		t.node(k, out, in)
	}
}

// node copies a node with its contents, if they are part of the article.
func (t *subtree) node(n dom.Node, out *html.Node, in around) {
	d := t.doc
	switch tag := d.Tag(n); {
	case tag == dom.Text:
		if t.isUsed(n) {
			t.text(n, out)
		}
	case tag == dom.Br:
		lineBreak(out)
	case (tag == dom.Td || tag == dom.Th) && in.table && !d.Hidden(n):
		t.element(n, out, in) // also an empty cell
	case !t.has(n):
	case t.media[n] != nil:
		t.medium(n, out, in)
	case tag == dom.Hr && t.isUsed(n):
		add(out, t.copy(n, atom.Hr, &in), line())
	case tag == dom.Pre || tag == dom.Listing || tag == dom.Xmp || tag == dom.Plaintext:
		e := t.copy(n, atom.Pre, &in)
		add(out, e, line())
		t.preformatted(n, e)
	default:
		t.element(n, out, in)
	}
}

// isCaption reports whether n is a caption: the only elements with texts among
// the nodes of an article.
func (t *subtree) isCaption(n dom.Node) bool {
	d := t.doc
	return t.isUsed(n) && !d.IsText(n) && !isMedia(d, n) && d.Tag(n) != dom.Hr
}

// element copies an element with its contents.
func (t *subtree) element(n dom.Node, out *html.Node, in around) {
	d := t.doc
	name := t.name(n, in)
	if in.depth > maxDepth {
		t.children(n, out, in)
		return
	}
	if d.Tag(n) == dom.Table {
		in.table = name == atom.Table
	}
	e := t.copy(n, name, &in)
	add(out, e)
	in.parent = name
	in.link = in.link || name == atom.A
	in.heading = in.heading || d.Tag(n).IsHeading()
	t.children(n, e, in)
	if !isInline(name) {
		add(out, line())
	}
}

// copied are the elements that stay what they are, and renamed those that become similar ones.
var (
	copiedBlocks  = words.NewSet("p h2 h3 h4 h5 h6 ul ol dl blockquote figure")
	copiedInlines = words.NewSet("b strong i em u s del ins sub sup small code kbd samp mark abbr cite time ruby rt var dfn")
	renamed       = map[string]string{"h1": "h2", "menu": "ul", "dir": "ul", "strike": "s", "tt": "code"}
)

// name returns what an element becomes: itself where the browser will parse it
// so again, and otherwise a <div> or <span>.
func (t *subtree) name(n dom.Node, in around) atom.Atom {
	d := t.doc
	tag := d.Tag(n)
	switch tag {
	case dom.A:
		if !in.link && t.length(n) > 0 && t.link(n) != "" { // without words screen readers could not name it
			return atom.A
		}
		return atom.Span
	case dom.P:
		if t.hasBlocks(n) {
			return atom.Div
		}
	case dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6:
		const maxWords = 100 // a longer one was not closed
		if in.heading || d.Words(n) > maxWords || t.length(n) == 0 {
			return atom.Div
		}
	case dom.Li, dom.Dt, dom.Dd, dom.Figcaption:
		if a := atom.Lookup([]byte(d.Name(n))); slices.Contains(parents[a], in.parent) {
			return a
		}
	case dom.Table:
		if compose.IsDataTable(d, n) {
			return atom.Table
		}
	case dom.Caption, dom.Thead, dom.Tbody, dom.Tfoot, dom.Tr, dom.Td, dom.Th:
		if in.table {
			return atom.Lookup([]byte(d.Name(n)))
		}
		return atom.Div // a table for layout
	}
	name := cmp.Or(renamed[d.Name(n)], d.Name(n))
	if copiedBlocks[name] || copiedInlines[name] {
		return atom.Lookup([]byte(name))
	}
	if tag.IsBlock() || t.hasBlocks(n) {
		return atom.Div
	}
	return atom.Span
}

// parents are those that elements need to stay what they are.
var parents = map[atom.Atom][]atom.Atom{
	atom.Li: {atom.Ul, atom.Ol}, atom.Dt: {atom.Dl}, atom.Dd: {atom.Dl}, atom.Figcaption: {atom.Figure},
}

// hasBlocks reports whether n contains blocks of the article.
func (t *subtree) hasBlocks(n dom.Node) bool {
	i, _ := slices.BinarySearch(t.blocks, n+1)
	return i < len(t.blocks) && t.blocks[i] < t.doc.End(n)
}

// isInline reports whether an element of the copy is part of a line.
func isInline(a atom.Atom) bool {
	return copiedInlines[a.String()] || a == atom.A || a == atom.Span || a == atom.Img || a == atom.Br
}

// copy returns an element in the place of n, with its style. It changes in to
// what is around the contents.
func (t *subtree) copy(n dom.Node, name atom.Atom, in *around) *html.Node {
	d, e := t.doc, element(name)
	switch name {
	case atom.A:
		set(e, "href", t.link(n))
	case atom.Ol:
		if start, err := strconv.Atoi(d.Attr(n, "start")); err == nil && start > 1 {
			set(e, "start", strconv.Itoa(start))
		}
	case atom.Td, atom.Th:
		for _, key := range []string{"colspan", "rowspan"} {
			const maxSpan = 1000 // as in browsers
			if v, err := strconv.Atoi(d.Attr(n, key)); err == nil && v > 1 {
				set(e, key, strconv.Itoa(min(v, maxSpan)))
			}
		}
	case atom.Table:
		set(e, "tabindex", "0") // so that a wide one can be scrolled by keyboard
	}
	var class string
	class, in.palette = t.sheet.class(n, name, in.palette, t)
	if name != atom.Figcaption && t.isCaption(n) {
		setClass(e, "caption")
	}
	setClass(e, class)
	return e
}

// link returns the address of a link, or "" if it leads elsewhere than to the web or to a mail
// program.
func (t *subtree) link(n dom.Node) string {
	href := strings.TrimSpace(t.doc.Attr(n, "href"))
	if href == "" || href[0] == '#' {
		return ""
	}
	return links.Resolve(t.base, href, "http", "https", "mailto")
}

// text copies a text. The space before it goes outside of the inline elements
// that begin with it, so that no link begins with a space.
func (t *subtree) text(n dom.Node, out *html.Node) {
	all := t.doc.AllText()
	from, to := t.doc.Span(n)
	if from == to {
		return
	}
	spaced := from > 0 && (all[from-1] == ' ' || all[from-1] == '\n')
	if !spaced && (t.gap || t.end < from) { // something between them is left out
		last, _ := utf8.DecodeLastRuneInString(all[:t.end])
		next, _ := utf8.DecodeRuneInString(all[from:])
		spaced = words.IsWord(last) && words.IsWord(next)
	}
	t.end, t.gap = to, false
	s := clean(all[from:to])
	at := out
	var begun *html.Node // the element that begins with the text
	for at.FirstChild == begun && isInline(at.DataAtom) && at.Parent != nil {
		at, begun = at.Parent, at
	}
	switch {
	case !spaced || at.FirstChild == begun || at.LastChild.DataAtom == atom.Br:
	case at == out:
		s = " " + s
	default:
		at.InsertBefore(text(" "), begun)
	}
	add(out, text(s))
}

// clean removes control characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}

// cleanLine is clean for a text in one line.
func cleanLine(s string) string { return clean(strings.Join(strings.Fields(s), " ")) }

// lineBreak adds a <br>, but not at the beginning and no more than two together.
func lineBreak(out *html.Node) {
	last := out.LastChild
	if last == nil || !isInline(last.DataAtom) && last.Type == html.ElementNode || last.Data == "\n" {
		return
	}
	if last.DataAtom == atom.Br && last.PrevSibling != nil && last.PrevSibling.DataAtom == atom.Br {
		return
	}
	add(out, element(atom.Br))
}

// preformatted copies the text of a <pre> with its white space, which has no nodes of its own in
// the document.
func (t *subtree) preformatted(n dom.Node, out *html.Node) {
	d := t.doc
	nodes := map[*html.Node]dom.Node{}
	for m := n + 1; m < d.End(n); m++ {
		nodes[d.HTML(m)] = m
	}
	var b strings.Builder
	for c := range d.HTML(n).Descendants() {
		m, known := nodes[c]
		switch {
		case c.Type == html.TextNode && (known && t.isUsed(m) || !known && strings.TrimSpace(c.Data) == ""):
			b.WriteString(c.Data)
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	_, t.end = d.Span(n)
	add(out, text(clean(strings.Trim(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n"))))
}

// medium adds a picture, or the link to a video.
func (t *subtree) medium(n dom.Node, out *html.Node, in around) {
	t.gap = true
	b := t.media[n]
	if b.Image == nil {
		if e := t.embed.video(b.Video, in.link); e != nil {
			add(out, e)
		}
		return
	}
	e := t.embed.picture(b.Image, in.link)
	if e == nil {
		return
	}
	if e.DataAtom == atom.Img {
		img := n
		for k := range t.doc.All(n, dom.Img) {
			img = k
			break
		}
		class, _ := t.sheet.class(img, atom.Img, in.palette, t)
		setClass(e, class)
	}
	add(out, e)
}
