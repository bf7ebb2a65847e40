package serve

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/lede-news/lede/internal/api/frame"
)

// lookPage is a page with one of each thing that is marked.
const lookPage = `<!doctype html><html lang=en><head><meta charset=windows-1252><title>Harbour wall will be rebuilt</title>
<meta property="og:title" content="Harbour wall will be rebuilt"><meta name=author content="Jane Roe">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"Harbour wall will be rebuilt","datePublished":"2026-03-02T10:00:00Z","author":{"@type":"Person","name":"Jane Roe"}}</script></head>
<body><nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>
<main><article><h1>Harbour wall will be rebuilt</h1><p class=byline>By <a rel=author href=/jane>Jane Roe</a></p><p class=date><time datetime="2026-03-02T10:00:00Z">2 March 2026</time></p>
<figure><img src="/wall.jpg" width=600 height=300 alt="The wall"><figcaption>The wall on Tuesday, after the storm.</figcaption></figure>
<p>The wall of the old harbour, which broke in two places during the storm of last winter, will be rebuilt by the end of next year, the council said on Monday evening.</p>
<p>Half of the money comes from the county, and the other half from a fund for the coast that was set up after the flood of 1953, said a speaker of the council – in a letter.</p>
<p>The work begins in June. Ships will have to use the northern basin until then, and the fish market moves to the old station, where it was before the war, for at least a year.</p>
</article></main><aside><h2>Most read</h2><ul><li><a href=/1>One story</a><li><a href=/2>Another story</a></ul></aside><footer>© 2026 The Paper. <a href=/imprint>Imprint</a></footer></body></html>`

func TestConfig(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{MaxBytes: 1 << 20, Pictures: true, Token: "secret"})
	w := ask(h, "GET", "/ui/config", "")
	var c struct {
		Version, Token        string
		Fetch, Keys, Pictures bool
		Methods, Formats      []string
		MaxBytes              int `json:"max_bytes"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if c.Version == "" || c.Token != "secret" || c.Fetch || c.Keys || !c.Pictures || c.MaxBytes != 1<<20 || len(c.Methods) < 6 || c.Methods[0] != "blend" || len(c.Formats) == 0 {
		t.Errorf("%+v", c)
	}
}

// TestPageAsText checks that pages of any charset, as bytes and as JSON, become text.
func TestPageAsText(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	latin := strings.NewReplacer("–", "\x96", "©", "\xa9").Replace(lookPage)
	encoded, _ := json.Marshal(map[string]string{"html": lookPage, "url": "https://paper.example/wall"})
	for _, c := range []struct{ name, body, kind, path, charset string }{
		{"bytes with a declared charset", latin, "text/html", "/ui/page?url=https://paper.example/wall", "windows-1252"},
		{"charset of the header", latin, "text/html; charset=windows-1252", "/ui/page?url=https://paper.example/wall", "windows-1252"},
		{"JSON", string(encoded), "application/json", "/ui/page", "utf-8"},
	} {
		w := ask(h, "POST", c.path, c.body, "Content-Type", c.kind)
		var got shownPage
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v: %s", c.name, err, w.Body)
		}
		if got.URL != "https://paper.example/wall" || got.Charset != c.charset || got.HTML != lookPage || got.Partial {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	w := post(t, h, "/ui/frame", "token", "the-token", "html", lookPage, "url", "https://paper.example/wall")
	if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") != frame.Policy || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	doc, err := goquery.NewDocumentFromReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	for css, want := range map[string]string{
		"h1 > [data-r=title][data-label=Headline]": "Harbour wall will be rebuilt",
		"[data-r=byline][data-label=Byline]":       "Jane Roe",
		"time > [data-r=date][data-label=Date]":    "2 March 2026",
		"nav [data-r=dropped]":                     "HomeNewsSport",
		"article > p:last-child[data-block=kept]":  "The work begins in June. Ships will have to use the northern basin until then, and the fish market moves to the old station, where it was before the war, for at least a year.",
		"footer [data-r=kept]":                     "",
	} {
		if got := doc.Find(css).Text(); got != want {
			t.Errorf("%s: %q, not %q", css, got, want)
		}
	}
	if doc.Find("img[data-r=picture]").Length() != 1 || !strings.Contains(doc.Find("[data-r=kept]").Text(), "–") {
		t.Error("no picture, or not read as UTF-8")
	}
}

func TestFrameWithoutArticle(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	w := post(t, h, "/ui/frame", "token", "the-token", "html", "<title>x</title><div id=here></div>")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<div id=\"here\"") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFormErrors checks that errors of forms are pages that say what to do.
func TestFormErrors(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{MaxBytes: 2000})
	for _, c := range []struct {
		fields []string
		status int
		want   string
	}{
		{[]string{"token", "the-token"}, http.StatusBadRequest, "no page in its field html"},
		{[]string{"token", "the-token", "html", strings.Repeat("x", 3000)}, http.StatusRequestEntityTooLarge, "2000 bytes"},
		{[]string{"token", "the-token", "html", strings.Repeat("x", 30000)}, http.StatusRequestEntityTooLarge, "bytes"},
		{[]string{"token", "the-token", "html", "<p>x", "method", "<img src=x onerror=fire()>"}, http.StatusBadRequest, "&lt;img"},
		{[]string{"token", "the-token", "html", "x", "other", "x"}, http.StatusBadRequest, "unknown option"},
	} {
		w := post(t, h, "/ui/frame", c.fields...)
		if w.Code != c.status || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || w.Header().Get("Content-Security-Policy") != frame.Policy ||
			!strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), "<img") {
			t.Errorf("%.60q: %d %v %s", c.fields, w.Code, w.Header(), w.Body)
		}
	}
}

// TestSend checks that a page that the bookmarklet sends is in the application, and
// can do nothing there.
func TestSend(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	page := "<p>caf\u00e9 \u2028\u2029 </script><script>fire()</script><!-- <script> ]]> &lt; \x00 \xff"
	w := post(t, h, "/ui/send", "token", "the-token", "url", "https://paper.example/</script>", "html", page)
	if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") != appPolicy {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	found := regexp.MustCompile(`<script type="application/json" id="sent">([^<>&\x{2028}\x{2029}]*)</script>`).FindStringSubmatch(w.Body.String())
	if found == nil {
		t.Fatal(w.Body)
	}
	var got sentPage
	if err := json.Unmarshal([]byte(found[1]), &got); err != nil || got.HTML != strings.ToValidUTF8(page, "\ufffd") || got.URL != "https://paper.example/%3C/script%3E" {
		t.Errorf("%v: %+v", err, got)
	}
	for _, address := range []string{"javascript:fire()", "file:///etc/passwd", "data:text/html,x", "//x", "", "http:", "https://%zz"} {
		w := post(t, h, "/ui/send", "token", "the-token", "url", address, "html", "<p>x")
		if !strings.Contains(w.Body.String(), `"url":""`) {
			t.Errorf("%s: %s", address, w.Body)
		}
	}
}
