package words

import (
	"slices"
	"testing"
)

func TestAll(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"  The ferry's back – 2 boats. ", []string{"The", "ferry's", "back", "2", "boats"}},
		{"o’clock re-open' (x)", []string{"o’clock", "re-open", "x"}},
		{"渡轮回来 now", []string{"渡", "轮", "回", "来", "now"}},
		{"페리가 돌아왔다", []string{"페리가", "돌아왔다"}},
		{"Fähre10km", []string{"Fähre10km"}},
	}
	for _, test := range tests {
		if got := slices.Collect(All(test.text)); !slices.Equal(got, test.want) {
			t.Errorf("All(%q) = %q, want %q", test.text, got, test.want)
		}
		if n := Count(test.text, 100); n != len(test.want) {
			t.Errorf("Count(%q) = %d, want %d", test.text, n, len(test.want))
		}
	}
	if n := Count("a b c d", 2); n != 2 {
		t.Errorf("Count up to 2 = %d", n)
	}
}

func TestReader(t *testing.T) {
	hashes := func(s string) (out []uint32) {
		r := Reader{Text: s, SplitNumbers: true}
		for w, ok := r.Next(); ok; w, ok = r.Next() {
			out = append(out, w.Hash)
		}
		return out
	}
	if a, b := hashes("The FERRY’S 10km ΟΔΟΣ"), hashes("the ferrys, 10 km: οδός"); !slices.Equal(a, b) || len(a) != 5 {
		t.Errorf("%x and %x, want five equal words", a, b)
	}
	r := Reader{Text: "-ferry's crash‐la\u200cnds- 2.", SplitJoined: true}
	for _, want := range []string{"ferry", "s", "crash", "la\u200cnds", "2"} {
		if w, ok := r.Next(); !ok || r.Text[w.From:w.To] != want {
			t.Errorf("%q, want %q", r.Text[w.From:w.To], want)
		}
	}
}

func TestFold(t *testing.T) {
	if got := Fold(" It’s “BACK”, Élan – 渡轮 2! "); got != "itsbackélan渡轮2" {
		t.Errorf("Fold = %q", got)
	}
}

func TestInName(t *testing.T) {
	if got, want := slices.Collect(InName("c-authorBox__image2 HTMLPage")), []string{"c", "author", "box", "image", "htmlpage"}; !slices.Equal(got, want) {
		t.Errorf("InName = %q, want %q", got, want)
	}
	s := NewSet("author ad related")
	for name, want := range map[string]bool{
		"c-author__image": true, "relatedStories": true, "post-Author": true, "ad": true, "top_ad": true,
		"authority": false, "adBox": false, "xadY": false, "": false, "co-authored": false,
	} {
		if got := s.IsInName(name); got != want {
			t.Errorf("IsInName(%q) = %v", name, got)
		}
	}
}

func TestPhrase(t *testing.T) {
	for s, want := range map[string]string{"Reply (3) »": "reply", "12": "", "Weiter  LESEN…": "weiter lesen"} {
		if got := Phrase(s); got != want {
			t.Errorf("Phrase(%q) = %q, want %q", s, got, want)
		}
	}
}
