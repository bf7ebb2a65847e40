package site

import (
	"cmp"
	"slices"
)

// template is what is known of the pages of one make.
type template struct {
	shapes []shape // of the last pages
	pages  int     // all that were ever added
	weight float32 // the same, but old pages count less
	rows   table
	words  map[key]string // samples of static rows, for people

	stories    float32 // pages with a confident extraction; old ones count less
	kept, left table   // places with and without text of the story
	habits     [roles]votes
	suffixes   votes

	strangers int // pages in a row that nothing else of the site was like
	used      int // when a page was last added, in pages of the profile
}

const (
	maxShapes      = 4
	maxKeys        = 4000 // rows of a template
	maxKnownPlaces = 600  // with text of the story, and as many without
	maxTemplates   = 4
	maxWords       = 60 // samples of a template
)

func (t *template) add(o *Observation) {
	t.pages++
	t.weight = t.weight*fade + 1
	t.rows = t.rows.add(o.rows, maxKeys)
	t.shapes = append(t.shapes, o.shape)
	t.shapes = slices.Clone(t.shapes[max(0, len(t.shapes)-maxShapes):])
	t.sample(o.samples)
	if o.habits[body] == "" {
		return
	}
	t.stories = t.stories*fade + 1
	t.kept = t.kept.add(o.kept, maxKnownPlaces)
	t.left = t.left.add(o.left, maxKnownPlaces)
	for r := range roles {
		t.habits[r] = t.habits[r].add(o.habits[r])
	}
	t.suffixes = t.suffixes.add(o.suffixes...)
}

// sample keeps the words of rows that are static by now, and drops those of
// rows that are no longer.
func (t *template) sample(samples []sample) {
	for k := range t.words {
		if !t.static(k) {
			delete(t.words, k)
		}
	}
	for _, s := range samples {
		if len(t.words) >= maxWords {
			return
		}
		if t.static(s.key) {
			if t.words == nil {
				t.words = map[key]string{}
			}
			t.words[s.key] = s.text
		}
	}
}

// enough is how many pages must be known before anything is static: three, of
// which the first has faded a little. With two, all that two stories happen to
// have in common would be.
const enough = 2.5

// always is the share of pages that has what is static. StaDyNoT asks for all
// of them (section 3.1), but sites try out two versions of a menu, and pages
// get cut off. Anything from 0.5 to 0.9 gives much the same.
const always = 0.6

func (t *template) known() bool { return t.weight >= enough }

func (t *template) static(k key) bool {
	return t.known() && t.rows.get(k) >= always*t.weight
}

// likeness tells how much a page is made like those of the template.
func (t *template) likeness(s *shape) (most float64) {
	for i := range t.shapes {
		most = max(most, s.likeness(&t.shapes[i]))
	}
	return most
}

// familiar is the share of the rows on all pages of the template that a page
// has too, and whether there are enough of them to tell. What is on most pages
// only says nothing: with three pages known, that is what two of one day share.
func (t *template) familiar(rows []key) (share float64, ok bool) {
	if !t.known() {
		return 0, false
	}
	var all, found int
	for _, e := range t.rows {
		if e.count < everywhere*t.weight {
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
	return float64(found) / float64(max(all, 1)), all >= fewRows
}

// everywhere is the share of pages that has what all of them have, but for one
// long ago.
const everywhere = 0.95

// fewRows is how many rows all pages of a template have at least, if a page
// without them is to look strange.
const fewRows = 5

// fade is what the support of a page is worth after the next page: half after
// seven pages, an eighth after twenty.
const fade = 0.9

// forgotten is the support below which a key is dropped: that of a key that
// was seen once and not on the seven pages after.
const forgotten = 0.5

// table counts the pages that have a key, sorted by key. Old pages count less.
type table []entry

type entry struct {
	key   key
	count float32
}

// add fades the table by a page and counts the keys of the new one, in one
// pass over both. At most limit keys are kept, those with the most support.
func (t table) add(keys []key, limit int) table {
	out := make(table, 0, len(t)+len(keys))
	for len(t) > 0 || len(keys) > 0 {
		switch {
		case len(keys) == 0 || len(t) > 0 && t[0].key < keys[0]:
			if e := (entry{t[0].key, t[0].count * fade}); e.count >= forgotten {
				out = append(out, e)
			}
			t = t[1:]
		case len(t) == 0 || keys[0] < t[0].key:
			out = append(out, entry{keys[0], 1})
			keys = keys[1:]
		default:
			out = append(out, entry{keys[0], t[0].count*fade + 1})
			t, keys = t[1:], keys[1:]
		}
	}
	return out.cut(limit)
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
			out = append(out, entry{t[0].key, t[0].count + u[0].count})
			t, u = t[1:], u[1:]
		}
	}
	return out.cut(limit)
}

// cut keeps the keys with the most support; of those with the same, the
// smaller ones.
func (t table) cut(limit int) table {
	if len(t) <= limit {
		return t
	}
	counts := make([]float32, len(t))
	for i, e := range t {
		counts[i] = e.count
	}
	slices.Sort(counts)
	least := counts[len(t)-limit]
	room := limit // for keys with just the least
	for _, c := range counts[len(t)-limit:] {
		if c > least {
			room--
		}
	}
	out := make(table, 0, limit)
	for _, e := range t {
		switch {
		case e.count > least:
			out = append(out, e)
		case e.count == least && room > 0:
			out = append(out, e)
			room--
		}
	}
	return out
}

// get is the support of a key. Keys are spread evenly, so that a guess at the
// index is hardly ever more than a few entries off.
func (t table) get(k key) float32 {
	i := int(uint64(k) * uint64(len(t)) >> 32)
	for i > 0 && (i >= len(t) || t[i].key > k) {
		i--
	}
	for i < len(t) && t[i].key < k {
		i++
	}
	if i < len(t) && t[i].key == k {
		return t[i].count
	}
	return 0
}

// votes counts the pages that have something under a name. Old pages count less.
type votes []vote

type vote struct {
	name  string
	count float32
}

const maxVotes = 8

// add fades the votes by a page and counts those of the new one.
func (v votes) add(names ...string) votes {
	for i := range v {
		v[i].count *= fade
	}
	for _, name := range names {
		v = v.count(vote{name, 1})
	}
	return v.cut()
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
	return v.cut()
}

// cut keeps the names with the most votes, the first of them first.
func (v votes) cut() votes {
	v = slices.DeleteFunc(v, func(o vote) bool { return o.count < forgotten })
	slices.SortFunc(v, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	return v[:min(len(v), maxVotes)]
}
