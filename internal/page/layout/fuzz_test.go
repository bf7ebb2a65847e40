package layout

import (
	"context"
	"math"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
	"github.com/lede-news/lede/method"
)

var fuzzScreen = method.Screen{Width: 1280, Height: 800}

// FuzzDeclarations reads any text as a declaration block.
func FuzzDeclarations(f *testing.F) {
	for _, s := range []string{
		"width:calc(1px + 2%)", "margin:1px auto;font:bold 1em/2 x", "width:min(1px,2em,max(3%,1e9px))",
		"grid:'a b' 1fr / minmax(1px,2fr) repeat(2,1fr)", "flex:1 1 0%;clip:rect(0 0 0 0)", "border:1px solid rgb(0 0 0 / 5%)",
		"aspect-ratio:auto 16 / 9;inset:0;flex-flow:row wrap",
	} {
		f.Add(s)
	}
	v := viewport{css.Screen(fuzzScreen)}
	f.Fuzz(func(t *testing.T, block string) {
		for d := range css.Declarations(block) {
			if !knows(d.Name) {
				continue
			}
			for _, r := range v.read(nil, d.Name, d.Value) {
				if l := resolve(r.value.Length, 16, 16); l.px != l.px || l.pct != l.pct || math.Abs(float64(l.px)) > css.MaxLength {
					t.Fatalf("%s: %s is a length of %v", d.Name, d.Value, l)
				}
			}
		}
	})
}

// FuzzEstimate lays out any page.
func FuzzEstimate(f *testing.F) {
	for _, s := range []string{
		"<style>.a{display:flex}p{float:left;width:50%}</style><div class=a>x<p>y<b>z</b></div>",
		"<table width=100%><tr><td colspan=2 width=30%>a<td rowspan=3>b<tr><td>c</table><caption>d",
		"<style>div{display:grid;grid-template-columns:repeat(auto-fill,minmax(9px,1fr))}</style><div><i style='grid-column:2/-1'>x</i>y</div>",
		"<center><img width=9 height=9 align=left>x<br clear=all><div style='position:absolute;bottom:5%'>y</div>",
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
				if v != v || math.Abs(v) > maxPage {
					t.Fatalf("node %d is at %v", n, b)
				}
			}
			if b.W < 0 || b.H < 0 || d.Hidden(dom.Node(n)) && d.Tag(dom.Node(n)) == dom.Script && b != (method.Box{}) {
				t.Fatalf("node %d is at %v", n, b)
			}
		}
	})
}
