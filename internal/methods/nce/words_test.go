package nce

import (
	"slices"
	"testing"
)

func TestSimilar(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"12 January 2024, 10:45 pm", "3 March 2023, 9:12 am", true},
		{"Posted by Ann on 12 January 2024", "Posted by Bert on 3 March 2024", true},
		{"2024-01-12T10:45", "2023-12-03T09:12", true},
		{"5 мая 2024 в 10:00", "17 июня 2023 в 9:30", true},
		{"12 Ιανουαρίου 2024", "3 Μαρτίου 2023", true},
		{"2024年1月12日 10:45", "2023年11月3日 9:12", true},
		{"١٢ يناير ٢٠٢٤", "٣ مارس ٢٠٢٣", true},
		{"12 בינואר 2024", "3 במרץ 2023", true},
		{"#1 | permalink", "#204 | Permalink", true},
		{"Reply to this", "reply to THIS", true},
		{"2 hours ago", "17 hours ago", true},
		{"Canucks 2 Ducks 1", "Kings 3 Wolves 2", false},
		{"Ice 2.50", "Tea 1.20", false},
		{"Reply", "Report abuse", false},
		{"A vote on Sunday", "No word from the port", false},
		{"Posted by Ann on 12 January 2024", "The port has not said a word", false},
		{"don't", "dont", true},
		{"", "", false},
		{"…", "!", false},
	} {
		a, b := appendBag(nil, c.a), appendBag(nil, c.b)
		if got := similar(a, b, 0.75); got != c.want {
			t.Errorf("%q and %q: similar %v", c.a, c.b, got)
		}
		if similar(a, b, 0.75) != similar(b, a, 0.75) {
			t.Errorf("%q and %q are similar only one way", c.a, c.b)
		}
	}
}

// The figure is the F1 of one bag with respect to the other: two words of
// four and three are both, 4/7.
func TestSimilarF1(t *testing.T) {
	a, b := appendBag(nil, "gulls over the pier"), appendBag(nil, "gulls pier kiosk")
	if !similar(a, b, 4.0/7) || similar(a, b, 4.0/7+1e-9) {
		t.Error("not similar at 4/7")
	}
}

// A bag is appended behind others and leaves them alone.
func TestAppendBag(t *testing.T) {
	one := appendBag(nil, "gulls")
	two := appendBag(slices.Clone(one), "2012 gulls")
	if !slices.Equal(two, []uint32{one[0], anyNumber, besideNumber}) {
		t.Errorf("got %v", two)
	}
}

func TestWordSet(t *testing.T) {
	s := wordSet{}.add("Gulls over the PIER")
	if got := s.share("the gulls at the kiosk"); got != 0.6 {
		t.Errorf("share %g, want 3 of 5", got)
	}
	if got := s.share("…"); got != 0 {
		t.Errorf("share of no words: %g", got)
	}
}
