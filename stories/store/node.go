package store

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// node is a text, and what is known of the articles that have it.
type node struct {
	id       int64
	hash     placing.Hash
	shingles int
	time     int64
	articles int64

	first int64        // the article that precedes the others
	rank  placing.Rank // of that

	story   int64
	score   float64
	reason  string
	counted bool

	family  int64
	parent  int64
	overlap stories.Overlap // with the parent; the node is a
}

func weighNode(n *node) int { return 320 + len(n.rank.ID) + len(n.reason) }

func weighShingles(s *stories.Shingles) int { return 400 + 11*s.Len() }

// compare orders nodes by their first articles.
func compare(a, b *node) int {
	return cmp.Or(a.rank.Compare(&b.rank), bytes.Compare(a.hash[:], b.hash[:]))
}

func (a *node) precedes(b *node) bool { return compare(a, b) < 0 }

const nodeColumns = `id, hash, size, shingles, time, articles, first, first_id, published, seen, story, score, reason, counted, family, parent, likeness, in_own, in_parent, shared`

func (n *node) values() []any {
	counted := 0
	if n.counted {
		counted = 1
	}
	o := n.overlap
	return []any{n.id, n.hash[:], n.rank.Size, n.shingles, n.time, n.articles, n.first, n.rank.ID, nullable(n.rank.Published), nullable(n.rank.Seen),
		n.story, n.score, n.reason, counted, n.family, n.parent, o.Likeness, o.InA, o.InB, o.Shared}
}

// nodeRow reads a node.
type nodeRow struct {
	node
	hash            []byte
	published, seen *int64
	counted         int
}

func (r *nodeRow) pointers() []any {
	n := &r.node
	return []any{&n.id, &r.hash, &n.rank.Size, &n.shingles, &n.time, &n.articles, &n.first, &n.rank.ID, &r.published, &r.seen,
		&n.story, &n.score, &n.reason, &r.counted, &n.family, &n.parent, &n.overlap.Likeness, &n.overlap.InA, &n.overlap.InB, &n.overlap.Shared}
}

func (r *nodeRow) result() (*node, error) {
	n := &r.node
	if len(r.hash) != placing.HashBytes || n.parent < 0 || n.parent == n.id || n.family == 0 && n.parent != 0 {
		return nil, fmt.Errorf("%w: a wrong row of nodes", ErrDamaged)
	}
	n.hash = placing.Hash(r.hash)
	n.counted = r.counted != 0
	n.rank.Published, n.rank.Seen = known(r.published), known(r.seen)
	return n, nil
}

func known(ms *int64) int64 {
	if ms == nil {
		return placing.Unknown
	}
	return *ms
}

// node returns a node by its number.
func (s *Store) node(id int64) (*node, error) {
	if n, ok := s.nodes.get(id, weighNode); ok {
		return n, nil
	}
	var r nodeRow
	ok, err := s.db.Get("SELECT "+nodeColumns+" FROM nodes WHERE id = ?", []any{id}, r.pointers()...)
	if err == nil && !ok {
		err = fmt.Errorf("%w: node %d is missing", ErrDamaged, id)
	}
	if err != nil {
		return nil, err
	}
	n, err := r.result()
	if err == nil && !s.db.readOnly {
		s.nodes.put(id, n, weighNode(n))
	}
	return n, err
}

func (s *Store) insertNode(n *node) error {
	s.nodes.put(n.id, n, weighNode(n))
	return s.db.Exec("INSERT INTO nodes ("+nodeColumns+") VALUES (?"+strings.Repeat(", ?", strings.Count(nodeColumns, ","))+")", n.values()...)
}

// updateNode writes what can change of a node.
func (s *Store) updateNode(n *node) error {
	o := n.overlap
	return s.db.Exec(`UPDATE nodes SET articles = ?, first = ?, first_id = ?, published = ?, seen = ?, story = ?, score = ?, reason = ?,
		family = ?, parent = ?, likeness = ?, in_own = ?, in_parent = ?, shared = ? WHERE id = ?`,
		n.articles, n.first, n.rank.ID, nullable(n.rank.Published), nullable(n.rank.Seen), n.story, n.score, n.reason,
		n.family, n.parent, o.Likeness, o.InA, o.InB, o.Shared, n.id)
}

// textOf returns the text of a node.
func (s *Store) textOf(id int64) (string, error) {
	var body []byte
	ok, err := s.db.Get("SELECT body FROM texts WHERE node = ?", []any{id}, &body)
	if err == nil && !ok {
		err = fmt.Errorf("%w: text %d is missing", ErrDamaged, id)
	}
	if err != nil {
		return "", err
	}
	text, err := s.coder.decode(body)
	return string(text), err
}

func (s *Store) shinglesOf(id int64) (*stories.Shingles, error) {
	if sh, ok := s.shingles.get(id, weighShingles); ok {
		return sh, nil
	}
	text, err := s.textOf(id)
	if err != nil {
		return nil, err
	}
	sh := stories.NewShingles(text)
	s.shingles.put(id, sh, weighShingles(sh))
	return sh, nil
}

// termsOf returns the terms of a node, which are not kept.
func (s *Store) termsOf(id int64) (*stories.Terms, error) {
	var a stories.Article
	ok, err := s.db.Get("SELECT title, lang FROM articles WHERE node = ? ORDER BY number LIMIT 1", []any{id}, &a.Title, &a.Lang)
	if err == nil && !ok {
		err = fmt.Errorf("%w: text %d has no article", ErrDamaged, id)
	}
	if err == nil {
		a.Text, err = s.textOf(id)
	}
	if err != nil {
		return nil, err
	}
	return stories.NewTerms(&a), nil
}

// weighVector returns about the size of a vector in memory.
func weighVector(*stories.Vector) int { return 3 << 10 }

// vectorOf returns the vector of a node.
func (s *Store) vectorOf(id int64) (*stories.Vector, error) {
	if v, ok := s.vectors.get(id, weighVector); ok {
		return v, nil
	}
	var b []byte
	v := new(stories.Vector)
	ok, err := s.db.Get("SELECT data FROM vectors WHERE node = ?", []any{id}, &b)
	switch {
	case err != nil:
		return nil, err
	case !ok: // it was a copy when it came
		t, err := s.termsOf(id)
		if err != nil {
			return nil, err
		}
		v = new(stories.Frequencies).Weigh(t)
	default:
		if err := v.UnmarshalBinary(b); err != nil {
			return nil, fmt.Errorf("%w: text %d: %w", ErrDamaged, id, err)
		}
	}
	s.vectors.put(id, v, weighVector(v))
	return v, nil
}
