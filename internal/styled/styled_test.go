package styled_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/styled"
)

var update = flag.Bool("update", false, "write the golden files anew")

// story reads an article that package format is tested with.
func story(t testing.TB, name string) *article.Article {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "format", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var a article.Article
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

// dusk is a look that sets everything.
var dusk = styled.Look{
	Background: styled.RGB(0x15, 0x1d, 0x26),
	Link:       styled.RGB(0x7c, 0xb8, 0xff),
	Headline:   styled.Face{Families: []string{"Playfair Display", "Georgia", "serif"}, Size: 40, Weight: 900, Color: styled.RGB(0xff, 0xe9, 0xc9), Leading: 1.1, Align: styled.Center, Case: styled.Uppercase, Spacing: 0.02},
	Standfirst: styled.Face{Families: []string{"Georgia"}, Size: 22, Weight: 400, Italic: true, Color: styled.RGB(0xc9, 0xd4, 0xe0), Leading: 1.4, Align: styled.Center},
	Byline:     styled.Face{Families: []string{"Verdana", "sans-serif"}, Size: 14, Weight: 700, Color: styled.RGB(0xa0, 0xb0, 0xc0), Leading: 1.4},
	Lede:       styled.Face{Size: 21, Weight: 700, Background: styled.RGB(0x22, 0x2e, 0x3c)},
	Body:       styled.Face{Families: []string{"Verdana", "sans-serif"}, Size: 17, Weight: 400, Color: styled.RGB(0xe6, 0xed, 0xf3), Leading: 1.65, Align: styled.Justify},
	Heading:    styled.Face{Families: []string{"Georgia", "serif"}, Size: 26, Weight: 700, Color: styled.RGB(0xff, 0xe9, 0xc9), Leading: 1.2},
	Quote:      styled.Face{Size: 20, Italic: true, Color: styled.RGB(0x11, 0x11, 0x11), Background: styled.RGB(0xff, 0xe9, 0xc9)},
	Caption:    styled.Face{Size: 13, Color: styled.RGB(0x90, 0xa0, 0xb0)},
}

var goldens = []struct {
	story string
	opts  styled.Options
}{
	{"english", styled.Options{Look: dusk, Assets: styled.Folder(os.DirFS("testdata/assets"))}},
	{"arabic", styled.Options{}},
	{"japanese", styled.Options{Look: styled.Look{Background: styled.RGB(0xfb, 0xfa, 0xf7), Body: styled.Face{Families: []string{"ヒラギノ明朝 ProN", "Yu Mincho"}, Leading: 1.9}}}},
}

func write(t testing.TB, a *article.Article, opts styled.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := styled.Write(context.Background(), &b, a, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.story, func(t *testing.T) {
			got := write(t, story(t, g.story), g.opts)
			checkDocument(t, got)
			golden := filepath.Join("testdata", g.story+".golden.html")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (go test -update writes it)", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s (go test -update accepts it); got:\n%s", golden, got)
			}
		})
	}
}

func body(out []byte) string {
	_, s, _ := strings.Cut(string(out), "<body>\n")
	return s
}

func TestNothing(t *testing.T) {
	for _, a := range []*article.Article{nil, {}, {Lang: "ar"}, {URL: "https://paper.example/x"}} {
		checkDocument(t, write(t, a, styled.Options{}))
	}
}

func TestHeadingsInOrder(t *testing.T) {
	h := func(level int) article.Block {
		return article.Block{Kind: article.Heading, Level: level, Spans: []article.Span{{Text: "x"}}}
	}
	a := &article.Article{Title: "x", Body: []article.Block{h(4), h(6), h(4), h(2), h(3), h(5), h(1)}}
	var got []string
	for _, s := range strings.Split(body(write(t, a, styled.Options{})), "\n") {
		if strings.HasPrefix(s, "<h") && len(s) > 4 && s[3] == '>' {
			got = append(got, s[1:3])
		}
	}
	if s := strings.Join(got, " "); s != "h1 h2 h3 h2 h2 h3 h4 h2" {
		t.Errorf("got %s", s)
	}
}

func TestDirection(t *testing.T) {
	for lang, want := range map[string]string{"ar": `<html lang="ar" dir="rtl">`, "he-IL": `<html lang="he-IL" dir="rtl">`, "ja": `<html lang="ja">`} {
		if out := write(t, &article.Article{Lang: lang, Title: "x"}, styled.Options{}); !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s: no %s", lang, want)
		}
	}
}

// TestLabels checks the texts that are added to pictures and players.
func TestLabels(t *testing.T) {
	clip := func(c article.Media) article.Block { return article.Block{Kind: article.Video, Video: &c} }
	pic := func(i article.Image) article.Block { return article.Block{Kind: article.Picture, Image: &i} }
	for _, c := range []struct {
		name, lang string
		block      article.Block
		want       string
	}{
		{"player with a title", "en", clip(article.Media{URL: "https://v.example/embed/1", Title: "The storm"}), `<a href="https://v.example/embed/1"><span class="watch">The storm</span></a>`},
		{"player without", "de", clip(article.Media{URL: "https://v.example/embed/1"}), `<span class="watch">Video ansehen</span>`},
		{"sound", "fr", clip(article.Media{URL: "https://v.example/1.MP3"}), `<span class="watch">Écouter</span>`},
		{"still that is lost", "en", clip(article.Media{URL: "https://v.example/1", Title: "The storm", Poster: "https://v.example/lost.png"}), `<a href="https://v.example/1"><span class="watch">The storm</span></a>`},
		{"still", "en", clip(article.Media{URL: "https://v.example/1", Title: "The storm", Poster: "https://v.example/1.png"}), "alt=\"\" width=\"4\" height=\"3\"/>\n<span class=\"watch\">Watch the video: The storm</span></a>"},
		{"still without a title", "ja", clip(article.Media{URL: "https://v.example/1", Poster: "https://v.example/1.png"}), `<span class="watch">動画を見る</span></a>`},
		{"still without a video", "en", clip(article.Media{Title: "The storm", Poster: "https://v.example/1.png"}), `alt="The storm" width="4" height="3"/>`},
		{"in a language without words", "cy", clip(article.Media{URL: "https://v.example/1"}), `<span class="watch"><span lang="en" dir="ltr">Watch the video</span></span>`},
		{"lost picture", "en", pic(article.Image{URL: "/lost.png", Alt: "A wall", Caption: "The wall."}), `<p class="missing"><a href="https://paper.example/lost.png">A wall</a></p>` + "\n<figcaption>The wall."},
		{"lost picture without words", "ru", pic(article.Image{URL: "/lost.png"}), `<a href="https://paper.example/lost.png">Изображение</a>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &article.Article{Title: "x", Lang: c.lang, URL: "https://paper.example/story", Body: []article.Block{c.block}}
			assets := styled.AssetsFunc(func(_ context.Context, url string) ([]byte, error) {
				if strings.Contains(url, "lost") {
					return nil, context.DeadlineExceeded
				}
				return pngOf(t, 4, 3), nil
			})
			out := write(t, a, styled.Options{Assets: assets})
			checkDocument(t, out)
			if !strings.Contains(body(out), c.want) {
				t.Errorf("no %s in\n%s", c.want, body(out))
			}
		})
	}
}

// TestStandfirstOnce checks that a standfirst is not repeated in the story.
func TestStandfirstOnce(t *testing.T) {
	a := smallStory()
	a.Standfirst = "First words of it."
	if out := body(write(t, a, styled.Options{})); strings.Count(out, "First words") != 1 {
		t.Error(out)
	}
}

func TestLinksAreAbsolute(t *testing.T) {
	out := write(t, smallStory(), styled.Options{URL: "https://paper.example/2024/story"})
	if !bytes.Contains(out, []byte(`<a href="https://paper.example/x">holds</a>`)) {
		t.Error(body(out))
	}
}

func TestDeep(t *testing.T) {
	b := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: "deep"}}}
	for range 5000 {
		b = article.Block{Kind: article.Table, Rows: [][]article.Cell{{{Blocks: []article.Block{b}}}}}
	}
	checkDocument(t, write(t, &article.Article{Title: "x", Body: []article.Block{b}}, styled.Options{}))
}

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
