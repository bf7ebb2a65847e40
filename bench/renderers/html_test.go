package renderers_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// tags counts the start tags of a page, with their attributes. The description of
// a picture is text.
func tags(t testing.TB, page string) map[string]int {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for n := range root.Descendants() {
		switch n.Type {
		case html.CommentNode:
			out["<!--"+n.Data+"-->"]++
		case html.ElementNode:
			tag := n.Data
			for _, a := range n.Attr {
				if a.Key != "alt" {
					tag += " " + a.Key + "=" + a.Val
				}
			}
			out[tag]++
		}
	}
	return out
}

// isFree reports whether a story may have any number of such tags: lines and
// paragraphs depend on the line ends of the text and on the dialect, and an empty
// comment separates code from a list.
func isFree(tag string) bool {
	switch tag {
	case "br", "p", "code", "<!-- -->":
		return true
	}
	return false
}

// isFormatting reports whether a tag is formatting of Markdown, without attributes.
func isFormatting(tag string) bool {
	switch tag {
	case "em", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ul", "ol", "li", "blockquote":
		return true
	}
	return false
}

// isWritten reports whether a tag is a link to an address that is written in the
// text. Many renderers make links of them.
func isWritten(tag, text string) bool {
	href, ok := strings.CutPrefix(tag, "a href=")
	if !ok {
		return false
	}
	for _, scheme := range []string{"http://", "https://", "ftp://", "//", "mailto:"} {
		if rest, ok := strings.CutPrefix(href, scheme); ok && rest != "" {
			return strings.Contains(text, rest) || strings.Contains(text, decoded(rest))
		}
	}
	return false
}

var percent = regexp.MustCompile("%[0-9A-Fa-f]{2}")

// decoded returns s without percent-encoding: renderers differ in what they encode
// and show.
func decoded(s string) string {
	return percent.ReplaceAllStringFunc(s, func(code string) string {
		c, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(c)})
	})
}

// text returns the text of a page.
func text(t testing.TB, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

// visible returns s without white space and control characters.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// firstDifference shows where two texts begin to differ.
func firstDifference(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	cut := func(s string) string { return s[max(n-10, 0):min(n+20, len(s))] }
	return fmt.Sprintf("shows %q, want %q", cut(got), cut(want))
}

// addresses returns the links and pictures of a page. References are decoded once
// more, since mistune does so.
func addresses(t testing.TB, page string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for tag := range tags(t, page) {
		for _, start := range []string{"a href=", "img src="} {
			if address, ok := strings.CutPrefix(tag, start); ok {
				address, _, _ = strings.Cut(address, " ")
				out[html.UnescapeString(html.UnescapeString(decoded(address)))] = true
			}
		}
	}
	return out
}
