package blend

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

// TestPhrases checks reasons.txt: every feature has a concept, every concept has
// something to say, and says it in plain words. readReasons checks the rest.
func TestPhrases(t *testing.T) {
	table, err := readReasons(reasonFile)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, c := range table.concepts {
		if len(c.phrases[0])+len(c.phrases[1]) == 0 {
			t.Errorf("%s has nothing to say", c.name)
		}
		count += c.features
		for _, list := range c.phrases {
			for i, p := range list {
				methodtest.CheckWords(t, strings.NewReplacer("{", "“", "}", "”").Replace(p.text))
				if i > 0 && len(list[i-1].conditions) == 0 {
					t.Errorf("%s: %q is never said", c.name, p.text)
				}
				if len(p.conditions) == 0 {
					t.Errorf("%s: %q is said whether it is true or not", c.name, p.text)
				}
				if _, rest, ok := strings.Cut(p.text, "{"); ok {
					name, _, _ := strings.Cut(rest, "}")
					if !slices.Contains([]string{"low", "high", "heading", "opening"}, name) {
						t.Errorf("%s: %q has an unknown value", c.name, p.text)
					}
				}
			}
		}
	}
	if count != len(blocks.Features) {
		t.Errorf("%d features in concepts, want %d", count, len(blocks.Features))
	}
	for k, name := range siteNames {
		if found := table.find(name) >= 0; name != "" && !found || name == "" && k != siteScore {
			t.Errorf("feature %d of sites, %q, has no concept", k, SiteFeatures[k])
		}
	}
	for _, name := range []string{"methods", "alike", "siteStatic"} {
		if table.find(name) < 0 {
			t.Errorf("no concept %s", name)
		}
	}
}

func TestReadReasons(t *testing.T) {
	for file, want := range map[string]string{
		"links linkDensity":                    "no colon",
		"+ words>=1: long":                     "no concept before",
		"links: linkDensities":                 "no feature linkDensities",
		"a: words\nb: words":                   "words is in the concepts a and b",
		"a: words\n+ wordy>=1: long":           `no value "wordy"`,
		"a: words\n+ words: long":              "no comparison",
		"a: words\n+ words>=log(ten): long":    "invalid syntax",
		"a: words\n+ words>=log(10): long":     "no concept has the feature",
		"a: box*Links\n+ box1Links>=.5: links": "no concept has the feature",
	} {
		if _, err := readReasons(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", file, err, want)
		}
	}
}

func TestCondition(t *testing.T) {
	row, extra := make([]float32, len(blocks.Features)), make([]float32, extraCount)
	row[slices.Index(blocks.Features, "siblings")] = 2
	extra[extraAlike] = 0.5
	for s, want := range map[string]bool{
		"siblings>=2": true, "siblings>2": false, "siblings<=2": true, "siblings<2": false, "siblings=2": true, "siblings=1": false,
		"alike>=.5": true, "alike<.5": false, "siblings>log(6)": true, "siblings>log(7)": false, "words=0": true,
	} {
		c, err := readCondition(s)
		if err != nil || c.holds(row, extra) != want {
			t.Errorf("%s: %v, %v; want %v", s, !want, err, want)
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
