package placing

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/stories"
)

const (
	// MaxPosting is how many articles are kept of those that share a term within an era: the
	// last ones.
	MaxPosting = 32
	// clusterKeys is by how many of its terms an article is found.
	clusterKeys = 12
	// maxLikeness is how many articles an article is compared with.
	maxLikeness = 24
	// maxSupport is how many articles of a story count for the score of another one. If
	// it were one, stories would grow into chains.
	maxSupport = 3
	// MaxLatest is how many of the latest articles of a story are looked at.
	MaxLatest = 2 * maxSupport
	// maxRivals is how many stories are looked at closely.
	maxRivals = 3
	// maxReasons is how many terms a reason has.
	maxReasons = 5
)

// Member is an article that is no copy, as an Index knows it. Later articles have higher
// numbers.
type Member struct {
	Number int64
	Time   int64
	Story  int64
	ID     string // of the article
}

// Index has the articles that are no copies.
type Index interface {
	// Postings calls visit with the articles of each key that has some.
	Postings(keys []uint64, visit func(i int, numbers []uint32)) error
	// Member returns an article.
	Member(number int64) (Member, error)
	// Vector returns the vector of an article.
	Vector(number int64) (*stories.Vector, error)
	// Latest returns the latest articles of a story, up to MaxLatest, the last one first.
	Latest(story int64) ([]int64, error)
	// Taken reports whether there is a story with an id.
	Taken(story int64) (bool, error)
}

// Placed is the place of an article that is no copy.
type Placed struct {
	Story  int64
	Opens  bool // the story is new
	Score  float64
	Reason string
	Vector *stories.Vector
	Keys   []uint64 // of postings
}

// Clusterer finds the stories of articles that are no copies.
type Clusterer struct {
	Index  Index
	Freq   *stories.Frequencies
	Window int64 // in ms

	weights weights // scratch memory
}

// Place finds the story of an article that is no copy, or opens one, and counts its
// terms. latest is the time of the latest article.
func (c *Clusterer) Place(id string, hash Hash, t, latest int64, terms *stories.Terms) (*Placed, error) {
	v := c.Freq.Weigh(terms)
	keys := v.Keys(clusterKeys)
	best, err := c.bestStory(t, latest, v, keys)
	if err != nil {
		return nil, err
	}
	p := &Placed{Vector: v}
	if best != nil && best.score >= stories.SameStory {
		p.Story, p.Score, p.Reason = best.id, best.score, best.reason(v)
	} else {
		p.Opens, p.Score, p.Reason = true, 1, "opens the story"
		if p.Story, err = c.newStory(id, hash); err != nil {
			return nil, err
		}
	}
	for _, k := range keys {
		p.Keys = append(p.Keys, postingKey(t/Era, k))
	}
	c.Freq.Add(terms)
	return p, nil
}

// postingKey returns the key of a term within an era.
func postingKey(era int64, term uint64) uint64 {
	return uint64(era)<<32 | term*0x9e3779b97f4a7c15>>32
}

// EraOf returns the era of a key of postings.
func EraOf(key uint64) int64 { return int64(key >> 32) }

// FirstEra returns the first era whose postings are read for an article.
func (c *Clusterer) FirstEra(t int64) int64 { return max(t-c.Window, minTime) / Era }

// rival is a story that an article may join.
type rival struct {
	id      int64
	score   float64
	matches []match
}

type match struct {
	Member
	vector *stories.Vector
	score  float64
}

// add adds a match. The best comes first.
func (r *rival) add(m match) {
	i, _ := slices.BinarySearchFunc(r.matches, m, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Number, b.Number))
	})
	r.matches = slices.Insert(r.matches, i, m)
}

func (r *rival) has(number int64) bool {
	return slices.ContainsFunc(r.matches, func(m match) bool { return m.Number == number })
}

// rate computes the score: the mean of the best matches.
func (r *rival) rate() {
	best := r.matches[:min(len(r.matches), maxSupport)]
	r.score = 0
	for _, m := range best {
		r.score += m.score / float64(len(best))
	}
}

// reason says why an article joins a story.
func (r *rival) reason(v *stories.Vector) string {
	like := 0
	for _, m := range r.matches {
		if m.score >= stories.SameStory {
			like++
		}
	}
	var terms []string
	for _, m := range r.matches {
		if len(terms) == maxReasons {
			break
		}
		if m.vector == nil {
			continue
		}
		for _, t := range stories.Shared(v, m.vector, maxReasons) {
			if len(terms) < maxReasons && !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	what := "words"
	if len(terms) > 0 {
		what = strings.Join(terms, ", ")
	}
	if like <= 1 {
		return fmt.Sprintf("shares %s with %s", what, r.matches[0].ID)
	}
	return fmt.Sprintf("shares %s with %d articles of this story", what, like)
}

// bestStory returns the story that is most like an article, or nil.
func (c *Clusterer) bestStory(t, latest int64, v *stories.Vector, keys []uint64) (*rival, error) {
	candidates, err := c.candidates(t, latest, keys)
	if err != nil {
		return nil, err
	}
	var rivals []*rival
	for _, number := range candidates {
		m, err := c.match(t, v, number)
		if err != nil {
			return nil, err
		}
		if m.score == 0 {
			continue
		}
		i := slices.IndexFunc(rivals, func(r *rival) bool { return r.id == m.Story })
		if i < 0 {
			i = len(rivals)
			rivals = append(rivals, &rival{id: m.Story})
		}
		rivals[i].add(m)
	}
	slices.SortStableFunc(rivals, func(a, b *rival) int { return cmp.Compare(b.matches[0].score, a.matches[0].score) })
	rivals = rivals[:min(len(rivals), maxRivals)]
	var best *rival
	for _, r := range rivals {
		if r.matches[0].score < stories.SameStory {
			break // a mean is no better
		}
		if err := c.support(t, v, r); err != nil {
			return nil, err
		}
		if r.rate(); best == nil || r.score > best.score {
			best = r
		}
	}
	return best, nil
}

// candidates returns the articles that share most of the terms, within the window.
func (c *Clusterer) candidates(t, latest int64, terms []uint64) ([]int64, error) {
	var keys []uint64
	first, last := c.FirstEra(t), min(t+c.Window, latest)/Era
	for e := first; e <= max(first, last); e++ {
		for _, k := range terms {
			keys = append(keys, postingKey(e, k))
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	err := c.Index.Postings(keys, func(i int, numbers []uint32) {
		for _, n := range numbers {
			c.weights.add(n, 2*clusterKeys-uint32(i%len(terms))) // the first terms say most
		}
	})
	return c.weights.best(maxLikeness), err
}

// weights adds up the weights of numbers: a hash table with open addressing.
type weights struct {
	slots []weightSlot
	used  []uint32 // slots
}

type weightSlot struct{ number, weight uint32 } // a weight of 0 is free

func (w *weights) slot(number uint32) uint32 {
	mask := uint32(len(w.slots) - 1)
	for i := number * 0x9e3779b1; ; i++ {
		if s := w.slots[i&mask]; s.weight == 0 || s.number == number {
			return i & mask
		}
	}
}

func (w *weights) add(number, weight uint32) {
	if 2*len(w.used) >= len(w.slots) {
		old := *w
		*w = weights{slots: make([]weightSlot, max(minSlots, 2*len(old.slots)))}
		for _, i := range old.used {
			w.add(old.slots[i].number, old.slots[i].weight)
		}
	}
	i := w.slot(number)
	if w.slots[i].weight == 0 {
		w.used = append(w.used, i)
	}
	w.slots[i].number = number
	w.slots[i].weight += weight
}

// best returns the n numbers with the highest weights, the highest first, then the highest
// number, and forgets all.
func (w *weights) best(n int) []int64 {
	var top []uint64 // the lowest first
	for _, i := range w.used {
		s := &w.slots[i]
		key := uint64(s.weight)<<32 | uint64(s.number)
		*s = weightSlot{}
		if len(top) == n {
			if key < top[0] {
				continue
			}
			top = append(top[:0], top[1:]...)
		}
		at, _ := slices.BinarySearch(top, key)
		top = slices.Insert(top, at, key)
	}
	w.used = w.used[:0]
	list := make([]int64, 0, len(top))
	for _, key := range slices.Backward(top) {
		list = append(list, int64(uint32(key)))
	}
	return list
}

// match compares an article with another one.
func (c *Clusterer) match(t int64, v *stories.Vector, number int64) (m match, err error) {
	if m.Member, err = c.Index.Member(number); err != nil {
		return m, err
	}
	if d := t - m.Time; d > c.Window || -d > c.Window {
		return m, nil
	}
	if m.vector, err = c.Index.Vector(number); err == nil && m.vector.Lang() == v.Lang() {
		m.score = stories.Likeness(v, m.vector)
	}
	return m, err
}

// support compares an article with others of a story, if it was compared with few.
func (c *Clusterer) support(t int64, v *stories.Vector, r *rival) error {
	if len(r.matches) >= maxSupport {
		return nil
	}
	numbers, err := c.Index.Latest(r.id)
	if err != nil {
		return err
	}
	for _, number := range numbers {
		if r.has(number) {
			continue
		}
		m, err := c.match(t, v, number)
		if err != nil {
			return err
		}
		r.add(m)
	}
	return nil
}

// newStory returns the id of a story that an article opens. It is a hash of that of the
// article; if that is taken, of the text as well.
func (c *Clusterer) newStory(id string, hash Hash) (int64, error) {
	for seed := id; ; seed += string(hash[:]) {
		sum := sha256.Sum256([]byte(seed))
		story := int64(binary.LittleEndian.Uint64(sum[:]) & (1<<NameBits - 1))
		if taken, err := c.Index.Taken(story); err != nil || !taken {
			return story, err
		}
	}
}

// NameBits is the length of the id of a story. A letter of it has LetterBits.
const (
	NameBits   = 50
	LetterBits = 5
	Letters    = "0123456789abcdefghjkmnpqrstvwxyz"
)

// StoryName returns the id of a story as it is written. Names have the order of the ids.
func StoryName(id int64) string {
	var b [NameBits / LetterBits]byte
	for i := range b {
		b[len(b)-1-i] = Letters[id>>(LetterBits*i)&(1<<LetterBits-1)]
	}
	return string(b[:])
}

// ParseName is the reverse of StoryName.
func ParseName(name string) (id int64, ok bool) {
	if len(name) != NameBits/LetterBits {
		return 0, false
	}
	for _, c := range []byte(name) {
		i := strings.IndexByte(Letters, c)
		if i < 0 {
			return 0, false
		}
		id = id<<LetterBits | int64(i)
	}
	return id, true
}
