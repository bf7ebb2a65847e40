package css

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	reference "github.com/tdewolff/parse/v2/css"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// declarations returns those of a sheet in order.
func allDeclarations(sheet string) (out []string) {
	for _, r := range rules(sheet) {
		for _, d := range declarations(r.block) {
			value := d.Value
			if d.Important {
				value += "!important"
			}
			out = append(out, normal(d.Name, value))
		}
	}
	return out
}

// referenceDeclarations reads a sheet with the parser of tdewolff.
func referenceDeclarations(sheet string) (out []string) {
	p := reference.NewParser(parse.NewInputString(sheet), false)
	var open []bool // for each open at-rule: whether its rules are read
	reads := func() bool {
		for _, r := range open {
			if !r {
				return false
			}
		}
		return true
	}
	inRule := false
	for {
		grammar, _, data := p.Next()
		var b strings.Builder
		for _, v := range p.Values() {
			b.Write(v.Data)
		}
		switch grammar {
		case reference.ErrorGrammar:
			if p.HasParseError() {
				continue
			}
			return out
		case reference.BeginAtRuleGrammar:
			ok := false
			switch strings.ToLower(string(data)) {
			case "@media":
				ok = matchesMedia(b.String())
			case "@supports", "@layer":
				ok = true
			}
			open = append(open, ok)
		case reference.EndAtRuleGrammar:
			open = open[:len(open)-1]
		case reference.BeginRulesetGrammar:
			inRule = true
		case reference.EndRulesetGrammar:
			inRule = false
		case reference.DeclarationGrammar, reference.CustomPropertyGrammar:
			if inRule && reads() && data[0] != '*' { // *zoom:1 is for old browsers and invalid
				out = append(out, normal(string(data), b.String()))
			}
		}
	}
}

// normal writes a declaration without what does not matter.
func normal(name, value string) string {
	if !strings.HasPrefix(name, "--") {
		name = strings.ToLower(name)
	}
	return name + ":" + strings.ToLower(strings.Join(strings.Fields(value), ""))
}

func TestSyntaxAgainstReference(t *testing.T) {
	for _, sheet := range []string{
		"p{color:red;background:url(data:image/png;base64,AA==) no-repeat;width:calc(1px + (2px*3))}",
		"p{--x:rgb(1,2,3);color:var(--x, rgb(1,2,3))!important}a,b>c{margin:0 auto}",
		"@media screen and (min-width:1px){p{a:b}@supports (x:y){q{c:d}}}@media print{r{e:f}}s{g:h}",
		"@font-face{font-family:x;src:url(x)}@keyframes k{from{a:b}to{c:d}}p{e:f}",
		"<!-- p{a:b} --> /* } */ q{c:'}';d:\"\\\"}\"} @import 'x'; r{e:f}",
		`.md\:flex{a:b}.x[data-y="}"]{c:d}p:not(.a,.b)::before{content:"\201C"}`,
	} {
		compareSyntax(t, sheet, sheet)
	}
}

func TestCorpusSyntaxAgainstReference(t *testing.T) {
	for _, name := range testkit.CorpusFiles(t, 20, "*") {
		d, err := dom.Parse(t.Context(), testkit.Gunzip(t, name), dom.Options{})
		if err != nil {
			continue
		}
		for n := range d.All(d.Root(), dom.Style) {
			compareSyntax(t, name, d.Raw(n))
		}
	}
}

func compareSyntax(t *testing.T, name, sheet string) {
	t.Helper()
	got, want := allDeclarations(sheet), referenceDeclarations(sheet)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s: declaration %d of %d is\n%.300s, want one of %d\n%.300s", name, i, len(got), at(got, i), len(want), at(want, i))
			return
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// TestHostileSheets checks that hostile style sheets take linear time.
func TestHostileSheets(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	nest := func(n int, open, inside, end string) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
	}
	deep := func(int) string { return nest(400, "<div class='a b'>", "<p class=a>x</p>", "</div>") }
	wide := func(n int) string { return strings.Repeat("<p class='a b' style='--a:1;order:var(--a)'>x</p>", n) }
	for _, c := range []struct {
		name  string
		sheet func(n int) string
		body  func(n int) string
	}{
		{"variables that grow", func(int) string {
			return ":root{" + many(60, "--v%d:var(--v%d) var(--v60)") + "--v60:x y z} p{order:var(--v0)}"
		}, deep},
		{"variables that double", func(int) string {
			return ":root{" + many(60, "--v%[1]d:var(--v%[2]d) var(--v%[2]d);") + "--v60:1} p{order:var(--v0)}"
		}, deep},
		{"a long chain of variables", func(n int) string { return ":root{" + many(n, "--v%d:var(--v%d);") + "} p{order:var(--v0)}" }, deep},
		{"a long circle of variables", func(int) string {
			return ":root{" + many(50, "--v%d:var(--v%d,1);") + "--v50:var(--v0)} p{order:var(--v0)}"
		}, deep},
		{"nested fallbacks", func(n int) string { return "p{order:" + nest(n, "var(--x,", "1", ")") + "}" }, deep},
		{"short nested fallbacks", func(int) string { return strings.Repeat("p{order:"+nest(100, "var(--x,", "1", ")")+"}", 100) }, wide},
		{"variables in every scope", func(int) string {
			return "*{--b:var(--a,1)} .a{" + many(1000, "--v%d:%d;") + "} .b{" + many(1000, "--w%d:%d;") + "}" + strings.Repeat("p{order:var(--none)}", 100)
		}, wide},
		{"a scope for each level", func(n int) string {
			return ".a{--a:1}.b{--b:2}div:first-child{--c:3}" + strings.Repeat("p{order:var(--none,1)}", n/10)
		}, deep},
		{"nested functional selectors", func(n int) string { return nest(n, ":is(", "p", ")") + "{order:1}" }, deep},
		{"long functional selectors", func(n int) string { return "p:not(" + strings.Repeat(".a,", n) + ".a){order:1}" }, deep},
		{"long functional selectors for many elements", func(int) string { return "p:not(" + strings.Repeat(".a,", 2000) + ".a){order:1}" }, wide},
		{"alternatives in alternatives", func(int) string { return nest(4, ":is(div *,:not(", "p", "))") + "{order:1}" }, deep},
		{"backtracking over ancestors", func(int) string {
			return strings.Repeat("div > .a ", 20) + "q p{order:1}" + strings.Repeat("div ", 30) + "> span ~ p{order:1}"
		}, deep},
		{"backtracking over siblings", func(int) string {
			return strings.Repeat("p ~ ", 30) + "q ~ p{order:1}" + strings.Repeat("p + p ~ ", 15) + "q + p{order:1}"
		}, wide},
		{"siblings that are counted", func(n int) string { return strings.Repeat("p:last-of-type:first-of-type{order:1}", 50) }, wide},
		{"open brackets", func(n int) string { return "p{order:" + strings.Repeat("([{", 2*n) }, deep},
		{"open brackets in selectors", func(n int) string { return strings.Repeat("p[(", 2*n) + "{order:1}" }, deep},
		{"comments", func(n int) string { return strings.Repeat("/**/p/**/{/**/order/**/:/**/1/**/}", n) }, deep},
		{"a long comment", func(n int) string { return "p{order:1}/*" + strings.Repeat("*", 5*n) }, deep},
		{"nested media", func(n int) string { return nest(n, "@media all{", "p{order:1}", "}") }, deep},
		{"nested queries", func(n int) string { return "@media " + nest(n, "(not ", "(width)", ")") + "{p{order:1}}" }, deep},
		{"many queries", func(n int) string { return "@media " + strings.Repeat("print,", 5*n) + "all{p{order:1}}" }, deep},
		{"nested rules", func(n int) string { return nest(n, "p{order:1;", "q{order:2}", "}") }, deep},
		{"many rules", func(n int) string { return strings.Repeat("p{order:1}", 3*n) }, deep},
		{"many selectors", func(n int) string { return strings.Repeat("p,", 5*n) + "p{order:1}" }, deep},
		{"many selectors for many elements", func(int) string { return strings.Repeat("p,", 10_000) + "p{order:1}" }, wide},
		{"many declarations", func(n int) string { return "p{" + strings.Repeat("order:var(--a,1);", 2*n) + "}" }, deep},
		{"many declarations for many elements", func(int) string { return "p{" + strings.Repeat("order:var(--a,1);", 200) + "}" }, wide},
		{"long values for many elements", func(n int) string { return "p{order:" + strings.Repeat("1", 5*n) + "}" }, wide},
		{"classes named often", func(int) string { return strings.Repeat(".a{order:1}", 10_000) },
			func(n int) string { return "<p class='" + strings.Repeat("a ", 10*n) + "'>x</p>" }},
		{"escapes", func(n int) string { return strings.Repeat(`\2e \a\`, 2*n) + "{order:1}" }, deep},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.Linear(t, 8_000, func(n int) func() {
				d := parseDocument(t, "<style>"+c.sheet(n)+"</style><body>"+c.body(n))
				return func() { orders(d) }
			})
		})
	}
}

const fuzzPage = "<style></style><body lang=en><div class='a b' id=i><p class=a>x</p><p lang=en-GB>y<a href=/>z</a></p></div>"

// FuzzSheet reads any text as a style sheet.
func FuzzSheet(f *testing.F) {
	for _, s := range []string{
		"@media (min-width:1px) and (width<9em){.a>#i~p:not(.c)[d^='e']{order:1}}", ":root{--a:1}p{order:var(--a,var(--b))!important}",
		"a{b:c;d{e:f}g:h}", "/*", "@", "p{", "\\", "p{a:url(data:x;y)}", "<!-- p{} -->", "@supports not (x:y){}", "p{a:'\\'};", "@media{}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		length := 0
		for _, r := range rules(sheet) {
			length += len(r.selectors) + len(r.block)
			for _, d := range declarations(r.block) {
				if d.Name == "" || strings.ContainsAny(d.Name, " ;:{}") {
					t.Errorf("the name %q", d.Name)
				}
			}
		}
		if length > len(sheet) {
			t.Errorf("%d bytes of rules in a sheet of %d", length, len(sheet))
		}
		orders(parseDocument(t, strings.Replace(fuzzPage, "</style>", sheet+"</style>", 1)))
	})
}

// isBalanced tells whether every bracket of s is closed by its own kind.
func isBalanced(s string) bool {
	var open []byte
	for _, b := range []byte(s) {
		switch b {
		case '(':
			open = append(open, ')')
		case '[':
			open = append(open, ']')
		case ')', ']':
			if len(open) == 0 || open[len(open)-1] != b {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// FuzzSelector matches any selector, and its negation, which matches no element
// that the selector matches.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{
		"p", ".a > #i ~ p", "[lang|=en i]", ":not(.a, :is(p, div *))", ":first-of-type", "*|*", "::before", ".\\31 x", "a:hover", ":is()", "p:not(", "[a='", "+", ":x)p,p",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		if strings.ContainsAny(selector, "<{}@/\\\"'") || !isBalanced(selector) {
			return // may end the selector, its negation, the rule or the sheet
		}
		plain := orders(parseDocument(t, strings.Replace(fuzzPage, "</style>", "@media all{"+selector+"{order:1}}</style>", 1)))
		negated := orders(parseDocument(t, strings.Replace(fuzzPage, "</style>", "@media all{:not("+selector+"){order:1}}</style>", 1)))
		for i := range plain {
			if plain[i] == "1" && negated[i] == "1" {
				t.Errorf("element %d matches %q and its negation", i, selector)
			}
		}
	})
}
