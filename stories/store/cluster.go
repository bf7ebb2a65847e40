package store

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
	// era is the length of time, in ms, that a posting covers. Postings outside the
	// window of an article are not read.
	era = 2 * 24 * 3600 * 1000
	// clusterKeys is by how many of its terms an article is found.
	clusterKeys = 12
	// maxLikeness is how many articles an article is compared with.
	maxLikeness = 24
	// maxSupport is how many articles of a story count for the score of another one. If
	// it were one, stories would grow into chains.
	maxSupport = 3
	// maxRivals is how many stories are looked at closely.
	maxRivals = 3
)

// cluster finds the story of a node that is no copy, or opens one.
func (s *Store) cluster(n *node, p *Prepared) error {
	v := s.freq.Weigh(p.terms)
	keys := v.Keys(clusterKeys)
	best, err := s.bestStory(n, v, keys)
	if err != nil {
		return err
	}
	if best != nil && best.score >= stories.SameStory {
		n.story, n.score, n.reason = best.id, best.score, best.reason(v)
		err = s.growStory(n.story, 1, n.time)
	} else {
		n.score, n.reason = 1, "opens the story"
		n.story, err = s.openStory(n)
	}
	if err != nil {
		return err
	}
	for _, k := range keys {
		s.flush.add(s.postings, inPostings, entry{postingKey(n.time/era, k), uint32(n.id)})
	}
	s.freq.Add(p.terms)
	n.counted = true
	s.vectors.put(n.id, v, weighVector(v))
	data, err := v.MarshalBinary()
	if err != nil {
		return err
	}
	return s.db.Exec("INSERT INTO vectors (node, data) VALUES (?, ?)", n.id, data)
}

// postingKey returns the key of a term within an era.
func postingKey(era int64, term uint64) uint64 {
	return uint64(era)<<32 | term*0x9e3779b97f4a7c15>>32
}

// rival is a story that an article may join.
type rival struct {
	id      int64
	score   float64
	matches []match
}

type match struct {
	node   *node
	vector *stories.Vector
	score  float64
}

// add adds a match. The best comes first.
func (r *rival) add(m match) {
	i, _ := slices.BinarySearchFunc(r.matches, m, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.node.id, b.node.id))
	})
	r.matches = slices.Insert(r.matches, i, m)
}

func (r *rival) has(n *node) bool {
	return slices.ContainsFunc(r.matches, func(m match) bool { return m.node == n })
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
		return fmt.Sprintf("shares %s with %s", what, r.matches[0].node.firstID)
	}
	return fmt.Sprintf("shares %s with %d articles of this story", what, like)
}

// maxReasons is how many terms a reason has.
const maxReasons = 5

// bestStory returns the story that is most like an article, or nil.
func (s *Store) bestStory(n *node, v *stories.Vector, keys []uint64) (*rival, error) {
	candidates, err := s.candidates(n.time, keys)
	if err != nil {
		return nil, err
	}
	var rivals []*rival
	byStory := map[int64]*rival{}
	for _, id := range candidates {
		c, err := s.node(id)
		if err != nil {
			return nil, err
		}
		m, err := s.match(n, v, c)
		if err != nil {
			return nil, err
		}
		if m.score == 0 {
			continue
		}
		r := byStory[c.story]
		if r == nil {
			r = &rival{id: c.story}
			byStory[c.story] = r
			rivals = append(rivals, r)
		}
		r.add(m)
	}
	slices.SortStableFunc(rivals, func(a, b *rival) int { return cmp.Compare(b.matches[0].score, a.matches[0].score) })
	rivals = rivals[:min(len(rivals), maxRivals)]
	var best *rival
	for _, r := range rivals {
		if r.matches[0].score < stories.SameStory {
			break // a mean is no better
		}
		if err := s.support(n, v, r); err != nil {
			return nil, err
		}
		if r.rate(); best == nil || r.score > best.score {
			best = r
		}
	}
	return best, nil
}

// candidates returns the nodes that share most of the terms, within the window.
func (s *Store) candidates(t int64, terms []uint64) ([]int64, error) {
	var keys []uint64
	first, last := max(t-s.window, minTime)/era, min(t+s.window, s.latest)/era
	for e := first; e <= max(first, last); e++ {
		for _, k := range terms {
			keys = append(keys, postingKey(e, k))
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	weights := map[uint32]int{}
	err := s.postings.lookup(s.db, keys, func(i int, nodes []uint32) {
		for _, id := range nodes {
			weights[id] += 2*clusterKeys - i%len(terms) // the first terms say most
		}
	})
	if err != nil {
		return nil, err
	}
	order := make([]uint64, 0, len(weights))
	for id, w := range weights {
		order = append(order, uint64(w)<<32|uint64(id))
	}
	slices.Sort(order) // by weight, then the latest
	var list []int64
	for _, o := range slices.Backward(order[max(0, len(order)-maxLikeness):]) {
		list = append(list, int64(uint32(o)))
	}
	return list, nil
}

// match compares an article with another one.
func (s *Store) match(n *node, v *stories.Vector, c *node) (m match, err error) {
	m.node = c
	if d := n.time - c.time; d > s.window || -d > s.window {
		return m, nil
	}
	if m.vector, err = s.vectorOf(c.id); err == nil && m.vector.Lang() == v.Lang() {
		m.score = stories.Likeness(v, m.vector)
	}
	return m, err
}

// support compares an article with others of a story, if it was compared with few.
func (s *Store) support(n *node, v *stories.Vector, r *rival) error {
	if len(r.matches) >= maxSupport {
		return nil
	}
	ids, err := s.db.numbers("SELECT id FROM nodes WHERE story = ? AND parent = 0 ORDER BY time DESC, id DESC LIMIT ?", r.id, 2*maxSupport)
	if err != nil {
		return err
	}
	for _, id := range ids {
		c, err := s.node(id)
		if err != nil {
			return err
		}
		if r.has(c) {
			continue
		}
		m, err := s.match(n, v, c)
		if err != nil {
			return err
		}
		r.add(m)
	}
	return nil
}

// nameBits is the length of the id of a story. A letter of it has letterBits.
const (
	nameBits   = 50
	letterBits = 5
	letters    = "0123456789abcdefghjkmnpqrstvwxyz"
)

// storyName returns the id of a story as it is written.
func storyName(id int64) string {
	var b [nameBits / letterBits]byte
	for i := range b {
		b[len(b)-1-i] = letters[id>>(letterBits*i)&(1<<letterBits-1)]
	}
	return string(b[:])
}

// parseName is the reverse of storyName.
func parseName(name string) (id int64, ok bool) {
	if len(name) != nameBits/letterBits {
		return 0, false
	}
	for _, c := range []byte(name) {
		i := strings.IndexByte(letters, c)
		if i < 0 {
			return 0, false
		}
		id = id<<letterBits | int64(i)
	}
	return id, true
}

// openStory opens a story with a node. Its id is a hash of that of the article; if that
// is taken, of the text as well.
func (s *Store) openStory(n *node) (id int64, err error) {
	seed := n.firstID
	for {
		sum := sha256.Sum256([]byte(seed))
		id = int64(binary.LittleEndian.Uint64(sum[:]) & (1<<nameBits - 1))
		founder, err := s.founder(id)
		if err != nil {
			return 0, err
		}
		if founder == 0 {
			break
		}
		seed += string(n.hash[:])
	}
	return id, s.db.Exec("INSERT INTO stories (id, founder, articles, start, latest) VALUES (?, ?, 1, ?, ?)", id, n.first, n.time, n.time)
}

// founder returns the article that opened a story, or 0 if there is no such story.
func (s *Store) founder(id int64) (number int64, err error) {
	_, err = s.db.Get("SELECT founder FROM stories WHERE id = ?", []any{id}, &number)
	return number, err
}

// growStory counts articles of a story.
func (s *Store) growStory(id, articles, t int64) error {
	return s.db.Exec("UPDATE stories SET articles = articles + ?, start = min(start, ?), latest = max(latest, ?) WHERE id = ?", articles, t, t, id)
}

// shrinkStory counts articles that leave a story. One that is empty ends.
func (s *Store) shrinkStory(id, articles int64) error {
	var left int64
	if _, err := s.db.Get("UPDATE stories SET articles = articles - ? WHERE id = ? RETURNING articles", []any{articles, id}, &left); err != nil {
		return err
	}
	if left > 0 {
		return nil
	}
	if err := s.db.Exec("INSERT OR REPLACE INTO ended (id, founder) SELECT id, founder FROM stories WHERE id = ?", id); err != nil {
		return err
	}
	return s.db.Exec("DELETE FROM stories WHERE id = ?", id)
}

// countAt is how many texts are added before the frequencies are written
// again. The terms of those after are counted again when a file is opened.
const countAt = 4096

const (
	metaCounters    = "counters"
	metaFrequencies = "frequencies"
)

// loadFrequencies reads in how many articles terms occur.
func (s *Store) loadFrequencies() error {
	f := new(stories.Frequencies)
	var b []byte
	ok, err := s.db.Get("SELECT value FROM meta WHERE name = ?", []any{metaFrequencies}, &b)
	if err != nil {
		return err
	}
	if ok {
		b, err := s.coder.decode(b)
		if err == nil {
			err = f.UnmarshalBinary(b)
		}
		if err != nil {
			return fmt.Errorf("%w: frequencies: %w", ErrDamaged, err)
		}
	}
	ids, err := s.db.numbers("SELECT id FROM nodes WHERE id > ? AND counted ORDER BY id", s.saved)
	if err != nil {
		return err
	}
	s.log.Debug("frequencies are read", "articles counted again", len(ids))
	for _, id := range ids {
		t, err := s.termsOf(id)
		if err != nil {
			return err
		}
		f.Add(t)
	}
	s.freq = f
	return nil
}

// load reads the counters.
func (s *Store) load() error {
	var b []byte
	ok, err := s.db.Get("SELECT value FROM meta WHERE name = ?", []any{metaCounters}, &b)
	if err != nil {
		return err
	}
	if _, err = s.db.Get("SELECT coalesce(max(number), 0) FROM articles", nil, &s.counters.article); err != nil {
		return err
	}
	if _, err = s.db.Get("SELECT coalesce(max(id), 0) FROM nodes", nil, &s.counters.node); err != nil {
		return err
	}
	if !ok {
		if s.counters.node > 0 {
			return fmt.Errorf("%w: the counters are missing", ErrDamaged)
		}
		return nil
	}
	p, err := s.unmarshalMeta(b)
	if err != nil || s.db.readOnly {
		return err
	}
	return s.loadPending(p)
}

// save writes what is needed to go on after the file was closed.
func (s *Store) save() error {
	if err := s.saveLog(); err != nil {
		return err
	}
	if s.counters.node-s.saved >= int64(s.opts.countAt) {
		b, err := s.freq.MarshalBinary()
		if err != nil {
			return err
		}
		if err := s.db.Exec("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", metaFrequencies, s.coder.encode(b)); err != nil {
			return err
		}
		s.saved = s.counters.node
	}
	return s.db.Exec("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", metaCounters, s.marshalMeta())
}
