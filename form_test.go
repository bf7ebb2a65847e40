package lede_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// keepParagraphs takes every <p> for the story and nothing else.
var keepParagraphs = methodFunc(func(_ context.Context, p *method.Page) (*method.Selection, error) {
	sel := &method.Selection{Title: dom.None}
	for n := range p.Doc.All(p.Doc.Root(), dom.P) {
		sel.Keep = append(sel.Keep, n)
	}
	return sel, nil
})

func TestForm(t *testing.T) {
	long := strings.Repeat(prose, 8)
	for name, c := range map[string]struct {
		page string
		want article.Form
	}{
		"a story":             {long, ""},
		"live blog":           {`<script type="application/ld+json">{"@type":"LiveBlogPosting","headline":"The bridge, live"}</script>` + long, article.FormLiveBlog},
		"gallery":             {`<script type="application/ld+json">{"@type":"ImageGallery","headline":"The bridge in pictures"}</script>` + prose, article.FormGallery},
		"video":               {`<meta property="og:type" content="video.other"><video src="a.mp4"></video>` + prose, article.FormVideo},
		"a story with a film": {`<meta property="og:type" content="video.other"><video src="a.mp4"></video>` + long, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := lede.Extract(t.Context(), strings.NewReader(c.page), lede.WithCustomMethod(keepParagraphs))
			if err != nil {
				t.Fatal(err)
			}
			if a.Form != c.want {
				t.Errorf("got %q, want %q", a.Form, c.want)
			}
		})
	}
}

func TestPaywalled(t *testing.T) {
	story := "<article>" + strings.Repeat(prose, 2)
	for name, c := range map[string]struct {
		page string
		want bool
	}{
		"free":                    {story + "</article>", false},
		"said for machines":       {`<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>` + story, true},
		"a wall behind the story": {story + `<div class="c-Subscriber_Wall"><div>Read on for one crown a week.</div></div></article>`, true},
		"a register wall":         {story + `<div id="regwall"><div>Register to read on.</div></div></article>`, true},
		"a wall further down":     {story + `</article><div>More of the day.</div><div class="subscribe-wall">Read on for one crown a week.</div>`, false},
		"another wall":            {story + `<div class="firewall wallpaper">A wall of ivy.</div></article>`, false},
		"an empty wall":           {story + `<div class="regwall"></div><div>Share</div></article>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := lede.Extract(t.Context(), strings.NewReader(c.page), lede.WithCustomMethod(keepParagraphs))
			if err != nil {
				t.Fatal(err)
			}
			if a.Paywalled != c.want {
				t.Errorf("paywalled is %v", a.Paywalled)
			}
		})
	}
}

func TestFavorReachesTheMethod(t *testing.T) {
	for _, want := range []method.Favor{method.Balanced, method.FavorPrecision, method.FavorRecall} {
		got := method.Favor(99)
		_, err := lede.Extract(t.Context(), strings.NewReader(prose), lede.WithFavor(want),
			lede.WithCustomMethod(methodFunc(func(ctx context.Context, p *method.Page) (*method.Selection, error) {
				got = p.Favor
				return keepParagraphs(ctx, p)
			})))
		if err != nil || got != want {
			t.Errorf("favor %d came as %d (%v)", want, got, err)
		}
	}
}

func TestTables(t *testing.T) {
	const row = "<tr><td>Sandmouth</td><td>4.50</td></tr><tr><td>Marram</td><td>6.00</td></tr>"
	for name, c := range map[string]struct {
		table string
		want  bool
	}{
		"figures":            {"<table>" + row + "</table>", true},
		"figures in a box":   {"<div><figure><table>" + row + "</table></figure></div>", true},
		"layout":             {"<table><tr><td>Sandmouth</td><td>4.50</td></tr></table>", false},
		"layout by its role": {`<table role="presentation">` + row + "</table>", false},
		"links":              {`<table><tr><td><a href="/1">Sandmouth</a></td><td><a href="/2">Marram</a></td></tr><tr><td><a href="/3">Orla</a></td><td>2</td></tr></table>`, false},
		"hidden":             {"<table hidden>" + row + "</table>", false},
	} {
		for where, page := range map[string]string{
			"inside": prose + c.table + prose, "at the end": prose + prose + c.table,
		} {
			t.Run(name+" "+where, func(t *testing.T) {
				e := newExtractor(t, lede.WithCustomMethod(keepParagraphs))
				x, err := e.Explain(t.Context(), strings.NewReader(page), lede.WithTables(true))
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.Contains(x.Article.Text(), "Sandmouth\t4.50"); got != c.want {
					t.Errorf("the table is there: %v\n%s", got, x.Article.Text())
				}
				for _, v := range x.Decisions() {
					if c.want && strings.HasPrefix(v.Text, "Sandmouth") && (v.Role != "kept" || v.Why == "") {
						t.Errorf("the explanation does not know: %+v", v)
					}
				}
				a, err := e.Extract(t.Context(), strings.NewReader(page))
				if err != nil || strings.Contains(a.Text(), "Sandmouth") {
					t.Errorf("%v: the table is there without being asked for:\n%s", err, a.Text())
				}
			})
		}
	}
	a, err := lede.Extract(t.Context(), strings.NewReader("<article>"+prose+prose+"</article><div><table>"+row+"</table></div>"), lede.WithCustomMethod(keepParagraphs), lede.WithTables(true))
	if err != nil || strings.Contains(a.Text(), "Sandmouth") {
		t.Errorf("%v: a table outside the story is kept:\n%s", err, a.Text())
	}
}
