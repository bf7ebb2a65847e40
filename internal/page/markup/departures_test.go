package markup_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/page/markup"
)

// departures are the places where markup follows the standard and x/net does not.
// Pages that match in may have another tree.
var departures = []struct {
	what string
	page string
	want string // by the standard
	in   string // a regular expression
}{
	{"</> is nothing, not a comment (13.2.5.7)",
		"<p>a</>b", "<html><head></head><body><p>ab</p></body></html>",
		`</>`},
	{"no character references in CDATA (13.2.5.69)",
		"<svg><![CDATA[&lt;]]></svg>", "<html><head></head><body><svg>&amp;lt;</svg></body></html>",
		`<!\[CDATA\[`},
	{"NUL in CDATA is left to the tree construction (13.2.5.69)",
		"<svg><desc><![CDATA[a\x00b]]></desc></svg>", "<html><head></head><body><svg><desc>ab</desc></svg></body></html>",
		`<!\[CDATA\[`},
	{"no character references in comments (13.2.5.45)",
		"<!--&lt;-->", "<!--&amp;lt;--><html><head></head><body></body></html>",
		neverIn}, // sameNode compares them
	{"NUL in a doctype is replaced (13.2.5.55)",
		"<!doctype h\x00>", "<!DOCTYPE h\ufffd><html><head></head><body></body></html>",
		`(?i)<!doctype[^>]*\x00`},
	{"the name of a doctype has no case (13.2.5.54)",
		"<!DOCTYPE HTML><p><table></table>", "<!DOCTYPE html><html><head></head><body><p></p><table></table></body></html>",
		`(?i)<!doctype\s*HTML`}, // mostly hidden by sameDoctype
	{"white space after the system identifier is ignored (13.2.5.67)",
		`<!doctype html system "x" ><p><table></table>`, `<!DOCTYPE html SYSTEM "x"><html><head></head><body><p></p><table></table></body></html>`,
		`(?i)<!doctype[^>]*["']\s+>`},
	{"a slash at the end of a repeated attribute closes nothing (13.2.5.37)",
		"<svg><g a=1 a=2/>x", `<html><head></head><body><svg><g a="1">x</g></svg></body></html>`,
		`=[^\s"'>]*/>`},
	{"< in a comment in a script does not end it (13.2.5.23)",
		"<script><!--< <script></script>--></script>", "<html><head><script><!--< <script></script>--></script></head><body></body></html>",
		`(?is)<script.*<!--.*<[^a-z/]`},
	{"only a line feed is dropped at the start of <pre> (13.2.6.4.7)",
		"<pre>&#13;x", "<html><head></head><body><pre>&#13;x</pre></body></html>",
		`(?is)<(pre|listing|textarea).*&#(0*13|x0*d)`},
	{"a line feed is dropped only right after <pre> (13.2.6.4.7)",
		"<pre></i>\nx", "<html><head></head><body><pre>\n\nx</pre></body></html>",
		`(?is)<(pre|listing).*[\n\r]`},
	{"<search> is special (13.2.4.2)",
		"<i><search></i>x", "<html><head></head><body><i></i><search><i></i>x</search></body></html>",
		`(?i)<search`},
	{"the page does not end at a template in SVG or MathML (13.2.6.4.4)",
		"<svg><desc><template>a</template>b", "<html><head></head><body><svg><desc><template>a</template>b</desc></svg></body></html>",
		`(?is)<(svg|math).*<template`},
	{"<th> ends a caption (13.2.6.4.11)",
		"<table><caption>a<th>b", "<html><head></head><body><table><caption>a</caption><tbody><tr><th>b</th></tr></tbody></table></body></html>",
		`(?is)<caption.*<th`},
}

const neverIn = `\z.`

var departing = func() (all []*regexp.Regexp) {
	for _, d := range departures {
		all = append(all, regexp.MustCompile(d.in))
	}
	return all
}()

// departs reports whether markup may build another tree for a page than x/net.
func departs(page []byte) bool {
	for _, in := range departing {
		if in.Match(page) {
			return true
		}
	}
	return false
}

var firstDoctype = regexp.MustCompile(`^(?is:\s|<!--.*?-->|<\?[^>]*>|\x{FEFF})*<!(?i:doctype)\s+(?i:html)[\s>]`)

// sameDoctype writes the doctype of a page as x/net wants it, so that most pages
// with <!DOCTYPE HTML> can be compared.
func sameDoctype(page []byte) []byte {
	at := firstDoctype.FindIndex(page)
	if at == nil {
		return page
	}
	page = bytes.Clone(page)
	name := page[at[1]-len("html>") : at[1]-1]
	copy(name, "html")
	return page
}

func rendered(t *testing.T, root *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, root); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDepartures(t *testing.T) {
	for i, d := range departures {
		tree, err := markup.Parse(context.Background(), []byte(d.page), markup.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := rendered(t, tree.HTML()[markup.Root]); got != d.want {
			t.Errorf("%s:\ngot  %s\nwant %s", d.what, got, d.want)
		}
		theirs, err := html.ParseWithOptions(strings.NewReader(d.page), html.ParseOptionEnableScripting(false))
		if err != nil {
			t.Fatal(err)
		}
		if sameTree(tree.HTML()[markup.Root], theirs) == nil && d.in != neverIn {
			t.Errorf("x/net follows the standard, too; remove %q", d.what)
		}
		if d.in != neverIn && !departing[i].MatchString(d.page) {
			t.Errorf("%q does not match its page", d.in)
		}
	}
}
