package measure

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// bag is the measure of NCE and StaDyNoT: the bags of words of output and gold are
// compared for each page, and the figures are means over pages. "≥.9" is the share
// of pages with F1 ≥ 0.9.
var bag = Measure{
	Name: "bag", About: "words as a bag, mean over pages (NCE, StaDyNoT)",
	Figures: []string{"P", "R", "F1", "≥.9"}, Main: 2,
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if g.Text == "" {
			return nil
		}
		m := Score(g, out.Title, out.Text)
		return []float64{m.P, m.R, m.F1, indicator(m.F1 >= 0.9), 1}
	},
	Total: means,
}

// shingle is the measure of the article-extraction-benchmark: the bags of all
// runs of four words are compared, case-sensitively. Precision is the mean over
// the pages with an output, recall the mean over all pages, and F1 is computed
// from these two. Exact is the share of pages with the same words in the same
// order as the gold.
var shingle = Measure{
	Name: "shingle", About: "runs of four words, case kept (article-extraction-benchmark)",
	Figures: []string{"P", "R", "F1", "exact"}, Main: 2,
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if g.Text == "" {
			return nil
		}
		words, goldWords := tokens(withTitle(g, out.Title, out.Text)), tokens(g.Text)
		found, gold := shingles(words), shingles(goldWords)
		right, f, n := float64(countSame(found, gold)), float64(len(found)), float64(len(gold))
		return []float64{ratio(right, f), indicator(f > 0), ratio(right, n), indicator(n > 0), indicator(slices.Equal(words, goldWords)), 1}
	},
	Total: func(s []float64) []float64 {
		p, r := ratio(s[0], s[1]), ratio(s[2], s[3])
		return []float64{p, r, harmonic(p, r), ratio(s[4], s[5])}
	},
}

// shingles returns all runs of four words. A text of fewer words is one shingle.
func shingles(words []string) [][4]string {
	if len(words) == 0 {
		return nil
	}
	all := make([][4]string, max(1, len(words)-3))
	for i := range all {
		copy(all[i][:], words[i:])
	}
	return all
}

// snippet is the measure of trafilatura's evaluation. Each page has a few snippets
// that must be in the text and a few that must not. The first are true positives
// or false negatives, the second may be false positives; the figures are computed
// from the sums over all pages. Case and white space are ignored.
var snippet = Measure{
	Name: "snippet", About: "snippets that must and must not be in the text, over all snippets (trafilatura)",
	Figures: figuresPRF, Main: 2,
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if len(g.With)+len(g.Without) == 0 {
			return nil
		}
		text := normalize(out.Text)
		contained := func(snippets []string) (n float64) {
			for _, s := range snippets {
				n += indicator(strings.Contains(text, normalize(s)))
			}
			return n
		}
		right := contained(g.With)
		return []float64{right, right + contained(g.Without), float64(len(g.With))}
	},
	Total: microPRF,
}

// normalize folds case and white space.
func normalize(s string) string {
	return lower(strings.Join(strings.FieldsFunc(norm.NFKC.String(s), isSpace), " "))
}

// isSpace reports whether Python regards r as white space, which includes the
// separators of files, groups, records and units.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// Score compares the words of a text, and of a headline if the gold has it in its
// text, with the gold.
func Score(g *corpus.Gold, title, text string) PRF {
	return compare(Words(withTitle(g, title, text)), Words(g.Text))
}

// withTitle puts the headline before the text if the gold has it there and the
// beginning of the text does not contain it.
func withTitle(g *corpus.Gold, title, text string) string {
	if !g.TitleInText {
		return text
	}
	head := text
	if utf8.RuneCountInString(text) > beginning {
		head = string([]rune(text)[:beginning])
	}
	if strings.Contains(Letters(head), Letters(title)) {
		return text
	}
	return title + "\n" + text
}

// beginning is the number of characters at the beginning of a text in which the
// headline is looked for.
const beginning = 400

// Letters returns the letters of s, to compare texts regardless of case, space and
// punctuation.
func Letters(s string) string { return strings.Join(Words(s), "") }

// Words returns the words of s after NFKC normalization and in lower case. A word
// is a run of letters, numbers and underscores, or a single Han, Kana or Hangul
// character.
func Words(s string) []string { return tokens(lower(norm.NFKC.String(s))) }

// lower returns s in lower case. Unlike strings.ToLower, it writes a sigma at the
// end of a Greek word as ς.
func lower(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

// tokens returns the words of s without normalization.
func tokens(s string) []string {
	var words []string
	start := -1
	for i, r := range s {
		in, alone := inWord(r), isCJK(r)
		if start >= 0 && (!in || alone) {
			words = append(words, s[start:i])
			start = -1
		}
		switch {
		case alone:
			words = append(words, s[i:i+utf8.RuneLen(r)])
		case in && start < 0:
			start = i
		}
	}
	if start >= 0 {
		words = append(words, s[start:])
	}
	return words
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isCJK(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xAC00 && r <= 0xD7AF
}
