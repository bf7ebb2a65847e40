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
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// learnPages returns a profile that has learned from the first pages of a made-up
// site.
func learnPages(t *testing.T, s *newsroom.Site, pages int) *site.Profile {
	t.Helper()
	p := site.New(s.Name)
	for i := range pages {
		page := s.Page(i)
		x, err := newExtractor(t).Explain(t.Context(), bytes.NewReader(page.HTML), lede.WithURL(page.Gold.URL))
		if err != nil {
			t.Fatal(err)
		}
		p.Add(x.Observe())
	}
	return p
}

func firstSite(t *testing.T) *newsroom.Site {
	t.Helper()
	s, ok := newsroom.New(1).Site(newsroom.Sites()[0])
	if !ok {
		t.Fatal("no site")
	}
	return s
}

// everything is a method that keeps the whole page.
type everything struct{}

func (everything) Name() string { return "everything" }

func (everything) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	return &method.Selection{Title: dom.None, Keep: []dom.Node{p.Doc.Root()}}, nil
}

// nothing is a method that never finds an article.
type nothing struct{}

func (nothing) Name() string { return "nothing" }

func (nothing) Select(context.Context, *method.Page) (*method.Selection, error) {
	return nil, method.ErrNoContent
}

// TestSiteRemovesBoilerplate checks that with a profile any method drops what the
// site repeats and keeps the article.
func TestWithSite(t *testing.T) {
	t.Parallel()
	s := firstSite(t)
	p := learnPages(t, s, 10)
	page := s.Page(20)
	all := func(opts ...lede.Option) string {
		t.Helper()
		a, err := lede.Extract(t.Context(), bytes.NewReader(page.HTML), append(opts, lede.WithURL(page.Gold.URL), lede.WithCustomMethod(everything{}))...)
		if err != nil {
			t.Fatal(err)
		}
		return a.Text()
	}
	without, with := all(), all(lede.WithSite(p))
	noise := func(text string) (n int) {
		for _, w := range page.Gold.Without {
			if strings.Contains(text, w) {
				n++
			}
		}
		return n
	}
	if before, after := noise(without), noise(with); after >= before {
		t.Errorf("%d of %d unwanted snippets, with a profile %d", before, len(page.Gold.Without), after)
	}
	for line := range strings.Lines(page.Gold.Text) {
		if line = strings.TrimSpace(line); len(line) > 100 && strings.Contains(without, line) && !strings.Contains(with, line) {
			t.Errorf("missing: %s", line)
		}
	}
}

// TestSiteFindsBody checks that if a method finds nothing, the place where the
// site has its articles is used.
func TestWithSiteNothingFound(t *testing.T) {
	t.Parallel()
	s := firstSite(t)
	p := learnPages(t, s, 10)
	page := s.Page(20)
	a, err := lede.Extract(t.Context(), bytes.NewReader(page.HTML), lede.WithURL(page.Gold.URL), lede.WithCustomMethod(nothing{}), lede.WithSite(p))
	if err != nil || len(a.Text()) < len(page.Gold.Text)/2 {
		t.Errorf("got %v, %v", a, err)
	}
	if _, err := lede.Extract(t.Context(), bytes.NewReader(page.HTML), lede.WithCustomMethod(nothing{})); !errors.Is(err, lede.ErrNoContent) {
		t.Errorf("without a profile: %v", err)
	}
}

// lister is a method that reads the profile itself and takes each page for a list.
type lister struct{}

func (lister) Name() string { return "lister" }

func (lister) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	return &method.Selection{Title: dom.None, Keep: []dom.Node{p.Doc.First(dom.Ul)}, Type: article.TypeIndex}, nil
}

func (m lister) SelectWithSite(ctx context.Context, p *method.Page) (plain, known *method.Selection, err error) {
	plain, err = m.Select(ctx, p)
	return plain, nil, err
}

// bodySite is a site that has its stories in the first div.
type bodySite struct{ *dom.Document }

func (s bodySite) Match(*site.Fingerprint) *method.Site {
	return &method.Site{Pages: 10, Body: s.First(dom.Div), Headline: dom.None}
}

// TestWithSiteNoArticle checks that the text of a page that is no article is not
// replaced by what is at the place where the site has its stories.
func TestWithSiteNoArticle(t *testing.T) {
	t.Parallel()
	d, err := dom.Parse(t.Context(), []byte("<ul><li>Council votes on bridge<li>Harbour closed</ul><div>"+strings.Repeat("Write to us and win two tickets. ", 10)+"</div>"), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := lede.New(lede.WithCustomMethod(lister{}), lede.WithSite(bodySite{d}))
	if err != nil {
		t.Fatal(err)
	}
	a, err := x.ExtractDocument(t.Context(), d)
	if err != nil || !strings.Contains(a.Text(), "Harbour closed") || strings.Contains(a.Text(), "tickets") {
		t.Errorf("got %v, %v", a, err)
	}
}

// TestSamePageAgain checks that reading a page many times does not make its text
// boilerplate.
func TestWithSiteSamePage(t *testing.T) {
	t.Parallel()
	s := firstSite(t)
	page := s.Page(0)
	p := site.New(s.Name)
	want := ""
	for range 30 {
		x, err := newExtractor(t).Explain(t.Context(), bytes.NewReader(page.HTML), lede.WithURL(page.Gold.URL), lede.WithSite(p))
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = x.Article.Text()
		}
		if got := x.Article.Text(); got != want {
			t.Fatalf("the text changed from %d to %d bytes", len(want), len(got))
		}
		p.Add(x.Observe())
	}
}
