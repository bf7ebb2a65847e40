package store

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/lede-news/lede/stories"
)

// node is a text, and what is known of the articles that have it.
type node struct {
	id       int64
	hash     textHash
	shingles int
	time     int64

	first   int64 // the earliest article
	firstID string
	rank    Rank // of that article

	story  int64
	score  float64
	reason string

	parent, root int64
	overlap      stories.Overlap // with the parent; the node is a
}

// precedes reports whether a node's first article comes before another's.
func (n *node) precedes(other *node) bool { return n.compare(other) < 0 }

func (n *node) compare(other *node) int {
	return cmp.Or(n.rank.Compare(&other.rank), cmp.Compare(n.id, other.id))
}

const nodeColumns = `id, hash, size, shingles, time, first, first_id, published, seen, story, score, reason, parent, root,
	likeness, in_own, in_parent, shared`

// node returns a node by its number.
func (s *Store) node(id int64) (*node, error) {
	if n, ok := s.nodes.get(id); ok {
		return n, nil
	}
	n := new(node)
	var hash []byte
	var published, seen *int64
	o := &n.overlap
	err := s.get("node", id, "SELECT "+nodeColumns+" FROM nodes WHERE id = ?",
		&n.id, &hash, &n.rank.size, &n.shingles, &n.time, &n.first, &n.firstID, &published, &seen, &n.story, &n.score, &n.reason, &n.parent, &n.root,
		&o.Likeness, &o.InA, &o.InB, &o.Shared)
	if err == nil && (len(hash) != len(n.hash) || (n.parent == 0) != (n.root == 0)) {
		err = fmt.Errorf("%w: wrong node %d", ErrDamaged, id)
	}
	if err != nil {
		return nil, err
	}
	n.hash = textHash(hash)
	n.rank.published, n.rank.seen = fromNullable(published), fromNullable(seen)
	if !s.db.readOnly {
		s.nodes.put(id, n)
	}
	return n, nil
}

// sizeOf returns the number of shingles of a node. Most texts that share keys are no copies,
// and no more than this is asked of them.
func (s *Store) sizeOf(id int64) (int, error) {
	if size, ok := s.sizes.get(id); ok {
		return int(size), nil
	}
	n, err := s.node(id)
	if err != nil {
		return 0, err
	}
	s.sizes.put(id, int32(n.shingles))
	return n.shingles, nil
}

// get reads a row that must exist.
func (s *Store) get(what string, id int64, query string, to ...any) error {
	ok, err := s.db.Get(query, []any{id}, to...)
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s %d is missing", ErrDamaged, what, id)
	}
	return err
}

// writeNode writes a node that is new or has changed.
func (s *Store) writeNode(n *node) error {
	s.nodes.put(n.id, n)
	o := n.overlap
	return s.db.Exec("INSERT OR REPLACE INTO nodes ("+nodeColumns+") VALUES (?"+strings.Repeat(", ?", strings.Count(nodeColumns, ","))+")",
		n.id, n.hash[:], n.rank.size, n.shingles, n.time, n.first, n.firstID, nullable(n.rank.published), nullable(n.rank.seen),
		n.story, n.score, n.reason, n.parent, n.root, o.Likeness, o.InA, o.InB, o.Shared)
}

// rootOf returns the original of the copies that a node belongs to.
func (s *Store) rootOf(n *node) (*node, error) {
	root := n
	for hops := int64(0); root.root != 0; hops++ {
		next, err := s.node(root.root)
		if err != nil {
			return nil, err
		}
		if root = next; hops > s.lastNode {
			return nil, fmt.Errorf("%w: copies form a circle", ErrDamaged)
		}
	}
	if root.id != n.root && root != n && !s.db.readOnly { // the way is shorter next time
		n.root = root.id
		return root, s.db.Exec("UPDATE nodes SET root = ? WHERE id = ?", n.root, n.id)
	}
	return root, nil
}

// textOf returns the text of a node.
func (s *Store) textOf(id int64) (string, error) {
	var body []byte
	if err := s.get("text", id, "SELECT body FROM texts WHERE node = ?", &body); err != nil {
		return "", err
	}
	text, err := decompress(body)
	return string(text), err
}

func (s *Store) shinglesOf(id int64) (*stories.Shingles, error) {
	if sh, ok := s.shingles.get(id); ok {
		return sh, nil
	}
	text, err := s.textOf(id)
	if err != nil {
		return nil, err
	}
	sh := stories.NewShingles(text)
	s.shingles.put(id, sh)
	return sh, nil
}

// termsOf returns the terms of a node, which are not kept.
func (s *Store) termsOf(id int64) (*stories.Terms, error) {
	var a stories.Article
	err := s.get("article of text", id, "SELECT title, lang FROM articles WHERE node = ? ORDER BY number LIMIT 1", &a.Title, &a.Lang)
	if err == nil {
		a.Text, err = s.textOf(id)
	}
	return stories.NewTerms(&a), err
}

// vectorOf returns the vector of a node.
func (s *Store) vectorOf(id int64) (*stories.Vector, error) {
	if v, ok := s.vectors.get(id); ok {
		return v, nil
	}
	var b []byte
	v := new(stories.Vector)
	switch ok, err := s.db.Get("SELECT data FROM vectors WHERE node = ?", []any{id}, &b); {
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
	s.vectors.put(id, v)
	return v, nil
}
