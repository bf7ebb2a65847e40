package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// Tolerance is how far a figure may fall below its floor. A smaller difference
// may be due to a single page of a small corpus.
const Tolerance = 0.002

// Floors is a file of figures that must not get worse.
type Floors struct {
	// Full has the figures of whole corpora, Sample those of the pages for which
	// InSample is true.
	Full   Pins `json:"full"`
	Sample Pins `json:"sample"`
}

// Pins are figures by corpus, system and measure, such as daniel/blend/bag.
type Pins map[string]float64

// ReadFloors reads a file of floors. A missing file has no floors.
func ReadFloors(file string) (*Floors, error) {
	f := &Floors{Full: Pins{}, Sample: Pins{}}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return f, nil
}

// Write writes the floors to a file.
func (f *Floors) Write(file string) error {
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}

// Pins returns the main figures of a result, rounded to four digits, for every
// corpus. A corpus with pages of several types has more entries for its articles.
// Measures of time are left out.
func (r *Result) Pins() Pins {
	pins := Pins{}
	for _, rows := range r.byCorpus() {
		name := rows[0].Corpus
		r.pin(pins, name, rows)
		articles := slices.DeleteFunc(slices.Clone(rows), func(row *Row) bool { return row.Type != "article" })
		if len(articles) < len(rows) {
			r.pin(pins, name+", articles", articles)
		}
	}
	return pins
}

func (r *Result) pin(pins Pins, name string, rows []*Row) {
	for s, system := range r.Systems {
		for i, m := range r.Measures {
			if f := measure.Figures(m, pagesOf(rows, s, i)); f != nil && !m.Lower {
				pins[name+"/"+system+"/"+m.Name] = math.Round(f[m.Main]*1e4) / 1e4
			}
		}
	}
}

// Compare returns the figures that fell below their floors by more than Tolerance,
// the largest loss first, and the number of figures that have a floor.
func (floors Pins) Compare(now Pins) (lost []string, compared int) {
	for figure, floor := range floors {
		x, known := now[figure]
		if !known {
			continue
		}
		if compared++; x < floor-Tolerance-1e-9 {
			lost = append(lost, figure)
		}
	}
	slices.SortFunc(lost, func(a, b string) int {
		return cmp.Or(cmp.Compare(now[a]-floors[a], now[b]-floors[b]), strings.Compare(a, b))
	})
	return lost, compared
}

// Raise raises floors to higher figures and adds floors for new figures. It
// never lowers a floor: to accept a loss, edit the file, so that the loss is seen
// in review.
func (floors Pins) Raise(now Pins) (raised int) {
	for figure, x := range now {
		if floor, known := floors[figure]; !known || x > floor {
			floors[figure] = x
			raised++
		}
	}
	return raised
}

// InSample reports whether a page is in the fixed sample of a fifth of all pages
// that is checked where there is no time for every page.
func InSample(corpus, id string) bool {
	const part = 5
	h := fnv.New32a()
	_, _ = h.Write([]byte(corpus + "/" + id))
	return h.Sum32()%part == 0
}
