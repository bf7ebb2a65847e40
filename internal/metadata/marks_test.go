package metadata

import "testing"

func TestPaywalled(t *testing.T) {
	ld := func(members string) string {
		return `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Gulls"` + members + `}</script>` + body
	}
	for _, c := range []struct {
		name, page string
		want       bool
	}{
		{"nothing said", ld(``), false},
		{"false", ld(`,"isAccessibleForFree":false`), true},
		{"as a word", ld(`,"isAccessibleForFree":"False"`), true},
		{"as an address", ld(`,"isAccessibleForFree":"https://schema.org/False"`), true},
		{"true", ld(`,"isAccessibleForFree":true`), false},
		{"nonsense", ld(`,"isAccessibleForFree":{"a":[]}`), false},
		{"a part", ld(`,"hasPart":{"@type":"WebPageElement","isAccessibleForFree":"false","cssSelector":".x"}`), true},
		{"one of several parts", ld(`,"hasPart":[{"isAccessibleForFree":true},{"isAccessibleForFree":false}]`), true},
		{"free parts", ld(`,"hasPart":[{"isAccessibleForFree":true}]`), false},
		{"locked", `<meta property="article:content_tier" content="locked">` + body, true},
		{"metered", `<meta property="article:content_tier" content="metered">` + body, true},
		{"free tier", `<meta property="article:content_tier" content="free">` + body, false},
		{"an element", body + `<div class="story-paywall">Subscribe to read on</div>`, true},
		{"an element without words", body + `<div class="story-paywall"></div>`, false},
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

func TestKinds(t *testing.T) {
	ld := func(s string) string { return `<script type="application/ld+json">` + s + `</script>` + body }
	for _, c := range []struct{ name, page, want string }{
		{"story", ld(`{"@type":"NewsArticle","headline":"Gulls"}`), ""},
		{"live", ld(`{"@type":["NewsArticle","LiveBlogPosting"],"headline":"Gulls"}`), "live"},
		{"live beside the story", ld(`{"@graph":[{"@type":"NewsArticle"},{"@type":"LiveBlogPosting"}]}`), "live"},
		{"live in microdata", `<div itemscope itemtype="https://schema.org/LiveBlogPosting">` + body + `</div>`, "live"},
		{"gallery", ld(`{"@type":"ImageGallery","name":"Gulls"}`), "gallery"},
		{"media gallery", ld(`{"@type":"WebPage","mainEntity":{"@type":"MediaGallery"}}`), "gallery"},
		{"video", ld(`{"@type":"VideoObject","name":"Gulls"}`), "video"},
		{"video as the main thing", ld(`{"@type":"WebPage","mainEntity":{"@type":"VideoObject","name":"Gulls"}}`), "video"},
		{"a story with a video", ld(`[{"@type":"NewsArticle","headline":"Gulls"},{"@type":"VideoObject","name":"Gulls"}]`), ""},
		{"og", `<meta property="og:type" content="video.other">` + body, "video"},
		{"og of a story", `<meta property="og:type" content="article">` + body, ""},
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
				t.Errorf("kind = %q, want %q", got, c.want)
			}
		})
	}
}
