package blend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

const fourBlocks = "<title>T</title><p>one two three four<p>one two three four<p>one two three four<p>one two three four"

func TestChoose(t *testing.T) {
	v := blocks.Read(methodtest.Parse(t, fourBlocks), new(blocks.Tables))
	v.Headline = -1
	for _, c := range []struct {
		name  string
		p     []float32
		favor method.Favor
		want  []bool
	}{
		{"keeps what is probable", []float32{0.9, 0.6, 0.5, 0.1}, method.Balanced, []bool{true, true, false, false}},
		{"precision", []float32{0.9, 0.6, 0.5, 0.1}, method.FavorPrecision, []bool{true, false, false, false}},
		{"recall", []float32{0.9, 0.6, 0.5, 0.1}, method.FavorRecall, []bool{true, true, true, false}},
		{"keeps the best if nothing is probable", []float32{0.4, 0.3, 0.01, 0.01}, method.Balanced, []bool{true, true, false, false}},
		{"keeps nothing of probability 0", []float32{0, 0, 0, 0}, method.Balanced, []bool{false, false, false, false}},
	} {
		if got := Choose(v, c.p, c.favor); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v gives %v, want %v", c.name, c.p, got, c.want)
		}
	}
	v.Headline = 0
	if got := Choose(v, []float32{1, 1, 0, 0}, method.Balanced); got[0] || !got[1] {
		t.Errorf("the headline is kept: %v", got)
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

func TestDropLooseHeadings(t *testing.T) {
	d := methodtest.Parse(t, "<h2>a</h2><p>b</p><h2>c</h2><p>d</p><h2>e</h2>")
	c := &choice{View: blocks.Read(d, new(blocks.Tables)), page: d, kept: []bool{true, true, true, false, true}}
	c.dropLooseHeadings()
	if want := []bool{true, true, false, false, false}; !slices.Equal(c.kept, want) {
		t.Errorf("%v, want %v", c.kept, want)
	}
}

// A heading in a caption is no heading of the story: what precedes it is not
// loose. The heading of a box of links that was dropped is.
func TestLooseHeadingsAndBoxes(t *testing.T) {
	const text = "<p>The heron is back on the weir of Marston this morning with two young.</p>"
	for _, c := range []struct {
		name, page string
		kept, want []bool
	}{
		{"caption", text + "<h2>At noon</h2><figure><figcaption><h2>The weir</h2></figcaption></figure>" + text,
			[]bool{true, true, false, true}, []bool{true, true, false, true}},
		{"box of links", text + "<div><h3>Read also</h3><p><a href=a>The heron is gone</a></p></div>" + text,
			[]bool{true, true, false, true}, []bool{true, false, false, true}},
		{"sub-heading before a box", text + "<h3>At noon</h3><p><a href=a>The heron is gone</a></p>" + text,
			[]bool{true, true, false, true}, []bool{true, true, false, true}},
		{"sub-heading before a box with a heading", text + "<h3>At noon</h3><div><h4>Our newsletter</h4><p>Every day.</p></div>" + text,
			[]bool{true, true, false, false, true}, []bool{true, true, false, false, true}},
		{"last sentence in a heading", text + "<h3>The heron will stay until the ice comes, the warden says.</h3>",
			[]bool{true, true}, []bool{true, true}},
		{"listing", "<p>A heron</p><div><h3>Herons</h3><p><a href=a>The heron is gone</a></p></div><p>A weir</p>",
			[]bool{true, true, false, true}, []bool{true, true, false, true}},
	} {
		d := methodtest.Parse(t, c.page)
		ch := &choice{View: blocks.Read(d, new(blocks.Tables)), page: d, kept: slices.Clone(c.kept)}
		ch.dropLooseHeadings()
		if !slices.Equal(ch.kept, c.want) {
			t.Errorf("%s: %v, want %v", c.name, ch.kept, c.want)
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
		View: v, page: d, excluded: make([]rule, len(v.Blocks)),
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
		ch := &choice{View: v, page: d, kept: make([]bool, len(v.Blocks)), excluded: make([]rule, len(v.Blocks))}
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
		"column below a standfirst":  {post + `<div class="comment"><p>I saw it too.</p><p>I saw it too.</p></div>`, 2},
		"only comments":              {threeComments("comment"), 3},
		"comments around the story":  {`<div class="comments">` + post + threeComments("x") + `</div>`, 3},
		"paragraphs without a class": {post + threeComments("x"), 3},
	} {
		d := methodtest.Parse(t, c.page)
		v := blocks.Read(d, new(blocks.Tables))
		ch := &choice{View: v, kept: make([]bool, len(v.Blocks)), excluded: make([]rule, len(v.Blocks)), page: d}
		for i := range ch.kept {
			ch.kept[i] = i != v.Headline
		}
		ch.dropComments()
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
	f := commentFinder{choice: &choice{View: v, page: d}, threads: make([]threadKind, d.Len()), before: v.Blocks[0].First}
	for i := range v.Blocks {
		f.threadAround(i)
	}
	if n := f.checks; n == 0 || n > 64 {
		t.Errorf("%d elements checked, want 1 to 64", n)
	}
	if _, err := New(Config{}).Select(context.Background(), &method.Page{Doc: d}); err != nil {
		t.Error(err)
	}
}

// Linked headings in a row are teasers; one with text below it may be an entry.
func TestDropTeasers(t *testing.T) {
	const page = "<h3><a href=a>The mill is open</a></h3><p>At nine.</p><h3><a href=b>The fair</a></h3><h3><a href=c>The weir</a></h3><p>At ten.</p><h3>Noon</h3><h3><a href=d>The heron</a></h3><p>At noon.</p>"
	d := methodtest.Parse(t, page)
	v := blocks.Read(d, new(blocks.Tables))
	c := &choice{View: v, page: d, kept: make([]bool, len(v.Blocks))}
	for i := range c.kept {
		c.kept[i] = true
	}
	c.dropTeasers()
	if want := []bool{true, true, false, false, true, true, true, true}; !slices.Equal(c.kept, want) {
		t.Errorf("kept %v, want %v", c.kept, want)
	}
}
