package blend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

var testWeights = &SiteWeights{siteInside: 1, siteOutside: 2, siteBox: 4, siteHeading: 0.5, siteLabel: 0.5, siteRepeats: -1}

// TestSelectWithSite checks that how the places of a page were judged on other pages
// decides about a box that looks like the story, that the selection without the site
// stays as it is, and that the reason is named.
func TestSelectWithSite(t *testing.T) {
	html := func(i int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "<title>Story %d</title><body><h1>Story %[1]d</h1><div class=story>", i)
		for k := range 6 {
			fmt.Fprintf(&b, "<p>Paragraph %d of story %d: the council met on Monday, said the mayor, and agreed to pay for the bridge.</p>", k, i)
			if k == 2 {
				fmt.Fprintf(&b, "<p class=memory>Some %d years ago, readers may remember, the old bridge was closed, and nobody wanted to pay for it.</p>", i)
			}
		}
		return b.String()
	}
	p := site.New("")
	for i := range 8 {
		d := methodtest.Parse(t, html(i))
		sel := &method.Selection{Title: dom.None, Keep: []dom.Node{d.Parent(d.First(dom.P))}}
		for n := range d.All(0, dom.P) {
			if d.Attr(n, "class") == "memory" {
				sel.Drop = append(sel.Drop, n)
			}
		}
		p.Add(site.NewFingerprint(d).Observe("", sel, &article.Article{Type: article.TypeArticle, Confidence: 1}))
	}
	model := *embeddedModel()
	model.Site = testWeights
	d := methodtest.Parse(t, html(20))
	page := &method.Page{Doc: d, Site: p.Match(site.NewFingerprint(d))}
	plain, known, err := New(Config{Model: &model}).SelectWithSite(t.Context(), page)
	if err != nil || known == nil {
		t.Fatal(known, err)
	}
	if want, _ := New(Config{}).Select(t.Context(), &method.Page{Doc: d}); plain.Text(d) != want.Text(d) {
		t.Errorf("without the site %q, want %q", plain.Text(d), want.Text(d))
	}
	const box = "20 years ago"
	if !strings.Contains(plain.Text(d), box) || strings.Contains(known.Text(d), box) || !strings.Contains(known.Text(d), "Paragraph 5") {
		t.Errorf("without the site:\n%s\nwith it:\n%s", plain.Text(d), known.Text(d))
	}
	named := false
	for _, r := range known.Reasons {
		named = named || strings.Contains(r.Why, "in a box that is hardly ever part of a story on this site") &&
			strings.Contains(r.Why, " (by the page alone ") && strings.Contains(d.Text(r.Node), box)
	}
	if !named {
		t.Errorf("no reason names the site: %v", known.Reasons)
	}
	checkReasons(t, "known site", d, known)

	model.Site = nil
	if _, known, err := New(Config{Model: &model}).SelectWithSite(t.Context(), page); known != nil || err != nil {
		t.Errorf("a model that knows nothing about sites: %v, %v", known, err)
	}
}

// TestSiteUnknown checks that blocks of which the site knows nothing keep their
// probabilities, and that what all pages have is dropped.
func TestSiteUnknown(t *testing.T) {
	d := methodtest.Parse(t, "<p>One line of text.<p>Another line of text.")
	v := blocks.Read(d, new(blocks.Tables))
	first := v.Blocks[0]
	s := &method.Site{Pages: 10, Static: make([]bool, d.Len()), Rows: []method.SiteRow{{First: first.First, Last: first.Last, Repeats: 1}}}
	s.Static[first.First] = true
	got := testWeights.Probabilities(SiteRows(v, []float32{0.9, 0.7}, s))
	if got[0] > 0.05 || got[1] < 0.699 || got[1] > 0.701 {
		t.Errorf("got %v", got)
	}
}

// TestSiteRepeatsAreAll checks that what other pages have too is dropped, but not
// if that leaves less than half of what is kept without the site.
func TestSiteRepeatsAreAll(t *testing.T) {
	const note = "The paper does not vouch for what this page says, and asks readers to check it."
	for story, want := range map[string]bool{
		"The harbour is closed.": true,
		"The harbour is closed until Monday, because the storm has torn the gates of the lock from their hinges, said its master.": false,
	} {
		d := methodtest.Parse(t, "<p>"+story+"<p>"+note+"<p>Imprint")
		v := blocks.Read(d, new(blocks.Tables))
		rows := make([]SiteRow, 3)
		for i := range rows {
			rows[i].Static = i > 0
			rows[i].Features[siteRepeats] = 2
		}
		first := choice{View: v, page: d, kept: []bool{true, true, false}}
		s := siteChoice{rows: rows}
		s.checkRepeats(&first)
		if !rows[2].Static || rows[1].Static == want || (rows[1].Features[siteRepeats] == 0) != want {
			t.Errorf("%q: got %+v", story, rows)
		}
	}
}

// TestSiteParts checks that a heading between two paragraphs and the cells of a table
// stay, though other pages have them too, and that the heading of a box does not.
func TestSiteParts(t *testing.T) {
	d := methodtest.Parse(t, "<p>The council met on Monday.<h2>Background</h2><p>The old bridge was closed."+
		"<table><tr><td>Town<td>Budget<tr><td>Brackwater<td>12</table><h2>Most read</h2><p>Ten tips for the garden.")
	v := blocks.Read(d, new(blocks.Tables))
	s := siteChoice{rows: make([]SiteRow, len(v.Blocks))}
	first := choice{View: v, page: d, kept: make([]bool, len(v.Blocks))}
	want := map[string]bool{"Background": false, "Town": false, "Budget": false, "Most read": true}
	for i := range v.Blocks {
		_, s.rows[i].Static = want[v.Text(i)]
		first.kept[i] = i+1 < len(v.Blocks)
	}
	s.checkRepeats(&first)
	for i := range v.Blocks {
		if got := s.rows[i].Static; got != want[v.Text(i)] {
			t.Errorf("%s: static is %v", v.Text(i), got)
		}
	}
}

// TestSiteSecondStory checks that a second story, in the place where the site has its
// stories, does not gain by it.
func TestSiteSecondStory(t *testing.T) {
	s := siteChoice{rows: make([]SiteRow, 40)}
	for i := range s.rows {
		s.rows[i].Features[siteInside] = 1
	}
	first := choice{kept: make([]bool, len(s.rows))}
	first.kept[3], first.kept[9] = true, true
	s.checkPlaces(&first)
	for i, want := range map[int]float32{0: 1, 6: 1, 12: 1, 30: 0} {
		if got := s.rows[i].Features[siteInside]; got != want {
			t.Errorf("block %d: got %g, want %g", i, got, want)
		}
	}
}

func TestSiteWeightsRoundTrip(t *testing.T) {
	m := *embeddedModel()
	for _, w := range []*SiteWeights{nil, testWeights} {
		m.Site = w
		b, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var back Model
		if err := back.UnmarshalBinary(b); err != nil || (back.Site == nil) != (w == nil) || w != nil && *back.Site != *w {
			t.Errorf("got %v, %v; want %v", back.Site, err, w)
		}
	}
}
