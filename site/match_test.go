package site_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	p := learned(t, daily, 10)
	st := storyOf(50)
	d := parse(t, page(t, daily, st))
	s := match(p, d)
	if s == nil {
		t.Fatal("no match after ten pages")
	}
	static := marked(d, s.Static)
	for _, want := range []string{"Town and county", "Letters to the editor", "Read more", "All rights reserved", "Follow the Marrow Daily"} {
		if !strings.Contains(static, want) {
			t.Errorf("%q is on every page, but not static", want)
		}
	}
	for _, not := range append(st.Paragraphs, st.Headline) {
		if strings.Contains(static, not) {
			t.Errorf("%.40q is static, but on this page only", not)
		}
	}
	if tail := marked(d, s.Tail); !strings.Contains(tail, st.Related[0]) || strings.Contains(tail, st.Paragraphs[0]) {
		t.Errorf("the tail of the page is %q", tail)
	}
	for what, n := range map[string]dom.Node{"headline": s.Headline, "text": s.Body} {
		if n == dom.None || !d.HasClass(n, what) {
			t.Errorf("%s is at node %d", what, n)
		}
	}
	if s.TitleSuffix != " | The Marrow Daily" {
		t.Errorf("titles end in %q", s.TitleSuffix)
	}
	if s.Pages != 10 || p.Pages() != 10 {
		t.Errorf("known from %d pages of %d, want 10 of 10", s.Pages, p.Pages())
	}
}

func TestMatchNeedsThreePages(t *testing.T) {
	t.Parallel()
	d := parse(t, page(t, daily, storyOf(50)))
	for pages := range 3 {
		if s := match(learned(t, daily, pages), d); s != nil {
			t.Errorf("a match after %d pages", pages)
		}
	}
	if match(learned(t, daily, 3), d) == nil {
		t.Error("no match after three pages")
	}
}

// TestLongStaticRow checks that a paragraph below every story is static after five
// pages, and one of a hundred words only when more are known.
func TestLongStaticRow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		words, pages int
		want         bool
	}{{60, 3, false}, {60, 5, true}, {110, 5, false}, {110, 9, true}}
	for _, tt := range tests {
		last := "<p>" + strings.Repeat("Follow us for more of this! ", tt.words/6) + "</p></body>"
		html := func(i int) []byte {
			return bytes.Replace(page(t, daily, storyOf(i)), []byte("</body>"), []byte(last), 1)
		}
		p := site.New("")
		for i := range tt.pages {
			p.Add(observe(t, html(i), ""))
		}
		d := parse(t, html(50))
		if got := strings.Contains(marked(d, match(p, d).Static), "Follow us for more"); got != tt.want {
			t.Errorf("%d words, %d pages: static is %v", tt.words, tt.pages, got)
		}
	}
}

// A story that is read several times, at the same address or at others, must not
// become static.
func TestSamePageAgain(t *testing.T) {
	t.Parallel()
	html := page(t, daily, storyOf(1))
	d := parse(t, html)
	tests := map[string]func(i int) *site.Observation{
		"at one address":            func(i int) *site.Observation { return observe(t, html, "https://marrow.example/1") },
		"at others":                 func(i int) *site.Observation { return observe(t, html, fmt.Sprintf("https://marrow.example/%d", i)) },
		"at none":                   func(i int) *site.Observation { return observe(t, html, "") },
		"without an extraction":     func(i int) *site.Observation { return site.NewFingerprint(d).Observe("", nil, nil) },
		"with a new paragraph each": func(i int) *site.Observation { return observe(t, corrected(t, i), "") },
	}
	for name, observation := range tests {
		t.Run(name, func(t *testing.T) {
			p := site.New("marrow.example")
			for i := range 10 {
				if learned := p.Add(observation(i)); learned != (i == 0) {
					t.Fatalf("reading %d: %v", i+1, learned)
				}
			}
			if p.Pages() != 1 {
				t.Errorf("one story counts as %d pages", p.Pages())
			}
			if s := match(p, d); s != nil {
				t.Error("a match after one story")
			}
		})
	}
	t.Run("between others", func(t *testing.T) {
		p := site.New("marrow.example")
		for i := range 10 {
			p.Add(observe(t, html, ""))
			learn(t, p, daily, 2+i, 3+i)
		}
		if static := marked(d, match(p, d).Static); strings.Contains(static, storyOf(1).Paragraphs[0]) {
			t.Error("a story that was read ten times is static")
		}
	})
}

func corrected(t *testing.T, i int) []byte {
	st := storyOf(1)
	for len(st.Paragraphs) < 8 {
		st.Paragraphs = append(st.Paragraphs, storyOf(30+len(st.Paragraphs)).Paragraphs...)
	}
	st.Paragraphs = append(st.Paragraphs[:8:8], fmt.Sprintf("Correction number %d: the name of the mayor was misspelled in an earlier version of this story, which we regret.", i))
	return page(t, daily, st)
}

// If nearly all prose of a page would be static, none of it is.
func TestStaticNeverTakesTheStory(t *testing.T) {
	t.Parallel()
	p := site.New("marrow.example")
	st := storyOf(1)
	for i := range 10 { // pages that look like different stories
		other := storyOf(i + 10)
		other.Paragraphs = append(st.Paragraphs, other.Paragraphs...)
		p.Add(observe(t, page(t, daily, other), ""))
	}
	d := parse(t, page(t, daily, st))
	if s := match(p, d); s != nil && strings.Contains(marked(d, s.Static), st.Paragraphs[0]) {
		t.Error("the whole story is static")
	}
}

func TestPagesOfAnotherSite(t *testing.T) {
	t.Parallel()
	d := parse(t, page(t, daily, storyOf(50)))
	p := learned(t, redesign, 10)
	if s := match(p, d); s != nil {
		t.Errorf("a page of another site has static text: %q", marked(d, s.Static))
	}
	p = learned(t, daily, 10)
	learn(t, p, redesign, 20, 22) // two stray pages
	if s := match(p, d); s == nil || !strings.Contains(marked(d, s.Static), "Town and county") {
		t.Error("two pages of another site made the profile forget its own")
	}
}

func TestTemplatesAreSeparate(t *testing.T) {
	t.Parallel()
	p := site.New("marrow.example")
	for i := range 10 {
		learn(t, p, daily, i, i+1)
		learn(t, p, video, i+20, i+21)
	}
	var shown strings.Builder
	if err := p.Describe(&shown); err != nil || !strings.Contains(shown.String(), "made in 2 ways") {
		t.Errorf("%v: %s", err, &shown)
	}
	d := parse(t, page(t, video, storyOf(60)))
	if static := marked(d, match(p, d).Static); !strings.Contains(static, "More films of the week") {
		t.Error("what is on all video pages is not static")
	}
	d = parse(t, page(t, daily, storyOf(60)))
	if static := marked(d, match(p, d).Static); !strings.Contains(static, "Follow the Marrow Daily") {
		t.Error("what is on all articles is not static")
	}
}

func TestRedesign(t *testing.T) {
	t.Parallel()
	p := learned(t, daily, 30)
	learn(t, p, redesign, 40, 45)
	d := parse(t, page(t, redesign, storyOf(80)))
	if s := match(p, d); s == nil || !strings.Contains(marked(d, s.Static), "Marrow is a house of words") {
		t.Error("the new design is not known")
	}
}

// A small change is learned because counts decay.
func TestDecay(t *testing.T) {
	t.Parallel()
	p := site.New("marrow.example")
	st := func(i int, line string) []byte {
		return []byte(strings.ReplaceAll(string(page(t, daily, storyOf(i))), "Follow the Marrow Daily for more stories like this one.", line))
	}
	const before, after = "Buy the paper edition at your kiosk.", "Listen to our new podcast today."
	for i := range 30 {
		p.Add(observe(t, st(i, before), ""))
	}
	for i := range 20 {
		p.Add(observe(t, st(40+i, after), ""))
	}
	d := parse(t, st(80, before+"</p><p>"+after))
	static := marked(d, match(p, d).Static)
	if strings.Contains(static, before) || !strings.Contains(static, after) {
		t.Errorf("after twenty pages of a new line, static is\n%s", static)
	}
}

// On made-up sites of all kinds, nothing that only one story has is ever static.
// Lines that the newsroom uses in several stories do not count.
func TestNewsroom(t *testing.T) {
	t.Parallel()
	sites := newsroom.New(3).Sites()
	for i := 0; i < len(sites); i += testkit.Step(3, 6) {
		s := sites[i]
		p := site.New(s.Host)
		var others strings.Builder
		for i := range 10 {
			pg := s.Page(i)
			others.WriteString(pg.Gold.Text)
			p.Add(observe(t, pg.HTML, pg.Gold.URL))
		}
		known := 0
		for i := 10; i < 16; i++ {
			pg := s.Page(i)
			d := parse(t, pg.HTML)
			k := match(p, d)
			if k == nil {
				continue
			}
			known++
			for line := range strings.Lines(marked(d, k.Static)) {
				line = strings.TrimSpace(line)
				if len(line) > 40 && strings.Contains(pg.Gold.Text, line) && !strings.Contains(others.String(), line) {
					t.Errorf("%s, page %d: %q is part of the story, but static", s.Name, i, line)
				}
			}
		}
		if known < 5 {
			t.Errorf("%s: %d of 6 pages matched after ten", s.Name, known)
		}
	}
}
