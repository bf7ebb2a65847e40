package layout

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

var fuzzScreen = method.Screen{Width: 1280, Height: 800}

// FuzzSheet reads any bytes as a style sheet.
func FuzzSheet(f *testing.F) {
	f.Add(uaSheet)
	for _, s := range []string{
		"p{width:calc(1px + 2%)}", "@media (min-width:1px) and (width<9em){.a>#b~p:not(.c)[d^='e']{margin:1px auto;font:bold 1em/2 x}}",
		":root{--a:1px}p{width:var(--a,var(--b))}", "a{b:c;d{e:f}g:h}", "/*", "@", "p{", "\\", "p{grid:'a b' 1fr / minmax(1px,2fr) repeat(2,1fr)}", "p{flex:1 1 0%;clip:rect(0 0 0 0)}",
	} {
		f.Add(s)
	}
	d, err := dom.Parse(context.Background(), []byte("<style></style><div class=a id=b><p class='a c'>x"), dom.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, css string) {
		s := newSheet(fuzzScreen, d)
		s.add(css)
		s.resolveVars()
		for i := range s.decls {
			v := &s.decls[i].value
			if l := v.rel.resolve(16, 16); l.px != l.px || l.pct != l.pct || math.Abs(float64(l.px)) > maxLength {
				t.Fatalf("a length of %v", l)
			}
		}
		for _, sel := range s.list {
			if sel.from >= sel.to || int(sel.rule) >= len(s.rules) {
				t.Fatalf("selector %+v of %d rules", sel, len(s.rules))
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
		start := time.Now()
		l := Estimate(d, fuzzScreen)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%d nodes took %v", d.Len(), took)
		}
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
