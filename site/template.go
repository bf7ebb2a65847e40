package site

import "slices"

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
