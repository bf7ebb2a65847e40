package charset

import (
	"errors"
	"strings"
	"testing"
)

func TestFeedsAndSitemaps(t *testing.T) {
	const first = "https://paper.example/ferry.html?a=1&b=2"
	for _, test := range []struct{ name, text, kind, first string }{
		{"RSS", `<?xml version="1.0"?><!-- made up --><?xml-stylesheet href="a.xsl"?>
			<rss version="2.0"><channel><link>https://paper.example/</link><item><title>Ferry</title><link>` + strings.ReplaceAll(first, "&", "&amp;") + `</link></item></channel></rss>`, "an RSS feed", first},
		{"RSS with CDATA", `<rss><channel><item><link><![CDATA[` + first + `]]></link></item></channel></rss>`, "an RSS feed", first},
		{"RSS without items", "\uFEFF<rss version='2.0'><channel><link>https://paper.example/</link></channel></rss>", "an RSS feed", ""},
		{"RSS 1.0", `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><link>https://paper.example/</link></channel><item rdf:about="x"><link>` + first + `</link></item></rdf:RDF>`, "an RSS feed", first},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://paper.example/"/><entry><link rel="edit" href="https://paper.example/edit"/><link rel='alternate' href='` + first + `'/></entry></feed>`, "an Atom feed", first},
		{"JSON Feed", `{"version": "https:\/\/jsonfeed.org\/version\/1.1", "home_page_url": "https://paper.example/", "items": [{"id": "1", "url" : "https:\/\/paper.example\/x"}]}`, "a JSON feed", "https://paper.example/x"},
		{"sitemap", `<!DOCTYPE urlset><urlset xmlns="x"><url><loc> ` + first + "\n</loc></url></urlset>", "a sitemap", first},
		{"sitemaps", `<sitemapindex><sitemap><loc>https://paper.example/1.xml</loc></sitemap></sitemapindex>`, "an index of sitemaps", "https://paper.example/1.xml"},
		{"hostile address", "<rss><item><link>https://paper.example/\x1b[31m</link></item></rss>", "an RSS feed", ""},
		{"long address", "<rss><item><link>https://paper.example/" + strings.Repeat("a", 400) + "</link></item></rss>", "an RSS feed", ""},
		{"cut off", `<rss`, "an RSS feed", ""},
	} {
		_, _, err := Decode([]byte(test.text), Hints{})
		var l List
		if !errors.Is(err, ErrNotHTML) || !errors.As(err, &l) || l.Kind != test.kind || l.First != test.first {
			t.Errorf("%s: %v, want %s, first %q", test.name, err, test.kind, test.first)
		}
	}
	for name, text := range map[string]string{
		"XHTML":               `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>About an <code>&lt;rss></code> feed.</p></body></html>`,
		"a page about feeds":  `<p>Our feed is an &lt;rss> file.</p><rss>x</rss>`,
		"another feed":        `<feed><p>An element of somebody.</p></feed>`,
		"RDF":                 `<rdf:RDF xmlns:rdf="x"><p>Some triples.</p></rdf:RDF>`,
		"an unclosed comment": `<!-- <rss> `,
		"text":                `words only`,
	} {
		if _, _, err := Decode([]byte(text), Hints{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
