package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

const base = "https://paper.example/sitemaps/news.xml"

// list returns the entries of a sitemap, one on a line, and the error.
func list(text string) (string, error) {
	var b strings.Builder
	err := Read(strings.NewReader(text), base, func(e Entry) bool {
		b.WriteString(e.URL)
		if !e.LastMod.IsZero() {
			b.WriteString(" mod " + e.LastMod.UTC().Format(time.RFC3339))
		}
		if e.News {
			b.WriteString(" news")
		}
		if e.Title != "" {
			b.WriteString(" title " + e.Title)
		}
		if !e.Published.IsZero() {
			b.WriteString(" pub " + e.Published.UTC().Format(time.RFC3339))
		}
		if e.Index {
			b.WriteString(" index")
		}
		b.WriteString("\n")
		return true
	})
	return strings.TrimSpace(b.String()), err
}

const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">`

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"plain", head + `<url><loc>https://paper.example/a</loc><lastmod>2024-05-03</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url>
			<url><loc> https://paper.example/b
			</loc></url></urlset>`,
			"https://paper.example/a mod 2024-05-03T00:00:00Z\nhttps://paper.example/b"},
		{"index", `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://paper.example/1.xml.gz</loc><lastmod>2024-05-03T10:00:00+02:00</lastmod></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`,
			"https://paper.example/1.xml.gz mod 2024-05-03T08:00:00Z index\nhttps://paper.example/2.xml index"},
		{"news", head + `<url><loc>https://paper.example/a</loc><news:news><news:publication><news:name>The Paper</news:name><news:language>en</news:language></news:publication>
			<news:publication_date>2024-05-03T10:00:00Z</news:publication_date><news:title>Mayor &amp;amp; council <![CDATA[<i>agree</i>]]></news:title></news:news></url></urlset>`,
			"https://paper.example/a news title Mayor & council agree pub 2024-05-03T10:00:00Z"},
		{"news by another prefix", `<urlset xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><url><n:news><n:title>Title</n:title></n:news><loc>https://paper.example/a</loc></url></urlset>`,
			"https://paper.example/a news title Title"},
		{"news without its element", head + `<url><loc>https://paper.example/a</loc><news:title>Title</news:title></url></urlset>`,
			"https://paper.example/a news title Title"},
		{"pictures and videos", head + `<url><image:image><image:loc>https://cdn.example/1.jpg</image:loc><image:title>Picture</image:title></image:image>
			<video:video><video:title>Film</video:title><video:publication_date>2001-01-01</video:publication_date><video:player_loc>https://cdn.example/p</video:player_loc></video:video>
			<loc>https://paper.example/a</loc><image:loc>https://cdn.example/2.jpg</image:loc><xhtml:link rel="alternate" hreflang="de" href="https://paper.example/de"/></url></urlset>`,
			"https://paper.example/a"},
		{"prefixed", `<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>https://paper.example/a</sm:loc></sm:url></sm:urlset>`, "https://paper.example/a"},
		{"wrong namespace", `<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"upper case", `<URLSET><URL><LOC>https://paper.example/A</LOC><LastMod>2024-05-03</LastMod></URL></URLSET>`, "https://paper.example/A mod 2024-05-03T00:00:00Z"},
		{"no entries", `<urlset><loc>https://paper.example/a</loc><lastmod>2024-05-03</lastmod><loc>https://paper.example/b</loc></urlset>`, "https://paper.example/a mod 2024-05-03T00:00:00Z\nhttps://paper.example/b"},
		{"no end tags", `<urlset><url><loc>https://paper.example/a<lastmod>2024-05-03<url><loc>https://paper.example/b</urlset>`, "https://paper.example/a mod 2024-05-03T00:00:00Z\nhttps://paper.example/b"},
		{"extension that does not end", head + `<url><loc>https://paper.example/a</loc><image:image></url><url><loc>https://paper.example/b</loc></url></urlset>`, "https://paper.example/a\nhttps://paper.example/b"},
		{"ampersands", `<urlset><url><loc>https://paper.example/a?b=1&c=2&copy=3&amp;d=4&#38;e=5</loc></url></urlset>`, "https://paper.example/a?b=1&c=2&copy=3&d=4&e=5"},
		{"CDATA", `<urlset><url><loc><![CDATA[https://paper.example/a?b=1&c=2]]></loc></url></urlset>`, "https://paper.example/a?b=1&c=2"},
		{"relative", `<urlset><url><loc>/a</loc></url><url><loc>b</loc></url><url><loc>//other.example/c</loc></url></urlset>`, "https://paper.example/a\nhttps://paper.example/sitemaps/b\nhttps://other.example/c"},
		{"not of the web", `<urlset><url><loc>mailto:a@b.example</loc></url><url><loc>javascript:alert(1)</loc></url><url><loc></loc></url><url/><url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"long address", `<urlset><url><loc>https://paper.example/` + strings.Repeat("x", 10_000) + `</loc></url><url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"longest address", `<urlset><url><loc>https://paper.example/` + strings.Repeat("x", maxURL-22) + `</loc></url></urlset>`, "https://paper.example/" + strings.Repeat("x", maxURL-22)},
		{"byte order mark", "\ufeff" + head + `<url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"junk before", "\r\n \n<br />\n<b>Warning</b>: sort() in <b>/www/map.php</b>\n" + head + `<url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"comments and instructions", `<?xml version="1.0"?><?xml-stylesheet href="s.xsl"?><!-- <urlset2> by a plugin --><urlset><!-- <url><loc>https://paper.example/no</loc></url> --><url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"after the end", `<urlset><url><loc>https://paper.example/a</loc></url></urlset><!-- 5 ms --> <url><loc>https://paper.example/b</loc></url> <`, "https://paper.example/a"},
		{"control characters", "<urlset><url><loc>https://paper.example/\x01a\x00</loc></url></urlset>", "https://paper.example/a"},
		{"entities that are not expanded", `<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://paper.example/?&b;</loc></url></urlset>`, "https://paper.example/?&b;"},
		{"entities of HTML", head + `<url><loc>https://paper.example/a</loc><news:news><news:title>Caf&eacute;&nbsp;au lait</news:title></news:news></url></urlset>`, "https://paper.example/a news title Café au lait"},
		{"declares another charset", `<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>https://paper.example/a</loc></url></urlset>`, "https://paper.example/a"},
		{"declares UTF-8 wrongly", `<?xml version="1.0" encoding="iso-8859-1"?>` + head[39:] + `<url><loc>https://paper.example/a</loc><news:news><news:title>Café</news:title></news:news></url></urlset>`, "https://paper.example/a news title Café"},
		{"other letters", `<urlset><url><loc>https://paper.example/zürich/новости a</loc></url></urlset>`, "https://paper.example/z%C3%BCrich/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8%20a"},
		{"dates", `<urlset><url><loc>/1</loc><lastmod>2024-05-03 10:00</lastmod></url><url><loc>/2</loc><lastmod>Fri, 03 May 2024 10:00:00 GMT</lastmod></url><url><loc>/3</loc><lastmod>today</lastmod></url><url><loc>/4</loc><lastmod>2024</lastmod></url></urlset>`,
			"https://paper.example/1 mod 2024-05-03T10:00:00Z\nhttps://paper.example/2 mod 2024-05-03T10:00:00Z\nhttps://paper.example/3\nhttps://paper.example/4 mod 2024-01-01T00:00:00Z"},
		{"list", "# stories\nhttps://paper.example/a\r\n\r\nHTTP://paper.example/b\n", "https://paper.example/a\nhttp://paper.example/b"},
		{"list with a byte order mark and a long line", "\ufeffhttps://paper.example/a\nhttps://paper.example/" + strings.Repeat("x", 5000) + "\nhttps://paper.example/b", "https://paper.example/a\nhttps://paper.example/b"},
		{"markup in a title", head + `<url><loc>https://paper.example/a</loc><news:news><news:title>1 < 2 << 3</news:title></news:news></url><url><loc>https://paper.example/b</loc></url></urlset>`,
			"https://paper.example/a news title 1 < 2 << 3\nhttps://paper.example/b"},
		{"wrong tags", `<urlset><url><loc>https://paper.example/a</loc></url><=><url><loc>https://paper.example/b</loc></url><1></urlset>`, "https://paper.example/a\nhttps://paper.example/b"},
		{"empty", `<urlset/>`, ""},
		{"empty index", `<sitemapindex></sitemapindex>`, ""},
	} {
		got, err := list(test.text)
		if got != test.want || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", test.name, err, got, test.want)
		}
	}
}

func TestReadDamaged(t *testing.T) {
	t.Parallel()
	whole := head + `<url><loc>https://paper.example/a</loc><lastmod>2024-05-03</lastmod></url><url><loc>https://paper.example/b</loc><lastmod>2024-05-03</lastmod></url></urlset>`
	for _, test := range []struct{ name, text, want string }{
		{"cut off after an entry", whole[:strings.Index(whole, "</url>")+6], "https://paper.example/a mod 2024-05-03T00:00:00Z"},
		{"cut off in an address", whole[:strings.Index(whole, "/b")+1], "https://paper.example/a mod 2024-05-03T00:00:00Z"},
		{"cut off after an address", whole[:strings.LastIndex(whole, "<lastmod>")+3], "https://paper.example/a mod 2024-05-03T00:00:00Z\nhttps://paper.example/b"},
		{"cut off in a comment", `<urlset><url><loc>https://paper.example/a</loc></url><!-- and`, "https://paper.example/a"},
	} {
		got, err := list(test.text)
		if got != test.want || !errors.Is(err, ErrDamaged) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v\n%s\nwant\n%s", test.name, err, got, test.want)
		}
	}
}

func TestNotSitemap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", "empty"},
		{" \n", "neither"},
		{"<!DOCTYPE html><html><head><title>Not found</title></head></html>", "neither"},
		{"\n<html><body><pre><urlset></pre></body></html>", "neither"},
		{"not found", "neither"},
		{`{"error": 404}`, "neither"},
		{"<?xml version='1.0'?><opml><body/></opml>", "neither"},
		{`<rss version="2.0"><channel/></rss>`, "RSS"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"></feed>`, "Atom"},
		{`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"></rdf:RDF>`, "RSS"},
		{`{"version": "https://jsonfeed.org/version/1.1", "items": []}`, "JSON"},
		{"\x89PNG\r\n\x1a\n\x00\x00", "neither"},
	} {
		got, err := list(test.text)
		if got != "" || !errors.Is(err, ErrNotSitemap) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %q, %v", test.text, got, err)
		}
	}
}

// compress returns the gzip file of a text.
func compress(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestCompressed(t *testing.T) {
	t.Parallel()
	text := head + `<url><loc>https://paper.example/a</loc></url></urlset>`
	for name, data := range map[string]string{
		"once":        compress(text),
		"in parts":    compress(text[:300]) + compress(text[300:]),
		"list":        compress("https://paper.example/a\n"),
		"with a mark": compress("\ufeff" + text),
	} {
		if got, err := list(data); got != "https://paper.example/a" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got, err := list(compress(compress(text))); !errors.Is(err, ErrNotSitemap) {
		t.Errorf("twice: %q, %v", got, err)
	}
	var long strings.Builder
	for i := range 20_000 {
		long.WriteString("https://paper.example/" + strings.Repeat(string(rune('a'+i%26)), i%40) + "\n")
	}
	data := compress(long.String())
	got, err := list(data[:len(data)/2])
	if n := strings.Count(got, "\n"); n < 100 || !errors.Is(err, ErrDamaged) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a file: %d entries, %v", n, err)
	}
	if _, err := list("\x1f\x8b\x00\x00\x00\x00\x00\x00\x00\x00\x00"); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	text := `<?xml version="1.0" encoding="%"?>` + head[39:] + `<url><loc>https://paper.example/a</loc><news:news><news:title>Новости: мэр и совет договорились о новом бюджете</news:title></news:news></url></urlset>`
	want := "https://paper.example/a news title Новости: мэр и совет договорились о новом бюджете"
	for _, c := range []struct{ name, label string }{{"windows-1251", "windows-1251"}, {"koi8-r", "koi8-r"}, {"utf-16", "utf-16"}, {"utf-16, which it does not say", "utf-8"}} {
		enc := charmap.Windows1251.NewEncoder()
		switch {
		case c.name == "koi8-r":
			enc = charmap.KOI8R.NewEncoder()
		case strings.HasPrefix(c.name, "utf-16"):
			enc = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()
		}
		data, err := enc.String(strings.Replace(text, "%", c.label, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := list(data); got != want || err != nil {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	n := 0
	r := &endless{text: "<url><loc>https://paper.example/a</loc></url>", head: "<urlset>"}
	err := Read(r, base, func(Entry) bool { n++; return n < 3 })
	if n != 3 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	if r.n > 4*headSize {
		t.Errorf("%d bytes read", r.n)
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{"": "", "https://paper.example/s.xml": "https://paper.example/a", "::": ""} {
		got := ""
		if err := Read(strings.NewReader("<urlset><url><loc>/a</loc></url></urlset>"), base, func(e Entry) bool { got = e.URL; return true }); got != want || err != nil {
			t.Errorf("%q: %q, %v", base, got, err)
		}
	}
}
