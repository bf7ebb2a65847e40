package measure

import (
	"slices"
	"testing"
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
