package lede_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/method"
)

// keepParagraphs is a method that keeps every <p> and nothing else.
var keepParagraphs = methodFunc(func(_ context.Context, p *method.Page) (*method.Selection, error) {
	sel := &method.Selection{Title: dom.None}
	for n := range p.Doc.All(p.Doc.Root(), dom.P) {
		sel.Keep = append(sel.Keep, n)
	}
	return sel, nil
})

func TestForm(t *testing.T) {
	t.Parallel()
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
			if isVideo := c.want == article.FormVideo; isVideo != (a.Type == article.TypeOther) {
				t.Errorf("type %s", a.Type)
			}
		})
	}
}

func TestPaywalled(t *testing.T) {
	t.Parallel()
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

func TestTables(t *testing.T) {
	t.Parallel()
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
					t.Errorf("table kept: %v\n%s", got, x.Article.Text())
				}
				for _, v := range x.Decisions() {
					if c.want && strings.HasPrefix(v.Text, "Sandmouth") && (v.Role != "kept" || v.Why == "") {
						t.Errorf("the explanation is wrong: %+v", v)
					}
				}
				a, err := e.Extract(t.Context(), strings.NewReader(page))
				if err != nil || strings.Contains(a.Text(), "Sandmouth") {
					t.Errorf("%v: the table is kept without WithTables:\n%s", err, a.Text())
				}
			})
		}
	}
	a, err := lede.Extract(t.Context(), strings.NewReader("<article>"+prose+prose+"</article><div><table>"+row+"</table></div>"), lede.WithCustomMethod(keepParagraphs), lede.WithTables(true))
	if err != nil || strings.Contains(a.Text(), "Sandmouth") {
		t.Errorf("%v: a table outside the story is kept:\n%s", err, a.Text())
	}
}

// TestComments checks that the comments of the made-up sites are found, one by
// one, and nothing else.
func TestComments(t *testing.T) {
	t.Parallel()
	written := 0
	var missing []string
	for _, s := range newsroom.New(4).Sites() {
		for i := range 3 {
			p := s.Page(i)
			a, err := lede.Extract(t.Context(), bytes.NewReader(p.HTML), lede.WithURL(p.Gold.URL), lede.WithComments(true))
			if err != nil {
				t.Errorf("%s: %v", p.Gold.ID, err)
				continue
			}
			found := map[string]bool{}
			for _, got := range a.Comments {
				n := 0
				for _, want := range p.Gold.Comments {
					if strings.Contains(got, want) {
						found[want] = true
						n++
					}
				}
				if n != 1 {
					t.Errorf("%s: %d comments in %q", p.Gold.ID, n, got)
				}
			}
			for _, want := range p.Gold.Comments {
				written++
				if !found[want] {
					missing = append(missing, p.Gold.ID+": "+want)
				}
			}
		}
	}
	if written == 0 || len(missing) > 0 {
		t.Errorf("of %d comments these are missing: %q", written, missing)
	}
}

// TestLayout checks that a method sees the layout of the Layouter, and that an
// error of the Layouter fails the page.
func TestWithLayout(t *testing.T) {
	t.Parallel()
	page := examplePage
	asked := 0
	lay := func(_ context.Context, d *dom.Document, url string) (*method.Layout, error) {
		if asked++; url != "https://quay-courier.example/lighthouse" {
			t.Errorf("asked for %q", url)
		}
		return layout.Estimate(d, method.Screen{Width: 1280, Height: 1024}), nil
	}
	a, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithURL("https://quay-courier.example/lighthouse"), lede.WithMethod("wrapper"), lede.WithLayout(lay))
	if err != nil || asked != 1 || a.Title != "Lighthouse sold" {
		t.Errorf("got %+v, %v, asked %d times", a, err, asked)
	}
	broken := errors.New("no browser today")
	_, err = lede.Extract(t.Context(), strings.NewReader(page), lede.WithLayout(func(context.Context, *dom.Document, string) (*method.Layout, error) {
		return nil, broken
	}))
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestInvalidOptions checks that an invalid option is an error of New and of
// Extract, before the page is read.
func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opt  lede.Option
		want error
	}{
		"unknown method":   {lede.WithMethod("magic"), lede.ErrUnknownMethod},
		"nil method":       {lede.WithCustomMethod(nil), lede.ErrUnknownMethod},
		"unknown setting":  {lede.WithMethod("nce", "z9=1"), lede.ErrOption},
		"not a setting":    {lede.WithMethod("nce", "a1"), lede.ErrOption},
		"not a number":     {lede.WithMethod("nce", "a1=few"), lede.ErrOption},
		"unknown charset":  {lede.WithCharset("klingon-8"), lede.ErrCharset},
		"a nil neighbour":  {lede.WithNeighbours(nil), lede.ErrOption},
		"a negative limit": {lede.WithLimits(lede.Limits{Nodes: -1}), lede.ErrOption},
	} {
		t.Run(name, func(t *testing.T) {
			if e, err := lede.New(c.opt); !errors.Is(err, c.want) || e != nil {
				t.Errorf("New returns %v, %v; want %v", e, err, c.want)
			}
			page := strings.NewReader(prose)
			if _, err := lede.Extract(t.Context(), page, c.opt); !errors.Is(err, c.want) || page.Len() != len(prose) {
				t.Errorf("Extract returns %v after %d bytes; want %v", err, len(prose)-page.Len(), c.want)
			}
		})
	}
}

// TestPageOptions checks that a method sees the options that describe the page.
func TestPageOptions(t *testing.T) {
	t.Parallel()
	var seen method.Page
	m := methodFunc(func(_ context.Context, p *method.Page) (*method.Selection, error) {
		seen = *p
		return nil, method.ErrNoContent
	})
	_, err := lede.Extract(t.Context(), strings.NewReader(prose), lede.WithCustomMethod(m), lede.WithURL("https://paper.example/bridge"),
		lede.WithLinkText("A bridge for Marston"), lede.WithFavor(lede.FavorRecall))
	if !errors.Is(err, lede.ErrNoContent) {
		t.Fatal(err)
	}
	if seen.URL != "https://paper.example/bridge" || seen.LinkText != "A bridge for Marston" || seen.Favor != lede.FavorRecall || !seen.NoReasons {
		t.Errorf("the method sees %+v", seen)
	}
}
