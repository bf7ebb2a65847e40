package blocks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// A view that held other pages tells the same of one as a new view does.
func TestReadAgain(t *testing.T) {
	pages := []string{
		`<title>The bridge is open</title><nav><a href=x>Home</a><a href=y>News</a></nav><h1>The bridge is open</h1>` +
			`<div class="story body"><p>The old bridge, built in 1931, was opened on Monday at 9:30.<p>“It holds,” said the mayor.</div>` +
			`<div class=comments><p>First!<p>First!</div>`,
		`<p>One.`,
		`<title>Storm</title><h2>Weather</h2><ul class=teaser><li>Rain<li>Wind<li>Snow</ul><p>A storm, the third of the year, has come. Trees fell.`,
		`<table><tr><td>a<td>b<tr><td>c</table>`,
	}
	tables := new(Tables)
	eachName("story comments teaser", func(p uint32) { tables.Names[p] = int8(p%99) - 50 })
	var used View
	for range 2 {
		for _, page := range pages {
			d := parse(t, page)
			used.Read(d, tables)
			fresh := Read(d, tables)
			if !slices.Equal(used.Rows(Signals{}), fresh.Rows(Signals{})) || used.Headline != fresh.Headline || used.Home != fresh.Home {
				t.Errorf("%.60s…: other features than of a new view", page)
			}
			if !used.Forget() || used.Doc != nil {
				t.Error("the page is not forgotten")
			}
		}
	}
}

// The room of a huge page is not worth keeping.
func TestForgetHuge(t *testing.T) {
	v := Read(parse(t, strings.Repeat("<p>x", 40_000)), new(Tables))
	if v.Forget() {
		t.Error("kept")
	}
}

func TestAlike(t *testing.T) {
	var b strings.Builder
	b.WriteString("<ul><li class=a>one<li class=b>two<li class=a>three<li class=a><li>four</ul><section>")
	for i := range 1000 { // each of its own kind
		fmt.Fprintf(&b, "<div class=c%d>x</div>", i)
	}
	d := parse(t, b.String())
	v := Read(d, new(Tables))
	var got []int32
	for n := range d.All(0, dom.Li) {
		got = append(got, v.ground[n].alike)
	}
	// The fourth shows nothing, so that nobody asks for it or counts it.
	if want := []int32{2, 1, 2, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("%d alike, want %d", got, want)
	}
	for n := range d.All(0, dom.Div) {
		if v.ground[n].alike != 1 {
			t.Errorf("%s: %d alike", d.AttrOr(n, "class"), v.ground[n].alike)
		}
	}
}
