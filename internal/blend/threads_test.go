package blend

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/method"
)

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
