package wrapper

import (
	"strings"
	"unicode"
)

// countWords is WordNum (section 4.1.2). Words are runs of letters and digits,
// with an apostrophe or hyphen inside. Han and Kana know no spaces: two of their
// characters count as a word, which is what words of Chinese and Japanese
// headlines have on average; a single one left over counts as one. It counts no
// further than most.
func countWords(text string, most int) int {
	words, signs := 0, 0
	inside := false
	for _, r := range text {
		if words+signs/2 >= most {
			break
		}
		switch {
		case isSign(r):
			signs++
			inside = false
			continue
		case unicode.In(r, unicode.L, unicode.N, unicode.M):
			if !inside {
				words++
			}
			inside = true
		case inside && strings.ContainsRune("'’-‐", r):
		default:
			inside = false
		}
		words, signs = words+(signs+1)/2, 0
	}
	return min(words+(signs+1)/2, most)
}

// fullStops end a sentence of prose, script by script. Marks of question and
// exclamation do not count: headlines end with them.
const fullStops = ".。．｡।॥۔։።။។᙮᠃᠉⳹꓿"

// endsWithFullStop is EndWithFullStop (section 4.1.2): "whether the text
// contained in T ends by a period", whatever closes behind it. Three dots are
// no period but a pause.
func endsWithFullStop(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Cf) || r == '"' || r == '\''
	})
	if strings.HasSuffix(text, "..") || strings.HasSuffix(text, "。。") {
		return false
	}
	for _, stop := range fullStops {
		if strings.HasSuffix(text, string(stop)) {
			return true
		}
	}
	return false
}
