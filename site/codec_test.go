package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// stored returns a profile that is encoded and decoded again.
func stored(t testing.TB, p *site.Profile) *site.Profile {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	back := new(site.Profile)
	if err := json.Unmarshal(b, back); err != nil {
		t.Fatal(err)
	}
	return back
}

// TestStoredProfileLearnsTheSame checks that a profile that is stored and read after
// every page is the one that was kept in memory, to the last bit, and that it does not
// grow without bound.
func TestStoredProfileLearnsTheSame(t *testing.T) {
	t.Parallel()
	kept, back := site.New("marrow.example"), site.New("marrow.example")
	for i := range 100 {
		design := daily
		if i%3 == 1 {
			design = video
		}
		learn(t, kept, design, i, i+1)
		learn(t, back, design, i, i+1)
		back = stored(t, back)
	}
	want, _ := json.Marshal(kept)
	if got, _ := json.Marshal(back); !bytes.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(want) > 64<<10 {
		t.Errorf("the profile has %d bytes", len(want))
	}
	d := parse(t, page(t, daily, storyOf(190)))
	if s := match(back, d); s == nil || !strings.Contains(marked(d, s.Static), "Town and county") || d.Text(s.Headline) == "" {
		t.Errorf("it finds %+v", s)
	}
}

// TestEditedProfile checks that people may correct what was learned, and that what
// cannot be read is refused.
func TestEditedProfile(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(learned(t, daily, 12))
	if err != nil {
		t.Fatal(err)
	}
	edited := bytes.ReplaceAll(b, []byte("div.text"), []byte("p.byline"))
	edited = bytes.ReplaceAll(edited, []byte("article.story"), []byte("div.text"))
	var p site.Profile
	if err := json.Unmarshal(edited, &p); err != nil || bytes.Equal(edited, b) {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	if err := p.Describe(&shown); err != nil || !strings.Contains(shown.String(), "p.byline") {
		t.Errorf("%v: %s", err, &shown)
	}
	for _, s := range []string{`[]`, `{"templates":[null]}`, `{"templates":[{"rows":{"x":[1]}}]}`, `{"templates":[{"rows":{"1 0":["zz"]}}]}`, `{"pages":"many"}`} {
		if err := json.Unmarshal([]byte(s), new(site.Profile)); err == nil {
			t.Errorf("%s is accepted", s)
		}
	}
	for _, s := range []string{`{}`, `{"pages":-3,"templates":[{}]}`, `{"templates":[{"weight":1e30,"rows":{"1e30 0":[1,1,5]}}]}`} {
		if err := json.Unmarshal([]byte(s), &p); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		learn(t, &p, daily, 0, 5)
		match(&p, parse(t, page(t, daily, storyOf(9))))
	}
}

// FuzzLearn learns from any page and matches it.
func FuzzLearn(f *testing.F) {
	f.Add(page(f, daily, storyOf(1)), page(f, video, storyOf(2)))
	f.Add([]byte("<p>x"), []byte("<table><td><h1>a</h1>"))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		p := site.New("fuzz.example")
		for i := range 6 {
			html := one
			if i%2 == 1 {
				html = two
			}
			d, err := dom.Parse(t.Context(), fmt.Appendf(nil, "%s<p>%d", html, i), dom.Options{Limits: dom.Limits{Nodes: 20000}})
			if err != nil {
				return
			}
			match(p, d)
			p.Add(confident(d, &method.Selection{Title: d.First(dom.H1), Keep: []dom.Node{d.Root()}}))
			p = stored(t, p)
		}
		if err := p.Describe(new(bytes.Buffer)); err != nil {
			t.Error(err)
		}
	})
}
