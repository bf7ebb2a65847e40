package styled_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// attributes lists what a styled article may contain: what package format
// writes, and what this package puts around it.
var attributes = map[string]string{
	"html": "lang dir", "head": "", "meta": "charset name property content http-equiv", "title": "", "link": "rel href", "body": "",
	"main": "", "article": "", "header": "", "section": "class", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "",
	"p": "class", "time": "datetime", "a": "href", "strong": "", "em": "", "del": "", "sub": "", "sup": "", "code": "class",
	"br": "", "hr": "", "ul": "", "ol": "start", "li": "", "blockquote": "", "pre": "",
	"table": "", "caption": "", "thead": "", "tbody": "", "tr": "", "th": "scope colspan rowspan", "td": "colspan rowspan",
	"figure": "class", "figcaption": "", "small": "class", "img": "src alt width height class",
	"style": "", "footer": "", "div": "class role aria-label tabindex", "span": "class lang dir",
}

var (
	safeLink  = regexp.MustCompile(`^(?i:https?:|mailto:)|^[^:/?#&]*(?:[/?#]|$)`)
	safeImage = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+=*$`)
	control   = regexp.MustCompile(`[\x00-\x08\x0B-\x1F\x7F\x{80}-\x{9F}]`)
)

// checkDocument reports what a styled article must not have, and what a screen
// reader would miss.
func checkDocument(t testing.TB, out []byte) {
	t.Helper()
	if !utf8.Valid(out) || control.Match(out) {
		t.Error("not UTF-8, or control characters")
	}
	doc, err := html.Parse(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	count, level := map[string]int{}, 0
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			t.Errorf("a comment: %s", n.Data)
		case html.ElementNode:
			count[n.Data]++
			checkElement(t, n)
			if len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6' {
				if l := int(n.Data[1] - '0'); l > level+1 {
					t.Errorf("<%s> after a heading of level %d", n.Data, level)
				} else {
					level = l
				}
			}
		}
	}
	for _, once := range []string{"html", "title", "style", "body", "main", "article"} {
		if count[once] != 1 {
			t.Errorf("%d <%s>", count[once], once)
		}
	}
	if count["h1"] > 1 && count["header"] == 1 && bytes.Contains(out, []byte("<header>\n<h1>")) {
		t.Errorf("%d <h1>", count["h1"])
	}
	if !bytes.Contains(out, []byte(`<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-`)) {
		t.Error("no policy")
	}
}

func checkElement(t testing.TB, n *html.Node) {
	t.Helper()
	allowed, ok := attributes[n.Data]
	if !ok {
		t.Errorf("element <%s>", n.Data)
	}
	seen := map[string]string{}
	for _, at := range n.Attr {
		if _, dup := seen[at.Key]; dup || !strings.Contains(" "+allowed+" ", " "+at.Key+" ") {
			t.Errorf("attribute %q of <%s>", at.Key, n.Data)
		}
		seen[at.Key] = at.Val
	}
	switch n.Data {
	case "img":
		if _, ok := seen["alt"]; !ok || !safeImage.MatchString(seen["src"]) {
			t.Errorf("picture %.60q, alt %q", seen["src"], seen["alt"])
		}
	case "a":
		if !safeLink.MatchString(seen["href"]) || control.MatchString(seen["href"]) {
			t.Errorf("link %q", seen["href"])
		}
		if textOf(n) == "" {
			t.Errorf("a link without words to %q", seen["href"])
		}
	case "style":
		checkSheet(t, n.FirstChild.Data)
	case "title", "h1", "h2", "h3", "h4", "h5", "h6":
		if textOf(n) == "" {
			t.Errorf("<%s> without words", n.Data)
		}
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// Every line of a style sheet that is not of the frame is one of these.
var (
	sheetSelector    = regexp.MustCompile(`^[a-z0-9 .,:]+ \{$|^\}$|^@media \(max-width: 30em\) \{ body \{ text-align: start; \} \}$`)
	sheetDeclaration = regexp.MustCompile(`^  [a-z-]+: (?:[#\w .,%-]|"[\p{L}\p{M}\p{Nd} _-]+"|clamp\([\w .,+]+\))+;$`)
	sheetString      = regexp.MustCompile(`"[^"]*"`)
)

func checkSheet(t testing.TB, sheet string) {
	t.Helper()
	own, frame, ok := strings.Cut(sheet, "*, *::before")
	if !ok || strings.Contains(frame, "<") {
		t.Error("no frame")
	}
	for line := range strings.Lines(own) {
		if line = strings.TrimSuffix(line, "\n"); !sheetSelector.MatchString(line) && !sheetDeclaration.MatchString(line) {
			t.Errorf("in the style sheet: %q", line)
		}
	}
	bare := sheetString.ReplaceAllString(strings.ToLower(own), "")
	for _, word := range []string{"url(", "expression", "@import", "javascript", "behavior", "</"} {
		if strings.Contains(bare, word) {
			t.Errorf("%q in the style sheet", word)
		}
	}
}
