package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
)

// Tolerance is by how much a figure may fall below its floor before that is a
// loss: less is what a change of one page in a small corpus does.
const Tolerance = 0.002

// Floors are figures that must not get worse, kept in a file.
type Floors struct {
	// Full is for whole corpora, Sample for the pages that InSample takes: by
	// corpus, system and measure.
	Full   Pins `json:"full"`
	Sample Pins `json:"sample"`
}

// Pins are figures by corpus, system and measure.
type Pins map[string]map[string]map[string]float64

// ReadFloors reads the file; one that is not there has no floors yet.
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

// Write writes the file.
func (f *Floors) Write(file string) error {
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}

// Pins are the main figures of a result, rounded to four digits: of every
// corpus, and where its pages are of several types, of its articles alone. Time
// is no matter of quality and not pinned.
func (r *Result) Pins() (Pins, error) {
	pins := Pins{}
	corpora, err := r.Group("")
	if err != nil {
		return nil, err
	}
	types, err := r.Group("type")
	if err != nil {
		return nil, err
	}
	for _, g := range types {
		if g.Key == "article" && !slices.ContainsFunc(corpora, func(c Group) bool { return c.Corpus == g.Corpus && len(c.Rows) == len(g.Rows) }) {
			corpora = append(corpora, Group{Corpus: g.Corpus + ", articles", Rows: g.Rows})
		}
	}
	for _, c := range corpora {
		pins[c.Corpus] = map[string]map[string]float64{}
		for s, system := range r.Systems {
			of := map[string]float64{}
			for i, m := range r.Measures {
				if f := r.values(c.Rows, s, i); f != nil && !m.Lower {
					of[m.Name] = math.Round(f[m.Main]*1e4) / 1e4
				}
			}
			pins[c.Corpus][system] = of
		}
	}
	return pins, nil
}

// Change is a figure beside its floor.
type Change struct {
	Corpus, System, Measure string
	Floor, Now              float64
}

// Lost says whether the figure fell too far.
func (c Change) Lost() bool { return c.Now < c.Floor-Tolerance-1e-9 }

// Compare puts figures beside their floors, the worst loss first. A figure that
// has no floor, or a floor that has no figure, is left out.
func (floors Pins) Compare(now Pins) []Change {
	var all []Change
	for corpus, systems := range floors {
		for system, measures := range systems {
			for m, floor := range measures {
				if x, ok := now[corpus][system][m]; ok {
					all = append(all, Change{corpus, system, m, floor, x})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Now-a.Floor, b.Now-b.Floor), cmp.Compare(a.Corpus, b.Corpus),
			cmp.Compare(a.System, b.System), cmp.Compare(a.Measure, b.Measure))
	})
	return all
}

// Raise lifts floors to the figures that are higher, and adds those that have
// none. It never lowers one: to accept a loss, edit the file, so that the
// difference says so.
func (floors Pins) Raise(now Pins) (raised int) {
	for corpus, systems := range now {
		if floors[corpus] == nil {
			floors[corpus] = map[string]map[string]float64{}
		}
		for system, measures := range systems {
			of := maps.Clone(floors[corpus][system])
			if of == nil {
				of = map[string]float64{}
			}
			for m, x := range measures {
				if floor, ok := of[m]; !ok || x > floor {
					of[m] = x
					raised++
				}
			}
			floors[corpus][system] = of
		}
	}
	return raised
}
