package stories

import (
	"math"
	"strings"
)

// SameStory is the score from which two articles tell the same story.
const SameStory = 0.5

// Match is how much two articles are about the same story.
type Match struct {
	Score float64  // 0 to 1
	Terms []string // that both have, the most telling first
}

// Reason says why two articles are about the same story.
func (m Match) Reason() string { return "shares " + strings.Join(m.Terms, ", ") }

// Likeness compares two articles.
func Likeness(a, b *Terms, f *Frequencies) Match {
	if a.lang != b.lang {
		return Match{}
	}
	var dot, na, nb float64
	for _, x := range a.terms {
		na += math.Pow(float64(x.count)*f.weight(x.hash), 2)
	}
	i := 0
	for _, y := range b.terms {
		w := f.weight(y.hash)
		nb += math.Pow(float64(y.count)*w, 2)
		for i < len(a.terms) && a.terms[i].hash < y.hash {
			i++
		}
		if i < len(a.terms) && a.terms[i].hash == y.hash {
			dot += float64(a.terms[i].count) * float64(y.count) * w * w
		}
	}
	if dot == 0 {
		return Match{}
	}
	return Match{Score: dot / math.Sqrt(na*nb)}
}
