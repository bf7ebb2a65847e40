package format

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkIndent compares indent with encoding/json.
func checkIndent(t *testing.T, value any) {
	t.Helper()
	var compact, want bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&want, compact.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	if got := indent(compact.Bytes()); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s became\n%s\nwant\n%s", compact.Bytes(), got, want.Bytes())
	}
}

func TestIndent(t *testing.T) {
	for _, value := range []any{
		nil, true, -1.5e300, "", []any{}, map[string]any{}, []any{[]any{}, map[string]any{}},
		map[string]any{"a": []any{1, 2, map[string]any{"b": []any{}, "c": nil}}, "": "x"},
		`a "quote", a \\ at the end \`, `\"`, "{[:,]}", "\u2028 \x00 \xff é <&>",
		map[string]any{`"key": {`: []any{`\\"`, `,`}},
	} {
		checkIndent(t, value)
	}
}

func FuzzIndent(f *testing.F) {
	f.Add(`a "quote"`, `{\`)
	f.Fuzz(func(t *testing.T, a, b string) {
		checkIndent(t, map[string]any{a: []any{b, map[string]any{b: a}, []string{}}, "list": strings.Split(a, ",")})
	})
}

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
