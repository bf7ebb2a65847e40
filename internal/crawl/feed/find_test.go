package feed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func parsePage(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFind(t *testing.T) {
	for _, test := range []struct{ name, page, want string }{
		{"WordPress", `<link rel="alternate" type="application/rss+xml" title="Paper &raquo; Feed" href="https://paper.example/feed/" />
			<link rel="alternate" type="application/rss+xml" title="Paper &raquo; Comments Feed" href="https://paper.example/comments/feed/" />
			<link rel="alternate" title="oEmbed (JSON)" type="application/json+oembed" href="https://paper.example/wp-json/oembed/1.0/embed?url=x" />
			<link rel="alternate" title="JSON" type="application/json" href="https://paper.example/wp-json/wp/v2/pages/2" />
			<link rel="https://api.w.org/" href="https://paper.example/wp-json/" />`, "https://paper.example/feed/"},
		{"comments in other languages", `<link rel="alternate" type="application/rss+xml" title="Paper &raquo; Kommentar-Feed" href="/a/feed/"><link rel="alternate" type="application/rss+xml" title="コメントフィード" href="/b/feed/">
			<link rel="alternate" type="application/rss+xml" href="/feeds/7/comments/default"><link rel="alternate" type="application/rss+xml" href="/?feed=comments-rss2"><link rel="alternate" type="application/rss+xml" href="/rss">`, "https://paper.example/rss"},
		{"all types", `<link rel="alternate" type="application/rss+xml" href="1"><link rel="ALTERNATE" type="Application/Atom+XML; charset=utf-8" href="2"><link rel="alternate home" type="application/rdf+xml" href="3">
			<link rel="alternate" type="application/feed+json" href="4"><link rel="alternate" type="application/json" href="/feed/json"><link rel="alternate" type="text/xml" href="/rss.xml"><link rel="feed" href="/6">`,
			"https://paper.example/1 https://paper.example/2 https://paper.example/3 https://paper.example/4 https://paper.example/feed/json https://paper.example/rss.xml https://paper.example/6"},
		{"others", `<link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" type="text/html" href="/m"><link rel="alternate stylesheet" type="application/rss+xml" href="/s"><link rel="alternate" type="application/json" href="/data.json">
			<link rel="alternate" type="application/xml" href="/sitemap.xml"><link rel="search" type="application/opensearchdescription+xml" href="/os.xml"><link rel="stylesheet" type="text/css" href="/feed"><link rel="alternate" type="application/rss+xml"><link rel="alternate" type="application/rss+xml" href="javascript:x">`, ""},
		{"the site first", `<link rel="alternate" type="application/rss+xml" href="https://other.example/rss"><link rel="alternate" type="application/rss+xml" href="/tag/x/feed"><link rel="alternate" type="application/rss+xml" href="https://www.paper.example/rss"><link rel="alternate" type="application/rss+xml" href="https://feeds.feedburner.com/paper">`,
			"https://www.paper.example/rss https://feeds.feedburner.com/paper https://paper.example/tag/x/feed https://other.example/rss"},
		{"twice", `<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/rss+xml" href="http://www.paper.example/feed/?utm_source=x">`, "https://paper.example/feed"},
		{"the page itself", `<link rel="alternate" type="application/rss+xml" href=""><link rel="alternate" type="application/rss+xml" href="/"><link rel="alternate" type="application/rss+xml" href="#">`, ""},
		{"base", `<base href="https://cdn.example/x/"><link rel="alternate" type="application/rss+xml" href="feed">`, "https://cdn.example/x/feed"},
		{"links", `<body><a href="/news">News</a><a href="/feedback">Feedback</a><a href="/rss">RSS</a><a href="/politics.rss">Politics</a><a href="/feed.xml?a=1">x</a><a href="/comments/feed">x</a><a href="/atoms-and-molecules.html">x</a><a href="/?feed=rss2">x</a><a href="mailto:rss@paper.example">x</a><a href="/rss/sport">x</a><a href="https://www.social.example/feed/">x</a><a href="https://feeds.paper.example/all">x</a>`,
			"https://paper.example/rss https://paper.example/politics.rss https://paper.example/feed.xml?a=1 https://paper.example/?feed=rss2 https://paper.example/rss/sport https://feeds.paper.example/all"},
		{"links beside a declared feed", `<link rel="alternate" type="application/rss+xml" href="/feed"><body><a href="/rss">RSS</a>`, "https://paper.example/feed"},
	} {
		if got := strings.Join(Find(parsePage(t, test.page), "https://paper.example/"), " "); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	if got := Find(parsePage(t, `<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/rss+xml" href="https://paper.example/rss">`), ""); !slices.Equal(got, []string{"https://paper.example/rss"}) {
		t.Errorf("without an address: %v", got)
	}
}

func TestFindMany(t *testing.T) {
	for name, link := range map[string]string{"declared": `<link rel="alternate" type="application/rss+xml" href="/%d/feed">`, "linked": `<a href="/%d/feed">x</a>`} {
		var page strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&page, link, i)
		}
		if got := Find(parsePage(t, page.String()), "https://paper.example/"); len(got) != maxFound {
			t.Errorf("%s: %d feeds", name, len(got))
		}
	}
}
