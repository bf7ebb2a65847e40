package stories

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Frequencies count in how many articles of a language terms occur, so that rare
// terms can be given more weight. They have a fixed size and forget slowly: what is
// counted are the last hundred thousand articles or so. The zero value is empty and
// ready to use; it knows that short words are common.
//
// Counts are kept by hash, twice, and the smaller one counts (the count-min sketch of
// G. Cormode and S. Muthukrishnan, 2005).
type Frequencies struct {
	counts    []uint16 // rows, one after the other; nil while empty
	articles  uint32
	languages map[string]uint32 // articles
}

const (
	rowBits      = 19
	rows         = 2
	maxArticles  = 1<<16 - 1 // then all counts are halved
	maxLanguages = 256       // others are counted together
)

// prior is which part of the articles has a term of a class, on average over running
// text: geometric means over news in English, Greek, Polish and Russian, and in Chinese
// for groups of letters. Short words are common in all languages (G. K. Zipf's
// law of abbreviation, 1935).
var prior = [classes]float64{0.62, 0.50, 0.37, 0.13, 0.06, 0.04, 0.02, 0.01}

// Add counts the terms of an article.
func (f *Frequencies) Add(t *Terms) {
	if f.counts == nil {
		f.counts = make([]uint16, rows<<rowBits)
		f.languages = map[string]uint32{}
	}
	if f.articles == maxArticles {
		f.halve()
	}
	lang := f.language(t.lang)
	f.articles++
	f.languages[lang]++
	seed := languageSeed(lang)
	for i := range t.terms {
		for row := range rows {
			if n := &f.counts[slot(t.terms[i].hash, seed, row)]; *n < math.MaxUint16 {
				*n++
			}
		}
	}
}

// language returns the name under which articles of a language are counted.
func (f *Frequencies) language(lang string) string {
	if _, ok := f.languages[lang]; !ok && len(f.languages) >= maxLanguages {
		return ""
	}
	return lang
}

// halve forgets half of everything.
func (f *Frequencies) halve() {
	for i := range f.counts {
		f.counts[i] /= 2
	}
	f.articles = 0
	for lang, n := range f.languages {
		f.languages[lang] = n / 2
		f.articles += n / 2
	}
}

// languageSeed returns where the counts of a language are.
func languageSeed(lang string) uint32 { return hashTerm(lang, 0) }

func slot(hash, seed uint32, row int) int {
	h := (uint64(hash) ^ uint64(seed)<<32) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return row<<rowBits | int(h>>(row*rowBits+8))&(1<<rowBits-1)
}

// rarity returns a function that says how rare a term is in a language: minus the
// logarithm of the part of the articles that have it, where as many articles as known
// have the usual part.
func (f *Frequencies) rarity(lang string, known float64) func(hash uint32) float64 {
	lang = f.language(lang)
	articles, seed := float64(f.languages[lang]), languageSeed(lang)
	return func(hash uint32) float64 {
		n := uint16(math.MaxUint16)
		if f.counts == nil {
			n = 0
		} else {
			for row := range rows {
				n = min(n, f.counts[slot(hash, seed, row)])
			}
		}
		// The sketch may count a term more often than there are articles.
		return max(0, -math.Log((prior[hash%classes]*known+float64(n))/(known+articles)+1e-4))
	}
}

// The form of frequencies in bytes: the version, the number of languages, for each its
// name and articles, then the counts.
const frequenciesVersion = 1

// MarshalBinary implements encoding.BinaryMarshaler.
func (f *Frequencies) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, 2*len(f.counts)+64)
	b = append(b, frequenciesVersion)
	b = binary.AppendUvarint(b, uint64(len(f.languages)))
	langs := make([]string, 0, len(f.languages))
	for lang := range f.languages {
		langs = append(langs, lang)
	}
	slices.Sort(langs)
	for _, lang := range langs {
		b = append(append(b, byte(len(lang))), lang...)
		b = binary.AppendUvarint(b, uint64(f.languages[lang]))
	}
	for _, n := range f.counts {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	return b, nil
}

var errFrequencies = errors.New("the frequencies are damaged")

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (f *Frequencies) UnmarshalBinary(b []byte) error {
	r := reader{b: b}
	if v := r.byte(); v != frequenciesVersion && r.ok() {
		return fmt.Errorf("the frequencies have version %d and not %d", v, frequenciesVersion)
	}
	var g Frequencies
	n := r.uvarint()
	if n > maxLanguages {
		return errFrequencies
	}
	g.languages = make(map[string]uint32, n)
	for range n {
		lang := string(r.bytes(int(r.byte())))
		articles := r.uvarint()
		if _, twice := g.languages[lang]; twice || articles > maxArticles {
			return errFrequencies
		}
		g.languages[strings.Clone(lang)] = uint32(articles)
		g.articles += uint32(articles)
	}
	if !r.ok() || len(r.b) != 0 && len(r.b) != rows<<rowBits*2 || g.articles > maxArticles {
		return errFrequencies
	}
	if len(r.b) > 0 {
		g.counts = make([]uint16, rows<<rowBits)
		for i := range g.counts {
			g.counts[i] = binary.LittleEndian.Uint16(r.b[2*i:])
		}
	} else if n > 0 {
		return errFrequencies
	}
	*f = g
	return nil
}

// reader reads bytes. After an error, everything is zero.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) ok() bool { return !r.bad }

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.b, r.bad = nil, true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}
