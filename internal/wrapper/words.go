package wrapper

import (
	"strings"
	"unicode"

	"github.com/lede-news/lede/dom"
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

// wordSet is the words of a title that the page claims to have.
type wordSet map[string]bool

func newWordSet(text string) wordSet {
	const most = 100 // words
	set := wordSet{}
	for w := range eachWord(text) {
		if set[w] = true; len(set) >= most {
			break
		}
	}
	return set
}

// saidTitles are the <title> and the title for social networks. "The texts in the
// <title> element here are far different from the news title" (section 2), and so
// they are no answer; but of two candidates the one that is more like them is
// the better one.
func saidTitles(d *dom.Document) (sets []wordSet) {
	if t := d.First(dom.Title); t != dom.None {
		sets = append(sets, newWordSet(d.Raw(t)))
	}
	for n := range d.All(d.Root(), dom.Meta) {
		if d.AttrOr(n, "property") == "og:title" {
			return append(sets, newWordSet(d.AttrOr(n, "content")))
		}
	}
	return sets
}

// likeness is how like a text is to the nearest of the titles.
func likeness(titles []wordSet, text string) float64 {
	const longest = 2000 // bytes
	if len(text) > longest {
		return 0
	}
	words, best := newWordSet(text), 0.0
	for _, t := range titles {
		best = max(best, words.likeness(t))
	}
	return best
}

// likeness is the share of the words of s that are in the title, less when
// they are not half of the title's.
func (s wordSet) likeness(title wordSet) float64 {
	both := 0
	for w := range s {
		if title[w] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(s)) * min(1, 2*float64(both)/float64(len(title)))
}

// eachWord goes through the words of a text in lower case; a Han or Kana
// character is a word by itself.
func eachWord(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for f := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }) {
			if !strings.ContainsFunc(f, isSign) {
				if !yield(f) {
					return
				}
				continue
			}
			for _, r := range f {
				if !yield(string(r)) {
					return
				}
			}
		}
	}
}

// isSign tells characters of scripts without spaces between words.
func isSign(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }
