package metadata

import (
	_ "embed"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

//go:embed data/scripts.txt
var scriptsFile string

// script is a kind of letters, by its row in the data file.
type script struct {
	lang string   // taken when the page names no other
	may  []string // languages that are written in it
}

var scripts = sync.OnceValue(func() map[string]script {
	m := map[string]script{}
	for row := range dataRows(scriptsFile) {
		f := strings.Fields(row)
		m[f[0]] = script{lang: f[1], may: f[2:]}
	}
	return m
})

// language is the language of the story as a BCP 47 tag. What the page says
// is believed unless its letters or its words say otherwise: templates come
// from abroad.
func (p *page) language() (tag, source string) {
	tag, source = normalLang(p.htmlLang), fromHTML
	if tag == "" {
		tag, source = p.found.first(ofLang, normalLang)
	}
	primary, _, _ := strings.Cut(tag, "-")
	s, ok := scripts()[dominantScript(p.d.AllText())]
	fits := !ok || slices.Contains(s.may, primary)
	if fits && primary != "" && !commonWords().known(primary) {
		return tag, source
	}
	heard := listen(p.d)
	switch told := heard.language(primary); {
	case told == primary && primary != "":
		return tag, source
	case told != "" && (!ok || slices.Contains(s.may, told)):
		return told, fromText
	case fits:
		return tag, source
	}
	return s.lang, fromText
}

// normalLang writes a tag in the usual form: en_us is en-US, ZH-hant is
// zh-Hant. What is no tag is empty.
func normalLang(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ",") // Content-Language may list several
	s, _, _ = strings.Cut(s, ".")                    // POSIX: en_US.UTF-8
	s, _, _ = strings.Cut(s, ";")
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(s) > 35 {
		return ""
	}
	for i, part := range parts {
		if len(part) > 8 || strings.IndexFunc(part, func(r rune) bool { return r >= 128 || !isLower(byte(r)) && !isDigit(byte(r)) }) >= 0 {
			return ""
		}
		switch {
		case i == 0:
			if len(part) < 2 || len(part) > 3 || !isLower(part[0]) {
				return ""
			}
			if part == "und" || part == "mul" || part == "zxx" {
				return ""
			}
		case len(part) == 4 && isLower(part[0]):
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		case len(part) == 2:
			parts[i] = strings.ToUpper(part)
		}
	}
	return strings.Join(parts, "-")
}

// dominantScript names the script of four fifths of the letters, or is empty.
// It looks at pieces from all over the text: menus may be in another language.
func dominantScript(text string) string {
	const pieces, size = 8, 512
	var counts [scriptCount]int
	total := 0
	step := max(len(text)/pieces, size)
	for at := 0; at < len(text); at += step {
		for _, r := range text[at:min(at+size, len(text))] {
			switch {
			case r < 0x80:
				if isLower(byte(r) | 0x20) {
					total++
				}
			case r < 0x370:
				total++ // Latin, and too few signs to matter
			case r >= 0x2000 && r < 0x3040: // punctuation
			default:
				total++
				counts[scriptOf(r)]++
			}
		}
	}
	if total < 40 {
		return ""
	}
	cjk := counts[kana] + counts[han]
	if counts[kana]*10 > cjk && cjk*5 >= total*4 {
		return "kana"
	}
	for i, n := range counts {
		if i > 0 && n*5 >= total*4 {
			return scriptNames[i]
		}
	}
	return ""
}

const (
	otherScript = iota
	greek
	cyrillic
	hebrew
	arabic
	thai
	kana
	han
	hangul
	scriptCount
)

var scriptNames = [scriptCount]string{"", "greek", "cyrillic", "hebrew", "arabic", "thai", "kana", "han", "hangul"}

func scriptOf(r rune) int {
	switch {
	case r <= 0x3FF || r >= 0x1F00 && r <= 0x1FFF:
		return greek
	case r >= 0x400 && r <= 0x52F:
		return cyrillic
	case r >= 0x590 && r <= 0x5FF:
		return hebrew
	case r >= 0x600 && r <= 0x77F || r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF:
		return arabic
	case r >= 0xE00 && r <= 0xE7F:
		return thai
	case r >= 0x3040 && r <= 0x30FF:
		return kana
	case r >= 0x3400 && r <= 0x9FFF:
		return han
	case r >= 0x1100 && r <= 0x11FF || r >= 0xAC00 && r <= 0xD7AF:
		return hangul
	}
	return otherScript
}

//go:embed data/languages.txt
var languagesFile string

// tongues knows the commonest words of languages: a word has a bit for each
// language, in the order of the data file.
type tongues struct {
	tags  [][]string // the language first, then its other names
	words map[string]uint64
	sieve sieve // of words
}

var commonWords = sync.OnceValue(func() *tongues {
	t := &tongues{words: map[string]uint64{}}
	for row := range dataRows(languagesFile) {
		names, list, ok := strings.Cut(row, ":")
		if !ok || len(t.tags) == 64 {
			panic("metadata: languages.txt: " + row)
		}
		for w := range strings.FieldsSeq(list) {
			t.words[w] |= 1 << len(t.tags)
			t.sieve.add(w)
		}
		t.tags = append(t.tags, strings.Fields(names))
	}
	return t
})

// known reports whether the language of a tag can be told by its words.
func (t *tongues) known(primary string) bool {
	for _, names := range t.tags {
		for _, name := range names {
			if name == primary {
				return true
			}
		}
	}
	return false
}

// verdict is how often the words of each language stand in a text.
type verdict struct {
	hits  [64]int
	words int
}

// listen counts common words in the prose of a page: rows of some length,
// which menus and labels are not, up to a few thousand characters.
func listen(d *dom.Document) (v verdict) {
	const prose, enough = 80, 2500
	t := commonWords()
	var low [48]byte
	all := d.AllText()
	for at, read := 0, 0; at < len(all) && read < enough; {
		end := strings.IndexByte(all[at:], '\n')
		if end < 0 {
			end = len(all) - at
		}
		if row := all[at : at+end]; len(row) >= prose {
			row = clip(row, enough-read)
			read += len(row)
			v.count(t, row, low[:0])
		}
		at += end + 1
	}
	return v
}

// count adds the words of one row. The buffer saves a copy of every word.
func (v *verdict) count(t *tongues, row string, low []byte) {
	for i := 0; i <= len(row); {
		r, n := ' ', 1
		if i < len(row) {
			if r = rune(row[i]); r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(row[i:])
			}
		}
		i += n
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			if len(low) < cap(low)-utf8.UTFMax {
				low = append(low, byte(r)|0x20)
			}
			continue
		}
		if r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.Is(unicode.Mn, r)) {
			if len(low) < cap(low)-utf8.UTFMax {
				low = utf8.AppendRune(low, unicode.ToLower(r))
			}
			continue
		}
		if len(low) == 0 {
			continue
		}
		v.words++
		if t.sieve.holds(low) {
			for mask := t.words[string(low)]; mask != 0; mask &= mask - 1 {
				v.hits[bits.TrailingZeros64(mask)]++
			}
		}
		low = low[:0]
	}
}

// language is the one whose words are far more frequent than those of any
// other, or empty. A declared language keeps its place as long as it has at
// least two thirds of the hits of the best.
func (v *verdict) language(declared string) string {
	const fewest = 8
	t := commonWords()
	best, second := -1, 0
	for i := range t.tags {
		switch n := v.hits[i]; {
		case best < 0 || n > v.hits[best]:
			if best >= 0 {
				second = v.hits[best]
			}
			best = i
		case n > second:
			second = n
		}
	}
	if best < 0 || v.hits[best] < fewest || v.hits[best]*12 < v.words {
		return ""
	}
	for i, names := range t.tags {
		for _, name := range names {
			if name == declared && v.hits[i]*3 >= v.hits[best]*2 {
				return declared
			}
		}
	}
	if second*5 > v.hits[best]*4 {
		return ""
	}
	return t.tags[best][0]
}
