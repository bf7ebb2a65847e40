package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// template is what is known about pages of the same make. Its JSON form loses
// nothing.
type template struct {
	Pages  int            `json:"pages"`  // all that were ever added
	Weight float32        `json:"weight"` // the same, but old pages count less
	Used   int            `json:"used"`   // value of Profile.pages when a page was last added
	Words  map[key]string `json:"words"`  // beginnings of static rows, for people to read

	Stories   float32 `json:"stories"`   // pages with a confident extraction; old ones count less
	Headlines votes   `json:"headlines"` // places
	Bodies    votes   `json:"bodies"`    // likewise
	Suffixes  votes   `json:"suffixes"`  // of titles

	Rows    table   `json:"rows"`
	Kept    table   `json:"kept"`    // places with text of the story
	Dropped table   `json:"dropped"` // places without
	Clues   table   `json:"clues"`   // what rows have in common, and how much of them was kept
	Shapes  []shape `json:"shapes"`  // of the latest pages
}

const (
	maxShapes      = 4
	maxKeys        = 4000 // rows of a template
	maxKnownPlaces = 600  // with text of the story, and as many without
	maxKnownClues  = 1500
	maxTemplates   = 4
	maxWords       = 60 // samples of a template
)

func (t *template) add(o *Observation) {
	t.Pages++
	t.Weight = t.Weight*decay + 1
	t.Rows = t.Rows.add(o.rows, nil, maxKeys)
	t.Shapes = append(t.Shapes, o.shape)
	t.Shapes = slices.Clone(t.Shapes[max(0, len(t.Shapes)-maxShapes):])
	t.addSamples(o.samples)
	if o.body == "" {
		return
	}
	t.Stories = t.Stories*decay + 1
	t.Kept = t.Kept.add(o.kept, nil, maxKnownPlaces)
	t.Dropped = t.Dropped.add(o.dropped, nil, maxKnownPlaces)
	t.Clues = t.Clues.add(o.clues, o.shares, maxKnownClues)
	t.Headlines, t.Bodies = t.Headlines.add(o.headline), t.Bodies.add(o.body)
	t.Suffixes = t.Suffixes.add(o.suffixes...)
}

// addSamples keeps the words of rows that are static now and drops those of
// rows that no longer are.
func (t *template) addSamples(samples map[key]string) {
	maps.DeleteFunc(t.Words, func(k key, _ string) bool { return !t.isStatic(k) })
	for _, k := range slices.Sorted(maps.Keys(samples)) {
		if t.isStatic(k) && len(t.Words) < maxWords {
			t.Words[k] = samples[k]
		}
	}
}

const (
	// minWeight is the weight of three pages, of which the first has decayed a
	// little. With two pages, everything that two stories happen to share would
	// be static.
	minWeight = 2.5

	// staticShare is the share of pages that have a static row. StaDyNoT asks for
	// all pages (section 3.1), but sites try out two versions of a menu, and
	// pages get cut off. Anything from 0.5 to 0.9 gives much the same result.
	staticShare = 0.6

	// allShare is the share of pages that have what all of them have, except for
	// one long ago.
	allShare = 0.95

	// minCommonRows is how many rows all pages of a template must share before a
	// page without them counts as unfamiliar.
	minCommonRows = 5
)

// isKnown reports whether the template has seen enough pages to be used.
func (t *template) isKnown() bool { return t.Weight >= minWeight }

func (t *template) isStatic(k key) bool {
	return t.isKnown() && t.Rows.get(k).count >= staticShare*t.Weight
}

// A place is outside the story if at least three stories had it, and hardly any
// of them had text of the story in it.
const droppedShare = 0.85

// isOutside reports whether a place is never part of a story. Places without a
// class or id are too common to tell.
func (t *template) isOutside(place key) bool {
	if place&named == 0 {
		return false
	}
	n := t.Dropped.get(place).count
	return n >= minWeight && n >= droppedShare*(n+t.Kept.get(place).count)
}

// similarity compares a page with the latest pages of the template.
func (t *template) similarity(s *shape) (most float64) {
	for i := range t.Shapes {
		most = max(most, s.similarity(&t.Shapes[i]))
	}
	return most
}

// familiarity returns the share of the rows on all pages of the template that a
// page has too; ok is false if there are too few of them to tell. Rows on most
// pages do not count: with three known pages, that is what two pages of one day
// share.
func (t *template) familiarity(rows []key) (share float64, ok bool) {
	if !t.isKnown() {
		return 0, false
	}
	var all, found int
	for _, e := range t.Rows {
		if e.count < allShare*t.Weight {
			continue
		}
		all++
		for len(rows) > 0 && rows[0] < e.key {
			rows = rows[1:]
		}
		if len(rows) > 0 && rows[0] == e.key {
			found++
		}
	}
	return float64(found) / float64(max(all, 1)), all >= minCommonRows
}

const (
	// decay is applied to all counts with every page: half is left after seven
	// pages, an eighth after twenty.
	decay = 0.9
	// minCount is the count below which a key is dropped: that of a key that was
	// seen once and not on the next seven pages.
	minCount = 0.5
)

// table counts the pages that have a key, sorted by key. Old pages count less.
type table []entry

type entry struct {
	key   key
	count float32
	kept  float32 // how much of that was text of the story; only for clues
}

// add decays the table and counts the keys of a new page, in one pass over
// both. If shares is not nil, it says how much of each key was text of the story,
// in 255ths. At most limit keys are kept, those with the highest counts.
func (t table) add(keys []key, shares []uint8, limit int) table {
	i := 0 // in keys
	share := func() float32 {
		if shares == nil {
			return 0
		}
		return float32(shares[i]) / 255
	}
	out := make(table, 0, len(t)+len(keys))
	for len(t) > 0 || i < len(keys) {
		switch {
		case i == len(keys) || len(t) > 0 && t[0].key < keys[i]:
			if e := (entry{t[0].key, t[0].count * decay, t[0].kept * decay}); e.count >= minCount {
				out = append(out, e)
			}
			t = t[1:]
		case len(t) == 0 || keys[i] < t[0].key:
			out = append(out, entry{keys[i], 1, share()})
			i++
		default:
			out = append(out, entry{keys[i], t[0].count*decay + 1, t[0].kept*decay + share()})
			t = t[1:]
			i++
		}
	}
	return out.truncate(limit)
}

// truncate keeps the keys with the highest counts; of those with the same
// count, the smaller keys.
func (t table) truncate(limit int) table {
	if len(t) <= limit {
		return t
	}
	slices.SortFunc(t, func(a, b entry) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key)) })
	t = t[:limit]
	slices.SortFunc(t, compareKeys)
	return t
}

func compareKeys(a, b entry) int { return cmp.Compare(a.key, b.key) }

// get returns the entry of a key; its counts are 0 if there is none.
func (t table) get(k key) entry {
	i, ok := slices.BinarySearchFunc(t, entry{key: k}, compareKeys)
	if !ok {
		return entry{key: k}
	}
	return t[i]
}

// MarshalJSON lists the keys by their counts: most keys of a table were on the same
// pages as others.
func (t table) MarshalJSON() ([]byte, error) {
	lists := map[[2]float32][]key{}
	for _, e := range t {
		counts := [2]float32{e.count, e.kept}
		lists[counts] = append(lists[counts], e.key)
	}
	named := make(map[string][]key, len(lists))
	for counts, keys := range lists {
		named[fmt.Sprintf("%v %v", counts[0], counts[1])] = keys
	}
	return json.Marshal(named)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (t *table) UnmarshalJSON(b []byte) error {
	var lists map[string][]key
	if err := json.Unmarshal(b, &lists); err != nil {
		return err
	}
	*t = nil
	for counts, keys := range lists {
		var e entry
		if _, err := fmt.Sscan(counts, &e.count, &e.kept); err != nil {
			return fmt.Errorf("counts %.40q: %w", counts, err)
		}
		for _, e.key = range keys {
			*t = append(*t, e)
		}
	}
	slices.SortFunc(*t, compareKeys)
	*t = slices.CompactFunc(*t, func(a, b entry) bool { return a.key == b.key })
	return nil
}

// votes counts the pages that have something under a name, the most frequent first.
// Old pages count less.
type votes []vote

type vote struct {
	Name  string  `json:"name"`
	Count float32 `json:"count"`
}

const maxVotes = 8

// add decays the votes and counts those of a new page.
func (v votes) add(names ...string) votes {
	for i := range v {
		v[i].Count *= decay
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		i := slices.IndexFunc(v, func(o vote) bool { return o.Name == name })
		if i < 0 {
			i, v = len(v), append(v, vote{Name: name})
		}
		v[i].Count++
	}
	v = slices.DeleteFunc(v, func(o vote) bool { return o.Count < minCount })
	slices.SortFunc(v, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return v[:min(len(v), maxVotes)]
}
