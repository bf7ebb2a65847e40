package layout_test

import "testing"

// TestCascade sets the width of #a by style sheets.
func TestCascade(t *testing.T) {
	for _, c := range []struct {
		name, css string
		want      float64
	}{
		{"type", "p{width:100px}", 100},
		{"no match", "b{width:100px}", 1280},
		{"class over type, whatever the order", ".p{width:100px} p{width:200px}", 100},
		{"id over class", "#a{width:100px} .p.p{width:200px}", 100},
		{"the later of two", "p{width:100px} p{width:200px}", 200},
		{"important", "p{width:100px!important} #a{width:200px}", 100},
		{"descendant", ".x p{width:100px} .z p{width:200px}", 100},
		{"child", "body>p{width:200px} div > p{width:100px}", 100},
		{"far descendant", "html .y p{width:100px}", 100},
		{"list", "b, i , p{width:100px}", 100},
		{"a bad selector in a list", "p:hover, ::before, p{width:100px}", 100},
		{"states and pseudo-elements do not apply", "p:hover{width:100px} p:nth-child(2){width:100px} p::before{width:100px}", 1280},
		{"not", "p:not(.q){width:100px} p:not(.p){width:200px}", 100},
		{"first and last child", "p:first-child:last-child{width:100px}", 100},
		{"root", ":root p{width:100px}", 100},
		{"universal", "*{width:100px}", 100},
		{"attribute", "[data-k]{width:100px}", 100},
		{"attribute value", "p[data-k='v w']{width:100px}", 100},
		{"other value", "p[data-k=v]{width:100px}", 1280},
		{"attribute word", "p[data-k~=w]{width:100px}", 100},
		{"attribute language", "p[lang|=english]{width:100px} p[lang|=en]{width:200px}", 100},
		{"backtracking", "body > div p{width:100px} html > div p{width:200px}", 100},
		{"fallback with commas", "p{width:var(--none, min(100px, 200px))}", 100},
		{"data URL", "p{background:url(data:image/png;base64,AA==);width:100px}", 100},
		{"variables of an element", ".x{--w:100px} .z{--w:200px} p{width:var(--w)}", 100},
		{"nth-child", "p:nth-child(odd){width:100px} p:nth-child(2n){width:200px}", 100},
		{"is and where", ":is(.x,.z) :where(p){width:100px} p{width:100px}", 100},
		{"escapes", ".sm\\:w{width:100px}", 100},
		{"comments", "/* p{width:9px} */p/**/{/*}*/width:/*9px;*/100px}", 100},
		{"broken rules before", "}} p{ ;;width 9px; wid:th:9px; color } p{width:100px}", 100},
		{"strings", "b{content:'}'} p{width:100px}", 100},
		{"unclosed", "p{width:100px", 100},
		{"html comments", "<!-- p{width:100px} -->", 100},
		{"CDATA hides rules in HTML", "<![CDATA[ p{width:100px} ]]>", 1280},
		{"media width", "@media (min-width:600px){p{width:100px}} @media (min-width:2000px){p{width:200px}}", 100},
		{"media both", "@media screen and (min-width:40em) and (max-width:1300px){p{width:100px}}", 100},
		{"media range", "@media (600px <= width < 1281px){p{width:100px}} @media (width > 1280px){p{width:200px}}", 100},
		{"media print", "@media print{p{width:100px}}", 1280},
		{"media not", "@media not print{p{width:100px}}", 100},
		{"media list", "@media print, screen{p{width:100px}}", 100},
		{"nested media", "@media screen{@media (min-width:1px){p{width:100px}}}", 100},
		{"after media", "@media print{b{width:1px}} p{width:100px}", 100},
		{"supports", "@supports (display:grid){p{width:100px}} @supports not (display:grid){p{width:200px}}", 100},
		{"keyframes and font-face", "@keyframes k{from{width:9px}to{width:8px}} @font-face{font-family:x} p{width:100px}", 100},
		{"import", "@import url('x.css'); @charset 'utf-8'; p{width:100px}", 100},
		{"variables", ":root{--w:100px} p{width:var(--w)}", 100},
		{"variables set later, and of variables", "p{width:var(--w)} :root{--w:var(--v);--v:100px}", 100},
		{"fallback", "p{width:var(--none, 100px)}", 100},
		{"no such variable", "p{width:100px;width:var(--none)}", 100},
		{"a variable of itself", ":root{--w:var(--w)} p{width:var(--w)}", 1280},
		{"nested rules are skipped", "p{width:100px; &:hover{width:200px} .q{width:300px}}", 100},
		{"inherit", "div{width:100px} p{width:inherit}", 100},
		{"initial", "p{width:100px} #a{width:initial}", 1280},
		{"em", "p{font-size:20px;width:5em}", 100},
		{"rem", "html{font-size:10px} p{font-size:20px;width:10rem}", 100},
		{"pt", "p{width:75pt}", 100},
		{"vw", "p{width:10vw}", 128},
		{"percentage", "p{width:50%}", 640},
		{"calc", "p{width:calc((100% - 80px) / 2 - 500px)}", 100},
		{"min and max", "p{width:min(100px, 50%)} b{width:max(1px,2px)}", 100},
		{"clamp", "p{width:clamp(50px, 200px, 100px)}", 100},
		{"no unit", "p{width:100}", 1280},
		{"negative", "p{width:-100px}", 1280},
		{"misspelt", "p{display:nonne;width:100px}", 100},
		{"upper case", "P{WIDTH:100PX}", 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := lay(t, c.css, `<div class="x y" id=o><p id=a class="p sm:w" lang=english data-k="v w"></p></div><b>x</b>`)
			p.has("a", 0, any, c.want, any)
		})
	}
}

func TestStyleAttribute(t *testing.T) {
	p := lay(t, "#a{width:200px} #b{width:200px!important} :root{--w:70px}", `<p id=a style="width:100px"></p><p id=b style="width:100px"></p><p id=c style="WIDTH : 50px ; ; junk; color:url(data:x;y)"></p><p id=d style="width:var(--w)"></p>`)
	p.has("a", 0, any, 100, any)
	p.has("b", 0, any, 200, any)
	p.has("c", 0, any, 50, any)
	p.has("d", 0, any, 70, any)
}

func TestFonts(t *testing.T) {
	p := lay(t, "body{font:20px/2 Arial} #b{font-size:150%} #c{font:bold .5em Georgia,serif} #d{font-size:x-large;font-weight:300} #e{font-size:larger}", "<p id=a>x<p id=b>x<p id=c>x<p id=d>x<p id=e>x")
	for id, want := range map[string][2]float64{"a": {20, 400}, "b": {30, 400}, "c": {10, 700}, "d": {24, 300}, "e": {24, 400}} {
		if got := p.Fonts[p.node(id)]; got.Size != want[0] || got.Weight != int(want[1]) {
			t.Errorf("#%s is set in %v, want %v", id, got, want)
		}
	}
	p.has("a", 0, any, any, 40)
}

func TestStyleElements(t *testing.T) {
	p := layAll(t, `<!DOCTYPE html><style media=print>p{width:1px}</style><style type="text/less">p{width:2px}</style><style type="text/css" media="screen and (min-width: 100px)">p{width:100px}</style><p id=a>x`)
	p.has("a", 8, any, 100, any)
}
