package twcem_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/twcem"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/method"
)

// TestMicroblogs measures the preset on made-up microblogs with the texts of the
// links on their home pages, as the paper has its titles.
func TestMicroblogs(t *testing.T) {
	const posts = 30 // that the home page links to
	plain := twcem.Microblog()
	plain.Post = false
	for _, s := range newsroom.Microblogs(3).Sites() {
		home := s.Index("")
		var texts links.Texts
		texts.AddPage(methodtest.Parse(t, string(home.HTML)), home.Gold.URL)
		f1 := func(c twcem.Config, linked bool) float64 {
			var all []measure.PRF
			for i := range posts {
				page := s.Page(i)
				p := &method.Page{Doc: methodtest.Parse(t, string(page.HTML)), URL: page.Gold.URL}
				if linked {
					if p.LinkText = texts.Find(page.Gold.URL); p.LinkText == "" {
						t.Errorf("%s: no link text", page.Gold.ID)
					}
				}
				text := ""
				if sel, err := twcem.New(c).Select(context.Background(), p); err == nil {
					text = sel.Text(p.Doc)
				}
				all = append(all, measure.Score(&corpus.Gold{Text: page.Gold.Text}, "", text))
			}
			return measure.Mean(all).F1
		}
		linked, unlinked, paper := f1(twcem.Microblog(), true), f1(twcem.Microblog(), false), f1(plain, true)
		t.Logf("%s: bag F1 %.3f with link texts, %.3f without, %.3f with link texts and without post", s.Name, linked, unlinked, paper)
		if linked < 0.95 || linked < unlinked+0.5 || linked < paper+0.5 {
			t.Errorf("%s: bag F1 %.3f with link texts, %.3f without, %.3f with link texts and without post", s.Name, linked, unlinked, paper)
		}
	}
}

func TestPostIsOneBlock(t *testing.T) {
	const (
		other   = `<article><b>Bo</b><div>The gate of the lock is shut, they say.</div></article>`
		replies = `<ul><li><b>Cy</b> So it is stuck again, that gate.</li><li><b>Di</b> Again!</li></ul>`
		long    = `Nobody knows why, and nobody asks any more, for it was always so, and always will be. `
	)
	for name, test := range map[string]struct {
		page, link string
		want       []string
	}{
		"one element": {
			`<title>Al on Chat</title>` + other + `<article><b>Al</b><div>Sluice gate stuck again. We are late, sorry.<br>#Sluice</div>` +
				`<time>3:05</time></article>` + replies + other,
			"Sluice gate stuck again…",
			[]string{"Sluice gate stuck again. We are late, sorry.", "#Sluice"},
		},
		"paragraphs": {
			`<article><b>Al</b><div><p>Sluice gate stuck again.</p><p>We are late, sorry.</p></div><time>3:05</time></article>` + replies,
			"Sluice gate stuck again",
			[]string{"Sluice gate stuck again.", "We are late, sorry."},
		},
		"inline elements": {
			`<div>` + other + `<div><span><a href="/al">Sluice</a> gate <b>stuck</b></span> again, <i>sorry</i></div>` + replies + `</div>`,
			"Sluice gate stuck again",
			[]string{"Sluice gate stuck again, sorry"},
		},
		"the title alone, and in a list of links": {
			`<ul><li><a href="/1">Sluice gate stuck again</a></li></ul><article><b>Al</b><div>Sluice gate stuck again</div></article>` + replies,
			"Sluice gate stuck again",
			[]string{"Sluice gate stuck again"},
		},
		"the meta title": {
			`<title>Al on Chat: Sluice gate stuck again, sorry</title>` + other + `<article><b>Al</b><div>Sluice gate stuck again, sorry.</div></article>` + replies,
			"",
			[]string{"Sluice gate stuck again, sorry."},
		},
		"a heading has its text below": {
			`<article><h1>Sluice gate stuck again</h1><p>The gate is stuck, says Al.</p><p>Nobody minds the sluice, again.</p></article>`,
			"Sluice gate stuck again",
			[]string{"The gate is stuck, says Al.", "Nobody minds the sluice, again."},
		},
		"too long for a post": {
			`<p>The sluice, as ever.</p><div>Sluice gate stuck again. ` + strings.Repeat(long, 12) + `</div><p>No more.</p><p>The sluice gate, again.</p>`,
			"Sluice gate stuck again",
			nil, // as without post
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := &method.Page{Doc: methodtest.Parse(t, test.page), LinkText: test.link}
			if test.want == nil {
				plain := twcem.Microblog()
				plain.Post = false
				test.want = choose(t, plain, p)
			}
			want(t, choose(t, twcem.Microblog(), p), test.want...)
		})
	}
}
