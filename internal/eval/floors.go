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

// InSample says whether a page is in the fixed sample, a fifth of all, on
// which floors are held where there is no time for every page.
func InSample(corpus, id string) bool {
	const part = 5
	h := fnv.New32a()
	_, _ = h.Write([]byte(corpus + "/" + id))
	return h.Sum32()%part == 0
}

// Baseline is how pages stood when floors were last raised, so that one can
// say which of them moved. The file is a table of text, a page a line, so that
// its history can be read: corpus, id and the main figure of the first measure
// in thousandths, by system.
type Baseline struct {
	systems []string
	pages   map[key]map[string]int // by system
}

// ReadBaseline reads the file; one that is not there knows no pages.
func ReadBaseline(file string) (*Baseline, error) {
	b := &Baseline{pages: map[key]map[string]int{}}
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
		b.pages[key{fields[0], fields[1]}] = of
	}
	return b, lines.Err()
}

// Write writes the file.
func (b *Baseline) Write(file string) error {
	var out strings.Builder
	out.WriteString("corpus\tid")
	for _, s := range b.systems {
		out.WriteString("\t" + s)
	}
	out.WriteString("\n")
	keys := make([]key, 0, len(b.pages))
	for k := range b.pages {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y key) int { return cmp.Or(cmp.Compare(x.corpus, y.corpus), cmp.Compare(x.id, y.id)) })
	for _, k := range keys {
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

// Update takes over how pages stand now.
func (b *Baseline) Update(r *Result) {
	for _, s := range r.Systems {
		if !slices.Contains(b.systems, s) {
			b.systems = append(b.systems, s)
		}
	}
	r.eachPage(func(row *Row, system string, now int) {
		k := key{row.Corpus, row.ID}
		if b.pages[k] == nil {
			b.pages[k] = map[string]int{}
		}
		b.pages[k][system] = now
	})
}

// Move is a page that does better or worse than it did.
type Move struct {
	Corpus, ID, Site string
	Before, Now      float64
}

// Moved lists the pages of a system that moved, the worst loss first.
func (b *Baseline) Moved(r *Result, corpus, system string) []Move {
	var all []Move
	r.eachPage(func(row *Row, of string, now int) {
		before, known := b.pages[key{row.Corpus, row.ID}][system]
		if row.Corpus == corpus && of == system && known && before != now {
			all = append(all, Move{row.Corpus, row.ID, row.Site, float64(before) / thousand, float64(now) / thousand})
		}
	})
	slices.SortStableFunc(all, func(x, y Move) int { return cmp.Compare(x.Now-x.Before, y.Now-y.Before) })
	return all
}

const thousand = 1000

// eachPage goes through the main figures of the first measure, in thousandths.
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
