package styled

import (
	"context"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

const randomPage = `<title>A wall</title><body><h1>A wall</h1><div><div><p>First words of it, <a href="https://x.example/">with a link</a> and <b>bold <i>words</i></b>.</p>
<ul><li>One<li>Two</ul></div><blockquote><p>Said somebody.</p></blockquote><figure><img src="https://x.example/a.jpg"><figcaption>A caption</figcaption></figure>
<h2>More</h2><table><tr><th>a<td>b<tr><th>c<td>d</table><div><span>Loose</span> text.</div></div>`

// TestAlwaysReadable checks that the story is legible with any styles.
func TestAlwaysReadable(t *testing.T) {
	d, err := dom.Parse(context.Background(), []byte(randomPage), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var nodes []dom.Node
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) && d.Closest(n, dom.Div) != dom.None || d.Tag(n) == dom.Img {
			nodes = append(nodes, n)
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	values := strings.Fields("0px -1px 1px 12px 17px 30px 400px 999999px 1e9px 50% 900 400 -5 NaN auto none inherit normal bold italic center justify uppercase " +
		"left right block inline flex solid double rgb(1,2,3) #fff #000 #777 #ff0 rgba(0,0,0,.5) rgba(255,255,255,.2) transparent red Georgia x;} underline disc 0.1 9")
	for range 200 / testkit.Step(4, 8) {
		seed := r.Uint64()
		at := func(n dom.Node, property string) string {
			r := rand.New(rand.NewPCG(seed, uint64(n)<<32+uint64(len(property))+uint64(property[0])<<8+uint64(property[len(property)-1])<<16))
			if strings.Contains(property, "color") {
				return rgb{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32())}.String()
			}
			return values[r.IntN(len(values))]
		}
		a := &article.Article{Title: "A wall", Authors: []article.Author{{Name: "Ann"}}, Body: []article.Block{{Kind: article.Picture, Image: &article.Image{URL: "https://x.example/a.jpg"}}}}
		var b strings.Builder
		if err := Write(context.Background(), &b, d, a, nodes, Options{Computed: at}); err != nil {
			t.Fatal(err)
		}
		checkReadable(t, b.String())
	}
}

var (
	sheetRule   = regexp.MustCompile(`(?m)^([^@{}\n]+) \{\n((?:  .*;\n)*)\}`)
	declaration = regexp.MustCompile(`(?m)^  ([a-z-]+): (.*);$`)
)

// checkReadable checks sizes and the contrast of all text of a document.
func checkReadable(t *testing.T, out string) {
	t.Helper()
	rules := map[string]map[string]string{}
	for _, m := range sheetRule.FindAllStringSubmatch(out, -1) {
		for _, selector := range strings.Split(m[1], ", ") {
			if rules[selector] == nil {
				rules[selector] = map[string]string{}
			}
			for _, d := range declaration.FindAllStringSubmatch(m[2], -1) {
				rules[selector][d[1]] = d[2]
				checkDeclaration(t, d[1], d[2])
			}
		}
	}
	doc, err := html.Parse(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type != html.TextNode || strings.TrimSpace(n.Data) == "" {
			continue
		}
		ink, ground := "", ""
		body := false
		for p := n.Parent; p != nil; p = p.Parent {
			names := []string{p.Data}
			for _, c := range strings.Fields(get(p, "class")) {
				names = append(names, "."+c)
			}
			for i := len(names) - 1; i >= 0; i-- { // classes are stronger
				if v := rules[names[i]]["color"]; ink == "" && v != "inherit" && (names[i] != "a" || !inherits(p)) {
					ink = v
				}
				if v := rules[names[i]]["background"]; ground == "" && v != "none" {
					ground = v
				}
			}
			body = body || p.Data == "body"
		}
		if !body {
			continue
		}
		x, ok := parseColor(ink)
		y, ok2 := parseColor(ground)
		if !ok || !ok2 || contrast(x.rgb, y.rgb) < minContrast {
			t.Fatalf("%q: %s on %s in\n%s", n.Data, ink, ground, out)
		}
	}
}

// inherits reports whether a link has the colour of the text around it.
func inherits(link *html.Node) bool {
	for p := link.Parent; p != nil; p = p.Parent {
		if class := get(p, "class"); class == "missing" || class == "video" || class == "byline" {
			return true
		}
	}
	return false
}

func checkDeclaration(t *testing.T, property, value string) {
	t.Helper()
	rems := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "rem"), 64)
		if err != nil || !strings.HasSuffix(s, "rem") {
			return 1
		}
		return v
	}
	switch v := rems(value); {
	case strings.HasPrefix(property, "margin") || strings.HasPrefix(property, "padding"):
		if v < 0 || v > 4 {
			t.Errorf("%s: %s", property, value)
		}
	case property == "font-size" && (v < 13.0/16 || v > 3):
		t.Errorf("%s: %s", property, value)
	case property == "line-height":
		if v, err := strconv.ParseFloat(value, 64); err != nil || v != 0 && v < 1 || v > 2 {
			t.Errorf("%s: %s", property, value)
		}
	}
}

func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b rgb
		want float64
	}{{black, white, 21}, {white, white, 1}, {rgb{0x76, 0x76, 0x76}, white, 4.54}, {rgb{0, 0, 255}, white, 8.59}} {
		if got := contrast(c.a, c.b); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%v on %v: %.2f, want %.2f", c.a, c.b, got, c.want)
		}
	}
	// A colour that can be read stays as it is; another moves no more than it must.
	if dark := (rgb{0x33, 0x33, 0x33}); dark.on(white) != dark {
		t.Errorf("changed to %v", dark.on(white))
	}
	if got := contrast(rgb{0x99, 0x99, 0x99}.on(white), white); got < 4.5 || got > 5 {
		t.Errorf("contrast %.2f", got)
	}
}

func TestPaints(t *testing.T) {
	for s, want := range map[string]string{
		"#abc": "#aabbcc 1", "#AABBCC": "#aabbcc 1", "#aabbcc80": "#aabbcc 0.5", "#abcf": "#aabbcc 1", "Tomato": "#ff6347 1", " red ": "#ff0000 1",
		"rgb(1, 2, 3)": "#010203 1", "rgb(1 2 3 / 50%)": "#010203 0.5", "rgba(255,0,0,.25)": "#ff0000 0.25", "rgb(100%, 0%, 300%)": "#ff00ff 1",
		"transparent": "#000000 0", "color(srgb 1 0.5 0 / 1)": "",
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
		`'Courier New'`:                         `"Courier New", sans-serif`,
		`"ヒラギノ明朝 ProN"`:                         `"ヒラギノ明朝 ProN", serif`,
		`x;}</style>, Georgia`:                  `"Georgia", serif`,
		`"a\"b", "c'd", Georgia\, e`:            `"e", sans-serif`,
		`inherit`:                               ``,
		`system-ui`:                             `system-ui, sans-serif`,
	} {
		if got := familyList(s); got != want {
			t.Errorf("%s gives %s, want %s", s, got, want)
		}
	}
}
