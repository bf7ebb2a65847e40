package metadata

import (
	"slices"
	"testing"
)

func TestCountWords(t *testing.T) {
	for _, s := range []string{
		"", " ", "one", "The crews' day isn’t over", "3 May 2024", "港口 strike 停", "a-b_c", "'tis", "Α. Β. Γάμμα", "e\u0301te\u0301 x",
	} {
		want := len(slices.Collect(words(s)))
		if got := countWords(s, len(s)+1); got != want {
			t.Errorf("%q: %d words, want %d", s, got, want)
		}
		if got := countWords(s, 2); got != min(want, 2) {
			t.Errorf("%q: %d words of at most 2, want %d", s, got, min(want, 2))
		}
	}
}

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
