package store

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// Membership is the place of an article in a story.
type Membership struct {
	// Story is the id of the story. It derives from the id of the article that opened
	// it.
	Story string
	// Score is how much the article belongs to the story, from 0 to 1: the likeness to
	// its articles, or for a copy the shared text. It is 1 for the article that opened
	// it.
	Score  float64
	Reason string // why it belongs to the story
	First  bool   // it opened the story
	// CopyOf is the id of the original, empty if the article is no copy. It is the
	// article's own id if it is a later version.
	CopyOf string
	// Overlap is what a copy (a) shares with the article that it was compared with (b),
	// which is the original or another copy.
	Overlap stories.Overlap
}

// Add adds an article and returns its place. An article is known by its id and text:
// one that was added before changes nothing. With another text it is a version of its
// own.
//
// What was added is durable after Commit or Close, or earlier. After an error of the
// file, nothing more can be added.
func (s *Store) Add(ctx context.Context, p *Prepared) (Membership, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(ctx); err != nil {
		return Membership{}, err
	}
	s.nodes.trim()
	s.shingles.trim()
	s.vectors.trim()
	m, err := s.add(p)
	if err == nil {
		err = s.flushSome()
	}
	if s.pending++; err == nil && s.pending >= s.opts.commitAt {
		return m, s.commit()
	}
	return m, s.fail(err)
}

func (s *Store) add(p *Prepared) (m Membership, err error) {
	n, err := s.findText(p)
	if err != nil {
		return m, err
	}
	idKey := int64(hashKey(p.article.ID))
	if n != nil {
		var number int64
		known, err := s.db.Get("SELECT number FROM articles WHERE id_key = ? AND node = ? AND id = ?", []any{idKey, n.id, p.article.ID}, &number)
		if err != nil {
			return m, err
		}
		if known {
			return s.membership(n, number, p.article.ID)
		}
	}
	if p.rank.Published == placing.Unknown && !p.article.Published.IsZero() {
		s.log.Info("the date is after the article was seen, and is not used", "id", p.article.ID, "published", p.article.Published, "seen", p.article.FirstSeen)
	}
	t := s.timeOf(p)
	s.latest = max(s.latest, t)
	s.counters.article++
	number := s.counters.article
	if n == nil {
		n, err = s.addText(p, number, t, idKey)
	} else {
		err = s.addSame(n, p, number, t)
	}
	if err != nil {
		return m, err
	}
	a := &p.article
	err = s.db.Exec(`INSERT INTO articles (number, node, id_key, url_key, id, url, site, title, lang, published, seen, time)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number, n.id, idKey, int64(hashKey(a.URL)), a.ID, a.URL, a.Site, a.Title, a.Lang, nullable(p.rank.Published), nullable(p.rank.Seen), t)
	if err != nil {
		return m, err
	}
	return s.membership(n, number, a.ID)
}

// timeOf returns the time by which an article is ordered.
func (s *Store) timeOf(p *Prepared) int64 {
	if t := p.rank.Time(); t != placing.Unknown {
		return placing.Clamp(t)
	}
	return s.latest
}

// findText returns the node with a text, or nil.
func (s *Store) findText(p *Prepared) (found *node, err error) {
	var ids []uint32
	err = s.buckets.lookup(s.db, p.text.Keys[:1], func(_ int, nodes []uint32) { ids = append(ids, nodes...) })
	for _, listed := range ids {
		if err != nil || found != nil {
			break
		}
		var n *node
		if n, err = s.node(int64(listed & maxNodes)); err == nil && n.hash == p.text.Hash {
			found = n
		}
	}
	return found, err
}

// addSame adds an article with a text that is known.
func (s *Store) addSame(n *node, p *Prepared, number, t int64) error {
	n.articles++
	if err := s.growStory(n.story, 1, t); err != nil {
		return err
	}
	earlier := node{rank: p.rank, hash: p.text.Hash}
	if !earlier.precedes(n) {
		return s.updateNode(n)
	}
	n.first, n.rank = number, p.rank
	if err := s.updateNode(n); err != nil {
		return err
	}
	near, err := s.copiesOf(n, p, nil)
	if err != nil {
		return err
	}
	return s.reorder(n, near)
}

// addText adds an article with a new text.
func (s *Store) addText(p *Prepared, number, t, idKey int64) (*node, error) {
	s.counters.node++
	n := &node{
		id: s.counters.node, hash: p.text.Hash, shingles: p.text.Shingles.Len(), time: t, articles: 1,
		first: number, rank: p.rank,
	}
	if n.id > maxNodes {
		return nil, fmt.Errorf("the index is full: %d texts", n.id-1)
	}
	versions, err := s.db.numbers("SELECT node FROM articles WHERE id_key = ? AND id = ? ORDER BY node LIMIT ?", idKey, p.article.ID, placing.MaxVersions)
	if err != nil {
		return nil, err
	}
	near, err := s.copiesOf(n, p, versions)
	if err != nil {
		return nil, err
	}
	if err := s.db.Exec("INSERT INTO texts (node, body) VALUES (?, ?)", n.id, p.body); err != nil {
		return nil, err
	}
	s.shingles.put(n.id, p.text.Shingles, weighShingles(p.text.Shingles))
	if err := s.place(n, p, near); err != nil {
		return nil, err
	}
	return n, nil
}

// membership returns the place of an article that has the text of a node.
func (s *Store) membership(n *node, number int64, id string) (Membership, error) {
	m, _, err := s.placeOf(n, number, id)
	return m, err
}

// placeOf returns the place of an article, and the article that it is a copy of, or 0.
func (s *Store) placeOf(n *node, number int64, id string) (m Membership, of int64, err error) {
	m = Membership{Story: placing.StoryName(n.story), Score: n.score, Reason: n.reason}
	founder, err := s.founder(n.story)
	if err != nil {
		return m, 0, err
	}
	m.First = founder == number
	ofID := n.rank.ID
	switch {
	case number != n.first: // the same text
		of = n.first
		m.Overlap = placing.Same(n.shingles)
	case n.parent == 0:
		return m, 0, nil
	default:
		parent, err := s.node(n.parent)
		if err != nil {
			return m, 0, err
		}
		of, ofID, m.Overlap = parent.first, parent.rank.ID, n.overlap
	}
	root, err := s.rootOf(n)
	if err != nil {
		return m, 0, err
	}
	m.CopyOf, m.Score, m.Reason = root.rank.ID, m.Overlap.Score(), placing.CopyReason(id, ofID, m.Overlap)
	return m, of, nil
}
