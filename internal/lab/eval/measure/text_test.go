package measure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                      nil,
		" \n\t":                 nil,
		"Gulls, and gulls.":     {"gulls", "and", "gulls"},
		"don't re-read":         {"don", "t", "re", "read"},
		"snake_case 3rd 2024":   {"snake_case", "3rd", "2024"},
		"潮汐表 2024":              {"潮", "汐", "表", "2024"},
		"港口news站":               {"港", "口", "news", "站"},
		"カモメ":                   {"カ", "モ", "メ"},
		"갈매기":                   {"갈", "매", "기"},
		"ﬁsh ＴＥＡ ①":             {"fish", "tea", "1"}, // NFKC
		"cafe\u0301":            {"café"},
		"ΓΛΑΡΟΣ ΟΔΟΣ ΣΑΣ":       {"γλαρος", "οδος", "σας"}, // the final sigma
		"ЧАЙКИ над Гаванью":     {"чайки", "над", "гаванью"},
		"النوارس فوق الميناء":   {"النوارس", "فوق", "الميناء"},
		"שחפים מעל הנמל":        {"שחפים", "מעל", "הנמל"},
		"İstanbul":              {"i", "stanbul"}, // a combining dot is not a letter
		"½ liter":               {"1", "2", "liter"},
		"a\u00a0b\u200bc":       {"a", "b", "c"},
		"Straße GROSS":          {"straße", "gross"},
		"x² + y":                {"x2", "y"},
		"Ⅻ":                     {"xii"},
		"\xff\xfebroken":        {"broken"},
		"ideographs: 々 〇 and 𠀀": {"ideographs", "々", "〇", "and", "𠀀"},
	} {
		if got := Words(in); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestCompare has figures computed by hand.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found, gold string
		p, r, f1    float64
	}{
		{"the gull sat", "the gull sat", 1, 1, 1},
		{"sat gull the", "the gull sat", 1, 1, 1}, // a bag has no order
		{"", "", 1, 1, 1},
		{"", "the gull", 0, 0, 0},
		{"the gull", "", 0, 1, 0},
		{"the the the gull", "the gull sat down", 0.5, 0.5, 0.5}, // the second and third "the" are false positives
		{"one two", "one two three four five six", 1, 1.0 / 3, 0.5},
		{"one two three four five six", "one two", 1.0 / 3, 1, 0.5},
		{"one one two", "one two two", 2.0 / 3, 2.0 / 3, 2.0 / 3},
		{"cat", "dog", 0, 0, 0},
		{"潮汐", "潮水", 0.5, 0.5, 0.5},
	} {
		got := compare(Words(c.found), Words(c.gold))
		if math.Abs(got.P-c.p)+math.Abs(got.R-c.r)+math.Abs(got.F1-c.f1) > 1e-12 {
			t.Errorf("%q for %q: got %v, want %v %v %v", c.found, c.gold, got, c.p, c.r, c.f1)
		}
	}
}

func TestScoreWithTitle(t *testing.T) {
	t.Parallel()
	inText := corpus.Gold{Text: "Gulls leave\nThey flew off.", TitleInText: true}
	apart := corpus.Gold{Text: "They flew off."}
	for _, c := range []struct {
		name        string
		gold        corpus.Gold
		title, text string
		want        PRF
	}{
		{"headline counts as text", inText, "Gulls leave", "They flew off.", PRF{1, 1, 1}},
		{"text begins with it", inText, "GULLS, leave!", "Gulls leave. They flew off.", PRF{1, 1, 1}},
		{"no headline found", inText, "", "They flew off.", PRF{1, 0.6, 0.75}},
		{"gold without headline", apart, "Gulls leave", "They flew off.", PRF{1, 1, 1}},
		// Two words of headline, 196 of x, 2 and 2 again: 2 of the 5 are found.
		{"headline at the end", inText, "Gulls leave", strings.Repeat("xx ", 196) + "gulls leave", PRF{2.0 / 200, 2.0 / 5, 4.0 / 205}},
	} {
		got := Score(&c.gold, c.title, c.text)
		if math.Abs(got.P-c.want.P)+math.Abs(got.R-c.want.R)+math.Abs(got.F1-c.want.F1) > 1e-12 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
