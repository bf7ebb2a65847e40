package wrapper

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

func number(t testing.TB, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// check compares features with those reckoned by hand.
func check(t *testing.T, names []Feature, got []float64, want map[string]float64) {
	t.Helper()
	if len(got) != len(names) {
		t.Fatalf("%d values for %d features", len(got), len(names))
	}
	left := len(want)
	for i, f := range names {
		w, ok := want[f.Name]
		if !ok {
			continue
		}
		left--
		if math.Abs(got[i]-w) > 1e-9 {
			t.Errorf("%s is %v, want %v", f.Name, got[i], w)
		}
	}
	if left > 0 {
		t.Errorf("of %v, %d are no features", want, left)
	}
}

// TestFormatting is Figure 10: of four formatting elements one is a child of A.
func TestFormatting(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 900"><div id=a at="0 0 500 400"><p>abcd</p><div id=b><p>efghij</p><p>kl<b>mn</b></p></div></div>`)
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "a")), map[string]float64{
		"FormattingElementsNum": 1.0 / 4, "FormattedContentLen": 4.0 / 14,
	})
	// The <b> is no child of B, and its two letters count once for the page.
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "b")), map[string]float64{
		"FormattingElementsNum": 2.0 / 4, "FormattedContentLen": 10.0 / 14,
	})
	none := scene(t, `<body id=a at="0 0 1000 900">abcd`)
	check(t, BodyFeatures(), none.Body(byID(t, none.Doc, "a")), map[string]float64{"FormattingElementsNum": 0, "FormattedContentLen": 0})
}

// TestBreaks checks that a <br> formats the text beside it.
func TestBreaks(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 900"><div id=a at="0 0 500 400">abcd<br>efgh<br>ij<i>kl</i></div><div id=b>mn<div>op</div></div><p>qr</p>`)
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "a")), map[string]float64{
		"FormattingElementsNum": 3.0 / 4, "FormattedContentLen": 12.0 / 14,
	})
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "b")), map[string]float64{
		"FormattingElementsNum": 0, "FormattedContentLen": 0,
	})
}

// TestProse checks that 10 words or more are prose; links and short lines are not.
func TestProse(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 900"><div id=a at="0 0 500 400"><section><p>a b c d e f g h i <b>j</b></p></section>`+
		`<p>short line</p><p><a href=x>k l m n o p q r s t</a></p></div><p>a b c d e f g h i j k</p>`)
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "a")), map[string]float64{
		"ProseLen": 18.0 / (18 + 21), "ProseShare": 18.0 / (18 + 10 + 19),
	})
}

// TestBodyRect has a screen of 1000 by 500 pixels; the height of bodies is divided by
// that of two screens.
func TestBodyRect(t *testing.T) {
	for _, x := range []struct {
		name, at                 string
		left, top, width, height float64
	}{
		{"inside", "100 50 600 400", 0.1, 0.05, 0.6, 0.4},
		{"longer than two screens", "100 250 600 4000", 0.1, 0.25, 0.6, 0.75},
		{"wider than the screen", "300 0 900 100", 0.3, 0, 0.7, 0.1},
		{"right of the screen", "1100 0 50 100", 1.1, 0, 0, 0.1},
		{"to the edges", "0 0 1000 1000", 0, 0, 1, 1},
		{"left of the page", "-100 -50 600 400", 0, 0, 0.5, 0.35},
		// The reader has scrolled: the third screen begins at 1000.
		{"further down", "100 1250 600 400", 0.1, 0.25, 0.6, 0.4},
		{"further down and long", "100 1250 600 9000", 0.1, 0.25, 0.6, 0.75},
	} {
		s := scene(t, `<body at="0 0 1000 9000"><div id=a at="`+x.at+`">a</div>`)
		t.Run(x.name, func(t *testing.T) {
			check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "a")), map[string]float64{
				"RectLeft": x.left, "RectTop": x.top, "RectWidth": x.width, "RectHeight": x.height,
			})
		})
	}
}

func TestTitleFeatures(t *testing.T) {
	for _, x := range []struct {
		name, title string
		want        map[string]float64
	}{
		{"headline", `<h1 id=t at="150 100 400 50" font=24>Old mill opens</h1>`, map[string]float64{
			"RectLeft": 0.15, "RectTop": 0.2, "RectWidth": 0.4, "RectHeight": 0.1,
			"Overlap": 400.0 / 600, "Distance": 50.0 / 500, "Flat": 50.0 / 400,
			"FontSize": 24.0 / 32, "EndWithFullStop": 0, "WordNum": 3.0 / 60, "PageTitle": 1,
		}},
		{"beside the body", `<p id=t at="800 220 200 250">Ends.</p>`, map[string]float64{
			"RectWidth": 0.2, "RectHeight": 0.5, "Overlap": 0, "Distance": 0, "Flat": 0.8,
			"FontSize": 0.5, "EndWithFullStop": 1, "WordNum": 1.0 / 60, "PageTitle": 0,
		}},
		{"part of the page's title", `<p id=t at="0 0 9 9">Weir paper</p>`, map[string]float64{"PageTitle": 1.0 / 2 * 2 / 4}},
		{"title for others", `<p id=t at="0 0 9 9">Mill, at last!</p>`, map[string]float64{"PageTitle": 1}},
		{"out of the screen", `<p id=t at="700 100 600 50">x</p>`, map[string]float64{"RectWidth": 0.3, "Overlap": 0}},
		{"inside the body", `<p id=t at="100 220 600 20">x</p>`, map[string]float64{"Overlap": 1, "Distance": 0}},
		{"below the body", `<p id=t at="100 1300 600 20">x</p>`, map[string]float64{"Distance": 100.0 / 500, "RectTop": 2.6}},
		{"largest there is", `<p id=t at="0 0 9 9" font=99>x</p>`, map[string]float64{"FontSize": 1}},
		{"no size", `<p id=t at="0 0 9 9" font=0>x</p>`, map[string]float64{"FontSize": 0}},
	} {
		s := scene(t, `<title>Old mill opens | Weir</title><meta property="og:title" content="Mill at last"><body at="0 0 1000 2000">`+
			`<b at="0 0 100 40" font=32>Logo</b>`+x.title+`<div id=b at="100 200 600 1000"><p>story</p></div>`+
			`<p at="0 800 100 100" font=64>Larger, but not in the first screen</p>`)
		t.Run(x.name, func(t *testing.T) {
			check(t, TitleFeatures(), s.Title(byID(t, s.Doc, "t"), byID(t, s.Doc, "b")), x.want)
		})
	}
}

// TestTitleOfLowBody checks that tops count from the screen of the body.
func TestTitleOfLowBody(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 3000"><h1 id=t at="100 900 400 50">a</h1><div id=b at="100 1100 600 1000"><p>story</p></div>`)
	check(t, TitleFeatures(), s.Title(byID(t, s.Doc, "t"), byID(t, s.Doc, "b")), map[string]float64{"RectTop": -0.2, "Distance": 0.3})
}

func TestEndsWithFullStop(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "Mill opens": false, "The mill opens.": true, "The mill opens. ": true, "“The mill opens.”": true, "(It opens.)": true,
		"Mill opens …": false, "And then...": false, "Who opens it?": false, "It opens!": false,
		"磨坊开放。": true, "磨坊开放．": true, "「磨坊开放。」": true, "磨坊开放": false,
		"मिल खुली।": true, "چکی کھل گئی۔": true, "ջրաղացը։": true, "ወፍጮ።": true,
	} {
		if got := endsWithFullStop(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestBoundingRects checks that a parent without a box has that of its children, and
// that invalid boxes are ignored.
func TestBoundingRects(t *testing.T) {
	s := scene(t, `<body><div id=a at="0 10 500 0"><p at="10 20 100 30">a</p><p at="300 40 100 60">b</p></div><div id=b at="0 NaN 5 5">a</div>`+
		`<div id=c at="-Inf 0 Inf 10">a</div><div id=d at="0 0 -5 10">a</div><div id=e at="0 0 1e300 1e300">a</div>`)
	for id, want := range map[string]method.Box{
		"a": {X: 10, Y: 20, W: 390, H: 80}, "b": {}, "c": {}, "d": {}, "e": {W: maxSize, H: maxSize},
	} {
		if got := s.Rect(byID(t, s.Doc, id)); got != want {
			t.Errorf("#%s: %v, want %v", id, got, want)
		}
	}
}

func TestBodyCandidates(t *testing.T) {
	s := scene(t, `<body id=body at="0 0 1000 3000">
		<div id=top at="0 0 1000 50"><p id=small at="0 0 100 50">Too small</p></div>
		<div id=main at="0 100 1000 2900"><div id=story at="0 200 700 1000"><p id=first at="0 200 700 50">a b</p><p id=low at="0 600 700 50">c d</p></div>
			<div id=comments at="0 1200 700 1500"><p id=comment at="0 1200 700 300">e f</p></div></div>
		<div id=pictures at="0 300 200 200"><img src=x></div><div id=hidden hidden at="0 0 500 500">g</div>`)
	var got []string
	for _, candidates := range s.Bodies() {
		got = append(got, ids(s.Doc, candidates))
	}
	// The least area is 2 % of a screen of 1000 by 500: 10,000.
	want := []string{"body top main story first", "low", "comments comment"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPruning checks that the content of a subtree below the first screen is visited
// with it, and that of a small one not at all.
func TestPruning(t *testing.T) {
	s := scene(t, `<body id=body at="0 0 1000 3000"><div id=low at="0 600 700 1000"><p id=up at="0 0 700 50">a</p></div>
		<div id=small at="0 0 10 10"><p id=large at="0 0 700 700">b</p></div>`)
	by := s.Bodies()
	if len(by) != 2 || ids(s.Doc, by[0]) != "body" || ids(s.Doc, by[1]) != "low up" {
		t.Errorf("got %v", by)
	}
}

func TestTitleCandidates(t *testing.T) {
	for _, x := range []struct{ name, page, want string }{
		{"inside the screen", `<h1 id=a at="0 50 500 40">Mill</h1><h2 id=b at="0 480 500 40">Half out</h2><h2 id=c at="0 600 500 40">Out</h2>`, "a"},
		{"no anchor text", `<h1 id=a at="0 50 500 40"><a href=/other>Mill</a></h1>
			<h2 id=b at="0 100 500 40">By <a href=/ann>Ann</a></h2><p id=c at="0 9 9 9">Wheel</p>`, "c"},
		{"links to the page itself", `<h1 id=a at="0 50 500 40"><a href=/mill>Mill</a></h1>
			<h1 id=b at="0 60 500 40"><a href=https://weir.example/mill#x>Mill</a></h1>`, "a b"},
		{"not a category name", `<a href=/sport at="0 10 50 10">Local
			Sport</a><h2 id=a at="0 50 500 40">LOCAL SPORT</h2><h1 id=b at="0 90 500 40">Mill</h1>`, "b"},
		{"a headline in a list of what is read most", `<a href=/1 at="0 10 50 10">Old mill opens its doors again</a>
			<h1 id=a at="0 50 500 40">Old mill opens its doors again</h1>`, "a"},
		{"a link below the body is no category", `<a href=/sport at="0 2110 50 10">Sport</a><h2 id=a at="0 50 500 40">Sport</h2>`, "a"},
		{"words", `<h1 id=a at="0 50 500 40"><img src=x></h1><h1 id=b at="0 50 500 40">—</h1><h1 hidden id=c at="0 50 500 40">Mill</h1>`, ""},
		{"smallest and around", `<div id=a at="0 50 500 40"><h1 id=b at="0 50 500 40">Mill</h1></div>`, "a b"},
	} {
		s := scene(t, `<body at="0 0 1000 3000">`+x.page+`<div id=story at="0 200 700 2000"><p>a b c</p></div>`)
		if got := ids(s.Doc, s.Titles(byID(t, s.Doc, "story"), false)); got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
}

// TestTitlesOfLowBody checks that a title is in the screen of its body or the one
// before, and with far in any before or the next.
func TestTitlesOfLowBody(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 3000"><p id=a at="0 50 500 40">a</p><p id=b at="0 520 500 40">b</p>
		<div id=story at="0 1100 700 900"><p id=c at="0 1100 700 40">c</p></div>
		<p id=d at="0 2100 500 40">d</p>`)
	body := byID(t, s.Doc, "story")
	for far, want := range map[bool]string{false: "b c", true: "a b story c"} {
		if got := ids(s.Doc, s.Titles(body, far)); got != want {
			t.Errorf("far %v: got %q, want %q", far, got, want)
		}
	}
}

// lay parses a page whose elements have their box in an attribute, as in
// <div at="10 20 300 40">, and their font size, as in <h1 font=30>. Elements
// without a box are not shown; the font size is 16 pixels by default and inherited.
// The screen has 1000 by 500 pixels.
func lay(t testing.TB, page string) (*dom.Document, *method.Layout) {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	l := &method.Layout{
		Screen: method.Screen{Width: 1000, Height: 500}, Measured: true,
		Boxes: make([]method.Box, d.Len()), Fonts: make([]method.Font, d.Len()),
	}
	for n := range d.Len() {
		id := dom.Node(n)
		l.Fonts[n] = method.Font{Size: 16, Weight: 400}
		if p := d.Parent(id); p != dom.None {
			l.Fonts[n] = l.Fonts[p]
		}
		if font, ok := d.LookupAttr(id, "font"); ok {
			l.Fonts[n].Size = number(t, font)
		}
		if at := strings.Fields(d.Attr(id, "at")); len(at) == 4 {
			l.Boxes[n] = method.Box{X: number(t, at[0]), Y: number(t, at[1]), W: number(t, at[2]), H: number(t, at[3])}
		}
	}
	return d, l
}

func scene(t testing.TB, page string) *Scene {
	t.Helper()
	d, l := lay(t, page)
	return NewScene(d, "https://weir.example/mill", l, Default())
}

// byID returns the element with an id.
func byID(t testing.TB, d *dom.Document, id string) dom.Node {
	t.Helper()
	for n := range d.Len() {
		if d.Attr(dom.Node(n), "id") == id {
			return dom.Node(n)
		}
	}
	t.Fatalf("no element with id %s", id)
	return dom.None
}

// ids returns the ids of nodes, or the names of those without one.
func ids(d *dom.Document, nodes []dom.Node) string {
	var out []string
	for _, n := range nodes {
		name := d.Attr(n, "id")
		if name == "" {
			name = d.Name(n)
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// TestToTheLetter checks the rules that the preset "paper" does not share with the
// default.
func TestToTheLetter(t *testing.T) {
	page := `<body at="0 0 1000 900"><a href=/1 at="0 0 90 20">The old mill opens its doors</a>
		<h1 id=title at="0 50 500 40">The old mill opens its doors</h1><h2 id=self at="0 100 500 40"><a href="#top">Up</a></h2>
		<div id=breaks at="0 150 500 400">abcd<br>efgh<em>ij</em></div>
		<div id=nested at="0 600 500 100"><p>kl<b>mn</b></p></div>`
	d, l := lay(t, page)
	ours, paper := NewScene(d, "", l, Default()), NewScene(d, "", l, Paper())
	breaks, nested := byID(t, d, "breaks"), byID(t, d, "nested")
	// One of three formatting elements is the <br>, which contains no text; the <em> is
	// none. The letters of the <b> count twice in the sum of the page.
	num, chars := "FormattingElementsNum", "FormattedContentLen"
	check(t, BodyFeatures(), paper.Body(breaks), map[string]float64{num: 1.0 / 3, chars: 0})
	check(t, BodyFeatures(), paper.Body(nested), map[string]float64{num: 1.0 / 3, chars: 4.0 / (4 + 2)})
	check(t, BodyFeatures(), ours.Body(breaks), map[string]float64{num: 2.0 / 4, chars: 10.0 / (10 + 4)})
	// A headline that is also a link is a category name; a link to the page itself is
	// anchor text.
	if got := ids(d, paper.Titles(breaks, false)); strings.Contains(got, "title") || strings.Contains(got, "self") {
		t.Errorf("candidates to the letter: %s", got)
	}
	if got := ids(d, ours.Titles(breaks, false)); !strings.Contains(got, "title") || !strings.Contains(got, "self") {
		t.Errorf("candidates by default: %s", got)
	}
}
