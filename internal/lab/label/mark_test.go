package label

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// TestFind marks the headline and the body of a page and finds them after a change.
func TestFind(t *testing.T) {
	const (
		h1    = `<h1>Harbour wall to be rebuilt before the winter</h1>`
		story = `<div class="story">`
	)
	for _, c := range []struct {
		name        string
		change      []string // as strings.NewReplacer takes it
		title, body Match
		titleAt     string // where it is not where it was; by default in an h1
	}{
		{name: "nothing", title: Exact, body: Exact},
		{name: "white space", change: []string{"> <", ">\n\n  <", "the harbour wall", "the\n harbour\twall"}, title: Exact, body: Exact},
		{name: "soft hyphens", change: []string{"harbour", "har\u00ADbour"}, title: Exact, body: Exact},
		{name: "classes", change: []string{story, `<div class="x7f story">`}, title: Exact, body: Exact},
		{name: "advertisement above", change: []string{"<header>", "<div>Buy herring</div><header>"}, title: Exact, body: Exact},
		{name: "element before the body", change: []string{story, "<div>Listen to this story</div>" + story}, title: Exact, body: Moved},
		{name: "wrapper around all", change: []string{"<main>", "<main><div class=wrap>", "</main>", "</div></main>"}, title: Moved, body: Moved},
		{name: "wrapper with the same text", change: []string{h1, "<div>" + h1 + "</div>", story, "<section>" + story, `</p>
</div>`, "</p></div></section>"}, title: Moved, body: Moved},
		{name: "another name", change: []string{"<h1>", "<h2>", "</h1>", "</h2>"}, title: Moved, body: Exact, titleAt: "h2"},
		{name: "word in the headline", change: []string{"rebuilt before", "rebuilt well before"}, title: Changed, body: Exact},
		{name: "sentence in the body", change: []string{"Half of the money", "The mayor was pleased. Half of the money"}, title: Exact, body: Changed},
		{name: "sentence in the body, moved", change: []string{"Half of the money", "The mayor was pleased. Half of the money", story, "<div>Listen to this story</div>" + story}, title: Exact, body: Changed},
		{name: "wrapper, and word in the headline", change: []string{"<main>", "<main><div>", "</main>", "</div></main>", "rebuilt before", "rebuilt well before"}, title: Changed, body: Moved},
		{name: "another headline", change: []string{"Harbour wall to be rebuilt before the winter</h1>", "Ferries stay in port for a third day</h1>"}, title: Lost, body: Exact},
		{name: "headline twice elsewhere", change: []string{h1, "<h3>x</h3>", "<footer>", "<footer>" + h1 + h1}, title: Lost, body: Exact},
		{name: "headline also in a list", change: []string{"<main>", "<main><div>", "</main>", "</div></main>", "Ferry to run on Sundays again", "Harbour wall to be rebuilt before the winter"}, title: Moved, body: Moved},
		{name: "no body", change: []string{story, "<template>", "</p>\n</div>\n<div", "</p></template><div"}, title: Exact, body: Lost},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := source(t, "harbour")
			before := parse(t, page)
			title := NewMark(before, before.First(dom.H1), Box{})
			body := NewMark(before, byClass(t, before, "story"), Box{})

			after := parse(t, strings.NewReplacer(c.change...).Replace(page))
			n, match := Find(after, title)
			if match != c.title {
				t.Errorf("title %v, want %v", match, c.title)
			}
			if c.titleAt == "" {
				c.titleAt = "h1"
			}
			if match != Lost && after.Name(n) != c.titleAt {
				t.Errorf("title is %s", pathOf(after, n))
			}
			n, match = Find(after, body)
			if match != c.body {
				t.Errorf("body %v, want %v", match, c.body)
			}
			if match != Lost && !after.HasClass(n, "story") {
				t.Errorf("body is %s", pathOf(after, n))
			}
			if match == Lost && n != dom.None {
				t.Errorf("lost, but at %d", n)
			}
		})
	}
}

// TestFindByHand finds marks without a sketch.
func TestFindByHand(t *testing.T) {
	d := parse(t, source(t, "harbour"))
	story := byClass(t, d, "story")
	m := NewMark(d, story, Box{})
	m.Hash, m.Sketch = "0000000000000000", ""
	if n, match := Find(d, m); n != story || match != Changed {
		t.Errorf("%v at %d", match, n)
	}
	m.Text = "Something that is not there at all, nor anything like it, on any page of this newspaper"
	if _, match := Find(d, m); match != Lost {
		t.Error(match)
	}
}

func TestPaths(t *testing.T) {
	d := parse(t, `<body><div>a<p>b</div><div><x-y>c</x-y><svg></svg><p>d<p>e <b>f</b></div>`)
	for i := 1; i < d.Len(); i++ {
		n := dom.Node(i)
		path := pathOf(d, n)
		if d.IsText(n) {
			n = d.Parent(n)
		}
		if at := elementAt(d, path); at != n {
			t.Errorf("%s is %d, want %d", path, at, n)
		}
	}
	if got := pathOf(d, d.First(dom.B)); got != "/html[1]/body[1]/div[2]/p[2]/b[1]" {
		t.Error(got)
	}
	for _, path := range []string{"", "/", "html[1]", "/html", "/html[0]", "/html[1]/", "/html[1]/body[-1]", "/html[1]/body[1]/div[3]", "/html[99999999999999999999]", "/[1]"} {
		if at := elementAt(d, path); at != dom.None {
			t.Errorf("%q is %d", path, at)
		}
	}
}

func TestSketch(t *testing.T) {
	text := strings.Repeat("The quick brown fox jumps over lazy dogs and other beasts that nobody has counted. ", 2)
	page := source(t, "harbour")
	a := newSketch(page)
	if got := a.similarity(newSketch(page)); got != 1 {
		t.Errorf("same text: %v", got)
	}
	if got := a.similarity(newSketch(page + text)); got < 0.75 || got == 1 {
		t.Errorf("one more sentence: %v", got)
	}
	if got := a.similarity(newSketch(text)); got > 0.2 {
		t.Errorf("another text: %v", got)
	}
	if back, ok := parseSketch(a.String()); !ok || back != a {
		t.Error("cannot parse the sketch")
	}
	if got := newSketch("").similarity(newSketch("")); got != 0 {
		t.Errorf("no text: %v", got)
	}
}

func BenchmarkFind(b *testing.B) {
	var page strings.Builder
	for range 3000 {
		page.WriteString("<div><div><p>A paragraph of a long page, as others are, with some words in it.</p></div></div>")
	}
	d := parse(b, page.String())
	m := *newTestMark("/html[1]/body[1]/div[4000]")
	m.Chars, m.Text = 60, strings.Repeat("Nothing like it. ", 4)
	for b.Loop() {
		Find(d, m)
	}
}
