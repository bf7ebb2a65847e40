package serve

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/lede-news/lede"
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

func newService(t testing.TB, opts Options) http.Handler {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	if opts.Token == "" {
		opts.Token = "the-token"
	}
	return checked(t, Handler(ex, opts))
}

// post sends a form, urlencoded or in parts.
func post(t testing.TB, h http.Handler, path string, fields [][2]string, parts bool) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	kind := "application/x-www-form-urlencoded"
	if parts {
		m := multipart.NewWriter(&body)
		for _, f := range fields {
			if err := m.WriteField(f[0], f[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		kind = m.FormDataContentType()
	} else {
		for i, f := range fields {
			if i > 0 {
				body.WriteByte('&')
			}
			body.WriteString(url.QueryEscape(f[0]) + "=" + url.QueryEscape(f[1]))
		}
	}
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+path, &body)
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestConfig(t *testing.T) {
	h := newService(t, Options{MaxBytes: 1 << 20, Pictures: true, Token: "secret"})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/ui/config", nil))
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
	h := newService(t, Options{})
	latin := strings.NewReplacer("–", "\x96", "©", "\xa9").Replace(lookPage)
	encoded, _ := json.Marshal(map[string]string{"html": lookPage, "url": "https://paper.example/wall"})
	for _, c := range []struct{ name, body, kind, path, charset string }{
		{"bytes with a declared charset", latin, "text/html", "/ui/page?url=https://paper.example/wall", "windows-1252"},
		{"charset of the header", latin, "text/html; charset=windows-1252", "/ui/page?url=https://paper.example/wall", "windows-1252"},
		{"JSON", string(encoded), "application/json", "/ui/page", "utf-8"},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
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
	h := newService(t, Options{})
	for _, parts := range []bool{false, true} {
		w := post(t, h, "/ui/frame", [][2]string{{"token", "the-token"}, {"html", lookPage}, {"url", "https://paper.example/wall"}}, parts)
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
}

// TestMarksAreDecisions checks that data-b is the index of the decision, whatever the
// method.
func TestMarksAreDecisions(t *testing.T) {
	h := newService(t, Options{})
	for _, method := range []string{"blend", "nce", "coreex", "twcem", "stadynot", "wrapper"} {
		w := post(t, h, "/ui/frame", [][2]string{{"token", "the-token"}, {"html", lookPage}, {"url", "https://paper.example/wall"}, {"method", method}, {"favor", "recall"}, {"with", "captions,tables"}}, true)
		doc, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %v", method, w.Code, err)
		}
		marksAreDecisions(t, doc, lede.WithMethod(method), lede.WithFavor(lede.FavorRecall), lede.WithCaptions(true), lede.WithTables(true))
	}
}

func marksAreDecisions(t *testing.T, doc *goquery.Document, opts ...lede.Option) {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	x, err := ex.Explain(t.Context(), strings.NewReader(lookPage), append(opts, lede.WithURL("https://paper.example/wall"), lede.WithCharset("utf-8"))...)
	if err != nil {
		t.Fatal(err)
	}
	fields := func(s string) string { return strings.Join(strings.Fields(s), "") }
	list := x.Decisions()
	if len(list) < 10 {
		t.Errorf("%d decisions", len(list))
	}
	for i, v := range list {
		if v.Role == "hidden" {
			continue
		}
		if got := doc.Find(`[data-b="` + strconv.Itoa(i) + `"]`).Text(); fields(got) != fields(v.Text) {
			t.Errorf("decision %d is %q, marked is %q", i, v.Text, got)
		}
	}
}

func TestFrameWithoutArticle(t *testing.T) {
	h := newService(t, Options{})
	w := post(t, h, "/ui/frame", [][2]string{{"token", "the-token"}, {"html", "<title>x</title><div id=here></div>"}}, true)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<div id=\"here\"") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFormErrors checks that errors of forms are pages that say what to do.
func TestFormErrors(t *testing.T) {
	h := newService(t, Options{MaxBytes: 2000})
	for _, c := range []struct {
		name   string
		fields [][2]string
		status int
		want   string
	}{
		{"no page", [][2]string{{"token", "the-token"}}, http.StatusBadRequest, "no page in its field html"},
		{"too large", [][2]string{{"token", "the-token"}, {"html", strings.Repeat("x", 3000)}}, http.StatusRequestEntityTooLarge, "2000 bytes"},
		{"a method with markup", [][2]string{{"token", "the-token"}, {"html", "<p>x"}, {"method", "<img src=x onerror=fire()>"}}, http.StatusBadRequest, "&lt;img"},
	} {
		for _, parts := range []bool{false, true} {
			w := post(t, h, "/ui/frame", c.fields, parts)
			if w.Code != c.status || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || w.Header().Get("Content-Security-Policy") != frame.Policy ||
				!strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), "<img") {
				t.Errorf("%s: %d %v %s", c.name, w.Code, w.Header(), w.Body)
			}
		}
	}
	for _, fields := range [][][2]string{{{"token", "the-token"}, {"html", "x"}, {"other", "x"}}, {{"token", "the-token"}, {"html", "x"}, {"html", "y"}}} {
		if w := post(t, h, "/ui/send", fields, true); w.Code != http.StatusBadRequest {
			t.Errorf("%v: %d", fields, w.Code)
		}
	}
}

// TestSend checks that a page that the bookmarklet sends is in the application, and
// can do nothing there.
func TestSend(t *testing.T) {
	h := newService(t, Options{})
	page := "<p>caf\u00e9 \u2028\u2029 </script><script>fire()</script><!-- <script> ]]> &lt; \x00 \xff"
	for _, parts := range []bool{false, true} {
		w := post(t, h, "/ui/send", [][2]string{{"token", "the-token"}, {"url", "https://paper.example/</script>"}, {"html", page}}, parts)
		body := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") != appPolicy {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		found := regexp.MustCompile(`<script type="application/json" id="sent">([^<>&\x{2028}\x{2029}]*)</script>`).FindStringSubmatch(body)
		if found == nil {
			t.Fatal(body)
		}
		var got sentPage
		if err := json.Unmarshal([]byte(found[1]), &got); err != nil {
			t.Fatal(err)
		}
		if got.HTML != strings.ToValidUTF8(page, "\ufffd") || got.URL != "https://paper.example/%3C/script%3E" {
			t.Errorf("%+v", got)
		}
	}
	for _, address := range []string{"javascript:fire()", "file:///etc/passwd", "data:text/html,x", "//x", "", "http:", "https://%zz"} {
		w := post(t, h, "/ui/send", [][2]string{{"token", "the-token"}, {"url", address}, {"html", "<p>x"}}, true)
		if !strings.Contains(w.Body.String(), `"url":""`) {
			t.Errorf("%s: %s", address, w.Body)
		}
	}
}
