package format

import (
	"testing"
	"unicode/utf8"
)

// TestIsClean compares the fast path with the rule, for all characters and for invalid
// bytes.
func TestIsClean(t *testing.T) {
	check := func(s string) {
		if isClean(s) && replaceRunes(s, ' ') != s {
			t.Errorf("%q is not clean", s)
		}
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		check("a" + string(r) + "b")
		check(string(r))
	}
	for a := range 256 {
		check(string([]byte{byte(a)}))
		for b := range 256 {
			check(string([]byte{byte(a), byte(b)}))
			check(string([]byte{'x', byte(a), byte(b), 0x80}))
		}
	}
	for _, s := range []string{"", "Ferry returns", "“Größe”\nund mehr", "新闻", "\U0001F6F3 at sea"} {
		if !isClean(s) {
			t.Errorf("%q takes the slow path", s)
		}
	}
}
