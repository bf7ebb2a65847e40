package blend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/methodtest"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/method"
)

// chooseBy makes the choice for a page with the given probabilities, and with
// "related" as the only bad name.
func chooseBy(t *testing.T, page string, prob func(text string) float32) choice {
	t.Helper()
	d := methodtest.Parse(t, page)
	tables := new(blocks.Tables)
	blocks.EachName(methodtest.Parse(t, "<p class=related>x"), func(word uint32, _, _ float64) { tables.Names.Set(word, -100) }, []float32{1})
	v := blocks.Read(d, tables)
	var probs []float32
	for i := range v.Blocks {
		probs = append(probs, prob(v.Text(i)))
	}
	c := newChoice(v, probs, &method.Page{Doc: d})
	c.dropComments()
	if !c.finish() {
		t.Fatalf("%s: no article", page)
	}
	return c
}

// TestRuleReasons has a block for every rule that the rule drops, although the
// model takes it for text of the article.
func TestRuleReasons(t *testing.T) {
	story := "<title>The heron</title><h1>The heron</h1>" +
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
	covered := map[rule]bool{noRule: true}
	for _, c := range []struct {
		page  string
		prob  func(string) float32
		block string // the beginning of its text
		want  string
	}{
		{story, certain, "The heron is", "probability 0.80"},
		{story + "<p>Unlikely words.</p>", unlikely, "Unlikely", "probability 0.10, below the threshold of 0.53"},
		{story, certain, "The heron", "probability 0.80, but dropped: the headline"},
		{story + "<p>By Ann Lee, 14 May 2024, 6:30</p>", certain, "By Ann", "probability 0.80, but dropped: a line with the date of publication"},
		{story + "<figure><img src=x><figcaption>Two herons.</figcaption></figure>", certain, "Two", "probability 0.80, but dropped: a caption"},
		{story + `<div class="ad-box"><p>Boots, for the rain.</p></div>`, certain, "Boots", "probability 0.80, but dropped: an advertisement"},
		{story + `<amp-ad><p>Boots, for the rain.</p></amp-ad>`, certain, "Boots", "probability 0.80, but dropped: an advertisement"},
		{story + `<div id="newsletter"><p>Unlikely words.</p></div>`, unlikely, "Unlikely", "probability 0.10, dropped: a newsletter form"},
		{story + `<div class="tooltip"><p>A bird, grey.</p></div>`, certain, "A bird", "probability 0.80, but dropped: a popup"},
		{story + `<div class="comment"><p>I saw it.</p></div>`, certain, "I saw it.", "probability 0.80, but dropped: readers' comments"},
		{story + comments, certain, "I saw it too", "probability 0.80, but dropped: readers' comments"},
		{story + "<p><a href=x>Read also: the otter</a></p>", certain, "Read also", "probability 0.80, but dropped: a line of links"},
		{story + `<div class="related box"><p>Otters, too.</p></div>`, certain, "Otters", `probability 0.80, but dropped: in an element named "related box", a name that is rare around articles`},
		{story + "<h2>More from Marston</h2>", certain, "More", "probability 0.80, but dropped: a heading that no text of the article follows"},
		{menu, unlikely, "Unlikely", "probability 0.10"},
		{menu, unlikely, "Mills", "probability 0.80, but dropped: in a menu, a footer or a form control"},
		{menu, unlikely, "All the news", "probability 0.80, but dropped: nothing but links"},
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
	if got, want := ch.reason(last), "probability 0.80, but dropped: a copy of an earlier paragraph"; got != want {
		t.Errorf("copy: reason %q, want %q", got, want)
	}
	covered[ch.rules[last]] = true
	for r := range ruleCount {
		if !covered[r] {
			t.Errorf("no case for rule %d (%s)", r, ruleTexts[r])
		}
	}
}

// checkReasons checks that every dropped block names the rule that dropped it or
// a threshold above its probability.
func checkReasons(t *testing.T, name string, d *dom.Document, s *method.Selection) {
	t.Helper()
	for _, r := range s.Reasons {
		_, rule, dropped := strings.Cut(r.Why, "dropped: ")
		_, rest, below := strings.Cut(r.Why, "below the threshold of ")
		var threshold float64
		fmt.Sscanf(rest, "%f", &threshold)
		const rounding = 0.005
		if dropped == below && !r.Kept || r.Kept && (dropped || below) || dropped && rule == "" || below && r.Score > threshold+rounding {
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
