package metadata

import (
	"strings"
	"testing"
)

func TestPrefilter(t *testing.T) {
	var s prefilter
	long := "a" + string(make([]byte, 100))
	for _, w := range []string{"by", "written", "作者", long} {
		s.add(w)
		if !s.mayContain([]byte(w)) {
			t.Errorf("%q is missing", w)
		}
	}
	for _, w := range []string{"", "b", "bye", "my", "writing", "记者记者"} {
		want := w == "writing" // same length and first byte as a word of the list
		if got := s.mayContain([]byte(w)); got != want {
			t.Errorf("%q: got %v, want %v", w, got, want)
		}
	}
}

func TestSameText(t *testing.T) {
	for _, s := range []string{"", " ", "Ann Lee", " Ann\u00a0 Lee ", "Ann\u00adLee", "Änn  Łee", "İstanbul", "a\u3000b", "港口 Strike", "a\x7fb", "ab\n"} {
		if got, want := string(appendLower(nil, s)), strings.ToLower(s); got != want {
			t.Errorf("%q: got %q in lower case, want %q", s, got, want)
		}
		if !isFolded(s, fold(s)) {
			t.Errorf("%q is not folded", s)
		}
		for _, o := range []string{strings.ToUpper(s), s + "x", "Ann lee", "σ", "ς"} {
			lower, other := strings.ToLower(s), strings.ToLower(o) // EqualFold would take ς for σ
			if got, want := equalLower(s, o), lower == other; got != want {
				t.Errorf("%q and %q: got %v, want %v", s, o, got, want)
			}
		}
	}
}
