package metadata

import (
	"strings"
	"testing"
)

func TestJSONLDErrors(t *testing.T) {
	const good = `"@type":"NewsArticle","headline":"Gulls learn to read maps"`
	for _, c := range []struct{ name, script string }{
		{"plain", `{` + good + `}`},
		{"array", `[{"@type":"WebSite","name":"x"},{` + good + `}]`},
		{"graph", `{"@graph":[{` + good + `}]}`},
		{"graph that is an object", `{"@graph":{` + good + `}}`},
		{"types in an array", `{"@type":["Thing","NewsArticle"],"headline":"Gulls learn to read maps"}`},
		{"prefix", `{"@type":"http://schema.org/NewsArticle","schema:headline":"Gulls learn to read maps"}`},
		{"HTML comment", "<!--\n{" + good + "}\n-->"},
		{"CDATA", "//<![CDATA[\n{" + good + "}\n//]]>"},
		{"CDATA in a comment", "/* <![CDATA[ */ {" + good + "} /* ]]> */"},
		{"commas at the end", `{` + good + `,"a":[1,2,],}`},
		{"raw line breaks", "{\"@type\":\"NewsArticle\",\"headline\":\"Gulls learn\n to read maps\"}"},
		{"escapes", `{"@type":"NewsArticle","headline":"Gulls \u006cearn to re\u0061d\u0020maps"}`},
		{"entities", `{"@type":"NewsArticle","headline":"Gulls&nbsp;learn&#32;to read maps"}`},
		{"two in one script", `{"@type":"Person","name":"x"}{` + good + `}`},
		{"wrong types around", `{"author":7,"datePublished":{},"image":[[]],"publisher":null,` + good + `}`},
		{"byte order mark", "\ufeff{" + good + "}"},
		{"deep nesting after it", `{` + good + `,"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`},
		{"deep nesting before it", `{"x":` + strings.Repeat(`{"y":`, 5000) + `1` + strings.Repeat("}", 5000) + `,` + good + `}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, `<script type="application/ld+json">`+c.script+`</script><p>x`)
			if f.Title != "Gulls learn to read maps" {
				t.Errorf("title = %q", f.Title)
			}
		})
	}
}

func TestJSONLDSeveralScripts(t *testing.T) {
	f := read(t, `<title>Gulls learn to read maps</title>
		<script type="application/ld+json">not json at all {</script>
		<script type="application/ld+json">{"@type":"NewsArticle","headline":"Another story","datePublished":"2020-01-01"}</script>
		<script type="application/ld+json; charset=utf-8">{"@type":"NewsArticle","headline":"Gulls learn to read maps","datePublished":"2024-05-03"}</script><p>x`)
	if f.Published.String() != "2024-05-03" {
		t.Errorf("published = %q, want that of the article", f.Published)
	}
}

// Articles in a list are not the article of the page.
func TestJSONLDOtherArticles(t *testing.T) {
	f := read(t, `<script type="application/ld+json">{"@type":"ItemList","itemListElement":[
		{"@type":"NewsArticle","headline":"Another story","author":"Somebody Else"}]}</script><h1>Gulls learn to read maps</h1>`)
	if len(f.Authors) != 0 {
		t.Errorf("authors = %v", f.Authors)
	}
}

func TestPaywalled(t *testing.T) {
	ld := func(members string) string {
		return `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Gulls"` + members + `}</script>` + body
	}
	for _, c := range []struct {
		name, page string
		want       bool
	}{
		{"not stated", ld(``), false},
		{"false", ld(`,"isAccessibleForFree":false`), true},
		{"string", ld(`,"isAccessibleForFree":"False"`), true},
		{"URL", ld(`,"isAccessibleForFree":"https://schema.org/False"`), true},
		{"true", ld(`,"isAccessibleForFree":true`), false},
		{"nonsense", ld(`,"isAccessibleForFree":{"a":[]}`), false},
		{"a part", ld(`,"hasPart":{"@type":"WebPageElement","isAccessibleForFree":"false","cssSelector":".x"}`), true},
		{"one of several parts", ld(`,"hasPart":[{"isAccessibleForFree":true},{"isAccessibleForFree":false}]`), true},
		{"free parts", ld(`,"hasPart":[{"isAccessibleForFree":true}]`), false},
		{"locked", `<meta property="article:content_tier" content="locked">` + body, true},
		{"metered", `<meta property="article:content_tier" content="metered">` + body, true},
		{"free tier", `<meta property="article:content_tier" content="free">` + body, false},
		{"an element", body + `<div class="story-paywall">Subscribe to read on</div>`, true},
		{"an empty element", body + `<div class="story-paywall"></div>`, false},
		{"a hidden element", body + `<div class="story-paywall" hidden>Subscribe to read on</div>`, false},
		{"an element on a free page", ld(`,"isAccessibleForFree":true`) + `<div id="paywall">Subscribe to read on</div>`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := read(t, c.page); f.Paywalled != c.want {
				t.Errorf("paywalled = %v", f.Paywalled)
			}
		})
	}
}

func TestForms(t *testing.T) {
	ld := func(s string) string { return `<script type="application/ld+json">` + s + `</script>` + body }
	for _, c := range []struct{ name, page, want string }{
		{"article", ld(`{"@type":"NewsArticle","headline":"Gulls"}`), ""},
		{"live", ld(`{"@type":["NewsArticle","LiveBlogPosting"],"headline":"Gulls"}`), "live"},
		{"live blog next to the article", ld(`{"@graph":[{"@type":"NewsArticle"},{"@type":"LiveBlogPosting"}]}`), "live"},
		{"live blog in microdata", `<div itemscope itemtype="https://schema.org/LiveBlogPosting">` + body + `</div>`, "live"},
		{"gallery", ld(`{"@type":"ImageGallery","name":"Gulls"}`), "gallery"},
		{"media gallery", ld(`{"@type":"WebPage","mainEntity":{"@type":"MediaGallery"}}`), "gallery"},
		{"video", ld(`{"@type":"VideoObject","name":"Gulls"}`), "video"},
		{"video as the main entity", ld(`{"@type":"WebPage","mainEntity":{"@type":"VideoObject","name":"Gulls"}}`), "video"},
		{"article with a video", ld(`[{"@type":"NewsArticle","headline":"Gulls"},{"@type":"VideoObject","name":"Gulls"}]`), ""},
		{"og", `<meta property="og:type" content="video.other">` + body, "video"},
		{"og of an article", `<meta property="og:type" content="article">` + body, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, got := read(t, c.page), ""
			if f.LiveBlog {
				got += "live"
			}
			if f.Gallery {
				got += "gallery"
			}
			if f.Video {
				got += "video"
			}
			if got != c.want {
				t.Errorf("form = %q, want %q", got, c.want)
			}
		})
	}
}
