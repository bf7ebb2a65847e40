package stories

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
)

// SameStory is the likeness from which two articles tell the same story. On judged
// pairs (1 is the same story, 4 unrelated), nine of ten at or above it have a judgement
// of 2 or better.
const SameStory = 0.6

// Vector is what is compared of an article: its terms with their weights.
type Vector struct {
	lang  string
	day   int32
	terms []weighted // in order of hash
	words string     // of the heaviest terms, each with a zero byte before it but the first
	byIdx []uint8    // the index in terms of each word
}

type weighted struct {
	hash   uint32
	weight uint16 // as part of a vector of length unit
}

const (
	maxTerms = 192 // of a vector; its number fits into a byte
	maxNamed = 32  // terms whose words are kept
	unit     = math.MaxUint16
)

// Weigh returns the vector of an article. Rare terms have more weight.
func (f *Frequencies) Weigh(t *Terms) *Vector {
	rarity := f.rarity(t.lang)
	type scored struct {
		w     float64
		hash  uint32
		at    int32 // in t.terms
		named bool  // its word is kept
	}
	list := make([]scored, len(t.terms))
	for i := range t.terms {
		x := &t.terms[i]
		w := math.Log1p(float64(x.count)) * rarity(x.hash)
		if class(x.hash%classes) == nameClass {
			w *= nameWeight
		}
		list[i] = scored{w: w, hash: x.hash, at: int32(i)}
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.w, a.w), cmp.Compare(a.hash, b.hash)) })
	list = list[:min(len(list), maxTerms)]
	var sum float64
	for i := range list {
		list[i].named = i < maxNamed
		sum += list[i].w * list[i].w
	}
	v := &Vector{lang: t.lang, day: t.day}
	if sum == 0 {
		return v
	}
	length := math.Sqrt(sum)
	v.terms = make([]weighted, len(list))
	slices.SortFunc(list, func(a, b scored) int { return cmp.Compare(a.hash, b.hash) })
	words := make([]string, 0, maxNamed)
	for i, x := range list {
		v.terms[i] = weighted{x.hash, uint16(x.w / length * unit)}
		if x.named {
			words, v.byIdx = append(words, t.terms[x.at].text), append(v.byIdx, uint8(i))
		}
	}
	v.words = strings.Join(words, "\x00")
	return v
}

// Lang returns the language of the article, empty if it is unknown.
func (v *Vector) Lang() string { return v.lang }

// Keys returns the n terms with the most weight, the heaviest first. Articles that tell
// the same story share some of them, so that an index can find them.
func (v *Vector) Keys(n int) []uint64 {
	order := v.heaviest()
	keys := make([]uint64, min(n, len(order)))
	for i := range keys {
		keys[i] = uint64(v.terms[order[i]].hash)
	}
	return keys
}

// Words returns up to n of the words with the most weight, as the article has them.
func (v *Vector) Words(n int) []string { return v.readable(v.heaviest(), n) }

// heaviest returns the indexes of the terms, the heaviest first.
func (v *Vector) heaviest() []int {
	order := make([]int, len(v.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.terms[j].weight, v.terms[i].weight) })
	return order
}

// readable returns the words of terms. A word that is part of one before it is left
// out.
func (v *Vector) readable(order []int, n int) []string {
	var list []string
	words := strings.Split(v.words, "\x00")
	for _, i := range order {
		if len(list) == n {
			break
		}
		at, ok := slices.BinarySearch(v.byIdx, uint8(i))
		if !ok {
			continue
		}
		text := words[at]
		if !slices.ContainsFunc(list, func(longer string) bool {
			return strings.Contains(strings.ToLower(longer), strings.ToLower(text))
		}) {
			list = slices.DeleteFunc(list, func(shorter string) bool { return strings.Contains(text, shorter) })
			list = append(list, text)
		}
	}
	return list
}

// Likeness returns how much two articles are about the same story, from 0 to 1: the
// cosine of their vectors, less if days lie between them, on the scale of people's
// judgement.
func Likeness(a, b *Vector) float64 {
	var dot uint64
	common(a, b, func(i, j int) { dot += uint64(a.terms[i].weight) * uint64(b.terms[j].weight) })
	cosine := float64(dot) / (unit * unit)
	if a.day != 0 && b.day != 0 {
		days := math.Abs(float64(a.day) - float64(b.day))
		cosine *= 1 - fade*(1-math.Exp(-days/fadeDays))
	}
	// Articles that have half of their weight in common are hardly less the same story
	// than copies.
	return min(1, (1-math.Exp(-bend*cosine))/(1-math.Exp(-bend)))
}

// common calls f with the indexes of the terms that both have.
func common(a, b *Vector, f func(i, j int)) {
	i := 0
	for j, y := range b.terms {
		for i < len(a.terms) && a.terms[i].hash < y.hash {
			i++
		}
		if i == len(a.terms) {
			return
		}
		if a.terms[i].hash == y.hash {
			f(i, j)
		}
	}
}

// Shared returns up to n words that both articles have, the most telling first.
func Shared(a, b *Vector, n int) []string {
	var order []int
	weight := map[int]uint64{}
	common(a, b, func(i, j int) {
		order = append(order, i)
		weight[i] = uint64(a.terms[i].weight) * uint64(b.terms[j].weight)
	})
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weight[j], weight[i]) })
	return a.readable(order, n)
}

// The form of a vector in bytes: the language in eight bytes, the day, the numbers of terms and
// of words, the terms, the indexes of the words, and the words, which have no zero bytes.
const vectorHead = 14

// MarshalBinary implements encoding.BinaryMarshaler.
func (v *Vector) MarshalBinary() ([]byte, error) {
	b := make([]byte, 8, vectorHead+6*len(v.terms)+len(v.byIdx)+len(v.words))
	copy(b, v.lang)
	b = binary.LittleEndian.AppendUint32(b, uint32(v.day))
	b = append(b, byte(len(v.terms)), byte(len(v.byIdx)))
	for _, x := range v.terms {
		b = binary.LittleEndian.AppendUint32(b, x.hash)
		b = binary.LittleEndian.AppendUint16(b, x.weight)
	}
	b = append(b, v.byIdx...)
	return append(b, v.words...), nil
}

var errVector = errors.New("the vector is damaged")

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (v *Vector) UnmarshalBinary(b []byte) error {
	if len(b) < vectorHead || len(b) < vectorHead+6*int(b[12])+int(b[13]) {
		return errVector
	}
	w := Vector{lang: strings.TrimRight(string(b[:8]), "\x00"), day: int32(binary.LittleEndian.Uint32(b[8:])), terms: make([]weighted, b[12])}
	named := int(b[13])
	b = b[vectorHead:]
	for i := range w.terms {
		w.terms[i] = weighted{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:])}
		b = b[6:]
	}
	w.byIdx, w.words = slices.Clone(b[:named]), string(b[named:])
	if strings.Count(w.words, "\x00") != max(0, named-1) {
		return errVector
	}
	*v = w
	return nil
}
