package blend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/method"
)

const row = "<title>T</title><p>one two three four<p>one two three four<p>one two three four<p>one two three four"

func TestChoose(t *testing.T) {
	v := blocks.Read(parse(t, row), new(blocks.Tables))
	v.Headline = -1
	for _, c := range []struct {
		why   string
		p     []float32
		favor method.Favor
		want  []bool
	}{
		{"what is probable is kept", []float32{0.9, 0.6, 0.5, 0.1}, method.Balanced, []bool{true, true, false, false}},
		{"with precision, only what is sure", []float32{0.9, 0.6, 0.5, 0.1}, method.FavorPrecision, []bool{true, false, false, false}},
		{"with recall, also what is doubtful", []float32{0.9, 0.6, 0.5, 0.1}, method.FavorRecall, []bool{true, true, true, false}},
		{"where nothing is probable, the best is kept", []float32{0.4, 0.3, 0.01, 0.01}, method.Balanced, []bool{true, true, false, false}},
		{"nothing comes of nothing", []float32{0, 0, 0, 0}, method.Balanced, []bool{false, false, false, false}},
	} {
		if got := Choose(v, c.p, c.favor); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v gives %v, want %v", c.why, c.p, got, c.want)
		}
	}
	v.Headline = 0
	if got := Choose(v, []float32{1, 1, 0, 0}, method.Balanced); got[0] || !got[1] {
		t.Errorf("the headline is kept: %v", got)
	}
}

func TestLooseHeadings(t *testing.T) {
	d := parse(t, "<h2>a</h2><p>b</p><h2>c</h2><p>d</p><h2>e</h2>")
	c := &choice{View: blocks.Read(d, new(blocks.Tables)), page: d, kept: []bool{true, true, true, false, true}}
	c.dropLooseHeadings()
	if want := []bool{true, true, false, false, false}; !slices.Equal(c.kept, want) {
		t.Errorf("%v, want %v", c.kept, want)
	}
}

// TestThreads tells comments from the story, whatever the model says: here all
// blocks are kept.
func TestThreads(t *testing.T) {
	post := "<h1>The heron</h1><p>The heron is back on the weir of Marston, this morning, with two young.</p>"
	said := func(tag, name string) string {
		var b strings.Builder
		for i := range 3 {
			fmt.Fprintf(&b, `<%s class="%s"><p>I saw it too, on my way to the mill, and it was number %d.</p></%s>`, tag, name, i, tag)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		page string
		want int // comments that are kept
	}{
		"a list of comments":             {post + `<div id="comments">` + said("div", "x") + `</div>`, 0},
		"comments with no place":         {post + said("div", "commentbody"), 0},
		"what is named for their number": {post + `<div class="comment-count">` + said("div", "x") + `</div>`, 3},
		"a column":                       {`<div class="comment"><h1>The heron</h1>` + said("div", "x") + `</div>`, 3},
		"a column under its standfirst":  {post + `<div class="comment"><p>I saw it too.</p><p>I saw it too.</p></div>`, 2},
		"a page of comments":             {said("div", "comment"), 3},
		"comments around the story":      {`<div class="comments">` + post + said("div", "x") + `</div>`, 3},
		"no comments":                    {post + said("div", "x"), 3},
	} {
		d := parse(t, c.page)
		v := blocks.Read(d, new(blocks.Tables))
		ch := &choice{View: v, kept: make([]bool, len(v.Blocks)), apart: make([]bool, len(v.Blocks)), page: d}
		for i := range ch.kept {
			ch.kept[i] = i != v.Headline
		}
		ch.dropThreads()
		got, story := 0, false
		for i, kept := range ch.kept {
			if kept && strings.Contains(v.Text(i), "I saw it too") {
				got++
			}
			story = story || kept && strings.Contains(v.Text(i), "is back")
		}
		if got != c.want || story != strings.Contains(c.page, "is back") {
			t.Errorf("%s: %d comments, the story %v; want %d", name, got, story, c.want)
		}
	}
}

// TestNestedThreads holds that a page cannot ask for more work than it has to
// give: so many boxes that are named for comments, each in the one before.
func TestNestedThreads(t *testing.T) {
	page := "<p>The heron is back on the weir of Marston, this morning, with two young.</p>" +
		strings.Repeat(`<div class="comments"><p>I saw it too, on my way.</p>`, 300)
	d := parse(t, page)
	v := blocks.Read(d, new(blocks.Tables))
	ch := &choice{View: v, kept: make([]bool, len(v.Blocks)), page: d}
	for i := range ch.kept {
		ch.kept[i] = true
	}
	th := threads{choice: ch, known: map[dom.Node]bool{}, before: v.Blocks[0].First}
	for i := range v.Blocks {
		th.around(i)
	}
	if n := len(th.known); n == 0 || n > 64 {
		t.Errorf("asked %d times", n)
	}
	if _, err := New(Config{}).Select(context.Background(), &method.Page{Doc: d}); err != nil {
		t.Error(err)
	}
}
