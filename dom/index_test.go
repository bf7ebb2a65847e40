package dom

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// checkTree checks the links between all nodes and counts every subtree again.
func checkTree(d *Document) error {
	if d.Len() == 0 || d.Tag(0) != Root || d.Parent(0) != None || d.End(0) != Node(d.Len()) {
		return fmt.Errorf("wrong root")
	}
	if !utf8.ValidString(d.text) {
		return fmt.Errorf("text is not UTF-8")
	}
	depths := make([]int, d.Len())
	for n := Node(1); n < Node(d.Len()); n++ {
		depths[n] = depths[d.Parent(n)] + 1
		if err := checkNode(d, n, depths[n]); err != nil {
			return fmt.Errorf("node %d <%s>: %w", n, d.Name(n), err)
		}
	}
	return checkSums(d, 0)
}

func checkNode(d *Document, n Node, depth int) error {
	p := d.Parent(n)
	from, to := d.Span(n)
	pfrom, pto := d.Span(p)
	switch {
	case p < 0 || p >= n:
		return fmt.Errorf("parent %d", p)
	case d.End(n) <= n || d.End(n) > d.End(p):
		return fmt.Errorf("end %d beyond that of its parent %d", d.End(n), d.End(p))
	case d.Depth(n) != depth:
		return fmt.Errorf("depth %d, want %d", d.Depth(n), depth)
	case !d.Contains(p, n) || d.Contains(n, p) || !d.Contains(n, n):
		return fmt.Errorf("Contains is wrong")
	case from > to || from < pfrom || to > pto:
		return fmt.Errorf("span %d:%d outside its parent's %d:%d", from, to, pfrom, pto)
	case !strings.Contains(d.AllText()[from:to], d.Text(n)):
		return fmt.Errorf("text is not a substring of AllText")
	case d.IsText(n) && d.FirstChild(n) != None:
		return fmt.Errorf("text with children")
	case d.IsText(n) && d.Path(n) != d.Path(p):
		return fmt.Errorf("text with a path of its own")
	case d.IsText(n) && !d.Hidden(n) && d.Chars(n) != utf8.RuneCountInString(d.AllText()[from:to]):
		return fmt.Errorf("%d characters counted, %q shown", d.Chars(n), d.AllText()[from:to])
	case d.Hidden(p) && !d.Hidden(n), d.Hidden(n) && d.Counts(n) != Counts{}:
		return fmt.Errorf("hidden, but counted")
	}
	if src := d.HTML(n); p != 0 && src.Parent != d.HTML(p) {
		return fmt.Errorf("not the parent of the html.Node")
	}
	prev := None
	for c := range d.Children(n) {
		if d.Parent(c) != n || d.Prev(c) != prev || prev != None && d.Next(prev) != c {
			return fmt.Errorf("child %d is not linked to its siblings", c)
		}
		prev = c
	}
	if prev != None && d.Next(prev) != None {
		return fmt.Errorf("the last child has a next sibling")
	}
	return nil
}

// checkSums counts every subtree again, from the last node to the first.
func checkSums(d *Document, root Node) error {
	totals := make([]Counts, d.Len())
	for n := Node(d.Len()) - 1; n >= root; n-- {
		totals[n] = totals[n].plus(recount(d, n))
		if got := d.Counts(n); got != totals[n] {
			return fmt.Errorf("node %d <%s>: counts %+v, recounted %+v", n, d.Name(n), got, totals[n])
		}
		if p := d.Parent(n); p != None {
			totals[p] = totals[p].plus(totals[n])
		}
	}
	return nil
}

func (c Counts) plus(o Counts) Counts {
	neg := Counts{}.minus(&o)
	return c.minus(&neg)
}

// recount counts one node without its children.
func recount(d *Document, n Node) (c Counts) {
	if d.Hidden(n) || n == 0 {
		return c
	}
	if d.IsText(n) {
		from, to := d.Span(n)
		s := d.AllText()[from:to]
		c.Texts = 1
		c.Chars = int32(utf8.RuneCountInString(s))
		inWord := from > 0 && wordBefore(d.AllText()[:from])
		for _, r := range s {
			k := words.ClassOf(r)
			switch k {
			case words.Digit:
				c.Digits++
			case words.Stop:
				c.Stops++
				c.Punct++
			case words.Comma:
				c.Punct++
			case words.Ideograph:
				c.Words++
			}
			if (k == words.Letter || k == words.Digit) && !inWord {
				c.Words++
			}
			inWord = k == words.Letter || k == words.Digit || inWord && k == words.Joiner
		}
		for a := n; a != None; a = d.Parent(a) {
			if _, ok := d.LookupAttr(a, "href"); ok && d.Tag(a) == A {
				c.LinkChars, c.LinkWords = c.Chars, c.Words
			}
		}
		return c
	}
	c.Elements = 1
	switch t := d.Tag(n); t {
	case A:
		if _, ok := d.LookupAttr(n, "href"); ok {
			c.Links = 1
		}
	case P:
		c.Paras = 1
	case Br:
		c.Breaks = 1
	case Img:
		c.Images = 1
	default:
		if t.IsFormatting() {
			c.Format = 1
		}
		if d.Name(n) == "amp-img" {
			c.Images = 1
		}
	}
	return c
}

// wordBefore reports whether the text ends inside a word.
func wordBefore(s string) bool {
	for s != "" {
		r, n := utf8.DecodeLastRuneInString(s)
		switch words.ClassOf(r) {
		case words.Letter, words.Digit:
			return true
		case words.Joiner:
			s = s[:len(s)-n]
			continue
		}
		return false
	}
	return false
}

// checkAgainst compares the nodes with a recursive walk over the html.Nodes.
func checkAgainst(d *Document, root *html.Node) error {
	next := Node(0)
	var walk func(n *html.Node) error
	walk = func(n *html.Node) error {
		if n.Type == html.TextNode && isBlank(n.Data) || n.Type == html.CommentNode || n.Type == html.DoctypeNode {
			return nil
		}
		id := next
		next++
		if int(id) >= d.Len() || d.HTML(id) != n {
			return fmt.Errorf("node %d is not that of the tree", id)
		}
		_, shadow := d.LookupAttr(id, "shadowrootmode")
		if t := d.Tag(id); t == Noscript && d.End(id) == next || t != Noscript && t.is(raw) && t.is(invisible) || t == SVG || t == Template && !shadow {
			return nil
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if err := walk(c); err != nil {
				return err
			}
		}
		if d.End(id) != next {
			return fmt.Errorf("node %d ends at %d, want %d", id, d.End(id), next)
		}
		return nil
	}
	return walk(root)
}

func TestTreeAgreesWithParser(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range 3000 {
		page := randomPage(rng, 1+rng.IntN(60))
		d, err := Parse(context.Background(), []byte(page), Options{Charset: "utf-8"})
		if err != nil {
			t.Fatalf("page %d %q: %v", i, page, err)
		}
		if err := checkTree(d); err != nil {
			t.Fatalf("page %d %q: %v", i, page, err)
		}
		if err := checkAgainst(d, d.HTML(0)); err != nil {
			t.Fatalf("page %d %q: %v", i, page, err)
		}
	}
}

// randomPage concatenates random tags and texts.
func randomPage(rng *rand.Rand, n int) string {
	names := strings.Fields("p div span a b i em font table tr td th tbody ul li br img h1 pre svg title template " +
		"noscript script style select option button form object video dialog x-card amp-img textarea math caption ruby rt sub head body html")
	texts := []string{"word", " two words ", "\n", "日本語。", "x", "7", "it’s, well.", "&nbsp;", "&amp;", "\u00ad", "a-b", "می\u200cخواهم", "  ", "<", "</", "<!-- c -->", "<![CDATA[x]]>", "\x00"}
	attrs := []string{"", "", "", " hidden", " href=/x", ` style="display:none"`, ` aria-hidden=true`, ` class="a b"`, ` title="<b>>"`, " open", " hidden=until-found", " shadowrootmode=open"}
	var b strings.Builder
	for range n {
		name := names[rng.IntN(len(names))]
		switch rng.IntN(5) {
		case 0, 1:
			b.WriteString("<" + name + attrs[rng.IntN(len(attrs))] + ">")
		case 2:
			b.WriteString("</" + name + ">")
		default:
			b.WriteString(texts[rng.IntN(len(texts))])
		}
	}
	return b.String() + "."
}

// TestTagNames compares the names with those of the constants in the source.
func TestTagNames(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "tag.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var constants []string
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST && constants == nil {
			for _, spec := range d.Specs {
				constants = append(constants, spec.(*ast.ValueSpec).Names[0].Name)
			}
		}
	}
	for tag := A; tag < tagCount; tag++ {
		if !strings.EqualFold(tag.String(), constants[tag]) {
			t.Errorf("the name of %s is %q", constants[tag], tag)
		}
	}
}

func TestTagOfAtom(t *testing.T) {
	for tag := A; tag < tagCount; tag++ {
		name := tag.String()
		if name == "" || name != strings.ToLower(name) {
			t.Errorf("tag %d has the name %q", tag, name)
		}
		if got := tagOfAtom[atom.Lookup([]byte(name))]; got != tag {
			t.Errorf("the tag of %q is %v", name, got)
		}
	}
	for _, name := range []string{"", "x-card", "onclick", "href", "averylongelementname", "DIV"} {
		if got := tagOfAtom[atom.Lookup([]byte(name))]; got != Unknown {
			t.Errorf("the tag of %q is %v, want Unknown", name, got)
		}
	}
}

func TestNavigation(t *testing.T) {
	d := mustParse(t, `<body><div id=a><p id=b>One</p><p id=c>Two <b>three</b></p></div><x-y id=d></x-y>`)
	at := func(id string) Node {
		for n := range Node(d.Len()) {
			if d.Attr(n, "id") == id {
				return n
			}
		}
		t.Fatalf("no %s", id)
		return None
	}
	a, b, c := at("a"), at("b"), at("c")
	bold := d.First(B)
	if d.Next(b) != c || d.Prev(c) != b || d.CommonAncestor(b, bold) != a || d.Closest(bold, Div, Body) != a {
		t.Error("wrong relatives")
	}
	if d.Closest(bold, Table) != None || d.First(Table) != None || d.Name(at("d")) != "x-y" {
		t.Error("found a missing node, or the wrong name")
	}
	if got := d.PathName(d.Path(bold)); got != "html>body>div>p>b" {
		t.Errorf("path %q", got)
	}
	if got := d.PathName(d.Path(at("d"))); got != "html>body>?" {
		t.Errorf("path %q", got)
	}
	if d.PathName(0) != "" || d.Path(b) != d.Path(c) {
		t.Error("paths are not shared")
	}
	if d.Paths() != len([]string{"", "html", "head", "body", "div", "p", "b", "?"}) {
		t.Errorf("%d paths", d.Paths())
	}
	if got := d.Between(b, bold); got.Paras != 2 || got.Words != 2 {
		t.Errorf("between %+v", got)
	}
}
