package blend

import (
	"context"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/method"
)

func TestDeclaredType(t *testing.T) {
	for page, want := range map[string]article.PageType{
		`<p>a`: "",
		`<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>`:                                                 article.TypeOther,
		`<html itemscope itemtype="https://schema.org/QAPage"><p>a`:                                                                      article.TypeOther,
		`<meta property="og:type" content="product.group">`:                                                                              article.TypeIndex,
		`<script type="application/ld+json">[{"@type":"CollectionPage"},{"@type":"WebSite"}]</script>`:                                   article.TypeIndex,
		`<meta property="og:type" content="article"><script type="application/ld+json">{"@type":"Product"}</script>`:                     "",
		`<script type="application/ld+json">{"@type":"CollectionPage","hasPart":{"@type":"NewsArticle"}}</script>`:                       "",
		`<meta property="og:type" content="website"><div itemtype="` + strings.Repeat("x", 200) + `/Product">a</div>`:                    "",
		`<div itemscope itemtype="http://schema.org/BlogPosting"><div itemtype="http://schema.org/DiscussionForumPosting">a</div></div>`: "",
	} {
		if got := declaredType(methodtest.Parse(t, page)); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// TestNoArticles classifies made-up pages that consist of sentences but are no
// articles.
func TestNoArticles(t *testing.T) {
	const line = "def parse(line):\n    if line.startswith(\"#\"):\n        return None\n    key, _, value = line.partition(\"=\")\n    return {key.strip(): value}\n\n"
	const prose = "The first ferry in two years left the pier at six, and every seat was taken, said the harbour office. "
	file := func(name string) string {
		return "<tr><td><a href='/" + name + "'>" + name + "</a></td><td>last month</td></tr>"
	}
	readme := "<h1>tidal</h1><p>" + strings.Repeat("The program prints high and low water for each day of the year. ", 5) + "</p>"
	for name, c := range map[string]struct {
		page      string
		isArticle bool
	}{
		"paste":      {"<title>parse.py</title><h1>parse.py</h1><pre><code>" + strings.Repeat(line, 9) + "</code></pre>", false},
		"repository": {"<title>tidal</title><table>" + file("README.md") + file("go.mod") + file("main.go") + file(".gitignore") + "</table><article>" + readme + "</article>", false},
		"questions": {`<script type="application/ld+json">{"@type":"QAPage"}</script><title>Which oar?</title><h1>Which oar?</h1><p>` +
			"Which oar do you use? The old one is too short for the boat.</p><p>Eight feet is fine, but measure the beam of the boat first.", false},
		"links to sites": {"<title>The ferry is back</title><h1>The ferry is back</h1><p>" + strings.Repeat(prose, 6) + "</p><ul><li>" +
			file("gazeta.pl") + "<li>" + file("onet.pl") + "<li>" + file("wp.pl") + "</ul>", true},
		"typed story": {"<title>The ferry is back</title><h1>The ferry is back</h1><pre>" + strings.Repeat(prose, 6) + "</pre>", true},
	} {
		s, err := New(Config{}).Select(context.Background(), &method.Page{Doc: methodtest.Parse(t, c.page)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := s.Type == article.TypeArticle; got != c.isArticle {
			t.Errorf("%s: type %s", name, s.Type)
		}
	}
}
