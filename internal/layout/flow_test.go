package layout_test

import (
	"strings"
	"testing"
)

func TestBlocksStack(t *testing.T) {
	p := lay(t, "div{height:50px}", "<div id=a></div><div id=b style='width:25%'></div><div id=c style='width:300px;margin:0 auto;padding:10px'></div>")
	p.has("a", 0, 0, 1280, 50)
	p.has("b", 0, 50, 320, 50)
	p.has("c", 480, 100, 320, 70)
}

func TestBoxSizing(t *testing.T) {
	p := lay(t, "*{box-sizing:border-box}", "<div id=a style='width:300px;height:40px;padding:10px;border:5px solid'></div><div id=b style='width:calc(50% - 40px);height:1em'></div>")
	p.has("a", 0, 0, 300, 40)
	p.has("b", 0, 40, 600, 16)
}

func TestMarginsCollapse(t *testing.T) {
	p := lay(t, "", `<div id=a style="margin-bottom:30px;height:10px"></div><div id=b style="margin-top:20px;height:10px"></div>
		<div id=c style="margin-top:5px"><div id=d style="margin-top:40px;height:10px"></div></div><div style="margin:50px 0"></div>
		<div id=e style="margin-top:-10px;height:10px"></div><div id=f style="padding-top:1px"><div id=g style="margin-top:9px;height:10px"></div></div>`)
	p.has("a", 0, 0, any, 10)
	p.has("b", 0, 40, any, 10)  // the larger of the two margins
	p.has("c", 0, 90, any, 10)  // the margin of the first child is that of its parent
	p.has("d", 0, 90, any, 10)  //
	p.has("e", 0, 140, any, 10) // through an empty block, and less by a negative one
	p.has("f", 0, 150, any, 20)
	p.has("g", 0, 160, any, 10) // but not through padding
}

func TestBodyMargin(t *testing.T) {
	p := layAll(t, "<!DOCTYPE html><body id=b><p id=p>text")
	p.has("b", 8, 16, 1264, 18)
	p.has("p", 8, 16, 1264, 18)
}

func TestMaxAndMin(t *testing.T) {
	p := lay(t, "div{height:10px;max-height:99px}", "<div id=a style='max-width:400px'></div><div id=b style='width:10px;min-width:20em;font-size:10px'></div><div id=c style='min-height:60px'></div>")
	p.has("a", 0, 0, 400, 10)
	p.has("b", 0, 10, 200, 10)
	p.has("c", 0, 20, 1280, 60)
}

func TestTextMakesHeight(t *testing.T) {
	words := strings.Repeat("common words of usual length ", 40) // 1160 letters, some 0.43 em each
	p := lay(t, "p{margin:0;line-height:20px}", "<p id=a>"+words+"<p id=b style='width:400px'>"+words+"<p id=c style='width:400px;font-size:32px;line-height:1.5'>"+words)
	a, b, c := p.at("a"), p.at("b"), p.at("c")
	p.is("7000 pixels of words take six or seven lines", a.H == 120 || a.H == 140)
	p.is("three times as many of a third of the width", b.H >= 3*a.H-20 && b.H <= 3.6*a.H)
	p.is("larger letters take more lines, and higher ones", c.H > 4*b.H)
	p.is("one below the other", b.Y == a.Bottom() && c.Y == b.Bottom())
}

func TestIdeographs(t *testing.T) {
	p := lay(t, "p{margin:0;width:320px;line-height:20px}", "<p id=a>"+strings.Repeat("新聞", 40)) // 20 to a line
	p.has("a", 0, 0, 320, 80)
}

func TestInlineBoxes(t *testing.T) {
	p := lay(t, "p{margin:0}", "<p>one <b id=b>two</b> three <a id=a>four</a></p><p id=p>a<br>b<br><br>c")
	b, a := p.at("b"), p.at("a")
	p.is("beside one another", b.X > 0 && a.X > b.Right() && a.Y == b.Y)
	p.is("as wide as their words", b.W > 15 && b.W < 40 && b.H > 10 && b.H < 20)
	p.is("bold", p.Fonts[p.node("b")].Weight == 700)
	p.has("p", 0, 18, 1280, 72)
}

func TestAlign(t *testing.T) {
	p := lay(t, "p{margin:0}", `<p style="text-align:center"><b id=c>word</b></p><p style="text-align:right"><b id=r>word</b></p>
		<center><table id=t width=400><tr><td>x</table></center><div align=right><div id=d style="width:100px">x</div></div><p dir=rtl><b id=l>word</b>`)
	c, r, l := p.at("c"), p.at("r"), p.at("l")
	p.is("in the middle", c.X+c.W/2 > 639 && c.X+c.W/2 < 641)
	p.is("at the right", r.Right() > 1279 && l.Right() > 1279)
	p.has("t", 440, any, 400, any)
	p.has("d", 1180, any, 100, any)
}

func TestLists(t *testing.T) {
	p := lay(t, "", "<ul id=u><li id=a>one<li id=b>two<ul id=v><li id=c>three</ul></ul>")
	p.has("u", 0, 16, 1280, 54)
	p.has("a", 40, 16, 1240, 18)
	p.has("v", 40, 52, 1240, 18)
	p.has("c", 80, 52, 1200, 18)
}

func TestHeadings(t *testing.T) {
	p := lay(t, "", "<h1 id=h1>a</h1><h2 id=h2>b</h2><h6 id=h6>c</h6><p id=p>d<small id=s>e</small><font id=f size=6>f</font><font id=g size=-1>g</font>")
	for id, size := range map[string]float64{"h1": 32, "h2": 24, "h6": 10.72, "p": 16, "s": 16 / 1.2, "f": 32, "g": 13} {
		if got := p.Fonts[p.node(id)].Size; got < size-0.05 || got > size+0.05 {
			t.Errorf("#%s is set in %v, want %v", id, got, size)
		}
	}
	p.is("headings are bold", p.Fonts[p.node("h1")].Weight == 700 && p.Fonts[p.node("p")].Weight == 400)
}

func TestReplaced(t *testing.T) {
	p := lay(t, "img,iframe{display:block;border:0} .w{width:300px}", `<img id=a width=200 height=100><img id=b width=600 height=300 class=w style="height:auto">
		<iframe id=c width="50%" height=90></iframe><img id=d><video id=e width=400 height=225></video><svg id=f width=24 height=24></svg>`)
	p.has("a", 0, 0, 200, 100)
	p.has("b", 0, 100, 300, 150)
	p.has("c", 0, 250, 640, 90)
	p.is("a picture that says nothing of its size shows nothing", !p.Shown(p.node("d")))
	p.has("e", 0, any, 400, 225)
	p.has("f", any, any, 24, 24)
}

func TestPreformatted(t *testing.T) {
	p := lay(t, "pre{margin:0}", "<pre id=p>one\ntwo\nthree</pre>")
	p.has("p", 0, 0, 1280, 45) // letters of 13 pixels in lines of 15
}
