package site

import (
	"cmp"
	"slices"
)

// template is what is known about pages of the same make.
type template struct {
	shapes []shape // of the latest pages
	pages  int     // all that were ever added
	weight float32 // the same, but old pages count less
	rows   table
	words  map[key]string // beginnings of static rows, for people to read

	stories       float32 // pages with a confident extraction; old ones count less
	kept, dropped table   // places with and without text of the story
	clues         table   // what rows have in common, and how much of them was kept
	habits        [roles]votes
	suffixes      votes

	unfamiliar int // consecutive pages that were unlike the rest of the site
	used       int // value of Profile.pages when a page was last added
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
	t.pages++
	t.weight = t.weight*decay + 1
	t.rows = t.rows.add(o.rows, nil, maxKeys)
	t.shapes = append(t.shapes, o.shape)
	t.shapes = slices.Clone(t.shapes[max(0, len(t.shapes)-maxShapes):])
	t.addSamples(o.samples)
	if o.habits[body] == "" {
		return
	}
	t.stories = t.stories*decay + 1
	t.kept = t.kept.add(o.kept, nil, maxKnownPlaces)
	t.dropped = t.dropped.add(o.dropped, nil, maxKnownPlaces)
	t.clues = t.clues.add(o.clues, o.shares, maxKnownClues)
	for r := range roles {
		t.habits[r] = t.habits[r].add(o.habits[r])
	}
	t.suffixes = t.suffixes.add(o.suffixes...)
}

// addSamples keeps the words of rows that are static now and drops those of
// rows that no longer are.
func (t *template) addSamples(samples []sample) {
	for k := range t.words {
		if !t.isStatic(k) {
			delete(t.words, k)
		}
	}
	for _, s := range samples {
		if len(t.words) >= maxWords {
			return
		}
		if t.isStatic(s.key) {
			t.setWords(s.key, s.text)
		}
	}
}

func (t *template) setWords(k key, text string) {
	if t.words == nil {
		t.words = map[key]string{}
	}
	t.words[k] = text
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
func (t *template) isKnown() bool { return t.weight >= minWeight }

func (t *template) isStatic(k key) bool {
	return t.isKnown() && t.rows.get(k).count >= staticShare*t.weight
}

func (t *template) staticRows() (keys []key) {
	for _, e := range t.rows {
		if t.isStatic(e.key) {
			keys = append(keys, e.key)
		}
	}
	return keys
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
	n := t.dropped.get(place).count
	return n >= minWeight && n >= droppedShare*(n+t.kept.get(place).count)
}

// similarity compares a page with the latest pages of the template.
func (t *template) similarity(s *shape) (most float64) {
	for i := range t.shapes {
		most = max(most, s.similarity(&t.shapes[i]))
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
	for _, e := range t.rows {
		if e.count < allShare*t.weight {
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

// merge adds up two tables.
func (t table) merge(u table, limit int) table {
	out := make(table, 0, len(t)+len(u))
	for len(t) > 0 || len(u) > 0 {
		switch {
		case len(u) == 0 || len(t) > 0 && t[0].key < u[0].key:
			out, t = append(out, t[0]), t[1:]
		case len(t) == 0 || u[0].key < t[0].key:
			out, u = append(out, u[0]), u[1:]
		default:
			out = append(out, entry{t[0].key, t[0].count + u[0].count, t[0].kept + u[0].kept})
			t, u = t[1:], u[1:]
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
	counts := make([]float32, len(t))
	for i, e := range t {
		counts[i] = e.count
	}
	slices.Sort(counts)
	counts = counts[len(t)-limit:]
	least := counts[0]
	atLeast := slices.IndexFunc(counts, func(c float32) bool { return c > least })
	if atLeast < 0 {
		atLeast = limit
	}
	out := make(table, 0, limit)
	for _, e := range t {
		switch {
		case e.count > least:
			out = append(out, e)
		case e.count == least && atLeast > 0:
			out = append(out, e)
			atLeast--
		}
	}
	return out
}

// get returns the entry of a key; its counts are 0 if there is none. Keys are spread evenly, so a guess at the
// index is rarely off by more than a few entries.
func (t table) get(k key) entry {
	i := int(uint64(k) * uint64(len(t)) >> 32)
	for i > 0 && (i >= len(t) || t[i].key > k) {
		i--
	}
	for i < len(t) && t[i].key < k {
		i++
	}
	if i < len(t) && t[i].key == k {
		return t[i]
	}
	return entry{key: k}
}

func (t table) scale(factor float32) {
	for i := range t {
		t[i].count *= factor
		t[i].kept *= factor
	}
}

// votes counts the pages that have something under a name. Old pages count less.
type votes []vote

type vote struct {
	name  string
	count float32
}

const maxVotes = 8

// add decays the votes and counts those of a new page.
func (v votes) add(names ...string) votes {
	v.scale(decay)
	for _, name := range names {
		v = v.count(vote{name, 1})
	}
	return v.truncate()
}

func (v votes) count(n vote) votes {
	if n.name == "" {
		return v
	}
	if i := slices.IndexFunc(v, func(o vote) bool { return o.name == n.name }); i >= 0 {
		v[i].count += n.count
		return v
	}
	return append(v, n)
}

func (v votes) merge(u votes) votes {
	for _, n := range u {
		v = v.count(n)
	}
	return v.truncate()
}

// truncate keeps the names with the most votes, in that order.
func (v votes) truncate() votes {
	v = slices.DeleteFunc(v, func(o vote) bool { return o.count < minCount })
	slices.SortFunc(v, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	return v[:min(len(v), maxVotes)]
}

func (v votes) scale(factor float32) {
	for i := range v {
		v[i].count *= factor
	}
}
