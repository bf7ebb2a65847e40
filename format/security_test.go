package format_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/format"
)

// attributes lists what HTML may contain: the elements and their attributes.
var attributes = map[string]string{
	"html": "lang dir", "head": "", "meta": "charset name property content", "title": "", "link": "rel href", "body": "",
	"article": "lang dir", "header": "", "section": "class", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "",
	"p": "class", "time": "datetime", "a": "href", "strong": "", "em": "", "del": "", "sub": "", "sup": "", "code": "class",
	"br": "", "hr": "", "ul": "", "ol": "start", "li": "", "blockquote": "", "pre": "",
	"table": "", "caption": "", "thead": "", "tbody": "", "tr": "", "th": "scope colspan rowspan", "td": "colspan rowspan",
	"figure": "class", "figcaption": "", "small": "class", "img": "src alt width height loading",
}

var (
	safeLink  = regexp.MustCompile(`^(?i:https?:|mailto:)|^[^:/?#&]*(?:[/?#]|$)`)
	safeImage = regexp.MustCompile(`^(?i:https?:)|^(?i:data:image/(?:png|jpeg|gif|webp|avif);base64,)[A-Za-z0-9+/=]*$|^[^:/?#&]*(?:[/?#]|$)`)
	control   = regexp.MustCompile(`[\x00-\x09\x0B-\x1F\x7F\x{80}-\x{9F}]`)
)

// checkHTML reports everything in an output of HTML that is not on the list.
func checkHTML(t *testing.T, out []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(out))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Error(z.Err())
			}
			return
		case html.CommentToken:
			t.Errorf("a comment: %s", z.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			checkTag(t, z.Token())
		}
	}
}

func checkTag(t *testing.T, tok html.Token) {
	t.Helper()
	allowed, ok := attributes[tok.Data]
	if !ok {
		t.Errorf("element %s", tok)
	}
	seen := map[string]bool{}
	for _, at := range tok.Attr {
		if !strings.Contains(" "+allowed+" ", " "+at.Key+" ") || seen[at.Key] {
			t.Errorf("attribute %q of %s", at.Key, tok)
		}
		seen[at.Key] = true
		if at.Key == "href" && (!safeLink.MatchString(at.Val) || control.MatchString(at.Val)) {
			t.Errorf("link %q", at.Val)
		}
		if at.Key == "src" && (!safeImage.MatchString(at.Val) || control.MatchString(at.Val)) {
			t.Errorf("picture %q", at.Val)
		}
	}
	if tok.Data == "img" && !seen["alt"] {
		t.Errorf("no alt: %s", tok)
	}
}

func vectors(t testing.TB) []string {
	t.Helper()
	f, err := os.Open("testdata/xss.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		if s, err := strconv.Unquote(line); err == nil {
			line = s
		}
		out = append(out, line)
	}
	if len(out) < 30 {
		t.Fatalf("only %d vectors", len(out))
	}
	return out
}

func TestVectorsInHTML(t *testing.T) {
	for _, v := range vectors(t) {
		for _, opts := range []format.Options{{}, {Fragment: true}} {
			t.Run(v, func(t *testing.T) {
				var b bytes.Buffer
				if err := format.HTML(&b, stuffed(v), opts); err != nil {
					t.Fatal(err)
				}
				checkHTML(t, b.Bytes())
			})
		}
	}
}

// markdownLink is where a link or a picture leads, and what stands in angle
// brackets without a backslash before.
var (
	markdownLink  = regexp.MustCompile(`[^\\]\]\(([^)]*)\)`)
	markdownAngle = regexp.MustCompile(`(?:^|[^\\])<([^>]*)`)
	knownAngle    = regexp.MustCompile(`^(?:/?(?:strong|em|del|sub|sup|code)|br|https?://[!-;=?-~]+)$`)
)

func TestVectorsInMarkdown(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v, func(t *testing.T) {
			a := stuffed(v)
			for i := range a.Body {
				a.Body[i].Code = "" // anything may stand in code
				for j := range a.Body[i].Spans {
					a.Body[i].Spans[j].Mark &^= 1 << 2
				}
			}
			a.Body = append(a.Body[:4], a.Body[6:]...)
			var b bytes.Buffer
			if err := format.Markdown(&b, a, format.Options{}); err != nil {
				t.Fatal(err)
			}
			for _, m := range markdownLink.FindAllSubmatch(b.Bytes(), -1) {
				if url := string(m[1]); !safeLink.MatchString(url) && !safeImage.MatchString(url) {
					t.Errorf("link %q", url)
				}
			}
			for _, m := range markdownAngle.FindAllSubmatch(b.Bytes(), -1) {
				if !knownAngle.Match(m[1]) {
					t.Errorf("tag %q", m[1])
				}
			}
		})
	}
}
