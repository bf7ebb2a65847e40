package feed

import (
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

const base = "https://paper.example/rss/news.xml"

// list returns the items of a feed, one on a line.
func list(f *Feed) string {
	var lines []string
	for _, it := range f.Items {
		line := it.URL
		if it.Title != "" {
			line += " | " + it.Title
		}
		if !it.Published.IsZero() {
			line += " | pub " + it.Published.UTC().Format(time.RFC3339)
		}
		if !it.Updated.IsZero() {
			line += " | mod " + it.Updated.UTC().Format(time.RFC3339)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// rssItems returns an RSS feed with the given items.
func rssItems(items string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0">` +
		`<channel><title>The Paper</title><link>https://paper.example/</link><atom:link href="https://paper.example/rss/news.xml" rel="self" type="application/rss+xml"/><description>News</description>` +
		`<image><url>https://paper.example/logo.png</url><title>Logo</title><link>https://paper.example/logo</link></image>` + items + `</channel></rss>`
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, home, want string }{
		{"RSS 2.0", rssItems(`<item><title>Mayor &amp; council agree</title><link>https://paper.example/a</link><guid isPermaLink="false">tag-1</guid><pubDate>Fri, 03 May 2024 10:00:00 +0200</pubDate>
			<description><![CDATA[<p>A <b>budget</b> at&nbsp;last.</p><script>x()</script>]]></description><content:encoded><![CDATA[<title>no</title>]]></content:encoded><media:content url="https://cdn.example/1.jpg"><media:title>Picture</media:title></media:content></item>`),
			"https://paper.example/", "https://paper.example/a | Mayor & council agree | pub 2024-05-03T08:00:00Z"},
		{"RSS 0.91", `<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><title>Old</title><link>http://paper.example/</link>
			<item><title>One</title><link>http://paper.example/1</link></item><textinput><title>Search</title><link>http://paper.example/search</link></textinput></channel></rss>`,
			"http://paper.example/", "http://paper.example/1 | One"},
		{"RDF", `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
			<channel rdf:about="https://paper.example/"><title>RDF</title><link>https://paper.example/</link><items><rdf:Seq><rdf:li rdf:resource="https://paper.example/1"/></rdf:Seq></items></channel>
			<item rdf:about="https://paper.example/1"><title>One</title><link>https://paper.example/1</link><dc:date>2024-05-03T10:00:00Z</dc:date></item></rdf:RDF>`,
			"https://paper.example/", "https://paper.example/1 | One | pub 2024-05-03T10:00:00Z"},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">The &amp;lt;b&amp;gt;Paper&amp;lt;/b&amp;gt;</title><link href="/" /><link rel="self" href="/atom.xml"/><updated>2024-05-03T12:00:00Z</updated>
			<entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">One <em>two</em></div></title><id>urn:1</id><link rel="replies" href="/1/comments"/><link rel="enclosure" href="/1.mp3"/><link href="/1"/>
			<published>2024-05-03T10:00:00Z</published><updated>2024-05-03T11:00:00+01:00</updated><summary type="html">&lt;p&gt;Text&lt;/p&gt;</summary>
			<source><title>Other</title><id>urn:x</id><link href="https://other.example/"/><updated>2001-01-01T00:00:00Z</updated></source><content type="xhtml"><div><svg><title>no</title></svg><link href="/no"/></div></content></entry></feed>`,
			"https://paper.example/", "https://paper.example/1 | One two | pub 2024-05-03T10:00:00Z | mod 2024-05-03T10:00:00Z"},
		{"Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><link rel="alternate" type="text/html" href="http://paper.example/"/><entry><title>One</title><link rel="alternate" type="text/html" href="http://paper.example/1"/><issued>2004-05-03T10:00:00Z</issued><modified>2004-05-04T10:00:00Z</modified></entry></feed>`,
			"http://paper.example/", "http://paper.example/1 | One | pub 2004-05-03T10:00:00Z | mod 2004-05-04T10:00:00Z"},
		{"JSON Feed", `{"version": "https://jsonfeed.org/version/1.1", "title": "JSON", "home_page_url": "https://paper.example/", "items": [
			{"id": 1, "url": "/1", "title": "One &amp; two", "date_published": "2024-05-03T10:00:00+02:00", "date_modified": "2024-05-03 12:00", "summary": "Text", "attachments": [{"url": "https://cdn.example/1.mp3", "mime_type": "audio/mpeg"}]},
			{"id": "https://paper.example/2", "content_text": "x"}, {"id": "3", "external_url": "https://other.example/3"}, null, {"id": "4"}]}`,
			"https://paper.example/", "https://paper.example/1 | One & two | pub 2024-05-03T08:00:00Z | mod 2024-05-03T12:00:00Z\nhttps://paper.example/2\nhttps://other.example/3"},
	} {
		f, err := Parse([]byte(test.text), "", base)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := list(f); got != test.want || f.Home != test.home || f.Partial {
			t.Errorf("%s: %s, partial %v\n%s\nwant %s\n%s", test.name, f.Home, f.Partial, got, test.home, test.want)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, items, want string }{
		{"link", `<item><link> https://paper.example/a?b=1&amp;c=2
			</link></item>`, "https://paper.example/a?b=1&c=2"},
		{"relative link", `<item><link>/a</link></item><item><link>b</link></item>`, "https://paper.example/a\nhttps://paper.example/rss/b"},
		{"link in an attribute", `<item><link href="https://paper.example/a"/></item>`, "https://paper.example/a"},
		{"permanent id", `<item><guid>https://paper.example/a</guid></item><item><guid isPermaLink="true">https://paper.example/b</guid></item>`, "https://paper.example/a\nhttps://paper.example/b"},
		{"other ids", `<item><guid isPermaLink="false">https://paper.example/a</guid></item><item><guid>12345</guid></item>`, ""},
		{"link of Atom", `<item><atom:link rel="alternate" href="https://paper.example/a"/><atom:link rel="enclosure" href="https://cdn.example/a.mp3"/></item>`, "https://paper.example/a"},
		{"Feedburner", `<item><link>https://feedproxy.example/~r/x/1</link><guid isPermaLink="false">1</guid><feedburner:origLink>https://paper.example/a</feedburner:origLink></item>`, "https://paper.example/a"},
		{"Feedburner in the item", `<item><link>https://feedproxy.example/~r/x/1</link><f:origLink xmlns:f="http://rssnamespace.org/feedburner/ext/1.0">https://paper.example/a</f:origLink></item>`, "https://paper.example/a"},
		{"enclosure", `<item><title>Talk</title><enclosure url="https://cdn.example/a.mp3" type="audio/mpeg" length="1"/></item><item><link>https://cdn.example/b.mp3</link><guid>https://paper.example/b</guid><enclosure url="https://cdn.example/b.mp3"/></item>`, "https://paper.example/b"},
		{"not of the web", `<item><link>javascript:alert(1)</link></item><item><link>mailto:a@b.example</link></item>`, ""},
		{"titles", `<item><link>/1</link><title>  One
			two </title></item><item><link>/2</link><title>&lt;b&gt;Bold&lt;/b&gt; &amp;amp; &amp;quot;quoted&amp;quot;</title></item><item><link>/3</link><title><![CDATA[AT&T &eacute;]]></title></item>`,
			"https://paper.example/1 | One two\nhttps://paper.example/2 | Bold & \"quoted\"\nhttps://paper.example/3 | AT&T é"},
		{"dates", `<item><link>/1</link><pubDate>2024-05-03 10:00</pubDate></item><item><link>/2</link><pubDate>Fri, 3 May 2024 10:00:00 EDT</pubDate></item><item><link>/3</link><pubDate>Fr, 03 Mai 2024 10:00:00 +0200</pubDate></item>
			<item><link>/4</link><pubDate>soon</pubDate><dc:date>2024-05-03</dc:date></item><item><link>/5</link><pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate></item><item><link>/6</link><atom:updated>2024-05-03T10:00:00Z</atom:updated></item>`,
			"https://paper.example/1 | pub 2024-05-03T10:00:00Z\nhttps://paper.example/2 | pub 2024-05-03T14:00:00Z\nhttps://paper.example/3 | pub 2024-05-03T08:00:00Z\nhttps://paper.example/4 | pub 2024-05-03T00:00:00Z\nhttps://paper.example/5\nhttps://paper.example/6 | mod 2024-05-03T10:00:00Z"},
		{"base", `<item xml:base="https://other.example/x/feed.xml?a"><link>a</link></item><item xml:base="/y/"><link>b</link></item>`, "https://other.example/x/a\nhttps://paper.example/y/b"},
		{"comments", `<item><link>/1</link><comments>https://paper.example/1#comments</comments><source url="https://other.example/feed">Other</source></item>`, "https://paper.example/1"},
		{"live", `<podcast:liveItem><title>Live</title><link>/live</link></podcast:liveItem><item><link>/1</link></item>`, "https://paper.example/1"},
	} {
		f, err := Parse([]byte(rssItems(test.items)), "", base)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := list(f); got != test.want || f.Home != "https://paper.example/" || f.Partial {
			t.Errorf("%s: %s, partial %v\n%s\nwant\n%s", test.name, f.Home, f.Partial, got, test.want)
		}
	}
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	whole := rssItems(`<item><title>One</title><link>/1</link></item><item><title>Two</title><link>/2</link></item>`)
	for _, test := range []struct {
		name, text, want string
		partial          bool
	}{
		{"ampersands", rssItems(`<item><title>Q&A: R&D & more &unknown; &</title><link>/1?a=1&b=2&copy=3</link></item>`), "https://paper.example/1?a=1&b=2&copy=3 | Q&A: R&D & more &unknown; &", false},
		{"entities of HTML", rssItems(`<item><title>Caf&eacute;&nbsp;&ndash; na&#239;ve &#150; &#x201C;x&#x201D; &#0;&#x1F;</title><link>/1</link></item>`), "https://paper.example/1 | Café – naïve – “x”", false},
		{"control characters", rssItems("<item><title>A\x00\x08\x1bB\x0b\uFFFF</title><link>/1</link></item>"), "https://paper.example/1 | AB", false},
		{"brackets in a title", rssItems(`<item><title>1 < 2 <3 a <b c</title><link>/1</link></item>`), "https://paper.example/1 | 1 < 2 <3 a", false},
		{"markup in a title", rssItems(`<item><title>A <b>bold</b> one<br> and <i>more</title><link>/1</link></item>`), "https://paper.example/1 | A bold one and more", false},
		{"markup in a description", rssItems(`<item><description><p>Text<br>more <a href="x?a&b">link</a></description><link>/1</link><title>T</title></item>`), "https://paper.example/1 | T", false},
		{"junk before", "\n\n <br />\n<b>Notice</b>: x in y.php\n" + whole, "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"comment before", "<!-- <foo> by a plugin --><?xml-stylesheet href='x'?>" + whole, "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"byte order marks", "\ufeff\ufeff" + whole, "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"junk after", whole + "<script>1<2</script><!-- cached", "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"upper case", strings.NewReplacer("item", "ITEM", "link", "Link", "title", "TITLE", "rss", "RSS", "channel", "Channel").Replace(whole), "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"quotes", `<rss version=2.0><channel><item><link href=https://paper.example/1 /><guid isPermaLink='false>'>g</guid></item></channel></rss>`, "https://paper.example/1", false},
		{"comments", strings.Replace(whole, "<item>", "<!-- a -- b <item> > --><item><!----><?php x ?>", 1), "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"missing end tags", `<rss><channel><item><title>One<link>/1<item><title>Two</title><link>/2</link></channel></rss>`, "https://paper.example/1 | One\nhttps://paper.example/2 | Two", false},
		{"superfluous end tags", `<rss><channel></b><item></p><title>One</b></title></link><link>/1</link></item></item></channel></rss>`, "https://paper.example/1 | One", false},
		{"nested items", `<rss><channel><item><title>One</title><link>/1</link><item><link>/2</link></item></item></channel></rss>`, "https://paper.example/1 | One\nhttps://paper.example/2", false},
		{"no root", `<channel><title>x</title><item><link>/1</link></item></channel>`, "https://paper.example/1", false},
		{"two channels", `<rss><channel><item><link>/1</link></item></channel><channel><item><link>/2</link></item></channel></rss>`, "https://paper.example/1\nhttps://paper.example/2", false},
		{"no declarations", `<rss><channel><item><dc:date>2024-05-03</dc:date><atom:link href="/1"/></item></channel></rss>`, "https://paper.example/1 | pub 2024-05-03T00:00:00Z", false},
		{"wrong namespace of RSS", `<rss xmlns="http://www.w3.org/2005/Atom"><channel><item><link>/1</link></item></channel></rss>`, "https://paper.example/1", false},
		{"wrong namespace of Atom", `<feed xmlns="https://www.w3.org/2005/atom/"><entry><link href="/1"/></entry></feed>`, "https://paper.example/1", false},
		{"no namespace of Atom", `<feed><entry><link href="/1"/></entry></feed>`, "https://paper.example/1", false},
		{"prefix of Atom", `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="/1"/></a:entry></a:feed>`, "https://paper.example/1", false},
		{"prefix of Atom that is not declared", `<a:feed><a:entry><a:link href="/1"/></a:entry></a:feed>`, "https://paper.example/1", false},
		{"odd names", `<rss><channel xmlns:é="x" xmlns:a:b="y" xmlns:="z"><é:title>x</é:title><a:b:title>x</a:b:title><item><link>/1</link></item></channel></rss>`, "https://paper.example/1", false},
		{"entities that are not expanded", `<!DOCTYPE rss [<!ENTITY a "<rss>aaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><item><title>&b;&b;</title><link>/1</link></item></channel></rss>`, "https://paper.example/1 | &b;&b;", false},
		{"external entities", `<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&a;</title><link>/1</link></item></channel></rss>`, "https://paper.example/1 | &a;", false},
		{"CDATA without an end", rssItems(`<item><title><![CDATA[One]</title><link>/1</link><description><![CDATA[<p>Text</p>]]></description></item><item><title><![CDATA[A <![CDATA[ b]]></title><link><![CDATA[/2]]></link></item>`), "https://paper.example/2 | A <![CDATA[ b", false},
		{"cut off in an item", whole[:strings.Index(whole, "/2<")], "https://paper.example/1 | One", true},
		{"cut off in a tag", whole[:strings.Index(whole, "k>/2")], "https://paper.example/1 | One", true},
		{"cut off after an item", whole[:strings.LastIndex(whole, "</channel>")], "https://paper.example/1 | One\nhttps://paper.example/2 | Two", true},
		{"cut off in CDATA", `<rss><channel><item><link>/1</link></item><item><link>/2</link><description><![CDATA[x`, "https://paper.example/1\nhttps://paper.example/2", true},
		{"cut off in a comment", `<rss><channel><item><link>/1</link></item><!-- x`, "https://paper.example/1", true},
		{"cut off in the head", `<rss><channel><title>The`, "", true},
		{"JSON cut off", `{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","url":"/1"},{"id":"2","url":"/2","content_html":"x`, "", true},
		{"JSON with wrong types and control characters", "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"1\",\"url\":\"/1\",\"title\":\"A\nB\",\"authors\":7}]}", "https://paper.example/1 | A B", false},
	} {
		f, err := Parse([]byte(test.text), "", base)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := list(f); got != test.want || f.Partial != test.partial {
			t.Errorf("%s: partial %v\n%s\nwant\n%s", test.name, f.Partial, got, test.want)
		}
	}
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	russian, german, japaneseText := "Мэр и городской совет договорились о бюджете", "Bürgermeister grüßt schöne Städte für größere Löhne", "市長と議会が予算案で合意した"
	utf16 := unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	for _, test := range []struct {
		name, title, declared, header string
		enc                           encoding.Encoding
	}{
		{"UTF-8", russian, "utf-8", "", encoding.Nop},
		{"UTF-8, but declares another", russian, "windows-1251", "iso-8859-1", encoding.Nop},
		{"as declared", russian, "windows-1251", "", charmap.Windows1251},
		{"as in the header", russian, "utf-8", "windows-1251", charmap.Windows1251},
		{"the header names the default of servers", russian, "koi8-r", "ISO-8859-1", charmap.KOI8R},
		{"declares UTF-8 wrongly", german, "utf-8", "", charmap.Windows1252},
		{"Latin-1", german, "iso-8859-1", "", charmap.ISO8859_1},
		{"Shift JIS", japaneseText, "Shift_JIS", "", japanese.ShiftJIS},
		{"EUC-JP in the header", japaneseText, "utf-8", "euc-jp", japanese.EUCJP},
		{"UTF-16", russian, "utf-16", "", utf16},
		{"UTF-16, but declares UTF-8", russian, "utf-8", "utf-8", utf16},
		{"unknown charset", russian, "x-foo", "bar", encoding.Nop},
	} {
		text := `<?xml version="1.0" encoding="` + test.declared + `"?><rss><channel><item><title>` + test.title + `</title><link>/1</link><description>&lt;meta charset="big5"&gt; <meta charset="big5"> ` + test.title + `</description></item></channel></rss>`
		data, err := test.enc.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse([]byte(data), test.header, base)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got := list(f); got != "https://paper.example/1 | "+test.title {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

func TestNotFeed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "empty", " \n": "empty",
		"<!DOCTYPE html><html><body><rss></rss></body></html>":                                 "neither",
		`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><feed></feed></html>`: "neither",
		"404 not found":                "neither",
		`{"items": []}`:                "neither",
		"<opml><body/></opml>":         "neither",
		"%PDF-1.5":                     "PDF",
		"<urlset><url></url></urlset>": "sitemap",
	} {
		if f, err := Parse([]byte(text), "", base); f != nil || !errors.Is(err, ErrNotFeed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", text, f, err)
		}
	}
	for _, text := range []string{`{"version":"https://jsonfeed.org/version/1","items":7}`, `{"version":"https://jsonfeed.org/version/1"`} {
		if f, err := Parse([]byte(text), "", base); f == nil && err == nil {
			t.Errorf("%q: no feed and no error", text)
		}
	}
}
