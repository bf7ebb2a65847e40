package stories

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
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
// logarithm of the part of the articles that have it.
func (f *Frequencies) rarity(lang string) func(hash uint32) float64 {
	lang = f.language(lang)
	articles, seed := float64(f.languages[lang]), languageSeed(lang)
	return func(hash uint32) float64 {
		n := uint16(0)
		if f.counts != nil {
			n = min(f.counts[slot(hash, seed, 0)], f.counts[slot(hash, seed, 1)])
		}
		// The sketch may count a term more often than there are articles.
		return max(0, -math.Log((prior[hash%classes]*priorArticles+float64(n))/(priorArticles+articles)+1e-4))
	}
}

// savedFrequencies is the form of frequencies that is kept.
type savedFrequencies struct {
	Counts    []uint16
	Languages map[string]uint32
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (f *Frequencies) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(savedFrequencies{f.counts, f.languages})
	return b.Bytes(), err
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (f *Frequencies) UnmarshalBinary(b []byte) error {
	var saved savedFrequencies
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&saved); err != nil {
		return fmt.Errorf("the frequencies are damaged: %w", err)
	}
	g := Frequencies{counts: saved.Counts, languages: saved.Languages}
	for _, n := range g.languages {
		g.articles += min(n, maxArticles+1)
	}
	if g.articles > maxArticles || len(g.counts) != rows<<rowBits && (len(g.counts) > 0 || g.articles > 0) {
		return errors.New("the frequencies are damaged")
	}
	*f = g
	return nil
}
