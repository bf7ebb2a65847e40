package eval

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
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
	corpora := r.Group("")
	for _, g := range r.Group("type") {
		whole := func(c Group) bool { return c.Corpus == g.Corpus && len(c.Rows) == len(g.Rows) }
		if g.Key == "article" && !slices.ContainsFunc(corpora, whole) {
			corpora = append(corpora, Group{Corpus: g.Corpus + ", articles", Rows: g.Rows})
		}
	}
	for _, c := range corpora {
		pins[c.Corpus] = map[string]map[string]float64{}
		for s, system := range r.Systems {
			of := map[string]float64{}
			for i, m := range r.Measures {
				if x := r.main(c.Rows, s, i); !math.IsNaN(x) && !m.Lower {
					of[m.Name] = math.Round(x*1e4) / 1e4
				}
			}
			pins[c.Corpus][system] = of
		}
	}
	return pins
}

// Change compares a figure with its floor.
type Change struct {
	Corpus, System, Measure string
	Floor, Now              float64
}

// Lost reports whether the figure fell by more than Tolerance.
func (c Change) Lost() bool { return c.Now < c.Floor-Tolerance-1e-9 }

// Compare compares figures with their floors, the largest loss first. Figures
// without a floor, and floors without a figure, are left out.
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

// Baseline has the figure of every page when the floors were last raised, to
// find the pages that changed. The file has tab-separated lines: corpus, page ID
// and, for each system, the main figure of the first measure in thousandths.
type Baseline struct {
	systems []string
	pages   map[pageKey]map[string]int // by system
}

// ReadBaseline reads a baseline file. A missing file has no pages.
func ReadBaseline(file string) (*Baseline, error) {
	b := &Baseline{pages: map[pageKey]map[string]int{}}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err == nil && len(rows) > 0 && len(rows[0]) < 2 {
		err = errors.New("want corpus, id and a figure for each system")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i, fields := range rows {
		if i == 0 {
			b.systems = fields[2:]
			continue
		}
		of := map[string]int{}
		for k, s := range fields[2:] {
			if x, err := strconv.Atoi(s); err == nil {
				of[b.systems[k]] = x
			}
		}
		b.pages[pageKey{fields[0], fields[1]}] = of
	}
	return b, nil
}

// Write writes the baseline to a file.
func (b *Baseline) Write(file string) error {
	rows := [][]string{append([]string{"corpus", "id"}, b.systems...)}
	byKey := func(x, y pageKey) int { return cmp.Or(cmp.Compare(x.corpus, y.corpus), cmp.Compare(x.id, y.id)) }
	for _, k := range slices.SortedFunc(maps.Keys(b.pages), byKey) {
		row := []string{k.corpus, k.id}
		for _, s := range b.systems {
			figure := ""
			if x, ok := b.pages[k][s]; ok {
				figure = strconv.Itoa(x)
			}
			row = append(row, figure)
		}
		rows = append(rows, row)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = '\t'
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o666)
}

// Update sets the figures of all pages of a result.
func (b *Baseline) Update(r *Result) {
	for _, s := range r.Systems {
		if !slices.Contains(b.systems, s) {
			b.systems = append(b.systems, s)
		}
	}
	r.eachPage(func(row *Row, system string, now int) {
		k := pageKey{row.Corpus, row.ID}
		if b.pages[k] == nil {
			b.pages[k] = map[string]int{}
		}
		b.pages[k][system] = now
	})
}

// Move is a page whose figure changed.
type Move struct {
	ID, Site    string
	Before, Now float64
}

// Moved returns the pages whose figure changed for a system, the largest loss
// first.
func (b *Baseline) Moved(r *Result, corpus, system string) []Move {
	var all []Move
	r.eachPage(func(row *Row, of string, now int) {
		before, known := b.pages[pageKey{row.Corpus, row.ID}][system]
		if row.Corpus == corpus && of == system && known && before != now {
			all = append(all, Move{row.ID, row.Site, float64(before) / thousand, float64(now) / thousand})
		}
	})
	slices.SortStableFunc(all, func(x, y Move) int { return cmp.Compare(x.Now-x.Before, y.Now-y.Before) })
	return all
}

const thousand = 1000

// eachPage calls do with the main figure of the first measure, in thousandths,
// for every page and system.
func (r *Result) eachPage(do func(row *Row, system string, thousandths int)) {
	m := r.Measures[0]
	for _, row := range r.Rows {
		for s, system := range r.Systems {
			if v := row.Sums[s][0]; v != nil {
				do(row, system, int(m.Total(v)[m.Main]*thousand+0.5))
			}
		}
	}
}
