package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// Story is a group of articles that tell the same event, with their copies.
type Story struct {
	ID         string
	Headline   string    // of the article that is most like the others
	First      Member    // the earliest article
	Papers     []string  // sites, in order of their first article
	Languages  []string  // the most frequent first
	Terms      []string  // that its articles share, the most telling first
	Start, End time.Time // of the earliest and the latest article
	Articles   int       // how many there are
	Members    []Member  // in order of time; at most MaxMembers
}

// MaxMembers is the largest number of members that a Story lists.
const MaxMembers = placing.MaxMembers

// Member is an article of a story.
type Member struct {
	stories.Article // without its text
	Membership
	// Number is that of the article in the index. Versions of an article have numbers of
	// their own.
	Number int64
	// Parent is the number of the article that a copy was made of: the original or
	// another copy. It is 0 if the article is no copy.
	Parent int64
	// Time is the time by which the article is ordered: that of publication, else when it
	// was first seen, else that of the latest article before.
	Time time.Time
	node *node
}

// Story returns a story by its id. The error is ErrNotFound if there is none.
func (s *Store) Story(ctx context.Context, id string) (*Story, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	number, ok := placing.ParseName(id)
	if !ok {
		return nil, fmt.Errorf("story %q: %w", id, ErrNotFound)
	}
	var story *Story
	err := s.view(ctx, func() (err error) {
		story, err = s.story(number)
		return err
	})
	return story, err
}

// Find returns the story with an id, or that of the article with an id or an address.
// A story that has become part of another is found by the id that it had.
// The error is ErrNotFound if there is none.
func (s *Store) Find(ctx context.Context, text string) (*Story, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var story *Story
	err := s.view(ctx, func() error {
		id, err := s.find(text)
		if err == nil {
			story, err = s.story(id)
		}
		return err
	})
	return story, err
}

func (s *Store) find(text string) (story int64, err error) {
	if id, ok := placing.ParseName(text); ok {
		if founder, err := s.founder(id); err != nil || founder != 0 {
			return id, err
		}
		const ended = "SELECT n.story FROM ended e JOIN articles a ON a.number = e.founder JOIN nodes n ON n.id = a.node WHERE e.id = ?"
		if ok, err := s.db.Get(ended, []any{id}, &story); err != nil || ok {
			return story, err
		}
	}
	key := int64(hashKey(text))
	for _, query := range []string{
		"SELECT n.story FROM articles a JOIN nodes n ON n.id = a.node WHERE a.id_key = ? AND a.id = ? ORDER BY a.node LIMIT 1",
		"SELECT n.story FROM articles a JOIN nodes n ON n.id = a.node WHERE a.url_key = ? AND a.url = ? LIMIT 1",
	} {
		if ok, err := s.db.Get(query, []any{key, text}, &story); err != nil || ok {
			return story, err
		}
	}
	return 0, fmt.Errorf("%q: %w: give the id of a story, or the id or address of an article", text, ErrNotFound)
}

// Stories returns all stories, in order of their first article.
func (s *Store) Stories(ctx context.Context) iter.Seq2[*Story, error] {
	return func(yield func(*Story, error) bool) {
		// Stories are read some at a time, so that others can use the store meanwhile.
		start, last := int64(-1), int64(-1)
		for {
			list, err := s.someStories(ctx, &start, &last)
			for _, story := range list {
				if !yield(story, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
			if err != nil || len(list) == 0 {
				return
			}
		}
	}
}

func (s *Store) someStories(ctx context.Context, start, last *int64) (list []*Story, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.view(ctx, func() error {
		ids, err := s.db.numbers("SELECT id FROM stories WHERE (start, id) > (?, ?) ORDER BY start, id LIMIT 64", *start, *last)
		for _, id := range ids {
			if err == nil {
				_, err = s.db.Get("SELECT start, id FROM stories WHERE id = ?", []any{id}, start, last)
			}
			if err != nil {
				break
			}
			var story *Story
			if story, err = s.story(id); err == nil {
				list = append(list, story)
			}
		}
		return err
	})
	return list, err
}

// Text returns the text of an article by its number in the index.
func (s *Store) Text(ctx context.Context, number int64) (text string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.view(ctx, func() error {
		var node int64
		ok, err := s.db.Get("SELECT node FROM articles WHERE number = ?", []any{number}, &node)
		if err == nil && !ok {
			err = fmt.Errorf("article %d: %w", number, ErrNotFound)
		}
		if err == nil {
			text, err = s.textOf(node)
		}
		return err
	})
	return text, err
}

// view reads one state of the file.
func (s *Store) view(ctx context.Context, read func() error) (err error) {
	if err := cmp.Or(ctx.Err(), s.usable()); err != nil {
		return err
	}
	if s.db.readOnly {
		if err := s.db.begin(); err != nil {
			return fmt.Errorf("%s: %w", s.path, explain(err))
		}
		defer s.db.rollback()
	}
	err = read()
	s.vectors.trim()
	s.shingles.trim()
	s.nodes.trim()
	if err = explain(err); err != nil && !errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%s: %w", s.path, err)
	}
	return err
}

// story reads a story.
func (s *Store) story(id int64) (*Story, error) {
	st := &Story{ID: placing.StoryName(id)}
	ok, err := s.db.Get("SELECT articles FROM stories WHERE id = ?", []any{id}, &st.Articles)
	if err == nil && !ok {
		err = fmt.Errorf("story %s: %w", st.ID, ErrNotFound)
	}
	if err == nil {
		st.Members, err = s.members(id)
	}
	if err == nil && len(st.Members) == 0 {
		err = fmt.Errorf("%w: story %s has no articles", ErrDamaged, st.ID)
	}
	if err != nil {
		return nil, err
	}
	st.First, st.Start, st.End = st.Members[0], st.Members[0].Time, st.Members[len(st.Members)-1].Time
	var outline placing.Outline
	for _, m := range st.Members {
		outline.Add(m.Site, m.Lang)
	}
	st.Papers, st.Languages = outline.Papers, outline.Languages()
	return st, s.describe(st)
}

func (s *Store) members(story int64) (list []Member, err error) {
	rows, err := s.db.Query(`SELECT a.number, a.id, a.url, a.site, a.title, a.lang, a.published, a.seen, a.time, a.node
		FROM nodes n JOIN articles a ON a.node = n.id WHERE n.story = ? ORDER BY a.time, a.number LIMIT ?`, story, MaxMembers)
	if err != nil {
		return nil, err
	}
	var nodes []int64
	defer rows.Close()
	for rows.Next() {
		var m Member
		var published, seen *int64
		var t, node int64
		if err := rows.Scan(&m.Number, &m.ID, &m.URL, &m.Site, &m.Title, &m.Lang, &published, &seen, &t, &node); err != nil {
			return nil, err
		}
		m.Published, m.FirstSeen, m.Time = placing.FromMillis(known(published)), placing.FromMillis(known(seen)), placing.FromMillis(t)
		list, nodes = append(list, m), append(nodes, node)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for i := range list {
		m := &list[i]
		if m.node, err = s.node(nodes[i]); err != nil {
			return nil, err
		}
		if m.Membership, m.Parent, err = s.placeOf(m.node, m.Number, m.ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// describe finds the headline and the terms of a story by its articles that are no
// copies.
func (s *Store) describe(st *Story) error {
	var own []*Member
	for i := range st.Members {
		if m := &st.Members[i]; m.Parent == 0 {
			own = append(own, m)
		}
	}
	if len(own) == 0 { // the original is beyond MaxMembers
		own = append(own, &st.Members[0])
	}
	var titles []string
	var vectors []*stories.Vector
	for _, i := range placing.Sample(len(own)) {
		v, err := s.vectorOf(own[i].node.id)
		if err != nil {
			return err
		}
		titles, vectors = append(titles, own[i].Title), append(vectors, v)
	}
	st.Headline, st.Terms = placing.Describe(titles, vectors)
	return nil
}
