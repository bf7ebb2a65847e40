package frame

import (
	"strings"
	"testing"
)

func TestStyleSheets(t *testing.T) {
	for sheet, want := range map[string]string{
		"p{color:red}": "p{color:red}",
		"p{background:#fff url(a.png) no-repeat}":               `p{background:#fff url("data:,") no-repeat}`,
		"p{background:URL( 'a)b.png' )}":                        `p{background:url("data:,")}`,
		`p{background:url("a\"b")}`:                             `p{background:url("data:,")}`,
		"p{background:url(//x.example/a}":                       "p{background:blocked(//x.example/a}",
		"p{background:url(a b)}":                                "p{background:blocked(a b)}",
		"p{background:url(data:image/png;base64,AA==)}":         "p{background:url(data:image/png;base64,AA==)}",
		`a{b:url('data:image/svg+xml,%3Csvg%3E')}`:              `a{b:url('data:image/svg+xml,%3Csvg%3E')}`,
		`a{b:url("data:image/svg+xml,<svg x='y(1)'>")}`:         `a{b:url("data:image/svg+xml,\3c svg x='y(1)'>")}`,
		"a{b:url(data:text/html,x)}":                            `a{b:url("data:,")}`,
		`a{b:"url("data:image/,url(//x)")}`:                     `a{b:"url("data:,")}`,
		"svg{fill:url(#grad)}":                                  "svg{fill:url(#grad)}",
		"@font-face{src:url(f.woff)format('woff')}":             `@font-face{src:url("data:,")format('woff')}`,
		"@import 'a.css';p{}":                                   "@blocked 'a.css';p{}",
		"@IMPORT url(a.css);p{}":                                `@blocked url("data:,");p{}`,
		`@\69mport "a"`:                                         `@blocked "a"`,
		`p{background:\75\72\6c(a)}`:                            `p{background:url("data:,")}`,
		`p{background:\000075 rl(a)}`:                           `p{background:url("data:,")}`,
		`p{background:u\rl(a)}`:                                 `p{background:url("data:,")}`,
		"p{background:\\75\r\nrl(a)}":                           `p{background:url("data:,")}`,
		`p{background:image\2d set("a" 1x)}`:                    `p{background:blocked("a" 1x)}`,
		`p{background:-webkit-image-set(url(a) 1x)}`:            `p{background:-webkit-blocked(url("data:,") 1x)}`,
		`p{content:src("a")}`:                                   `p{content:blocked("a")}`,
		`.sm\:p{} i::before{content:"\f101"} q{quotes:"\201C"}`: `.sm\:p{} i::before{content:"\f101"} q{quotes:"\201C"}`,
		`a{content:"\\75rl("}`:                                  `a{content:"\\75rl("}`,
		`a{content:"\`:                                          `a{content:"\`,
		"</style><img onerror=x>":                               `\3c /style>\3c img onerror=x>`,
		"@media (width<40em){a{}}<!-- -->":                      `@media (width<40em){a{}}\3c !-- -->`,
		"@media (width<=40em){a{}}<":                            "@media (width<=40em){a{}}<",
	} {
		if got := withoutTags(withoutRequests(sheet)); got != want {
			t.Errorf("%s\n is  %s\nnot %s", sheet, got, want)
		}
	}
}

// FuzzStyleSheet checks that no word that loads something is left.
func FuzzStyleSheet(f *testing.F) {
	for _, sheet := range []string{"a{b:url(c)}", `\75rl(\`, `url("data:image/,url(x)")`, "@im\\port 'x'", "</style>", `url(data:image/a\)url(b))`, `src(image-set("`} {
		f.Add(sheet)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		out := withoutTags(withoutRequests(sheet))
		for _, tag := range []string{"</", "<a", "<!"} {
			if strings.Contains(out, tag) {
				t.Fatalf("%q has %s", out, tag)
			}
		}
		rest := unescapeLetters(out)
		for i, word := findRequest(rest); word != ""; i, word = findRequest(rest) {
			rest = strings.TrimLeft(rest[i+len(word):], " \t\r\n\f\"'")
			if word != "url(" || !isLocal(rest) && !strings.HasPrefix(rest, "data:,") {
				t.Fatalf("%q has %s", out, word)
			}
		}
	})
}
