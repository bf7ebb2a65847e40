package css

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func parseDocument(tb testing.TB, page string) *dom.Document {
	tb.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// orders returns the computed value of order of every element in the body. It
// is an integer that any element may have and that is not inherited.
func orders(d *dom.Document) []string {
	c := NewCascade(d, func(name string) bool { return name == "order" }, "", append([]string{""}, Sheets(d)...)...)
	var out []string
	body := d.First(dom.Body)
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) {
			continue
		}
		order := "0"
		for _, d := range c.Element(n) {
			if _, err := strconv.Atoi(d.Value); err == nil {
				order = d.Value
			}
		}
		if n > body {
			out = append(out, order)
		}
	}
	return out
}

const chromiumOrders = `[...document.body.querySelectorAll("*")].map((e) => getComputedStyle(e).order)`

// compareOrders compares the cascade of a page with Chromium's.
func compareOrders(t *testing.T, tab *testkit.Tab, page string) {
	t.Helper()
	tab.NavigateFile([]byte(page))
	want := testkit.Evaluate[[]string](tab, chromiumOrders)
	got := orders(parseDocument(t, page))
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("order of the elements: %v, in Chromium %v, on the page\n%s", got, want, page)
	}
}

// TestCascadeInChromium has sheets for one page, on which the rules set order.
func TestCascadeInChromium(t *testing.T) {
	const body = `<body><div class="x" lang="en"><div class="x y" id="a" data-k="v w"><div class="y"><p class="P q">1</p><p lang="english">2</p><p lang="en-GB">3</p>
<span style="order:7" class="s">4</span><span style="order:8!important" class="s">5</span><a href="/">6</a><a>7</a><p class="md:w q" data-K="V">8</p></div></div></div>
<ul><li>1<li>2<li class="q">3<li>4<li>5</ul><section><h2>h</h2><p>1</p><p>2</p><h2>i</h2><p title="">3</p></section>`
	tab := testkit.NewTab(t, 1280, 800)
	for _, c := range []struct{ name, sheet string }{
		{"backtracking", ".x > .y p{order:1} .x > .x > .y > a{order:2} .x + .y ~ p p{order:3}"},
		{"backtracking over siblings", "h2 + p ~ p{order:1} h2 ~ h2 + p{order:2} p + p + h2 + p{order:3} div ul ~ section > h2 ~ p + p{order:4}"},
		{"language attribute", "[lang|=en]{order:1}"},
		{"attributes", `[data-k]{order:1} [data-k="v w"]{order:2} [data-k~=w]{order:3} [data-k=v]{order:4} [class^=m]{order:5} [class$=q]{order:6} [title=""]{order:7}`},
		{"malformed attributes", `[lang=1]{order:1} [lang=]{order:2} [=en]{order:3} [lang==en]{order:4} [lang|en]{order:5} [lang^en]{order:6} p{order:7}`},
		{"specificity", "p{order:1} .q{order:2} p.q{order:3} .q{order:4} #a p{order:5} .x .y .y p{order:6} *{order:7}"},
		{"importance", ".s{order:1!important} #a .s{order:2} span{order:3 ! important} p{order:4!important;order:5}"},
		{"not", "p:not(.q){order:1} p:not(.q,[lang]){order:2} :not(p):not(div){order:3} a:not(:hover){order:4} p:not(#nowhere){order:5} p{order:6}"},
		{"not with a complex selector", "p:not(.x > .y *){order:1} p:not(section p, .q){order:2}"},
		{"is and where", ":is(h2,.s,#nowhere){order:1} h2{order:2} :where(#a) p{order:3} p{order:4} .x :is(.y .y, ul) > p{order:5} :is(:is(section) > p){order:6}"},
		{"forgiving lists", ":is(h2, :unknown(x)){order:1} p:not(h2, :unknown(x)){order:2}"},
		{"children", "li:first-child{order:1} li:last-child{order:2} h2:first-child{order:3} p:first-of-type{order:4} p:last-of-type{order:5}"},
		{"links", "a:link{order:1} :any-link{order:2} a:visited{order:3} a:hover{order:4}"},
		{"root", ":root .q{order:1} html > body > ul li{order:2} :root > div{order:3} *:root{order:4}"},
		{"names are case sensitive", ".p{order:1} .P{order:2} .Q{order:3} P{order:4} #A{order:5}"},
		{"escapes", `.md\:w{order:1} .\q p{order:2} li.\q {order:6}`},
		{"malformed selectors", "p..q{order:1} .1{order:2} >p{order:3} p>{order:4} p>>q{order:5} .q p#{order:6} p:{order:7} p{order:8} .q*{order:9} .qp,{order:10} p &{order:11}"},
		{"pseudo-elements", "p::before{order:1} p:after{order:2} li::marker{order:3}"},
		{"comments", "/* p{order:9} */p/**/.q/* } */{/*}*/order:/*9;*/1/**/} p/* > */ > q{order:2} .y/**/p{order:3} ul/**/ /**/li{o/**/rder:4;order/*:*/:5}"},
		{"strings", `p{content:"}";order:1} a{content:'/*';order:2} h2{content:"\"}";order:3} li{content:'a
;order:9;color:red} li.q{order:4}`},
		{"URLs", "p{background:url(data:image/png;base64,AA==);order:1} h2{background:url( 'a)b' );order:3}"},
		{"brackets", "p{foo:(;order:9);order:1} a{foo:[;order:9];order:2} h2{foo:{;order:9};order:3} li{foo:(]);order:4}"},
		{"unclosed bracket", "p{order:1} a{foo:(;order:2} h2{order:3} li{order:4}"},
		{"unclosed block", "p{order:1} a{order:2"},
		{"stray braces", "} p{order:1} a{order:2}} h2{order:3} li{order:4}"},
		{"stray semicolons", "p{order:1}; a{order:2} h2{;;order:3;;order:x;} foo; li{order:4} li{order:5}"},
		{"malformed declarations", "p{order 1;order:2} a{order:3 4;*order:5;order:} h2{or der:1;1:2;order:6} li{:7;order:8!;order:9!ie}"},
		{"upper case", "P{ORDER:1} A{Order:2!IMPORTANT} LI:FIRST-CHILD{order:3} LI:Not(:First-Child){order:4} [LANG|=en]{order:5}"},
		{"HTML comments", "<!-- p{order:1} --> a{order:2} <!-- --> li{order:3}"},
		{"CDATA", "<![CDATA[ p{order:1} ]]> a{order:2} li{order:3}"},
		{"at-rules", "@charset 'utf-8'; @import url('data:text/css,p{}'); @font-face{font-family:x;order:1} @keyframes k{from{order:2}} @page{order:3} p{order:4} @unknown x{p{order:5}} @unknown; a{order:6}"},
		{"media", "@media screen{p{order:1}} @media print{a{order:2}} @media(min-width:600px)and (max-width:1300px){h2{order:3} @media not print{li{order:4}}} p.q{order:5}"},
		{"supports", "@supports (display:grid){p{order:1}} @SUPPORTS (display:grid){@media all{li{order:3}}}"},
		{"variables", ":root{--a:1;--b:var(--a)} p{order:var(--a)} a{order:var( --b )} h2{order:var(--none,3)} li{order:var(--none,var(--no,4))}"},
		{"variables are inherited", ".x{--a:1} .y{--a:2} ul{--b:3} p{order:var(--a,9)} li{order:var(--b)} .q{--b:4} a{--a:5!important;order:var(--a)} a{--a:6}"},
		{"variables use those of their element", ":root{--a:1;--b:var(--a)} .y{--a:2} p{order:var(--b)} a{--b:var(--a);order:var(--b)}"},
		{"variables in style attributes", ".s{--a:3;order:var(--a)!important} section{--a:4} section *{order:var(--a)}"},
		{"variables in a circle", ":root{--a:var(--b);--b:var(--a);--c:var(--c);--d:var(--a,1);--e:2} p{order:var(--a,3)} a{order:var(--c,4)} h2{order:var(--d,5)} li{order:var(--b,var(--e))}"},
		{"variables do not join", ":root{--a:1;--n:-} p{order:var(--a)0} a{order:0;order:var(--n)1} h2{order:3}"},
		{"variables with blocks", ":root{--a:{order:9};--b:[;];--c:';';--d:5} p{order:var(--d)} "},
		{"variable names", ":root{--A:1;--a:2;--1:3;--é:4;--:6} p{order:var(--A)} a{order:var(--1)} h2{order:var(--é)}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := "<!DOCTYPE html><meta charset=utf-8><style>" + c.sheet + "</style>" + body
			compareOrders(t, tab, page)
		})
	}
}

// TestRandomSheetsInChromium has random rules on random trees.
func TestRandomSheetsInChromium(t *testing.T) {
	tab := testkit.NewTab(t, 1280, 800)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 13))
		compareOrders(t, tab, "<!DOCTYPE html><meta charset=utf-8><style>"+randomSheet(r, 60)+"</style><body>"+randomTree(r, 5))
	}
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func randomTree(r *rand.Rand, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		tag := pick(r, "div", "section", "span")
		fmt.Fprintf(&b, "<%s%s%s%s>", tag, pick(r, "", " class=a", " class='a b'", " class='b c'", " class=d"), pick(r, "", "", "", " lang=en", " lang=en-GB"),
			pick(r, "", "", "", " style=--v:1000", " style='order:2000'", " id=i"))
		if depth > 0 {
			b.WriteString(randomTree(r, depth-1-r.IntN(2)))
		}
		b.WriteString("</" + tag + ">")
	}
	return b.String()
}

func randomSheet(r *rand.Rand, rules int) string {
	var b strings.Builder
	for i := range rules {
		value := strconv.Itoa(i + 1)
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "%s{--v:%d}", randomSelector(r, 1), 100+i)
			continue
		case 1:
			value = "var(--v," + value + ")"
		}
		fmt.Fprintf(&b, "%s{order:%s%s}\n", randomSelector(r, 1), value, pick(r, "", "", "", "!important"))
	}
	return b.String()
}

func randomSelector(r *rand.Rand, depth int) string {
	var b strings.Builder
	for i := range 1 + r.IntN(4) {
		if i > 0 {
			b.WriteString(pick(r, " ", " ", ">", " + ", "~"))
		}
		b.WriteString(pick(r, "div", "section", "span", "*"))
		for j := 0; j == 0 || r.IntN(3) == 0; j++ {
			simple := pick(r, ".a", ".b", ".c", ".d", "#i", "[lang]", "[lang|=en]", "[class~=b]", ":first-child", ":last-child",
				":first-of-type", ":last-of-type", ":is", ":not", ":where")
			if simple == ":is" || simple == ":not" || simple == ":where" {
				if depth == 0 {
					continue
				}
				simple += "(" + randomSelector(r, depth-1) + "," + randomSelector(r, depth-1) + ")"
			}
			b.WriteString(simple)
		}
	}
	return b.String()
}

func TestMediaQueriesInChromium(t *testing.T) {
	tab := testkit.NewTab(t, 1280, 800)
	for _, query := range []string{
		"", "all", "screen", "print", "speech", "not print", "not all", "only screen", "ONLY SCREEN AND (MIN-WIDTH:1PX)",
		"(min-width:1280px)", "(min-width:1281px)", "(max-width:80em)", "(max-width:79em)", "(min-height:50em)",
		"(min-width:960pt)", "(min-width:calc(79em + 16px))", "(max-width:calc(80em - 1px))",
		"screen and (min-width:600px) and (max-width:1300px)", "screen and (min-width:600px) and (max-width:700px)",
		"print, screen", "print,(max-width:1px)",
		"not (max-width:1px)", "not screen and (max-width:1px)",
		"(width >= 600px)", "(width > 1280px)", "(400px <= width < 1281px)", "(400px < width <= 1279px)", "(1280px=width)",
		"(orientation:landscape)", "(orientation:portrait)", "(color)", "(scripting:enabled)",
		"(prefers-color-scheme:light)", "(prefers-color-scheme:dark)", "(prefers-reduced-motion:no-preference)", "(prefers-reduced-motion:reduce)",
		"(min-width:junk)", "(unknown:1px)", "screen and", "(", ")", "(min-width", ",", "screen, junk(", "(min-width)",
	} {
		want := testkit.Evaluate[bool](tab, "matchMedia("+strconv.Quote(query)+").matches")
		if got := matchesMedia(query); got != want {
			t.Errorf("%q matches: %v, in Chromium %v", query, got, want)
		}
	}
}

// TestLengthsInChromium compares widths on an element with a font size of 20px.
func TestLengthsInChromium(t *testing.T) {
	tab := testkit.NewTab(t, 1280, 800)
	tab.NavigateFile([]byte("<!DOCTYPE html><body style=margin:0><p style=font-size:20px;position:absolute>"))
	for _, value := range []string{
		"10px", "1.5em", "2rem", "1in", "2.54cm", "10mm", "3pc", "12pt", "10vw", "10vh", "5vmin", "5vmax", "25%", "10PX", "0", "+5px", ".5em", "12.px",
		"calc(100% - 80px)", "calc( (100% - 80px) / 2 - 500px )", "calc(2 * 3em + 1rem)", "calc(10px + 5px * 2)", "calc(1px + (2px + (3px)))",
		"calc(10px+5px)", "calc(10px / 0px)", "calc()", "calc(1px", "min(100px, 50%)", "max(1px, 2em, 3rem)", "clamp(50px, 200px, 100px)",
		"clamp(1rem, 2vw + 1rem, 3rem)", "min(1px, max(2px, 3px))", "min()", "max(10px", "calc(1px + min(2px, 3px))", "junk", "10", "1px 2px", "10foo",
	} {
		want := testkit.Evaluate[float64](tab, `(() => {
			const p = document.querySelector("p");
			p.style.width = "";
			p.style.width = `+strconv.Quote(value)+`;
			return p.style.width === "" ? -1 : parseFloat(getComputedStyle(p).width);
		})()`)
		got := -1.0
		if px, ok := (Units{20, 16, 1280}).Length(value); ok {
			got = px
		}
		if math.Abs(got-want) > 0.02 {
			t.Errorf("%s is %v pixels, in Chromium %v", value, got, want)
		}
	}
}
