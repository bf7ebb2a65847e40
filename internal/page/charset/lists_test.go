package charset

import (
	"errors"
	"testing"
)

func TestFeedsAndSitemaps(t *testing.T) {
	for _, test := range []struct{ name, text, kind string }{
		{"RSS", `<?xml version="1.0"?><!-- made up --><?xml-stylesheet href="a.xsl"?>
			<rss version="2.0"><channel><link>https://paper.example/</link><item><title>Ferry</title><link>https://paper.example/ferry</link></item></channel></rss>`, "an RSS feed"},
		{"RSS with CDATA", `<rss><channel><item><link><![CDATA[https://paper.example/ferry]]></link></item></channel></rss>`, "an RSS feed"},
		{"RSS without items", "\uFEFF<rss version='2.0'><channel><link>https://paper.example/</link></channel></rss>", "an RSS feed"},
		{"RSS 1.0", `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><link>https://paper.example/</link></channel><item rdf:about="x"><link>https://paper.example/ferry</link></item></rdf:RDF>`, "an RSS feed"},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://paper.example/"/><entry><link rel="edit" href="https://paper.example/edit"/><link rel='alternate' href='https://paper.example/ferry'/></entry></feed>`, "an Atom feed"},
		{"JSON Feed", `{"version": "https:\/\/jsonfeed.org\/version\/1.1", "home_page_url": "https://paper.example/", "items": [{"id": "1", "url" : "https:\/\/paper.example\/x"}]}`, "a JSON feed"},
		{"sitemap", `<!DOCTYPE urlset><urlset xmlns="x"><url><loc> https://paper.example/ferry</loc></url></urlset>`, "a sitemap"},
		{"sitemaps", `<sitemapindex><sitemap><loc>https://paper.example/1.xml</loc></sitemap></sitemapindex>`, "an index of sitemaps"},
		{"cut off", `<rss`, "an RSS feed"},
	} {
		_, _, err := Decode([]byte(test.text), Hints{})
		var l List
		if !errors.Is(err, ErrNotHTML) || !errors.As(err, &l) || l.Kind != test.kind {
			t.Errorf("%s: %v, want %s", test.name, err, test.kind)
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
