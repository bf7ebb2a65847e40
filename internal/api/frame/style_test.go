package frame

import (
	"testing"
)

func TestStyleSheets(t *testing.T) {
	t.Parallel()
	for sheet, want := range map[string]string{
		"p{color:red}": "p{color:red}",
		"p{background:#fff url(a.png) no-repeat}":               "p{background:#fff blocked(a.png) no-repeat}",
		"p{background:URL( 'a)b.png' )}":                        "p{background:blocked( 'a)b.png' )}",
		"p{background:url(data:image/png;base64,AA==)}":         "p{background:blocked(data:image/png;base64,AA==)}",
		"@IMPORT url(a.css);p{}":                                "@blocked blocked(a.css);p{}",
		`@\69mport "a"`:                                         `@blocked "a"`,
		`p{background:\75\72\6c(a)}`:                            `p{background:blocked(a)}`,
		`p{background:\000075 rl(a)}`:                           `p{background:blocked(a)}`,
		`p{background:u\rl(a)}`:                                 `p{background:blocked(a)}`,
		"p{background:\\75\r\nrl(a)}":                           `p{background:blocked(a)}`,
		`p{background:image\2d set("a" 1x)}`:                    `p{background:blocked("a" 1x)}`,
		`p{background:-webkit-image-set(url(a) 1x)}`:            `p{background:-webkit-blocked(blocked(a) 1x)}`,
		`p{content:src("a")}`:                                   `p{content:blocked("a")}`,
		`.sm\:p{} i::before{content:"\f101"} q{quotes:"\201C"}`: `.sm\:p{} i::before{content:"\f101"} q{quotes:"\201C"}`,
		`a{content:"\\75rl("}`:                                  `a{content:"\\75rl("}`,
		`a{content:"\`:                                          `a{content:"\`,
		"</style><img onerror=x>":                               `\3c /style>\3c img onerror=x>`,
		"@media (width<40em){a{}}<!-- -->":                      `@media (width<40em){a{}}\3c !-- -->`,
	} {
		if got := withoutTags(withoutRequests(sheet)); got != want {
			t.Errorf("%s\n is  %s\nnot %s", sheet, got, want)
		}
	}
}
