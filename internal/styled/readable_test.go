package styled

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAlwaysReadable checks that any look becomes legible.
func TestAlwaysReadable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	numbers := []float64{0, -1, 1, 12, 17, 30, 1e9, math.NaN(), math.Inf(1), math.Inf(-1)}
	number := func() float64 { return numbers[r.IntN(len(numbers))] }
	color := func() Color {
		return Color{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), r.IntN(4) > 0}
	}
	face := func() Face {
		return Face{
			Families: []string{"x;}", "Georgia"}[:r.IntN(3)], Size: number(), Weight: r.IntN(2000) - 500, Italic: r.IntN(2) == 0,
			Color: color(), Background: color(), Leading: number(), Align: Align(r.Uint32()), Case: Case(r.Uint32()), Spacing: number(),
		}
	}
	for range 1000 {
		l := Look{Background: color(), Link: color(), Headline: face(), Standfirst: face(), Byline: face(), Lede: face(), Body: face(), Heading: face(), Quote: face(), Caption: face()}
		checkReadable(t, l.readable())
		_ = l.readable().sheet()
	}
	checkReadable(t, Look{}.readable())
}

func checkReadable(t *testing.T, l Look) {
	t.Helper()
	head := l.Background
	if l.Headline.Background.Set {
		head = l.Headline.Background
	}
	faces := []struct {
		name   string
		face   Face
		ground Color
	}{
		{"headline", l.Headline, head}, {"standfirst", l.Standfirst, head}, {"byline", l.Byline, head},
		{"body", l.Body, l.Background}, {"heading", l.Heading, l.Background}, {"quote", l.Quote, l.Background}, {"caption", l.Caption, l.Background},
	}
	if l.Lede.isSet() {
		faces = append(faces, struct {
			name   string
			face   Face
			ground Color
		}{"lede", l.Lede, l.Background})
	}
	for _, f := range faces {
		if f.face.Background.Set {
			f.ground = f.face.Background
		}
		if c := contrast(f.face.Color, f.ground); c < minContrast {
			t.Errorf("%s: contrast %.2f of %v on %v", f.name, c, f.face.Color, f.ground)
		}
		if !(f.face.Size >= 13 && f.face.Size <= 48) || !(f.face.Leading >= 1 && f.face.Leading <= 2) || !slices.ContainsFunc(f.face.Families, isFamily) ||
			f.face.Weight < 100 || f.face.Weight > 900 || math.IsNaN(f.face.Spacing) {
			t.Errorf("%s: %+v", f.name, f.face)
		}
	}
	if c := contrast(l.Link, l.Background); c < minContrast {
		t.Errorf("links: contrast %.2f", c)
	}
	if !(l.Body.Size >= 16 && l.Body.Size <= 22) || !(l.Headline.Size >= 24) {
		t.Errorf("sizes %v and %v", l.Body.Size, l.Headline.Size)
	}
}

func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b Color
		want float64
	}{{black, white, 21}, {white, white, 1}, {RGB(0x76, 0x76, 0x76), white, 4.54}, {RGB(0, 0, 255), white, 8.59}} {
		if got := contrast(c.a, c.b); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%v on %v: %.2f, want %.2f", c.a, c.b, got, c.want)
		}
	}
	// A colour that can be read stays as it is; another moves no more than it must.
	if got := RGB(0x33, 0x33, 0x33).on(white); got != RGB(0x33, 0x33, 0x33) {
		t.Errorf("changed to %v", got)
	}
	if got := contrast(RGB(0x99, 0x99, 0x99).on(white), white); got < 4.5 || got > 5 {
		t.Errorf("contrast %.2f", got)
	}
}

func TestPaints(t *testing.T) {
	for s, want := range map[string]string{
		"#abc": "#aabbcc 1", "#AABBCC": "#aabbcc 1", "#aabbcc80": "#aabbcc 0.5", "#abcf": "#aabbcc 1", "Tomato": "#ff6347 1", " red ": "#ff0000 1",
		"rgb(1, 2, 3)": "#010203 1", "rgb(1 2 3 / 50%)": "#010203 0.5", "rgba(255,0,0,.25)": "#ff0000 0.25", "rgb(100%, 0%, 300%)": "#ff00ff 1",
		"color(srgb 1 0.5 0 / 1)": "#ff8000 1", "transparent": "#000000 0",
		"#ab": "", "#abcde": "", "#ggg": "", "rgb(1,2)": "", "rgb(1,2,3,4,5)": "", "rgb(a,b,c)": "", "hsl(1,2,3)": "", "url(x)": "", "": "", "inherit": "", "rgb(0x1,2,3)": "",
	} {
		got := ""
		if p, ok := parseColor(s); ok {
			got = p.String() + " " + decimal(math.Round(p.alpha*100)/100)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func TestFamilyList(t *testing.T) {
	for s, want := range map[string]string{
		`Georgia, "Times New Roman", serif`:     `"Georgia", "Times New Roman", serif`,
		`Inter,-apple-system,"Segoe UI",Roboto`: `"Inter", -apple-system, "Segoe UI", "Roboto", sans-serif`,
		`'Courier New'`:                         `"Courier New", monospace`,
		`"ヒラギノ明朝 ProN"`:                         `"ヒラギノ明朝 ProN", serif`,
		`x;}</style>, Georgia`:                  `"Georgia", serif`,
		`"a\"b", "c'd", Georgia\, e`:            `"e", sans-serif`,
		`inherit`:                               `sans-serif`,
		`system-ui`:                             `system-ui, sans-serif`,
	} {
		if got := familyList(parseFamilies(s)); got != want {
			t.Errorf("%s gives %s, want %s", s, got, want)
		}
	}
}
