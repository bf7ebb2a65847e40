package blend

import (
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

// TestOtherChoice checks that the rules for articles are not applied to other
// pages: a thread has dates and comments, an overview has links.
func TestOtherChoice(t *testing.T) {
	const page = `<title>Rowing club</title><h1>Rowing club</h1>
		<p>Ann Lee, 3 May 2026, 10:15</p>
		<div class="comment"><p>Does anybody have a spare oar for Sunday?</p></div>
		<p><a href="/boats">All boats of the club</a></p>
		<h2>Coxless fours</h2>
		<div class="menu"><p>Imprint</p></div>`
	d := methodtest.Parse(t, page)
	v := blocks.Read(d, new(blocks.Tables))
	prob := []float32{0.9, 0.9, 0.9, 0.7, 0.6, 0.1}
	for _, c := range []struct {
		favor method.Favor
		want  []bool
	}{
		{method.Balanced, []bool{false, true, true, true, true, false}},
		{method.FavorPrecision, []bool{false, true, true, false, false, false}},
		{method.FavorRecall, []bool{false, true, true, true, true, false}},
	} {
		got := newOtherChoice(v, prob, &method.Page{Doc: d, Favor: c.favor})
		if !got.finish() {
			t.Fatalf("%v: nothing kept", c.favor)
		}
		if !slices.Equal(got.kept, c.want) {
			t.Errorf("%v: kept %v, want %v", c.favor, got.kept, c.want)
		}
	}
	if c := newChoice(v, prob, &method.Page{Doc: d}); c.kept[1] || c.kept[3] {
		t.Errorf("on an article: kept %v", c.kept)
	}
}

// TestOtherLinks checks that links are kept where they are all that a page has, and
// menus are not.
func TestOtherLinks(t *testing.T) {
	d := methodtest.Parse(t, `<nav><a href="/">Home</a></nav><ul><li><a href="/a">The ferry is back</a><li><a href="/b">The mill is sold</a></ul>`)
	v := blocks.Read(d, new(blocks.Tables))
	c := newOtherChoice(v, []float32{0.1, 0.8, 0.8}, &method.Page{Doc: d})
	if want := []bool{false, true, true}; !c.finish() || !slices.Equal(c.kept, want) {
		t.Errorf("kept %v, want %v", c.kept, want)
	}
	c = newOtherChoice(v, []float32{0.1, 0.3, 0.3}, &method.Page{Doc: d, Favor: method.FavorPrecision})
	if want := []bool{false, true, true}; !c.finish() || !slices.Equal(c.kept, want) {
		t.Errorf("precision: kept %v, want %v", c.kept, want)
	}
	c = newOtherChoice(v, []float32{0.8, 0, 0}, &method.Page{Doc: d})
	if c.finish() {
		t.Errorf("a menu is kept: %v", c.kept)
	}
}

// TestOtherReplacesStory checks that doubtful pages are judged as listings only if
// they look like one.
func TestOtherReplacesStory(t *testing.T) {
	listing := strings.Repeat(`<li><a href="/a">The ferry to the islands is back on time</a>`, 10)
	for _, c := range []struct {
		page   string
		story  float32 // probability that a block belongs to an article
		kind   article.PageType
		chance float32
		want   bool
	}{
		{listing, 0.4, article.TypeIndex, 0.5, true},
		{listing, 0.9, article.TypeIndex, 0.5, false},
		{listing, 0.4, article.TypeOther, 0.5, false},
		{listing, 0.9, article.TypeOther, 0.1, true},
		{"<p>Listen to this song.", 0.4, article.TypeIndex, 0.5, false},
		{"<p>Listen to this song.", 0.4, article.TypeIndex, 0.1, true},
	} {
		p := &method.Page{Doc: methodtest.Parse(t, c.page)}
		v := blocks.Read(p.Doc, new(blocks.Tables))
		story := newChoice(v, slices.Repeat([]float32{c.story}, len(v.Blocks)), p)
		other := newOtherChoice(v, slices.Repeat([]float32{0.9}, len(v.Blocks)), p)
		if got := other.replaces(&story, c.kind, c.chance); got != c.want {
			t.Errorf("%.40s: %s with probability %.1f: %v, want %v", c.page, c.kind, c.chance, got, c.want)
		}
	}
}
