package layout_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/method"
)

// page is a page with its estimated layout.
type page struct {
	*method.Layout
	t   *testing.T
	doc *dom.Document
}

// lay lays out the body of a page in standards mode without margins.
func lay(t *testing.T, css, body string) page {
	t.Helper()
	return layAll(t, "<!DOCTYPE html><style>body{margin:0}"+css+"</style><body>"+body)
}

func layAll(t *testing.T, html string) page {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(html), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	p := page{layout.Estimate(d, screen), t, d}
	if err := check(d, p.Layout); err != nil {
		t.Error(err)
	}
	return p
}

func (p page) node(id string) dom.Node {
	p.t.Helper()
	for n := range dom.Node(p.doc.Len()) {
		if p.doc.Attr(n, "id") == id {
			return n
		}
	}
	p.t.Fatalf("no #%s", id)
	return dom.None
}

func (p page) at(id string) method.Box {
	p.t.Helper()
	return p.Box(p.node(id))
}

// has checks the box of the element with an id; NaN matches any number.
func (p page) has(id string, x, y, w, h float64) {
	p.t.Helper()
	b := p.at(id)
	for i, v := range [...][2]float64{{b.X, x}, {b.Y, y}, {b.W, w}, {b.H, h}} {
		if !math.IsNaN(v[1]) && math.Abs(v[0]-v[1]) > 0.6 {
			p.t.Errorf("#%s is at %+v, want %s = %v", id, b, "XYWH"[i:i+1], v[1])
		}
	}
}

func (p page) is(what string, ok bool) {
	p.t.Helper()
	if !ok {
		p.t.Error("not so: ", what)
	}
}

var any = math.NaN()

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

func TestFloats(t *testing.T) {
	p := lay(t, "div{height:100px}", `<div id=l style="float:left;width:200px"></div><div id=r style="float:right;width:300px;margin-left:10px"></div>
		<p id=p style="margin:0"><b id=w>word</b></p><div id=o style="overflow:hidden"></div><div id=c style="clear:both"></div>`)
	p.has("l", 0, 0, 200, 100)
	p.has("r", 980, 0, 300, 100)
	p.has("p", 0, 0, 1280, 18) // the block is behind the floats, its lines are between them
	p.is("words beside the float", p.at("w").X >= 200 && p.at("w").X < 201)
	p.has("o", 200, 18, 770, 100)
	p.has("c", 0, 118, 1280, 100)
}

func TestFloatsWrap(t *testing.T) {
	p := lay(t, "i{float:left;width:600px;height:50px}", "<i id=a></i><i id=b></i><i id=c></i>")
	p.has("a", 0, 0, 600, 50)
	p.has("b", 600, 0, 600, 50)
	p.has("c", 0, 50, 600, 50)
}

func TestFloatsWithinColumns(t *testing.T) {
	p := lay(t, "#m{width:1000px;margin:0 auto} #s{float:left;width:30%} #a{float:right;width:70%}", "<div id=m><div id=s>menu</div><div id=a>story</div></div><div id=f style='clear:both'>foot</div>")
	p.has("m", 140, 0, 1000, 0)
	p.has("s", 140, 0, 300, 18)
	p.has("a", 440, 0, 700, 18)
	p.has("f", 0, 18, 1280, 18)
}

func TestTableOfTheNineties(t *testing.T) {
	p := layAll(t, `<html><body leftmargin=0 topmargin=0 marginwidth=0 marginheight=0><table id=t width=780 cellspacing=0 cellpadding=0 border=0 align=center>
		<tr><td id=h colspan=3 height=60>head</td></tr>
		<tr valign=top><td id=a width=140>menu</td><td id=b><p>story<p>story</td><td id=c width=170>more</td></tr></table>`)
	p.has("t", 250, 0, 780, any)
	p.has("h", 250, 0, 780, 60)
	p.has("a", 250, 60, 140, any)
	p.has("b", 390, 60, 470, any)
	p.has("c", 860, 60, 170, any)
	p.is("cells are as high as their row", p.at("a").H == p.at("b").H && p.at("a").H > 40)
}

func TestTableShares(t *testing.T) {
	p := lay(t, "td{padding:0;height:20px}", `<table id=t width=100% cellspacing=0><tr><td id=a width=25%>x<td id=b>y y y<td id=c rowspan=2 width=320>z<tr><td id=d>x<td id=e>y</table>
		<table id=u cellspacing=0><tr><td id=f>some words<td id=g>w</table>`)
	p.has("a", 0, 0, 320, 20)
	p.has("b", 320, 0, 640, 20)
	p.has("c", 960, 0, 320, any)
	p.has("e", 320, 20, 640, 20)
	p.is("a table is as wide as its content", p.at("u").W < 120 && p.at("f").W > 3*p.at("g").W)
}

func TestFlex(t *testing.T) {
	p := lay(t, ".r{display:flex;gap:20px} .r>*{height:10px}", `<div class=r><div id=a style="width:300px"></div><div id=b style="flex:1"></div><div id=c style="flex:2"></div></div>
		<div class=r style="justify-content:space-between"><div id=d style="width:100px"></div><div id=e style="width:100px"></div></div>
		<div class=r style="flex-wrap:wrap"><div id=f style="width:700px"></div><div id=g style="width:700px"></div></div>
		<div class=r style="flex-direction:column"><div id=h></div><div id=i></div></div>`)
	p.has("a", 0, 0, 300, 10)
	p.has("b", 320, 0, 313.3, 10)
	p.has("c", 653.3, 0, 626.7, 10)
	p.has("d", 0, 10, 100, 10)
	p.has("e", 1180, 10, 100, 10)
	p.has("f", 0, 20, 700, 10)
	p.has("g", 0, 50, 700, 10)
	p.has("h", 0, 60, 1280, 10)
	p.has("i", 0, 90, 1280, 10)
}

func TestFlexShrinks(t *testing.T) {
	p := lay(t, "#r{display:flex;width:600px} #r div{height:10px}", "<div id=r><div id=a style='width:600px'></div><div id=b style='flex:0 0 200px'></div></div>")
	p.has("a", 0, 0, 400, 10)
	p.has("b", 400, 0, 200, 10)
}

func TestGrid(t *testing.T) {
	p := lay(t, ".g{display:grid;gap:10px} .g>*{height:20px}", `<div class=g style="grid-template-columns:200px 1fr 2fr"><i id=a></i><i id=b></i><i id=c></i><i id=d style="grid-column:2 / -1"></i></div>
		<div class=g style="grid-template-columns:repeat(4, minmax(0,1fr))"><i id=e></i><i id=f style="grid-column:span 2"></i></div>
		<div class=g style="grid-template:'h h' 's m' / 300px 1fr"><i id=m style="grid-area:m"></i><i id=s style="grid-area:s"></i><i id=h style="grid-area:h"></i></div>`)
	p.has("a", 0, 0, 200, 20)
	p.has("b", 210, 0, 353.3, 20)
	p.has("c", 573.3, 0, 706.7, 20)
	p.has("d", 210, 30, 1070, 20)
	p.has("e", 0, 50, 312.5, 20)
	p.has("f", 322.5, 50, 635, 20)
	p.has("h", 0, 70, 1280, 20)
	p.has("s", 0, 100, 300, 20)
	p.has("m", 310, 100, 970, 20)
}

func TestPositions(t *testing.T) {
	p := lay(t, "", `<div id=h style="position:fixed;top:0;left:0;right:0;height:60px">x</div>
		<div id=b style="position:relative;height:200px;margin-top:100px"><div id=a style="position:absolute;right:10px;bottom:20px;width:50px;height:30px"><i id=i style="position:absolute;left:5px;top:5px;width:9px;height:9px"></i></div></div>
		<div id=r style="position:relative;left:15px;top:-5px;height:10px"></div><div id=n style="height:10px"></div>`)
	p.has("h", 0, 0, 1280, 60)
	p.has("b", 0, 100, 1280, 200)
	p.has("a", 1220, 250, 50, 30)
	p.has("i", 1225, 255, 9, 9)
	p.has("r", 15, 295, 1280, 10)
	p.has("n", 0, 310, 1280, 10) // as if nothing had moved
}

func TestInlineBlocks(t *testing.T) {
	p := lay(t, "span{display:inline-block;width:500px;height:40px}", "<div id=d><span id=a></span> <span id=b></span> <span id=c></span></div>")
	a, b, c := p.at("a"), p.at("b"), p.at("c")
	p.is("beside one another", b.X >= 500 && b.X < 510 && a.Y == b.Y)
	p.is("below when there is no room", c.X == 0 && c.Y >= 40)
	p.is("inside", p.at("d").H >= 80)
}

func TestHidden(t *testing.T) {
	p := lay(t, `.n{display:none} .v{visibility:hidden} .o{position:absolute;left:-9999px} .i{text-indent:-9999px}
		.sr{position:absolute;clip:rect(0,0,0,0);width:1px;height:1px}`, `<p>A page with some words that are shown to all readers.</p>
		<div id=a class=n>x</div><div id=b class=v>x</div><div id=c class=o>x</div><div class=i><b id=d>x</b></div><span id=e class=sr>x</span>
		<div id=f hidden>x</div><div id=g style="display:none"><p id=h>x</p></div><details><summary>s</summary><p id=i>x</details><input id=j type=hidden><script id=k>x</script>`)
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		if p.Shown(p.node(id)) {
			t.Errorf("#%s is shown at %v", id, p.at(id))
		}
	}
}

func TestStoryBehindAStyleSheet(t *testing.T) {
	story := "The bridge over the river was opened again on Monday, said the mayor, after it had been closed for a year. "
	p := lay(t, ".wait{display:none}", "<p>Please wait.</p><div id=s class=wait>"+story+story+story+"</div>")
	p.is("a story that waits for a script is shown", p.Shown(p.node("s")))
}
