package metadata

import (
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestTitle(t *testing.T) {
	const og = `<meta property="og:site_name" content="The Daily Gull">`
	for _, c := range []struct{ name, page, want string }{
		{"h1 over a longer og:title", og + `<meta property="og:title" content="Gulls learn to read maps - The Daily Gull"><h1>Gulls learn to read maps</h1>`, "Gulls learn to read maps"},
		{"h1 over a truncated title", og + `<title>Gulls learn to read maps and then …</title><h1>Gulls learn to read maps and then teach their young</h1>`, "Gulls learn to read maps and then teach their young"},
		{"h1 over other punctuation", og + `<title>Gulls "learn" to read maps</title><h1>Gulls ‘learn’ to read maps</h1>`, "Gulls ‘learn’ to read maps"},
		{"suffix with a bar", og + `<title>Gulls learn to read maps | The Daily Gull</title>`, "Gulls learn to read maps"},
		{"suffix with a dash and a section", og + `<title>Gulls learn to read maps – The Daily Gull</title>`, "Gulls learn to read maps"},
		{"prefix with a colon", og + `<title>The Daily Gull: Gulls learn to read maps</title>`, "Gulls learn to read maps"},
		{"guillemets", og + `<title>Gulls learn to read maps « The Daily Gull</title>`, "Gulls learn to read maps"},
		{"name of the host", `<title>Gulls learn to read maps | Quay Courier</title>`, "Gulls learn to read maps"},
		{"name of the site in the footer", `<title>Ferry back | The Quayside Herald</title><h1>Ferry back</h1>` + body + `<footer><p>The Quayside Herald</p></footer>`, "Ferry back"},
		{"name of the site in a footer by name", `<title>Ferry back | The Quayside Herald</title><h1>Ferry back</h1>` + body + `<div id="page-footer"><p>The Quayside Herald</p></div>`, "Ferry back"},
		{"Korean, with section and site", `<meta property="og:site_name" content="나루일보"><meta property="og:title" content="다리가 다시 열렸다-정치ㅣ나루일보"><meta property="article:section" content="정치">`, "다리가 다시 열렸다"},
		{"section and site, and a dash in the headline", og + `<meta property="article:section" content="Nature"><title>Gulls - all of them - read maps - Nature | The Daily Gull</title>`, "Gulls - all of them - read maps"},
		{"section and name when the rest is on the page", `<title>Gulls learn to read maps – Nature – Elsewhere</title><div>Gulls learn to read maps</div>`, "Gulls learn to read maps"},
		{"a dash of the headline stays", og + `<title>Gulls learn to read maps - slowly | The Daily Gull</title>`, "Gulls learn to read maps - slowly"},
		{"a colon of the headline stays", og + `<title>Maps: gulls learn to read them</title>`, "Maps: gulls learn to read them"},
		{"the best of several h1", og + `<title>Gulls learn to read maps</title><h1>Subscribe to our letter today</h1><h1>Gulls learn to read maps at last</h1>`, "Gulls learn to read maps at last"},
		{"logo", og + `<title>Gulls learn to read maps | The Daily Gull</title><h1>The Daily Gull</h1><h2>Gulls learn to read maps</h2>`, "Gulls learn to read maps"},
		{"the logo as a link home", `<title>Gulls learn to read maps</title><header><h1><a href="/">Wings and Waves Weekly</a></h1></header>`, "Gulls learn to read maps"},
		{"not only the site name", og + `<meta property="og:title" content="The Daily Gull"><title>Gulls learn to read maps | The Daily Gull</title>`, "Gulls learn to read maps"},
		{"site name if there is nothing else", og + `<title>The Daily Gull</title>`, "The Daily Gull"},
		{"h2 if there is no h1", `<title>Gulls learn to read maps : Nature : Somewhere</title><h2>Gulls learn to read maps</h2><h2>Other news of the day</h2>`, "Gulls learn to read maps"},
		{"entities encoded twice", `<title>Gulls &amp;amp; maps: a &amp;quot;love&amp;quot; story</title>`, `Gulls & maps: a "love" story`},
		{"white space", "<h1>Gulls\n  learn\u00a0to<br>read maps</h1>", "Gulls learn to read maps"},
		{"a kicker inside the h1", `<meta property="og:title" content="Gulls learn to read maps"><h1><span>Nature</span> <span>Gulls learn to read maps</span></h1>`, "Gulls learn to read maps"},
		{"a kicker above that the title has", `<meta property="og:title" content="Nature study: Gulls read maps"><div>Nature study</div><h1>Gulls read maps</h1>`, "Nature study: Gulls read maps"},
		{"JSON-LD", `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Gulls learn to read maps"}</script><p>x</p>`, "Gulls learn to read maps"},
		{"a heading if the page has no title", `<h1>Gulls</h1>`, "Gulls"},
		{"a heading if the title is the site's name", og + `<title>The Daily Gull</title><h3>Gulls learn to read maps</h3>`, "Gulls learn to read maps"},
		{"breadcrumb", `<title>Gulls and maps explained</title><meta property="og:title" content="Gulls learn to read maps"><ol class="breadcrumbs"><li><a href="/n">Nature</a></li><li><h1>Gulls and maps explained</h1></li></ol><h2>Gulls learn to read maps</h2>`, "Gulls learn to read maps"},
		{"breadcrumb if there is nothing else", `<title>Gulls and maps explained | Elsewhere</title><nav class="crumbs"><a href="/n">Nature</a> <h1>Gulls and maps explained</h1></nav>`, "Gulls and maps explained"},
		{"link above is not a breadcrumb", `<title>Gulls learn to read maps</title><div><a href="/n">Nature</a><h1>Gulls learn to read maps at last</h1></div>`, "Gulls learn to read maps at last"},
		{"whole heading if one source has it", `<meta property="og:title" content="Gulls learn to read maps"><title>Nature award: Gulls learn to read maps</title><h1>Nature award: Gulls learn to read maps</h1>`, "Nature award: Gulls learn to read maps"},
		{"another kicker inside the h1", `<meta property="og:title" content="Study of birds: Gulls learn to read maps"><h1><span>Nature</span> <span>Gulls learn to read maps</span></h1>`, "Gulls learn to read maps"},
		{"a kicker inside the h1 and a section in the title", og + `<title>Gulls learn to read maps - Birds - The Daily Gull</title><h1><span>Nature</span> Gulls learn to read maps</h1>`, "Gulls learn to read maps"},
		{"encoded twice in the h1", `<title>Gulls &amp; maps at sea</title><h1>Gulls &amp;amp; maps at sea</h1>`, "Gulls & maps at sea"},
		{"a tag as a word", `<title>Thirty years of the gull tag</title><h1>Thirty years of the &lt;gull&gt; tag</h1>`, "Thirty years of the <gull> tag"},
		{"filed under another headline", `<title>Storm at the coast: all news</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"Storm at the coast: all news"}</script><h1>Ferries stay in port +++ Bridge closed</h1>`, "Storm at the coast: all news"},
		{"the same on a page that is not news", `<title>Storm at the coast: all news</title><script type="application/ld+json">{"@type":"BlogPosting","headline":"Storm at the coast: all news"}</script><h1>Ferries stay in port today</h1>`, "Ferries stay in port today"},
		{"hyphen in a word", og + `<title>Gulls learn to read maps of the Benko-Firma | The Daily Gull</title><nav><a href="/n">Firma</a></nav>`, "Gulls learn to read maps of the Benko-Firma"},
		{"Chinese without spaces", `<title>海鸥学会看地图_新闻_某某网</title><div>海鸥学会看地图</div>`, "海鸥学会看地图"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := read(t, c.page+body); f.Title != c.want {
				t.Errorf("title = %q, want %q", f.Title, c.want)
			}
		})
	}
}

// The headline of a method is used unless the page has a better one.
func TestSelectedTitle(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"no title", `<h2>Wrong one here</h2><div>Gulls learn to read</div>`, "Gulls learn to read"},
		{"similar title", `<title>How gulls learn reading</title><h2>Wrong one here</h2><div>Gulls learn to read</div>`, "Gulls learn to read"},
		{"other title", `<title>Cranes stand still today</title><h1>Cranes stand still today</h1><div>Gulls learn to read</div>`, "Cranes stand still today"},
		{"a logo", `<title>Cranes stand still</title><div><a href="/">Gulls learn to read</a></div>`, "Cranes stand still"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, c.page)
			if f := Read(d, Options{Title: d.First(dom.Div), Body: dom.None}); f.Title != c.want {
				t.Errorf("title = %q, want %q", f.Title, c.want)
			}
		})
	}
}
