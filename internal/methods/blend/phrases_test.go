package blend

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/method"
)

// TestPhrases checks reasons.txt: every feature has one concept, and what concepts say is in
// plain words and depends on the block.
func TestPhrases(t *testing.T) {
	table, owners := phrases(), map[string]int{}
	for line := range lines.Data(reasonFile) {
		if head, rest, _ := strings.Cut(line, ":"); !strings.ContainsAny(head[:1], "+-") {
			for pattern := range strings.FieldsSeq(rest) {
				for _, name := range blocks.Features {
					if match, _ := path.Match(pattern, name); match {
						owners[name]++
					}
				}
			}
		}
	}
	for _, name := range blocks.Features {
		if owners[name] != 1 {
			t.Errorf("%d concepts have the feature %s", owners[name], name)
		}
	}
	for _, c := range table.concepts {
		for _, p := range slices.Concat(c[:]...) {
			methodtest.CheckWords(t, strings.NewReplacer("{", "“", "}", "”").Replace(p.text))
			if len(p.conditions) == 0 {
				t.Errorf("%q is said whether it is true or not", p.text)
			}
		}
	}
	for _, name := range slices.Concat(siteNames[:siteScore], []string{"alike"}) {
		if _, ok := table.named[name]; !ok {
			t.Errorf("no concept %s", name)
		}
	}
}

func TestCondition(t *testing.T) {
	values := make([]float32, len(valueNames))
	values[slices.Index(valueNames, "siblings")], values[slices.Index(valueNames, "alike")] = 2, 0.5
	for s, want := range map[string]bool{
		"siblings>=2": true, "siblings>=3": false, "siblings<=2": true, "siblings<=1": false, "siblings=2": true, "siblings=1": false,
		"alike>=.5": true, "alike<=.4": false, "siblings>=log(6)": true, "siblings>=log(7)": false, "words=0": true,
	} {
		if p := (phrase{conditions: []condition{readCondition(s)}}); p.isTrue(values) != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

// TestDetails checks on a page that reasons are true: each block has what the
// words say.
func TestDetails(t *testing.T) {
	story := strings.Repeat("<p>The heron is back on the weir of Marston, this morning, with two young, and the miller is as happy as his dog.</p>", 6)
	page := `<title>The heron</title><nav><ul><li><a href=1>News</a><li><a href=2>Sport</a><li><a href=3>Weather</a></ul></nav>
<div class="article-body"><h1>The heron is back</h1>` + story + `</div>
<div class="sidebar related"><h3>Related</h3><div><a href=4>The otter of the mill</a> <a href=5>Pike in the pond, says the warden</a> today</div></div>
<footer>© 2024 The Marston Mail. All rights reserved.</footer>`
	d := methodtest.Parse(t, page)
	s, err := New(Config{}).Select(context.Background(), &method.Page{Doc: d})
	if err != nil {
		t.Fatal(err)
	}
	checkReasons(t, "page", d, s)
	why := map[string]string{}
	for _, r := range s.Reasons {
		why[d.Text(r.Node)] = r.Why
	}
	for text, want := range map[string]string{
		"The heron is back on the weir of Marston, this morning, with two young, and the miller is as happy as his dog.": "most of the page's text",
		"Related": "below the main part of the page",
		"© 2024 The Marston Mail. All rights reserved.": "in a footer",
	} {
		if !strings.Contains(why[text], want) {
			t.Errorf("%q: %q, want %q", text, why[text], want)
		}
	}
	for text, reason := range why {
		if strings.Contains(text, "heron") && strings.Contains(reason, "links that") || strings.Contains(reason, "shows no headline") {
			t.Errorf("%q: %q is not true", text, reason)
		}
	}
}

// TestReasonsOfCorpora checks the reasons on real pages, and that many different
// ones are given.
func TestReasonsOfCorpora(t *testing.T) {
	m := New(Config{})
	said := map[string]bool{}
	for _, page := range testkit.CorpusPages(t, testkit.Step(211, 997), "*") {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			continue
		}
		s, err := m.Select(context.Background(), &method.Page{Doc: d})
		if err != nil {
			continue
		}
		checkReasons(t, "page", d, s)
		for _, r := range s.Reasons {
			_, why, _ := strings.Cut(r.Why, ": ")
			for phrase := range strings.SplitSeq(strings.ReplaceAll(why, "; although ", ", "), ", ") {
				if !strings.Contains(phrase, "“") {
					said[phrase] = true
				}
			}
		}
	}
	const variety = 40
	if len(said) < variety {
		t.Errorf("only %d reasons are ever given: %q", len(said), slices.Sorted(maps.Keys(said)))
	}
}

// TestSiteDetails checks that what all pages of a site have is explained by that.
func TestSiteDetails(t *testing.T) {
	d := methodtest.Parse(t, "<p>The heron is back on the weir.</p><p>Write to us, said the editor.</p>")
	v := blocks.Read(d, new(blocks.Tables))
	rows := v.Rows(blocks.Signals{})
	m := Embedded().Story
	prob := []float32{0.9, 0.9}
	c := newChoice(v, []float32{0.9, 0.01}, &method.Page{Doc: d}, "")
	c.site = &siteChoice{before: prob, weights: testWeights, rows: []SiteRow{{Score: 2}, {Score: 2, Static: true}}}
	reasons := c.reasons(m, rows)
	if len(reasons) != 2 || strings.Contains(reasons[0].Why, "site") || !strings.HasPrefix(reasons[1].Why, "1 % (by the page alone 90 %): on every page of this site") {
		t.Errorf("reasons %+v", reasons)
	}
}
