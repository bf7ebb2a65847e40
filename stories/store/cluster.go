package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lede-news/lede/stories"
)

const (
	// maxPosting is how many articles are kept of those that share a term within an era: the
	// last ones.
	maxPosting = 32
	// clusterKeys is by how many of its terms an article is found.
	clusterKeys = 12
	// maxLikeness is how many articles an article is compared with.
	maxLikeness = 24
	// maxSupport is how many articles of a story count for the score of another one. If
	// it were one, stories would grow into chains.
	maxSupport = 3
	// maxLatest is how many of the latest articles of a story are looked at.
	maxLatest = 2 * maxSupport
	// maxRivals is how many stories are looked at closely.
	maxRivals = 3
	// maxReasons is how many terms a reason has.
	maxReasons = 5

	// maxWindow is the longest time that the articles of a story may be apart.
	maxWindow = 60 * 24 * time.Hour
	// era is the length of time, in ms, that a posting covers. Postings outside the window
	// of an article are not read.
	era = 2 * 24 * 3600 * 1000
	// maxTime is the latest time, whatever an article says.
	maxTime = 1<<16*era - 1
)

// cluster finds the story of a node that is not a copy, or opens one, and writes the node.
func (s *Store) cluster(n *node, p *Prepared) error {
	v := s.freq.Weigh(p.terms)
	keys := v.Keys(clusterKeys)
	best, err := s.bestStory(n.time, v, keys)
	if err != nil {
		return err
	}
	if best != nil && best.score >= stories.SameStory {
		n.story, n.score, n.reason = best.id, best.score, best.reason(v)
	} else {
		n.score, n.reason = 1, "opens the story"
		if n.story, err = s.newStory(n); err != nil {
			return err
		}
	}
	for _, k := range keys {
		s.postings.add(postingKey(n.time/era, k), uint32(n.id))
	}
	s.freq.Add(p.terms)
	s.vectors.put(n.id, v)
	data, err := v.MarshalBinary()
	if err == nil {
		err = s.db.Exec("INSERT INTO vectors (node, data) VALUES (?, ?)", n.id, data)
	}
	if err != nil {
		return err
	}
	return s.writeNode(n)
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
	*node
	vector *stories.Vector
	score  float64
}

// add adds a match. The best comes first.
func (r *rival) add(m match) {
	r.matches = append(r.matches, m)
	slices.SortFunc(r.matches, func(a, b match) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
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
	similar := 0
	var terms []string
	for _, m := range r.matches {
		if m.score >= stories.SameStory {
			similar++
		}
		if m.vector == nil || len(terms) == maxReasons {
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
	if similar <= 1 {
		return fmt.Sprintf("shares %s with %s", what, r.matches[0].firstID)
	}
	return fmt.Sprintf("shares %s with %d articles of this story", what, similar)
}

// bestStory returns the story that is most like an article, or nil.
func (s *Store) bestStory(t int64, v *stories.Vector, keys []uint64) (*rival, error) {
	similar, err := s.similar(t, keys)
	if err != nil {
		return nil, err
	}
	var rivals []*rival
	for _, id := range similar {
		m, err := s.match(t, v, int64(id))
		if err != nil {
			return nil, err
		}
		if m.score == 0 {
			continue
		}
		i := slices.IndexFunc(rivals, func(r *rival) bool { return r.id == m.story })
		if i < 0 {
			i = len(rivals)
			rivals = append(rivals, &rival{id: m.story})
		}
		rivals[i].add(m)
	}
	slices.SortStableFunc(rivals, func(a, b *rival) int { return cmp.Compare(b.matches[0].score, a.matches[0].score) })
	var best *rival
	for _, r := range rivals[:min(len(rivals), maxRivals)] {
		if r.matches[0].score < stories.SameStory {
			break // a mean is no better
		}
		if err := s.support(t, v, r); err != nil {
			return nil, err
		}
		if r.rate(); best == nil || r.score > best.score {
			best = r
		}
	}
	return best, nil
}

// similar returns the articles that share most of the terms, within the window.
func (s *Store) similar(t int64, terms []uint64) ([]uint32, error) {
	var keys []uint64
	first, last := max(t-s.window, 0)/era, min(t+s.window, s.latest)/era
	for e := first; e <= max(first, last); e++ {
		for _, k := range terms {
			keys = append(keys, postingKey(e, k))
		}
	}
	weights := map[uint32]uint64{}
	err := s.postings.lookup(s.db, keys, func(i int, nodes []uint32) {
		for _, n := range nodes {
			weights[n] += uint64(2*clusterKeys - i%len(terms)) // the first terms say most
		}
	})
	return heaviest(weights, maxLikeness), err
}

// match compares an article with another one.
func (s *Store) match(t int64, v *stories.Vector, id int64) (m match, err error) {
	if m.node, err = s.node(id); err != nil {
		return m, err
	}
	if d := t - m.time; d > s.window || -d > s.window {
		return m, nil
	}
	if m.vector, err = s.vectorOf(id); err == nil && m.vector.Lang() == v.Lang() {
		m.score = stories.Likeness(v, m.vector)
	}
	return m, err
}

// support compares an article with others of a story, if it was compared with few.
func (s *Store) support(t int64, v *stories.Vector, r *rival) error {
	if len(r.matches) >= maxSupport {
		return nil
	}
	latest, err := s.db.numbers("SELECT id FROM nodes WHERE story = ? AND parent = 0 ORDER BY time DESC, id DESC LIMIT ?", r.id, maxLatest)
	if err != nil {
		return err
	}
	for _, id := range latest {
		if slices.ContainsFunc(r.matches, func(m match) bool { return m.id == id }) {
			continue
		}
		m, err := s.match(t, v, id)
		if err != nil {
			return err
		}
		r.add(m)
	}
	return nil
}

// newStory opens a story. Its id is a hash of that of the article; if that is taken, of the
// text as well.
func (s *Store) newStory(n *node) (int64, error) {
	for seed := n.firstID; ; seed += string(n.hash[:]) {
		sum := sha256.Sum256([]byte(seed))
		id := int64(binary.LittleEndian.Uint64(sum[:]) & (1<<nameBits - 1))
		if founder, err := s.founder(id); err != nil || founder == 0 {
			if err == nil {
				err = s.db.Exec("INSERT INTO stories (id, founder, articles) VALUES (?, ?, 0)", id, n.first)
			}
			return id, err
		}
	}
}

// founder returns the article that opened a story, or 0 if there is no such story.
func (s *Store) founder(id int64) (number int64, err error) {
	_, err = s.db.Get("SELECT founder FROM stories WHERE id = ?", []any{id}, &number)
	return number, err
}

// nameBits is the length of the id of a story, which is written in base 32.
const nameBits = 50

// storyName returns the id of a story as it is written.
func storyName(id int64) string {
	name := strconv.FormatInt(id, 32)
	return strings.Repeat("0", max(0, nameBits/5-len(name))) + name
}

// parseName is the reverse of storyName.
func parseName(name string) (id int64, ok bool) {
	id, err := strconv.ParseInt(name, 32, 64)
	return id, err == nil && storyName(id) == name
}
