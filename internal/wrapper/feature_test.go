package wrapper

import (
	"math"
	"strconv"
	"strings"
	"testing"

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

// TestBreaks: a <br> formats the text beside it.
func TestBreaks(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 900"><div id=a at="0 0 500 400">abcd<br>efgh<br>ij<i>kl</i></div><div id=b>mn<div>op</div></div><p>qr</p>`)
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "a")), map[string]float64{
		"FormattingElementsNum": 3.0 / 4, "FormattedContentLen": 12.0 / 14,
	})
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "b")), map[string]float64{
		"FormattingElementsNum": 0, "FormattedContentLen": 0,
	})
}

// TestProse: 10 words and more are prose, links and short lines are not.
func TestProse(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 900"><div id=a at="0 0 500 400"><section><p>a b c d e f g h i <b>j</b></p></section>`+
		`<p>short line</p><p><a href=x>k l m n o p q r s t</a></p></div><p>a b c d e f g h i j k</p>`)
	check(t, BodyFeatures(), s.Body(byID(t, s.Doc, "a")), map[string]float64{
		"ProseLen": 18.0 / (18 + 21), "ProseShare": 18.0 / (18 + 10 + 19),
	})
}

// TestBodyRect: a screen of 1000 by 500, bodies by two screens' height.
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
		{"long", `<p id=t at="0 0 9 9">` + strings.Repeat("word ", 100) + `</p>`, map[string]float64{"WordNum": 1}},
		{"out of the screen", `<p id=t at="700 100 600 50">x</p>`, map[string]float64{"RectWidth": 0.3, "Overlap": 0}},
		{"inside the body", `<p id=t at="100 220 600 20">x</p>`, map[string]float64{"Overlap": 1, "Distance": 0}},
		{"below the body", `<p id=t at="100 1300 600 20">x</p>`, map[string]float64{"Distance": 100.0 / 500, "RectTop": 2.6}},
		{"largest there is", `<p id=t at="0 0 9 9" font=99>x</p>`, map[string]float64{"FontSize": 1}},
		{"no size", `<p id=t at="0 0 9 9" font=0>x</p>`, map[string]float64{"FontSize": 0}},
	} {
		s := scene(t, `<title>Old mill opens | Weir</title><meta property="og:title" content="Mill at last"><body at="0 0 1000 2000"><b at="0 0 100 40" font=32>Logo</b>`+x.title+`<div id=b at="100 200 600 1000"><p>story</p></div>`+
			`<p at="0 800 100 100" font=64>Larger, but not in the first screen</p>`)
		t.Run(x.name, func(t *testing.T) {
			check(t, TitleFeatures(), s.Title(byID(t, s.Doc, "t"), byID(t, s.Doc, "b")), x.want)
		})
	}
}

// TestTitleOfLowBody: tops count from the screen of the body.
func TestTitleOfLowBody(t *testing.T) {
	s := scene(t, `<body at="0 0 1000 3000"><h1 id=t at="100 900 400 50">a</h1><div id=b at="100 1100 600 1000"><p>story</p></div>`)
	check(t, TitleFeatures(), s.Title(byID(t, s.Doc, "t"), byID(t, s.Doc, "b")), map[string]float64{"RectTop": -0.2, "Distance": 0.3})
}

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, " — ": 0, "Old mill opens": 3, "The mill's re-opening": 3, "3.5 million": 3,
		"老磨坊周六开放": 4, "老磨坊": 2, "磨": 1, "老磨坊 opens 周六": 4, "ひらがなカタカナ": 4,
		"방앗간이 다시 문을 연다": 4, "naïve café": 2, "नमस्ते दुनिया": 2,
	} {
		for most, want := range map[int]int{99: want, 2: min(want, 2)} {
			if got := countWords(text, most); got != want {
				t.Errorf("%q has %d words of %d, want %d", text, got, most, want)
			}
		}
	}
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

// TestBoundingRects: a parent without a box of its own has that of its
// children, and nonsense is no box.
func TestBoundingRects(t *testing.T) {
	s := scene(t, `<body><div id=a at="0 10 500 0"><p at="10 20 100 30">a</p><p at="300 40 100 60">b</p></div><div id=b at="0 NaN 5 5">a</div>`+
		`<div id=c at="-Inf 0 Inf 10">a</div><div id=d at="0 0 -5 10">a</div><div id=e at="0 0 1e300 1e300">a</div>`)
	for id, want := range map[string]method.Box{
		"a": {X: 10, Y: 20, W: 390, H: 80}, "b": {}, "c": {}, "d": {}, "e": {W: farthest, H: farthest},
	} {
		if got := s.Rect(byID(t, s.Doc, id)); got != want {
			t.Errorf("#%s: %v, want %v", id, got, want)
		}
	}
}
