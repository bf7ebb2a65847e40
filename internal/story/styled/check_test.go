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
	"main": "", "article": "", "header": "", "section": "class", "h1": "class", "h2": "class", "h3": "class", "h4": "class", "h5": "class", "h6": "class",
	"p": "class", "time": "datetime class", "a": "href class", "strong": "class", "em": "class", "del": "class", "sub": "class", "sup": "class", "code": "class",
	"br": "", "hr": "class", "ul": "class", "ol": "start class", "li": "class", "blockquote": "class", "pre": "class", "dl": "class", "dt": "class", "dd": "class",
	"table": "class tabindex", "caption": "class", "thead": "class", "tbody": "class", "tfoot": "class", "tr": "class", "th": "scope colspan rowspan class", "td": "colspan rowspan class",
	"figure": "class", "figcaption": "class", "small": "class", "img": "src alt width height class",
	"style": "", "footer": "", "div": "class", "span": "class",
	"b": "class", "i": "class", "u": "class", "s": "class", "ins": "class", "kbd": "class", "samp": "class", "mark": "class",
	"abbr": "class", "cite": "class", "ruby": "class", "rt": "class", "var": "class", "dfn": "class",
}

// classes of a styled article: those of this package and the numbered ones.
var classes = regexp.MustCompile(`^(?:(?:s\d+|story|caption|wide|missing|watch|video|byline|date|standfirst|credit|comments|language-[\w+#.-]+)(?: |$))+$`)

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
	count := map[string]int{}
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			t.Errorf("a comment: %s", n.Data)
		case html.ElementNode:
			count[n.Data]++
			checkElement(t, n)
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
		if at.Key == "class" && !classes.MatchString(at.Val) {
			t.Errorf("class %q", at.Val)
		}
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
	sheetSelector    = regexp.MustCompile(`^[a-z0-9 .,:]+ \{$|^\}$|^@media \(min-width: 40em\) \{$`)
	sheetDeclaration = regexp.MustCompile(`^  (?:` + strings.Join(declared, "|") + `): (?:[#\w .,%-]|"[\p{L}\p{M}\p{Nd} _-]+"|(?:clamp|min)\([\w .,+%]+\))+;$`)
	sheetString      = regexp.MustCompile(`"[^"]*"`)
	declared         = []string{
		"color-scheme", "color", "background", "font-(?:family|size|weight|style)", "line-height", "text-(?:align|transform|indent|decoration)", "letter-spacing",
		"list-style-type", "display", "float", "clear", "(?:max-)?width", "border-(?:top|right|bottom|left|radius)", "margin(?:-(?:top|right|bottom|left|inline))?",
		"padding(?:-(?:top|right|bottom|left))?",
	}
)

func checkSheet(t testing.TB, sheet string) {
	t.Helper()
	_, own, ok := strings.Cut(sheet, "footer a, footer time {\n  margin-inline-end: 1em;\n}\n")
	own, _, last := strings.Cut(own, "@media (max-width: 30em) {")
	if !ok || !last || strings.Contains(sheet, "<") {
		t.Error("no frame")
	}
	for line := range strings.Lines(own) {
		if line = strings.TrimSuffix(line, "\n"); !sheetSelector.MatchString(line) && !sheetDeclaration.MatchString(line) {
			t.Errorf("in the style sheet: %q", line)
		}
	}
	bare := sheetString.ReplaceAllString(strings.ToLower(own), "")
	for _, word := range []string{"url(", "expression", "@import", "javascript", "behavior", "</", "position", "fixed", "absolute", "none;}"} {
		if strings.Contains(bare, word) {
			t.Errorf("%q in the style sheet", word)
		}
	}
}
