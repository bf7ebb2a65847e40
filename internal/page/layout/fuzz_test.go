package layout

import (
	"context"
	"math"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

var fuzzScreen = method.Screen{Width: 1280, Height: 800}

// FuzzEstimate lays out any page.
func FuzzEstimate(f *testing.F) {
	for _, s := range []string{
		"<div style='margin:1px auto;font-size:1em;line-height:2'>x<p style='float:left;width:50%;padding:1px 2em 3%'>y<b>z</b></div>",
		"<table width=100%><tr><td colspan=2 width=30%>a<td rowspan=3>b<tr><td>c</table><caption>d",
		"<center><img width=9 height=9 align=left>x<br clear=all><div style='max-width:5%'>y</div>",
		"<span style='display:table-cell'>x</span><div style='display:table-row'>y<p style='display:contents'>z",
		"<details><summary>a</summary>b</details><select><option>c<option>d</select><ruby>a<rt>b</ruby>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, page string) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8", Limits: dom.Limits{Nodes: 5000}})
		if err != nil {
			return
		}
		l := Estimate(d, fuzzScreen)
		for n, b := range l.Boxes {
			for _, v := range [...]float64{b.X, b.Y, b.W, b.H} {
				if v != v || math.Abs(v) > 1<<30 {
					t.Fatalf("node %d is at %v", n, b)
				}
			}
			if b.W < 0 || b.H < 0 || d.Hidden(dom.Node(n)) && d.Tag(dom.Node(n)) == dom.Script && b != (method.Box{}) {
				t.Fatalf("node %d is at %v", n, b)
			}
		}
	})
}
