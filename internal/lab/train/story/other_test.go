package story

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/method"
)

// thread returns a made-up thread of a forum of a site of its own, whose dates and
// names belong to the text.
func thread(t *testing.T, n int) *Example {
	t.Helper()
	var page, text strings.Builder
	fmt.Fprintf(&page, "<title>Which oar, number %d?</title><nav><a href=/>Home</a> <a href=/new>New</a></nav><h1>Which oar, number %d?</h1>", n, n)
	for i := range 4 + n%5 {
		by := fmt.Sprintf("rower%d, %d May 2026, 10:%02d", i*n, i+1, n%60)
		says := fmt.Sprintf("I row with oar number %d, and measure the beam of the boat first.", n+i)
		fmt.Fprintf(&page, `<div class="post"><div class="by">%s</div><div class="says">%s</div><div class="do"><a href="#">Reply</a> <a href="#">Quote</a></div></div>`, by, says)
		fmt.Fprintf(&text, "%s\n%s\n", by, says)
	}
	page.WriteString("<footer>All rights reserved</footer>")
	g := &corpus.Gold{ID: fmt.Sprint("thread", n), Site: fmt.Sprintf("forum%d.example", n), Type: "forum", Text: text.String()}
	x, err := NewExample(t.Context(), g, []byte(page.String()))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestOthers checks that pages which are no articles get trees of their own, and
// keep what the rules for articles would drop.
func TestOthers(t *testing.T) {
	t.Parallel()
	var all []*Example
	for n := range 60 {
		all = append(all, thread(t, n))
	}
	sites := newsroom.New(7).Sites()
	for i := range 60 {
		p := sites[i%len(sites)].Page(i)
		g := &corpus.Gold{ID: p.Gold.ID, URL: p.Gold.URL, Site: p.Gold.Site, Type: p.Gold.Type, Title: p.Gold.Title, Text: p.Gold.Text}
		x, err := NewExample(t.Context(), g, p.HTML)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	model, cross, err := Train(t.Context(), all, Options{Trees: 30})
	if err != nil {
		t.Fatal(err)
	}
	if model.Other == nil || cross.For(0).Other == nil {
		t.Fatal("no trees for pages that are no articles")
	}
	x := all[0]
	s, err := blend.New(blend.Config{Model: cross.For(x.Fold)}).Select(t.Context(), &method.Page{Doc: x.Doc})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Fields(s.Text(x.Doc)), strings.Fields(x.Gold.Text); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("a thread of an unseen forum: %s\nwant %s", got, want)
	}
	b, err := model.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := new(blend.Model)
	if err := again.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if c, _ := again.MarshalBinary(); again.Other == nil || !bytes.Equal(b, c) {
		t.Error("the trees are not written and read")
	}
}
