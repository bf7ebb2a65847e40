package metadata

import (
	_ "embed"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"

	"github.com/lede-news/lede/internal/page/lines"
)

//go:embed data/scripts.txt
var scriptsFile string

// script is a line of scripts.txt.
type script struct {
	lang string   // assumed if the page declares none
	may  []string // languages that the page may declare
}

var scripts = sync.OnceValue(func() map[string]script {
	m := map[string]script{}
	for line := range lines.Data(scriptsFile) {
		f := strings.Fields(line)
		m[f[0]] = script{lang: f[1], may: f[2:]}
	}
	return m
})

// language returns the language of the article as a BCP 47 tag. The declared
// language is used unless the script or the words of the text contradict it,
// because templates are often translated incompletely.
func (p *page) language() (tag, source string) {
	tag, source = parseLang(p.htmlLang), sourceHTML
	if tag == "" {
		tag, source = p.candidates.first(factLang, parseLang)
	}
	primary, _, _ := strings.Cut(tag, "-")
	s, ok := scripts()[dominantScript(p.d.AllText())]
	fits := !ok || slices.Contains(s.may, primary)
	if fits && primary != "" && !commonWords().known(primary) {
		return tag, source
	}
	counts := p.countCommonWords()
	switch detected := counts.language(primary); {
	case detected == primary && primary != "":
		return tag, source
	case detected != "" && (!ok || slices.Contains(s.may, detected)):
		return detected, sourceText
	case fits:
		return tag, source
	}
	return s.lang, sourceText
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

// dominantScript returns the name of the script of four fifths of the letters, or
// "". It samples the whole text, because menus may be in another language.
func dominantScript(text string) string {
	letters, total := map[string]int{}, 0
	for sample := range samples(text) {
		for _, r := range sample {
			if !unicode.IsLetter(r) {
				continue
			}
			total++
			if r < 0x370 {
				continue // Latin
			}
			if i := slices.IndexFunc(scriptRanges[:], func(s scriptRange) bool { return s.first <= r && r <= s.last }); i >= 0 {
				letters[scriptRanges[i].script]++
			}
		}
	}
	if total < 40 {
		return ""
	}
	cjk := letters["kana"] + letters["han"]
	if letters["kana"]*10 > cjk && cjk*5 >= total*4 {
		return "kana"
	}
	for script, n := range letters {
		if n*5 >= total*4 {
			return script
		}
	}
	return ""
}

// samples iterates over parts of a text.
func samples(text string) iter.Seq[string] {
	const parts, size = 8, 512
	step := max(len(text)/parts, size)
	return func(yield func(string) bool) {
		for at := 0; at < len(text) && yield(text[at:min(at+size, len(text))]); at += step {
		}
	}
}

// scriptRange is a range of letters of a script in scripts.txt.
type scriptRange struct {
	first, last rune
	script      string
}

// scriptRanges are all of them. Read only.
var scriptRanges = [...]scriptRange{
	{0x400, 0x52F, "cyrillic"}, {0x370, 0x3FF, "greek"}, {0x1F00, 0x1FFF, "greek"}, {0x590, 0x5FF, "hebrew"},
	{0x600, 0x77F, "arabic"}, {0xFB50, 0xFDFF, "arabic"}, {0xFE70, 0xFEFF, "arabic"}, {0xE00, 0xE7F, "thai"},
	{0x3400, 0x9FFF, "han"}, {0x3040, 0x30FF, "kana"}, {0xAC00, 0xD7AF, "hangul"}, {0x1100, 0x11FF, "hangul"},
	{0x900, 0x97F, "devanagari"}, {0x980, 0x9FF, "bengali"}, {0xA00, 0xA7F, "gurmukhi"}, {0xA80, 0xAFF, "gujarati"},
	{0xB80, 0xBFF, "tamil"}, {0xC00, 0xC7F, "telugu"}, {0xC80, 0xCFF, "kannada"}, {0xD00, 0xD7F, "malayalam"},
	{0xD80, 0xDFF, "sinhala"}, {0xE80, 0xEFF, "lao"}, {0x1000, 0x109F, "myanmar"}, {0x10A0, 0x10FF, "georgian"},
	{0x530, 0x58F, "armenian"}, {0x1780, 0x17FF, "khmer"}, {0x1200, 0x137F, "ethiopic"},
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
	left := maxBytes
	for _, line := range p.text().lines(p.d) {
		if len(line) < minLine {
			continue
		}
		line = truncate(line, left)
		c.addLine(line)
		if left -= len(line); left == 0 {
			break
		}
	}
	return c
}

func (c *wordCounts) addLine(line string) {
	all := commonWords().words
	for word := range strings.FieldsFuncSeq(strings.ToLower(line), isNoLetter) {
		c.words++
		for mask := all[word]; mask != 0; mask &= mask - 1 {
			c.hits[bits.TrailingZeros64(mask)]++
		}
	}
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
