package stories

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Terms in bytes give the same vectors.
func TestTermsBinary(t *testing.T) {
	var f Frequencies
	for i, a := range []Article{
		{},
		{Title: "Minister resigns in Paris", Text: strings.Repeat("The minister Anna Kowalska said on Monday that 17 people left. ", 40), Lang: "en-GB", Published: time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)},
		{Title: "首相辞任", Text: strings.Repeat("首相は月曜日に辞任を表明した。", 20), Lang: "ja", Published: time.Date(1869, 1, 2, 0, 0, 0, 0, time.UTC)},
	} {
		terms, got := NewTerms(&a), new(Terms)
		data, err := terms.MarshalBinary()
		if err == nil {
			err = got.UnmarshalBinary(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := f.Weigh(terms); !reflect.DeepEqual(f.Weigh(got), want) {
			t.Errorf("article %d: another vector", i)
		}
		f.Add(got)
		for n := range data {
			if new(Terms).UnmarshalBinary(data[:n]) == nil {
				t.Errorf("article %d: %d of %d bytes pass for all", i, n, len(data))
			}
		}
		if new(Terms).UnmarshalBinary(append(data, 0)) == nil {
			t.Errorf("article %d: more bytes pass", i)
		}
	}
}

func FuzzTerms(f *testing.F) {
	data, _ := NewTerms(&Article{Title: "A B", Text: "one two Three Four"}).MarshalBinary()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		terms := new(Terms)
		if terms.UnmarshalBinary(data) != nil {
			return
		}
		var freq Frequencies
		freq.Add(terms)
		v := freq.Weigh(terms)
		if b, err := v.MarshalBinary(); err != nil || new(Vector).UnmarshalBinary(b) != nil {
			t.Errorf("a vector that cannot be read: %v", err)
		}
	})
}

// A term that the sketch counts more often than there are articles has no weight. It must not
// be the heaviest.
func TestCommonTerms(t *testing.T) {
	terms := NewTerms(&Article{Title: "Alpha", Text: "alpha beta gamma delta epsilon", Lang: "en"})
	var f Frequencies
	f.Add(terms)
	common := terms.terms[0].hash
	for row := range rows {
		f.counts[slot(common, languageSeed("en"), row)] = math.MaxUint16
	}
	for _, x := range f.Weigh(terms).terms {
		if x.hash == common && x.weight != 0 {
			t.Errorf("a weight of %d of %d", x.weight, unit)
		}
	}
}

// The heaviest terms are the same however many are asked for.
func TestHeaviest(t *testing.T) {
	v := new(Frequencies).Weigh(NewTerms(&Article{Text: strings.Repeat("Anna saw 12 ships off Malta, and the crews of nine others were said to be well. ", 9) + "More words come here, all of them new and most of them short."}))
	all := v.heaviest(len(v.terms))
	for n := range len(all) + 3 {
		if got, want := v.heaviest(n), all[:min(n, len(all))]; !reflect.DeepEqual(got, want) {
			t.Errorf("the heaviest %d: %v, want %v", n, got, want)
		}
	}
	for i := range len(all) - 1 {
		if a, b := v.terms[all[i]].weight, v.terms[all[i+1]].weight; a < b || a == b && all[i] > all[i+1] {
			t.Errorf("term %d of %d comes before term %d of %d", all[i], a, all[i+1], b)
		}
	}
}
