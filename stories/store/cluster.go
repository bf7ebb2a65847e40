package store

import (
	"fmt"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// cluster finds the story of a node that is no copy, or opens one.
func (s *Store) cluster(n *node, p *Prepared) error {
	c := &s.clusterer
	c.Index, c.Freq, c.Window = clusterIndex{s}, s.freq, s.window
	placed, err := c.Place(n.rank.ID, n.hash, n.time, s.latest, p.terms)
	if err != nil {
		return err
	}
	n.story, n.score, n.reason = placed.Story, placed.Score, placed.Reason
	if placed.Opens {
		err = s.db.Exec("INSERT INTO stories (id, founder, articles, start, latest) VALUES (?, ?, 1, ?, ?)", n.story, n.first, n.time, n.time)
	} else {
		err = s.growStory(n.story, 1, n.time)
	}
	if err != nil {
		return err
	}
	for _, key := range placed.Keys {
		s.flush.add(s.postings, inPostings, entry{key, uint32(n.id)})
	}
	n.counted = true
	s.vectors.put(n.id, placed.Vector, weighVector(placed.Vector))
	data, err := placed.Vector.MarshalBinary()
	if err != nil {
		return err
	}
	return s.db.Exec("INSERT INTO vectors (node, data) VALUES (?, ?)", n.id, data)
}

// clusterIndex is a Store as package placing sees it.
type clusterIndex struct{ s *Store }

func (x clusterIndex) Postings(keys []uint64, visit func(i int, nodes []uint32)) error {
	return x.s.postings.lookup(x.s.db, keys, visit)
}

func (x clusterIndex) Member(id int64) (placing.Member, error) {
	n, err := x.s.node(id)
	if err != nil {
		return placing.Member{}, err
	}
	return placing.Member{Number: n.id, Time: n.time, Story: n.story, ID: n.rank.ID}, nil
}

func (x clusterIndex) Vector(id int64) (*stories.Vector, error) { return x.s.vectorOf(id) }

func (x clusterIndex) Latest(story int64) ([]int64, error) {
	return x.s.db.numbers("SELECT id FROM nodes WHERE story = ? AND parent = 0 ORDER BY time DESC, id DESC LIMIT ?", story, placing.MaxLatest)
}

func (x clusterIndex) Taken(story int64) (bool, error) {
	founder, err := x.s.founder(story)
	return founder != 0, err
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
