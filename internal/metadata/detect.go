package metadata

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

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
