package metadata

import (
	"context"
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestTitle(t *testing.T) {
	const og = `<meta property="og:site_name" content="The Daily Gull">`
	for _, c := range []struct{ name, page, want string }{
		{"h1 over a longer og:title", og + `<meta property="og:title" content="Gulls learn to read maps - The Daily Gull"><h1>Gulls learn to read maps</h1>`, "Gulls learn to read maps"},
		{"h1 over a cut title", og + `<title>Gulls learn to read maps and then …</title><h1>Gulls learn to read maps and then teach their young</h1>`, "Gulls learn to read maps and then teach their young"},
		{"h1 over other punctuation", og + `<title>Gulls "learn" to read maps</title><h1>Gulls ‘learn’ to read maps</h1>`, "Gulls ‘learn’ to read maps"},
		{"suffix with a bar", og + `<title>Gulls learn to read maps | The Daily Gull</title>`, "Gulls learn to read maps"},
		{"suffix with a dash and a section", og + `<title>Gulls learn to read maps – The Daily Gull</title>`, "Gulls learn to read maps"},
		{"prefix with a colon", og + `<title>The Daily Gull: Gulls learn to read maps</title>`, "Gulls learn to read maps"},
		{"guillemets", og + `<title>Gulls learn to read maps « The Daily Gull</title>`, "Gulls learn to read maps"},
		{"name of the host", `<title>Gulls learn to read maps | Quay Courier</title>`, "Gulls learn to read maps"},
		{"section and name when the rest is on the page", `<title>Gulls learn to read maps – Nature – Elsewhere</title><div>Gulls learn to read maps</div>`, "Gulls learn to read maps"},
		{"a dash of the headline stays", og + `<title>Gulls learn to read maps - slowly | The Daily Gull</title>`, "Gulls learn to read maps - slowly"},
		{"a colon of the headline stays", og + `<title>Maps: gulls learn to read them</title>`, "Maps: gulls learn to read them"},
		{"the best of several h1", og + `<title>Gulls learn to read maps</title><h1>Subscribe to our letter today</h1><h1>Gulls learn to read maps at last</h1>`, "Gulls learn to read maps at last"},
		{"the logo is no headline", og + `<title>Gulls learn to read maps | The Daily Gull</title><h1>The Daily Gull</h1><h2>Gulls learn to read maps</h2>`, "Gulls learn to read maps"},
		{"the logo as a link home", `<title>Gulls learn to read maps</title><header><h1><a href="/">Wings and Waves Weekly</a></h1></header>`, "Gulls learn to read maps"},
		{"never the bare name", og + `<meta property="og:title" content="The Daily Gull"><title>Gulls learn to read maps | The Daily Gull</title>`, "Gulls learn to read maps"},
		{"the bare name if there is nothing else", og + `<title>The Daily Gull</title>`, "The Daily Gull"},
		{"h2 if there is no h1", `<title>Gulls learn to read maps : Nature : Somewhere</title><h2>Gulls learn to read maps</h2><h2>Other news of the day</h2>`, "Gulls learn to read maps"},
		{"entities encoded twice", `<title>Gulls &amp;amp; maps: a &amp;quot;love&amp;quot; story</title>`, `Gulls & maps: a "love" story`},
		{"white space", "<h1>Gulls\n  learn\u00a0to<br>read maps</h1>", "Gulls learn to read maps"},
		{"a kicker inside the h1", `<meta property="og:title" content="Gulls learn to read maps"><h1><span>Nature</span> <span>Gulls learn to read maps</span></h1>`, "Gulls learn to read maps"},
		{"a kicker above that the title has", `<meta property="og:title" content="Nature study: Gulls read maps"><div>Nature study</div><h1>Gulls read maps</h1>`, "Nature study: Gulls read maps"},
		{"JSON-LD", `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Gulls learn to read maps"}</script><p>x</p>`, "Gulls learn to read maps"},
		{"a heading if the page has no title", `<h1>Gulls</h1>`, "Gulls"},
		{"a heading if the title is the site's name", og + `<title>The Daily Gull</title><h3>Gulls learn to read maps</h3>`, "Gulls learn to read maps"},
		{"Chinese without spaces", `<title>海鸥学会看地图_新闻_某某网</title><div>海鸥学会看地图</div>`, "海鸥学会看地图"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := read(t, c.page+body); f.Title != c.want {
				t.Errorf("title = %q, want %q", f.Title, c.want)
			}
		})
	}
}

func TestTitleOfMethod(t *testing.T) {
	d, err := dom.Parse(context.Background(), []byte(`<title>Something else</title><h1>Wrong one here</h1><div>Gulls learn to read</div>`), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f := Read(d, Options{Title: d.First(dom.Div), Body: dom.None}); f.Title != "Gulls learn to read" {
		t.Errorf("title = %q: not the one that was given", f.Title)
	}
}
