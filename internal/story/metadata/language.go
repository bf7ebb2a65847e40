package metadata

import (
	_ "embed"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"

	"github.com/lede-news/lede/internal/page/lines"
)

// language returns the language of the article as a BCP 47 tag. The declared
// language is used unless the script or the words of the text contradict it,
// because templates are often translated incompletely.
func (p *page) language() (tag, source string) {
	tag, source = parseLang(p.htmlLang), sourceHTML
	if tag == "" {
		tag, source = p.candidates.first(factLang, parseLang)
	}
	primary := primaryLang(tag)
	script := dominantScript(p.d.AllText())
	fits := isWrittenIn(tag, script)
	if fits && primary != "" && !commonWords().known(primary) {
		return tag, source
	}
	counts := p.countCommonWords()
	switch detected := counts.language(primary); {
	case detected == primary && primary != "":
		return tag, source
	case detected != "" && isWrittenIn(detected, script):
		return detected, sourceText
	case fits:
		return tag, source
	}
	usual, _ := language.MustParse("und-" + script).Base()
	return usual.String(), sourceText
}

// isWrittenIn reports whether a language may be written in a script of scripts, or "".
func isWrittenIn(tag, script string) bool {
	if script == "" || tag == "" {
		return script == ""
	}
	usual, certain := language.Make(tag).Script()
	switch usual.String() {
	case script:
		return true
	case "Hans", "Hant", "Jpan", "Kore":
		return script == "Hani"
	}
	return certain < language.High // of languages with several scripts, x/text names one
}

// parseLang returns a language tag in canonical form: en-US for en_us, en-GB for
// en-UK, he for iw. It returns "" if s is not a tag or names no language.
func parseLang(s string) string {
	// Content-Language may be a list, and POSIX locales end in ".UTF-8".
	if i := strings.IndexAny(s, ",;."); i >= 0 {
		s = s[:i]
	}
	if s = strings.Trim(s, " \t\r\n-_"); len(s) > 35 {
		return "" // RFC 5646 §4.4.1
	}
	tag, err := language.Deprecated.Parse(s)
	if _, unknown := err.(language.ValueError); err != nil && !unknown {
		return ""
	}
	switch base, _, _ := tag.Raw(); base.String() {
	case "und", "mul", "zxx":
		return ""
	}
	return tag.String()
}

// dominantScript returns the script of four fifths of the letters, as in scripts, or
// "". It samples the whole text, because menus may be in another language.
func dominantScript(text string) string {
	const parts, size, minLetters = 8, 512, 40
	letters, total, last := map[string]int{}, 0, -1
	var counts [len(scripts)]int
	for at := 0; at < len(text); at += max(len(text)/parts, size) {
		for _, r := range text[at:min(at+size, len(text))] {
			if !unicode.IsLetter(r) {
				continue
			}
			total++
			if r < 0x370 {
				continue // Latin
			}
			if last < 0 || !unicode.Is(scripts[last].letters, r) {
				last = slices.IndexFunc(scripts[:], func(s script) bool { return unicode.Is(s.letters, r) })
			}
			if last >= 0 {
				counts[last]++
			}
		}
	}
	for i, n := range counts {
		letters[scripts[i].name] += n
	}
	if total < minLetters {
		return ""
	}
	if cjk := letters["Jpan"] + letters["Hani"]; letters["Jpan"]*10 > cjk {
		letters["Jpan"] = cjk // kana among ideographs
	}
	for _, s := range scripts {
		if letters[s.name]*5 >= total*4 {
			return s.name
		}
	}
	return ""
}

// script is a script with its name in ISO 15924.
type script struct {
	letters *unicode.RangeTable
	name    string
}

// scripts are those of newspapers, other than Latin. Read only.
var scripts = [...]script{
	{unicode.Cyrillic, "Cyrl"}, {unicode.Han, "Hani"}, {unicode.Hiragana, "Jpan"}, {unicode.Katakana, "Jpan"}, {unicode.Hangul, "Kore"},
	{unicode.Arabic, "Arab"}, {unicode.Greek, "Grek"}, {unicode.Hebrew, "Hebr"}, {unicode.Thai, "Thai"}, {unicode.Devanagari, "Deva"},
	{unicode.Bengali, "Beng"}, {unicode.Gurmukhi, "Guru"}, {unicode.Gujarati, "Gujr"}, {unicode.Tamil, "Taml"}, {unicode.Telugu, "Telu"},
	{unicode.Kannada, "Knda"}, {unicode.Malayalam, "Mlym"}, {unicode.Sinhala, "Sinh"}, {unicode.Lao, "Laoo"}, {unicode.Myanmar, "Mymr"},
	{unicode.Georgian, "Geor"}, {unicode.Armenian, "Armn"}, {unicode.Khmer, "Khmr"}, {unicode.Ethiopic, "Ethi"},
}

//go:embed data/languages.txt
var languagesFile string

// wordLists are the common words of languages. Each word has a bit for each
// language, in the order of languages.txt.
type wordLists struct {
	tags  [][]string // a language and those too similar to distinguish
	words map[string]uint64
}

var commonWords = sync.OnceValue(func() *wordLists {
	t := &wordLists{words: map[string]uint64{}}
	for line := range lines.Data(languagesFile) {
		names, list, ok := strings.Cut(line, ":")
		if !ok || len(t.tags) == 64 {
			panic("metadata: languages.txt: " + line)
		}
		for w := range strings.FieldsSeq(list) {
			t.words[w] |= 1 << len(t.tags)
		}
		t.tags = append(t.tags, strings.Fields(names))
	}
	return t
})

// known reports whether a language can be detected.
func (t *wordLists) known(primary string) bool {
	return slices.ContainsFunc(t.tags, func(tags []string) bool { return slices.Contains(tags, primary) })
}

// wordCounts counts the common words of each language in a text.
type wordCounts struct {
	hits  [64]int
	words int
}

// countCommonWords counts the common words in the prose of a page: long lines,
// which excludes menus and labels, up to a few thousand bytes.
func (p *page) countCommonWords() (c wordCounts) {
	const minLine, maxBytes = 80, 2500
	all, left := commonWords().words, maxBytes
	for _, line := range p.text().lines(p.d) {
		if len(line) < minLine {
			continue
		}
		line = truncate(line, left)
		for word := range strings.FieldsFuncSeq(strings.ToLower(line), isNoLetter) {
			c.words++
			for mask := all[word]; mask != 0; mask &= mask - 1 {
				c.hits[bits.TrailingZeros64(mask)]++
			}
		}
		if left -= len(line); left == 0 {
			break
		}
	}
	return c
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }

// language returns the language whose words are much more frequent than those of
// any other, or "". The declared language needs only two thirds of the hits of
// the best.
func (c *wordCounts) language(declared string) string {
	const minHits = 8
	t := commonWords()
	best, second := 0, 0
	for i := 1; i < len(t.tags); i++ {
		if c.hits[i] > c.hits[best] {
			best, second = i, c.hits[best]
		} else {
			second = max(second, c.hits[i])
		}
	}
	if c.hits[best] < minHits || c.hits[best]*12 < c.words {
		return ""
	}
	for i, tags := range t.tags {
		if c.hits[i]*3 >= c.hits[best]*2 && slices.Contains(tags, declared) {
			return declared
		}
	}
	if second*5 > c.hits[best]*4 {
		return ""
	}
	return t.tags[best][0]
}
