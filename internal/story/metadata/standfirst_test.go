package metadata

import (
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestShownStandfirst(t *testing.T) {
	const head = `<title>Cranes stand still at the east basin</title><meta property="og:description" content="`
	const headline = `"><h1>Cranes stand still at the east basin</h1>`
	const body = `<p>The harbour was quiet on Monday for the first time in nine years, and the gulls had it to themselves.</p>
<p>Ships waited outside the breakwater, twelve of them by the evening, and the pilots went home.</p>`
	for _, c := range []struct{ name, page, want string }{
		{"only a description", head + `Crews vote on pay.` + headline + body, ""},
		{"by a specific name", head + `Crews vote on pay.` + headline + `<p class="article__subTitle">Crews have voted for a day without work</p>` + body,
			"Crews have voted for a day without work"},
		{"by a data attribute", head + `Crews vote on pay.` + headline + `<p data-part="standfirst">Crews have voted for a day without work</p>` + body,
			"Crews have voted for a day without work"},
		{"by a general name", head + `Crews vote on pay.` + headline + `<div class="story-intro"><p>Crews at the east basin have voted for a day without any work.</p></div>` + body,
			"Crews at the east basin have voted for a day without any work."},
		{"a caption", head + `Crews vote on pay.` + headline + `<figure><img src=a.jpg><figcaption class="lead">The cranes at the east basin in the light of the evening.</figcaption></figure>` + body,
			""},
		{"a teaser", head + `Crews vote on pay.` + headline + `<a class="teaser" href="/b"><p class="teaser">Harbour master says that he did not see any of it coming</p></a>` + body,
			""},
		{"a variant of the description", head + `Dockers at the east basin vote for a day without work to get more pay.` + headline +
			`<p class="x9">Dockers at the wide east basin vote for a whole day without work to get more pay.</p>` + body,
			"Dockers at the wide east basin vote for a whole day without work to get more pay."},
		{"a heading", head + `Crews vote on pay.` + headline + `<h2>Crews at the east basin want more pay and fewer nights, and have voted for it</h2>` + body,
			"Crews at the east basin want more pay and fewer nights, and have voted for it"},
		{"a sub-heading", head + `Crews vote on pay.` + headline + `<h2>The vote</h2>` + body, ""},
		{"a named sub-heading after text", head + `Crews vote on pay.` + headline + body + `<h2 class="subheadline">What the crews have asked for since May</h2>` + body, ""},
		{"the headline again", head + `Crews vote on pay.` + headline + `<p class="subtitle">Cranes stand still at the east basin</p>` + body, ""},
		{"the first of the paragraphs", head + `The harbour was quiet on Monday for the first time in nine years, and the…` + headline + body, ""},
		{"a paragraph in the middle", head + `Ships waited outside the breakwater, twelve of them by the evening.` + headline + body, ""},
		{"a bold first paragraph", head + `Crews at the east basin have voted for a day without any work.` + headline +
			`<p><b>Crews at the east basin have voted for a day without any work.</b></p>` + body, "Crews at the east basin have voted for a day without any work."},
		{"with a byline", head + `Crews vote on pay.` + headline + `<p class="standfirst">Crews have voted for a day without work. By Mara Ostrow</p>` + body,
			"Crews have voted for a day without work."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Read(parse(t, c.page), Options{Title: dom.None, Body: dom.None}).Standfirst; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Names are compared by their words, which a random name does not have.
func TestNameKind(t *testing.T) {
	for _, c := range []struct {
		name string
		want nameKind
	}{
		{"standfirst", specificName}, {"c-article__standfirst--wide", specificName}, {"articleSubTitle", specificName}, {"sub-headline", specificName},
		{"article-lead", generalName}, {"ArticleIntro", generalName}, {"lead-image", excludedName}, {"leader", otherName},
		{"css-deck9f0c2", otherName}, {"p-3dek9f0c2b1e4", otherName}, {"headline", otherName}, {"", otherName}, {"ÄÖ", otherName},
	} {
		if got := nameKindOf(c.name); got != c.want {
			t.Errorf("%q: got %v, want %v", c.name, got, c.want)
		}
	}
}
