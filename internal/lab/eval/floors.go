package eval

import (
	"bufio"
	"cmp"
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
	"strings"
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
	corpora := r.group("")
	for _, g := range r.group("type") {
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
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		switch {
		case len(fields) < 2 || n > 1 && len(fields) != len(b.systems)+2:
			return nil, fmt.Errorf("%s:%d: want corpus, id and a figure for each of %d systems", file, n, len(b.systems))
		case n == 1:
			b.systems = fields[2:]
			continue
		}
		of := map[string]int{}
		for i, s := range fields[2:] {
			if s == "" {
				continue
			}
			x, err := strconv.Atoi(s)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
			of[b.systems[i]] = x
		}
		b.pages[pageKey{fields[0], fields[1]}] = of
	}
	return b, lines.Err()
}

// Write writes the baseline to a file.
func (b *Baseline) Write(file string) error {
	var out strings.Builder
	out.WriteString("corpus\tid")
	for _, s := range b.systems {
		out.WriteString("\t" + s)
	}
	out.WriteString("\n")
	byKey := func(x, y pageKey) int { return cmp.Or(cmp.Compare(x.corpus, y.corpus), cmp.Compare(x.id, y.id)) }
	for _, k := range slices.SortedFunc(maps.Keys(b.pages), byKey) {
		out.WriteString(k.corpus + "\t" + k.id)
		for _, s := range b.systems {
			out.WriteString("\t")
			if x, ok := b.pages[k][s]; ok {
				out.WriteString(strconv.Itoa(x))
			}
		}
		out.WriteString("\n")
	}
	return os.WriteFile(file, []byte(out.String()), 0o666)
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
	Corpus, ID, Site string
	Before, Now      float64
}

// Moved returns the pages whose figure changed for a system, the largest loss
// first.
func (b *Baseline) Moved(r *Result, corpus, system string) []Move {
	var all []Move
	r.eachPage(func(row *Row, of string, now int) {
		before, known := b.pages[pageKey{row.Corpus, row.ID}][system]
		if row.Corpus == corpus && of == system && known && before != now {
			all = append(all, Move{row.Corpus, row.ID, row.Site, float64(before) / thousand, float64(now) / thousand})
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
