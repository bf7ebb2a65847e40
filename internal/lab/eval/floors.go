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

// Pins are figures by corpus, system and measure.
type Pins map[string]map[string]map[string]float64

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
// corpus. A corpus with pages of several types has a second entry for its
// articles. Measures of time are left out.
func (r *Result) Pins() Pins {
	pins := Pins{}
	for _, rows := range r.byCorpus() {
		name := rows[0].Corpus
		pins[name] = r.pins(rows)
		articles := slices.DeleteFunc(slices.Clone(rows), func(row *Row) bool { return row.Type != "article" })
		if len(articles) > 0 && len(articles) < len(rows) {
			pins[name+", articles"] = r.pins(articles)
		}
	}
	return pins
}

// pins returns the figures of some pages by system and measure.
func (r *Result) pins(rows []*Row) map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	for s, system := range r.Systems {
		all[system] = map[string]float64{}
		for i, m := range r.Measures {
			if f := measure.Figures(m, pagesOf(rows, s, i)); f != nil && !m.Lower {
				all[system][m.Name] = math.Round(f[m.Main]*1e4) / 1e4
			}
		}
	}
	return all
}

// Loss is a figure that fell.
type Loss struct {
	Corpus, System, Measure string
	Floor, Now              float64
}

// Compare returns the figures that fell below their floors by more than Tolerance,
// the largest loss first, and the number of figures that have a floor.
func (floors Pins) Compare(now Pins) (lost []Loss, compared int) {
	for corpus, systems := range floors {
		for system, measures := range systems {
			for m, floor := range measures {
				x, ok := now[corpus][system][m]
				if !ok {
					continue
				}
				if compared++; x < floor-Tolerance-1e-9 {
					lost = append(lost, Loss{corpus, system, m, floor, x})
				}
			}
		}
	}
	slices.SortFunc(lost, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Now-a.Floor, b.Now-b.Floor), cmp.Compare(a.Corpus+a.System+a.Measure, b.Corpus+b.System+b.Measure))
	})
	return lost, compared
}

// Raise raises floors to higher figures and adds floors for new figures. It
// never lowers a floor: to accept a loss, edit the file, so that the loss is seen
// in review.
func (floors Pins) Raise(now Pins) (raised int) {
	for corpus, systems := range now {
		if floors[corpus] == nil {
			floors[corpus] = map[string]map[string]float64{}
		}
		for system, measures := range systems {
			if floors[corpus][system] == nil {
				floors[corpus][system] = map[string]float64{}
			}
			for m, x := range measures {
				if floor, ok := floors[corpus][system][m]; !ok || x > floor {
					floors[corpus][system][m] = x
					raised++
				}
			}
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
