package store

import (
	"context"
	"fmt"
	"math"

	"github.com/lede-news/lede/stories"
)

// Membership is the place of an article in a story.
type Membership struct {
	// Story is the id of the story. It derives from the id of the article that opened
	// it.
	Story string
	// Score is how much the article belongs to the story, from 0 to 1: the similarity to
	// its articles, or for a copy the shared text. It is 1 for the article that opened
	// it.
	Score  float64
	Reason string // why it belongs to the story
	First  bool   // it opened the story
	// CopyOf is the id of the original, empty if the article is not a copy. It is the
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
	s.trimCaches()
	m, err := s.add(p)
	if s.pending++; err == nil && s.pending >= commitAt {
		return m, s.commit()
	}
	return m, s.fail(err)
}

func (s *Store) add(p *Prepared) (m Membership, err error) {
	n, err := s.findText(p)
	if err != nil {
		return m, err
	}
	a := &p.article
	idKey := hashKey(a.ID)
	if n != nil {
		var number int64
		known, err := s.db.Get("SELECT number FROM articles WHERE id_key = ? AND node = ? AND id = ?", []any{idKey, n.id, a.ID}, &number)
		if err != nil {
			return m, err
		}
		if known {
			m, _, err = s.placeOf(n, number, a.ID)
			return m, err
		}
	}
	t := p.rank.time()
	if t != unknown {
		s.latest = max(s.latest, t)
	}
	s.lastArticle++
	number := s.lastArticle
	if n == nil {
		n, err = s.addText(p, number, idKey)
	} else {
		err = s.addSame(n, p, number)
	}
	if err == nil {
		err = s.growStory(n.story, t)
	}
	if err == nil {
		err = s.db.Exec(`INSERT INTO articles (number, node, id_key, url_key, id, url, site, title, lang, published, seen)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			number, n.id, idKey, hashKey(a.URL), a.ID, a.URL, a.Site, a.Title, a.Lang, nullable(p.rank.published), nullable(p.rank.seen))
	}
	if err == nil {
		m, _, err = s.placeOf(n, number, a.ID)
	}
	return m, err
}

// growStory counts an article of a story.
func (s *Store) growStory(id, t int64) error {
	// min and max of NULL are NULL.
	return s.db.Exec(`UPDATE stories SET articles = articles + 1, start = coalesce(min(start, ?1), start, ?1), latest = coalesce(max(latest, ?1), latest, ?1)
		WHERE id = ?2`, nullable(t), id)
}

// findText returns the node with a text, or nil.
func (s *Store) findText(p *Prepared) (*node, error) {
	var id int64
	if ok, err := s.db.Get("SELECT id FROM nodes WHERE hash = ?", []any{p.hash[:]}, &id); err != nil || !ok {
		return nil, err
	}
	return s.node(id)
}

// addSame adds an article with a text that is known. If it is earlier than the others, the
// text may become the original of what was its own.
func (s *Store) addSame(n *node, p *Prepared, number int64) error {
	if p.rank.Compare(&n.rank) >= 0 {
		return nil
	}
	n.first, n.firstID, n.rank = number, p.article.ID, p.rank
	if n.parent != 0 {
		parent, err := s.node(n.parent)
		if err != nil {
			return err
		}
		if parent.parent == 0 && n.precedes(parent) {
			o := n.overlap
			n.parent, n.root, n.overlap = 0, 0, stories.Overlap{}
			return s.replaceRoot(n, parent, o)
		}
	}
	return s.writeNode(n)
}

// addText adds an article with a new text.
func (s *Store) addText(p *Prepared, number, idKey int64) (*node, error) {
	if s.lastNode == math.MaxUint32 {
		return nil, fmt.Errorf("the index is full: %d texts", s.lastNode)
	}
	s.lastNode++
	n := &node{id: s.lastNode, hash: p.hash, shingles: p.shingles.Len(), time: p.rank.time(), first: number, firstID: p.article.ID, rank: p.rank}
	if n.time == unknown {
		n.time = s.latest // where its story is looked for
	}
	copies, err := s.copiesOf(n, p, idKey)
	if err == nil {
		err = s.db.Exec("INSERT INTO texts (node, body) VALUES (?, ?)", n.id, p.body)
	}
	if err == nil {
		s.shingles.put(n.id, p.shingles)
		err = s.place(n, p, copies)
	}
	return n, err
}

// placeOf returns the place of an article with the text of a node, and the number of the
// article that it is a copy of, or 0.
func (s *Store) placeOf(n *node, number int64, id string) (m Membership, of int64, err error) {
	m = Membership{Story: storyName(n.story), Score: n.score, Reason: n.reason}
	founder, err := s.founder(n.story)
	if err != nil {
		return m, 0, err
	}
	m.First = founder == number
	ofID := n.firstID
	switch {
	case number != n.first: // the same text
		of, m.Overlap = n.first, stories.Overlap{Likeness: 1, InA: 1, InB: 1, Shared: n.shingles}
	case n.parent == 0:
		return m, 0, nil
	default:
		parent, err := s.node(n.parent)
		if err != nil {
			return m, 0, err
		}
		of, ofID, m.Overlap = parent.first, parent.firstID, n.overlap
	}
	root, err := s.rootOf(n)
	if err != nil {
		return m, 0, err
	}
	kind := "copy"
	if ofID == id {
		kind = "version"
	}
	m.Reason = fmt.Sprintf("%s of %s: %d %% shared", kind, ofID, int(100*m.Overlap.InA))
	m.CopyOf, m.Score = root.firstID, m.Overlap.Score()
	return m, of, nil
}
