package blend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

const fourBlocks = "<title>T</title><p>one two three four<p>one two three four<p>one two three four<p>one two three four"

func TestChoose(t *testing.T) {
	v := blocks.Read(methodtest.Parse(t, fourBlocks), new(blocks.Tables))
	v.Headline, v.Article = -1, 1
	for _, c := range []struct {
		name  string
		p     []float32
		favor method.Favor
		want  []bool
	}{
		{"keeps what is probable", []float32{0.9, 0.6, 0.3, 0.1}, method.Balanced, []bool{true, true, false, false}},
		{"precision", []float32{0.9, 0.6, 0.3, 0.1}, method.FavorPrecision, []bool{true, false, false, false}},
		{"recall", []float32{0.9, 0.6, 0.3, 0.1}, method.FavorRecall, []bool{true, true, true, false}},
		{"keeps the best if nothing is probable", []float32{0.4, 0.3, 0.01, 0.01}, method.Balanced, []bool{true, true, false, false}},
		{"keeps nothing of probability 0", []float32{0, 0, 0, 0}, method.Balanced, []bool{false, false, false, false}},
	} {
		if got := newChoice(v, c.p, &method.Page{Doc: v.Doc, Favor: c.favor}, "").kept; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v gives %v, want %v", c.name, c.p, got, c.want)
		}
	}
	v.Headline = 0
	if got := Choose(v, []float32{1, 1, 0, 0}); got[0] || !got[1] {
		t.Errorf("the headline is kept: %v", got)
	}
}

// TestRulesAreSoft checks that a rule settles what is in doubt, and leaves alone what the
// model is sure of.
func TestRulesAreSoft(t *testing.T) {
	const text = "<p>The heron is back on the weir of Marston this morning with two young.</p>"
	v := blocks.Read(methodtest.Parse(t, text+"<p><a href=a>The heron is gone</a></p>"+text), new(blocks.Tables))
	v.Article = 1
	for p, want := range map[float32]bool{0.7: false, 0.95: true} {
		if got := Choose(v, []float32{0.99, p, 0.99}); got[1] != want {
			t.Errorf("a line of links with the probability %v: %v, want %v", p, got[1], want)
		}
	}
}

// TestJoinItems checks that lists and tables of data are kept or dropped as a whole.
func TestJoinItems(t *testing.T) {
	for _, page := range []string{
		"<ul><li>Two herons<li>One otter<li>Three eels</ul>",
		"<table><tr><td>Herons<td>two<tr><td>Otters<td>one</table>",
	} {
		const text = "<p>The heron is back on the weir of Marston this morning with two young.</p>"
		v := blocks.Read(methodtest.Parse(t, page+text+text), new(blocks.Tables))
		v.Article, v.Headline = 1, -1
		for _, high := range []bool{true, false} {
			p := make([]float32, len(v.Blocks)-2)
			for i := range p {
				if p[i] = 0.15; high != (i == 1) {
					p[i] = 0.9
				}
			}
			got := Choose(v, append(p, 0.9, 0.9))
			if want := append(slices.Repeat([]bool{high}, len(p)), true, true); !slices.Equal(got, want) {
				t.Errorf("%s: %v of %v, want %v", page, got, p, want)
			}
		}
	}
}

func TestIsLinkLine(t *testing.T) {
	for _, c := range []struct {
		page string
		want bool
	}{
		{"<p><a href=a>The heron is gone</a></p>", true},
		{"<p><b>Read also:</b> <a href=a>The heron is gone from the weir of Marston, and nobody knows why it left us</a></p>", true},
		{"<p><b>READ ANOTHER STORY HERE |</b> <a href=a>The heron is gone from the weir of Marston</a></p>", true},
		{"<p><a href=a>Read also: The heron is gone from the weir of Marston, and nobody knows why it left us</a></p>", true},
		{"<p>Source: <a href=a>herons.example</a></p>", false},
		{"<p>The heron is gone, said the miller: <a href=a>it left on Monday</a> and took its young.</p>", false},
		{"<p>The miller: “<a href=a>It left on Monday with all of its young</a>”, he said on Tuesday.</p>", false},
		{"<ul><li><b>Read also:</b> <a href=a>The heron is gone from the weir</a></li></ul>", false},
	} {
		v := blocks.Read(methodtest.Parse(t, c.page), new(blocks.Tables))
		if got := isLinkLine(v, 0); got != c.want {
			t.Errorf("%s: %v, want %v", c.page, got, c.want)
		}
	}
}

// What is between two paragraphs of the story is a sub-heading even if it is a
// little less probable.
func TestKeepSubheadings(t *testing.T) {
	const page = "<p>one two<p>three four<h2>five</h2><p>six seven<h3><a href=a>eight</a></h3><p>nine ten<h3>eleven</h3><p>twelve"
	d := methodtest.Parse(t, page)
	v := blocks.Read(d, new(blocks.Tables))
	c := &choice{
		View: v, page: d,
		prob: []float32{0.9, 0.9, 0.4, 0.9, 0.4, 0.9, 0.1, 0.9},
		kept: []bool{true, true, false, true, false, true, false, true},
	}
	c.keepSubheadings()
	if want := []bool{true, true, true, true, false, true, false, true}; !slices.Equal(c.kept, want) {
		t.Errorf("%v, want %v", c.kept, want)
	}
}

// A page may have its story twice, for narrow and for wide screens.
func TestDropRepeats(t *testing.T) {
	const first = "<p>The heron is back on the weir of Marston this morning with two young, as the warden says.</p>"
	const second = "<p>It had left in May when the mill was repaired, and nobody had seen it since that day.</p>"
	for _, c := range []struct{ name, page, want string }{
		{"copy", first + "<h2>May</h2>" + second + "<div>" + first + "<h2>May</h2>" + second + "</div>", "111000"},
		{"copy with a headline", "<h2>Heron</h2>" + first + second + "<div><h2>Heron</h2>" + first + second + "</div>", "111000"},
		{"short lines", "<p>Heron!</p>" + first + "<p>Heron!</p>" + second, "1111"},
		{"repeated in the same text", first + second + first, "111"},
	} {
		d := methodtest.Parse(t, c.page)
		v := blocks.Read(d, new(blocks.Tables))
		ch := &choice{View: v, page: d, kept: make([]bool, len(v.Blocks)), rules: make([]string, len(v.Blocks))}
		for i := range ch.kept {
			ch.kept[i] = true
		}
		ch.dropRepeats()
		got := ""
		for _, kept := range ch.kept {
			if kept {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestReadCopies(t *testing.T) {
	const first = "The heron is back on the weir of Marston this morning with two young, as the warden says."
	d := methodtest.Parse(t, "<p>"+first+"</p><p>Subscribe to read more about birds.</p><form><textarea>"+first+"\n\nIt had left in May.</textarea></form>")
	v := blocks.Read(d, new(blocks.Tables))
	ch := &choice{View: v, page: d, prob: []float32{0.2, 0.1, 0.9}}
	if ch.readCopies(); !slices.Equal(ch.prob, []float32{0.9, 0.1, 0}) {
		t.Error("a copy to republish:", ch.prob)
	}
}

func TestDropComments(t *testing.T) {
	const post = "<h1>The heron</h1><p>The heron is back on the weir of Marston, this morning, with two young.</p>"
	threeComments := func(class string) string {
		var b strings.Builder
		for i := range 3 {
			fmt.Fprintf(&b, `<div class="%s"><p>I saw it too, on my way to the mill, and it was number %d.</p></div>`, class, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		page string
		want int // comments that are kept
	}{
		"thread":                     {post + `<div id="comments">` + threeComments("x") + `</div>`, 0},
		"comments without a thread":  {post + threeComments("commentbody"), 0},
		"counter of comments":        {post + `<div class="comment-count">` + threeComments("x") + `</div>`, 3},
		"column":                     {`<div class="comment"><h1>The heron</h1>` + threeComments("x") + `</div>`, 3},
		"column below a standfirst":  {post + `<div class="comment">` + strings.Repeat("<p>I saw it too.</p>", 8) + `</div>`, 8},
		"only comments":              {threeComments("comment"), 3},
		"comments around the story":  {`<div class="comments">` + post + threeComments("x") + `</div>`, 3},
		"paragraphs without a class": {post + threeComments("x"), 3},
	} {
		d := methodtest.Parse(t, c.page)
		v := blocks.Read(d, new(blocks.Tables))
		v.Article = 1
		ch := newChoice(v, slices.Repeat([]float32{0.9}, len(v.Blocks)), &method.Page{Doc: d}, "")
		got, story := 0, false
		for i, kept := range ch.kept {
			if kept && strings.Contains(v.Text(i), "I saw it too") {
				got++
			}
			story = story || kept && strings.Contains(v.Text(i), "is back")
		}
		if got != c.want || story != strings.Contains(c.page, "is back") {
			t.Errorf("%s: %d comments kept, story kept: %v; want %d comments", name, got, story, c.want)
		}
	}
}

// TestNestedComments checks that the work for comments is bounded, even if
// hundreds of elements are named for them, each inside the one before.
func TestNestedComments(t *testing.T) {
	page := "<p>The heron is back on the weir of Marston, this morning, with two young.</p>" +
		strings.Repeat(`<div class="comments"><p>I saw it too, on my way.</p>`, 300)
	d := methodtest.Parse(t, page)
	v := blocks.Read(d, new(blocks.Tables))
	f := commentFinder{choice: &choice{View: v, page: d}, kinds: make([]commentKind, d.Len()), before: v.Blocks[0].First}
	for i := range v.Blocks {
		f.around(i)
	}
	if n := f.checks; n == 0 || n > 64 {
		t.Errorf("%d elements checked, want 1 to 64", n)
	}
	if _, err := New(Config{}).Select(context.Background(), &method.Page{Doc: d}); err != nil {
		t.Error(err)
	}
}

// TestSecondStory checks that a story below the first is not part of it.
func TestSecondStory(t *testing.T) {
	story := func(class, name string) string {
		return fmt.Sprintf("<article><h1 class=%q>The %s</h1>", class, name) + strings.Repeat("<p>The "+name+" is back on the weir of Marston this morning with two young.</p>", 6) + "</article>"
	}
	const sub = `</p><h1 class="title">Otters</h1><p>`
	apart := func(class string) string {
		return strings.NewReplacer("<article>", "<div>", "</h1>", "</h1><div>", "</article>", "</div></div>").Replace(story(class, "otter"))
	}
	for page, want := range map[string]int{
		story("title", "heron") + story("title", "otter"): 6,
		story("title", "heron") + apart("title wide"):     6,
		story("title", "heron") + apart("part"):           12,
		strings.Replace(story("title", "heron"), "</p></article>", sub+"The otter is not back on the weir of Marston, said a miller.</p></article>", 1): 7,
		story("title", "heron") + strings.Replace(story("section", "heron again"), "<h1", "<h2", 1):                                                     12,
	} {
		d := methodtest.Parse(t, "<title>The heron</title>"+page)
		v := blocks.Read(d, new(blocks.Tables))
		v.Article = 1
		c := newChoice(v, slices.Repeat([]float32{0.8}, len(v.Blocks)), &method.Page{Doc: d}, "")
		got := 0
		for i, kept := range c.kept {
			if kept && v.Blocks[i].IsProse() {
				got++
			}
		}
		if got != want {
			t.Errorf("%.60s…: %d paragraphs, want %d", page, got, want)
		}
	}
}

// TestJoinItemsIsLinear selects from a long list with a list in its last item, which is looked
// at once and not once for each item.
func TestJoinItemsIsLinear(t *testing.T) {
	testkit.Linear(t, 32_000, func(n int) func() {
		d := methodtest.Parse(t, "<ul>"+strings.Repeat("<li>Two herons", n)+"<li><ul><li>One otter</ul></ul>")
		v := blocks.Read(d, new(blocks.Tables))
		prob := slices.Repeat([]float32{0.9}, len(v.Blocks))
		return func() { newChoice(v, prob, &method.Page{Doc: d}, "") }
	})
}
