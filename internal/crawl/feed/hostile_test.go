package feed

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestMany reads feeds with more items, elements and declarations than are kept.
func TestMany(t *testing.T) {
	var items strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&items, "<item><title>Story %d</title><link>/%d</link></item>", i, i)
	}
	f, err := Parse([]byte(rssItems(items.String())), "", base)
	if err != nil || len(f.Items) != maxItems || !f.Partial || f.Items[maxItems-1].Title != "Story 999" {
		t.Errorf("%d items, %v", len(f.Items), err)
	}
	json := `{"version":"https://jsonfeed.org/version/1","items":[` + strings.TrimSuffix(strings.Repeat(`{"id":"1","url":"/1"},`, 1500), ",") + "]}"
	if f, err = Parse([]byte(json), "", base); err != nil || len(f.Items) != maxItems || !f.Partial {
		t.Errorf("%d items, %v", len(f.Items), err)
	}
	large := rssItems("<item><title>One</title><link>/1</link></item><item><description>" + strings.Repeat("x", maxBytes))
	if f, err = Parse([]byte(large), "", base); err != nil || len(f.Items) != 1 || !f.Partial {
		t.Errorf("%v, %v", f, err)
	}
	for name, text := range map[string]string{
		"nesting":      rssItems("<item><link>/1</link>" + strings.Repeat("<a>", 100_000) + strings.Repeat("</a>", 100_000) + "</item>"),
		"declarations": rssItems("<item><link>/1</link>" + strings.Repeat("<dc:date", 50) + strings.Repeat(` xmlns:a="b"`, 1000) + "/></item>"),
		"elements":     rssItems("<item><link>/1</link>" + strings.Repeat("<dc:creator>A</dc:creator><dc:date>x</dc:date>", 50_000) + "</item>"),
		"long texts":   rssItems("<item><link>/1</link><title>" + strings.Repeat("é ", 50_000) + "</title><guid>" + strings.Repeat("g", 10_000) + "</guid><description>" + strings.Repeat("&lt;b&gt;word ", 50_000) + "</description></item>"),
		"long address": rssItems("<item><link>/" + strings.Repeat("x", 10_000) + "</link><link>/1</link></item>"),
	} {
		f, err := Parse([]byte(text), "", base)
		if err != nil || len(f.Items) != 1 || f.Items[0].URL != "https://paper.example/1" {
			t.Errorf("%s: %v, %v", name, f, err)
			continue
		}
		if it := f.Items[0]; len(it.Title) > maxTitle || !utf8.ValidString(it.Title) {
			t.Errorf("%s: a title of %d bytes", name, len(it.Title))
		}
	}
}

func TestLinear(t *testing.T) {
	for _, part := range []string{"<a>", "<a b='", "<!--", "<![CDATA[", "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "<title>", "<description>", "<image>", "<item>", "<dc:date>x<b/>x"} {
		testkit.Linear(t, (256<<10)/len(part), func(n int) func() {
			text := []byte("<rss><channel><item><description>" + strings.Repeat(part, n) + "]]>")
			return func() { Parse(text, "", base) }
		})
	}
	for _, part := range []string{`{"a":`, `[`, `{"url":"/1"},`, `"`} {
		testkit.Linear(t, (256<<10)/len(part), func(n int) func() {
			text := []byte(`{"version":"https://jsonfeed.org/version/1","items":[` + strings.Repeat(part, n))
			return func() { Parse(text, "", base) }
		})
	}
}

// seeds are documents for the fuzz targets.
var seeds = []string{
	rssItems(`<item><title>One &amp; <![CDATA[two]]></title><link>/1</link><guid isPermaLink="false">x</guid><pubDate>Fri, 03 May 2024 10:00:00 GMT</pubDate><enclosure url="/x"/><description>&lt;p>x</description></item>`),
	`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/x"><title type="xhtml"><div>x</div></title><entry><link rel="alternate" href="/1"/><id>1</id><updated>2024-05-03</updated></entry></feed>`,
	`<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel/><item><link>/1</link><dc:date>2024</dc:date></item></rdf:RDF>`,
	`<!DOCTYPE rss [<!ENTITY a "b">]><rss><channel><item><title>1 < 2 &a; &#0; <b</title><link>/1`,
	`<channel><image><title>x</title><item><link/>`, `<a:feed><a:entry a:b="c"><é:title>`, "<rss xmlns:a:b='c' xmlns:='d'><item><link>\x00/1</link></item>",
	`{"version":"https://jsonfeed.org/version/1.1","items":[{"id":1,"url":"/1","title":"a\'b` + "\n" + `"},]}`,
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), "")
	}
	f.Add([]byte("<?xml encoding='koi8-r'?><rss><item><title>\xc1\xc2</title><link>/1</link></item>"), "windows-1251")
	f.Fuzz(func(t *testing.T, data []byte, header string) {
		feed, err := Parse(data, header, base)
		if err != nil {
			if feed != nil {
				t.Error("a feed and an error")
			}
			if !errors.Is(err, ErrNotFeed) {
				t.Error(err)
			}
			return
		}
		for _, it := range feed.Items {
			switch {
			case !isAbsolute(it.URL), len(it.URL) > maxURL, strings.ContainsAny(it.URL, "\r\n"):
				t.Errorf("address %q", it.URL)
			case strings.ContainsAny(it.Title, "\r\n"), !utf8.ValidString(it.Title):
				t.Errorf("title %q", it.Title)
			}
		}
	})
}
