package frame

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
)

// forbidden are elements that a copy without network never has.
var forbidden = map[string]bool{
	"script": true, "meta": true, "base": true, "link": true, "template": true, "noscript": true, "param": true, "track": true, "portal": true, "fencedframe": true,
	"plaintext": true, "xmp": true, "noembed": true, "noframes": true, "animate": true, "animatetransform": true, "animatemotion": true, "set": true, "handler": true,
}

// checkSafe parses a copy as a browser does, with and without scripts, and returns
// what has an effect.
func checkSafe(t testing.TB, page []byte) (found []string) {
	t.Helper()
	for _, scripts := range []bool{true, false} {
		doc, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(scripts))
		if err != nil {
			continue // nested too deeply for this parser
		}
		for n := range doc.Descendants() {
			switch {
			case n.Type == html.CommentNode:
				found = append(found, "a comment: "+n.Data)
			case n.Type == html.TextNode && n.Parent.Data == "style" && loads(n.Data):
				found = append(found, "a style sheet: "+n.Data)
			case n.Type == html.ElementNode && forbidden[strings.ToLower(n.Data)]:
				found = append(found, "<"+n.Data+">")
			}
			for _, a := range n.Attr {
				if n.Type == html.ElementNode && acts(n, a) {
					found = append(found, fmt.Sprintf("<%s %s=%q>", n.Data, a.Key, a.Val))
				}
			}
		}
	}
	return found
}

// acts reports whether an attribute has an effect.
func acts(n *html.Node, a html.Attribute) bool {
	key, val := strings.ToLower(a.Key), strings.ToLower(strings.TrimSpace(a.Val))
	switch key {
	case "href":
		return !strings.HasPrefix(val, "#")
	case "src", "poster", "background", "lowsrc", "dynsrc":
		return !strings.HasPrefix(val, "data:image/")
	case "style", "fill", "filter", "mask", "clip-path", "cursor":
		return loads(a.Val)
	case "form":
		return val != ""
	}
	return strings.HasPrefix(key, "on") || dropped[key] && !strings.HasPrefix(key, "data-") || key == "srcset" || key == "name" && n.Data != "a"
}

// loads reports whether a style sheet loads something. Our own has a picture in it.
func loads(sheet string) bool {
	return loading.MatchString(unescapeLetters(strings.ReplaceAll(sheet, markStyle, "")))
}

// FuzzPage checks copies of any page, and of those with hostile markup that the tests of
// package serve show in a browser.
func FuzzPage(f *testing.F) {
	for line := range strings.Lines(readFile(f, "../../../serve/testdata/vectors.txt")) {
		if fields := strings.SplitN(line, "\t", 3); len(fields) == 3 {
			f.Add([]byte(strings.ReplaceAll(fields[2], "CANARY", "http://canary.test")))
		}
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		d, err := dom.Parse(context.Background(), page, dom.Options{Charset: "utf-8"})
		if err != nil {
			return
		}
		list := textMarks(d)
		b, err := Page(d, Options{Marks: list, Pictures: []dom.Node{0}})
		if err != nil {
			t.Fatal(err)
		}
		if found := checkSafe(t, b); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), b)
		}
	})
}
