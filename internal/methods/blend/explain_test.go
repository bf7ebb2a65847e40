package blend

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/method"
)

// chooseBy makes the choice for an article with the given probabilities.
func chooseBy(t *testing.T, page string, prob func(text string) float32) choice {
	t.Helper()
	d := methodtest.Parse(t, page)
	v := blocks.Read(d, new(blocks.Tables))
	v.Article = 1
	var probs []float32
	for i := range v.Blocks {
		probs = append(probs, prob(v.Text(i)))
	}
	c := newChoice(v, probs, &method.Page{Doc: d}, "")
	if !c.finish() {
		t.Fatalf("%s: no article", page)
	}
	return c
}

// TestRuleReasons has a block for every rule that the rule drops, although the
// model takes it for text of the article.
func TestRuleReasons(t *testing.T) {
	story := "<title>The heron</title><h1 class=title>The heron</h1>" +
		strings.Repeat("<p>The heron is back on the weir of Marston, this morning, with two young.</p>", 8)
	comments := strings.Repeat(`<div class="commentbody"><p>I saw it too, said a reader.</p></div>`, 3)
	menu := "<nav><p>Mills, weirs and herons of the valley.</p></nav><p><a href=x>All the news of the valley in one list.</a></p><p>Unlikely, yet the only text.</p>"
	certain := func(string) float32 { return 0.8 }
	unlikely := func(text string) float32 {
		if strings.HasPrefix(text, "Unlikely") {
			return 0.1
		}
		return 0.8
	}
	covered := map[string]bool{}
	for _, c := range []struct {
		page  string
		prob  func(string) float32
		block string // the beginning of its text
		want  string
	}{
		{story, certain, "The heron is", "80 %"},
		{story + "<p>Unlikely words.</p>", unlikely, "Unlikely", "10 %"},
		{story, certain, "The heron", "80 %, but left out: the headline"},
		{story + `<div class="comment"><p>I saw it.</p></div>`, certain, "I saw it.", "80 %, but left out: in a box named for readers' comments"},
		{story + "<p>By Ann Lee, 14 May 2024, 6:30</p>", certain, "By Ann", "80 %, but left out: a line with the date of publication"},
		{story + `<div><h1 class=title>The otter</h1><div><p>It was seen too, at the mill.</p></div></div>`, certain, "It was", "80 %, but left out: below the headline of another story"},
		{story + comments, certain, "I saw it too", "80 %, but left out: readers' comments"},
		{story + "<p><a href=x>Read also: the otter</a></p>", certain, "Read also", "80 %, but left out: a line of links"},
		{menu, unlikely, "Unlikely", "10 %, which is enough"},
		{menu, unlikely, "Mills", "80 %, but left out: in a menu, in a footer or part of a button"},
		{menu, unlikely, "All the news", "80 %, but left out: nothing but links"},
	} {
		ch := chooseBy(t, c.page, c.prob)
		i := slices.IndexFunc(ch.Blocks, func(b blocks.Block) bool {
			from, _ := ch.page.Span(b.First)
			return strings.HasPrefix(ch.page.AllText()[from:], c.block)
		})
		if got := ch.reason(i); got != c.want {
			t.Errorf("%s: reason %q, want %q", c.block, got, c.want)
		}
		covered[ch.rules[i]] = true
	}
	again := "<p>The otter had been seen in May, at the mill of Marston, by nobody but the warden and his dog.</p>"
	ch := chooseBy(t, story+again+"<div>"+again+"</div>", certain)
	last := len(ch.Blocks) - 1
	if got, want := ch.reason(last), "80 %, but left out: a copy of an earlier paragraph"; got != want {
		t.Errorf("copy: reason %q, want %q", got, want)
	}
	covered[ch.rules[last]] = true
	for rule := range ruleOdds {
		if !covered[rule] {
			t.Errorf("no case for %s", rule)
		}
	}
}

// checkReasons checks that every reason is in plain words, begins with the
// probability, and says why.
func checkReasons(t *testing.T, name string, d *dom.Document, s *method.Selection) {
	t.Helper()
	for _, r := range s.Reasons {
		methodtest.CheckWords(t, r.Why)
		p, why, _ := strings.Cut(r.Why, ": ")
		if !strings.HasPrefix(p, reasons.Percent(r.Score)) || why == "" || r.Kept && strings.Contains(p, "left out") {
			t.Errorf("%s: %q: kept is %v with probability %.3f, but the reason is %q", name, d.Text(r.Node), r.Kept, r.Score, r.Why)
		}
	}
}

func TestReasonsOfPages(t *testing.T) {
	m := New(Config{})
	for _, site := range newsroom.New(7).Sites() {
		for _, favor := range []method.Favor{method.Balanced, method.FavorPrecision, method.FavorRecall} {
			d := methodtest.Parse(t, string(site.Page(0).HTML))
			s, err := m.Select(context.Background(), &method.Page{Doc: d, Favor: favor})
			if errors.Is(err, method.ErrNoContent) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			checkSelection(t, site.Name, d, s)
			quiet, err := m.Select(context.Background(), &method.Page{Doc: d, Favor: favor, NoReasons: true})
			if err != nil {
				t.Fatal(err)
			}
			if quiet.Reasons != nil || quiet.Text(d) != s.Text(d) || quiet.Confidence != s.Confidence {
				t.Errorf("%s: another selection without reasons", site.Name)
			}
		}
	}
}
