package metadata

import (
	"slices"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	v := bylineWords()
	for word, kind := range v.words {
		for _, w := range []string{word, strings.ToUpper(word), strings.ToTitle(word)} {
			if want := v.words[strings.ToLower(w)]; v.foldedKinds(w, ^wordKind(0)) != want {
				t.Errorf("%q: got %b, want %b", w, v.foldedKinds(w, ^wordKind(0)), want)
			}
		}
		if got := v.kinds(word, ^wordKind(0)); got != kind {
			t.Errorf("%q: got %b, want %b", word, got, kind)
		}
		if kind&byWord != 0 && !slices.Contains(v.byList(strings.ToUpper(word)), word) {
			t.Errorf("%q is missing in byList", word)
		}
	}
	for _, word := range []string{"", "bY.", "xyz", "ΑΠΟ", "harbour"} {
		if got := v.foldedKinds(word, ^wordKind(0)); got != v.words[strings.ToLower(word)] {
			t.Errorf("%q: got %b", word, got)
		}
	}
}

func TestSameText(t *testing.T) {
	for _, s := range []string{"", " ", "Ann Lee", " Ann\u00a0 Lee ", "Ann\u00adLee", "Änn  Łee", "İstanbul", "a\u3000b", "港口 Strike", "a\x7fb", "ab\n"} {
		var room [4]textRange
		fields := appendFields(room[:0], s)
		if got, want := joinFields(s, fields), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("%q: the fields are %q, want %q", s, got, want)
		}
		if got, want := string(appendLower(nil, s)), strings.ToLower(s); got != want {
			t.Errorf("%q: got %q in lower case, want %q", s, got, want)
		}
		for _, o := range []string{strings.ToUpper(s), s + "x", "Ann lee", "σ", "ς"} {
			lower, other := strings.ToLower(s), strings.ToLower(o) // EqualFold would take ς for σ
			if got, want := equalLower(s, o), lower == other; got != want {
				t.Errorf("%q and %q: got %v, want %v", s, o, got, want)
			}
		}
	}
}
