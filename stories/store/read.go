package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/lede-news/lede/stories"
)

const (
	// MaxMembers is the largest number of members that a Story lists.
	MaxMembers = 10_000
	maxPapers  = 1000 // of a story
	maxTerms   = 8
	// maxDescribed is how many articles are compared to find the headline.
	maxDescribed = 16
)

// Summary is what is known of a story without reading its articles.
type Summary struct {
	ID         string
	Articles   int
	Start, End time.Time // of the earliest and the latest article with a known time; zero if there is none
}

// Story is a group of articles that tell the same event, with their copies.
type Story struct {
	Summary
	Headline  string   // of the article that is most like the others
	First     Member   // the earliest article
	Papers    []string // sites, in order of their first article
	Languages []string // the most frequent first
	Terms     []string // that its articles share, the most telling first
	Members   []Member // in order of time, those without one last; at most MaxMembers
}

// Member is an article of a story.
type Member struct {
	stories.Article // without its text
	Membership
	// Number is that of the article in the index. Versions of an article have numbers of
	// their own.
	Number int64
	// Parent is the number of the article that a copy was made of: the original or
	// another copy. It is 0 if the article is not a copy.
	Parent int64
	node   *node
}

// Find returns the story with an id, or that of the article with an id or a URL.
// The error is ErrNotFound if there is none.
func (s *Store) Find(ctx context.Context, text string) (story *Story, err error) {
	err = s.view(ctx, func() error {
		id, err := s.find(text)
		if err == nil {
			story, err = s.story(id)
		}
		return err
	})
	return story, err
}

func (s *Store) find(text string) (story int64, err error) {
	if id, ok := parseName(text); ok {
		if founder, err := s.founder(id); err != nil || founder != 0 {
			return id, err
		}
	}
	for _, column := range []string{"id", "url"} {
		query := fmt.Sprintf("SELECT n.story FROM articles a JOIN nodes n ON n.id = a.node WHERE a.%[1]s_key = ? AND a.%[1]s = ? LIMIT 1", column)
		if ok, err := s.db.Get(query, []any{hashKey(text), text}, &story); err != nil || ok {
			return story, err
		}
	}
	return 0, fmt.Errorf("%q: %w: give the id of a story, or the id or URL of an article", text, ErrNotFound)
}

// Summaries returns all stories, in order of their first article.
func (s *Store) Summaries(ctx context.Context) (list []Summary, err error) {
	err = s.view(ctx, func() error {
		return s.db.All("SELECT id, articles, start, latest FROM stories ORDER BY start IS NULL, start, id", nil, func(rows *sql.Rows) error {
			summary, err := scanSummary(rows)
			list = append(list, summary)
			return err
		})
	})
	return list, err
}

func scanSummary(row interface{ Scan(...any) error }) (summary Summary, err error) {
	var id int64
	var start, latest *int64
	err = row.Scan(&id, &summary.Articles, &start, &latest)
	summary.ID, summary.Start, summary.End = storyName(id), fromMillis(fromNullable(start)), fromMillis(fromNullable(latest))
	return summary, err
}

// Stories returns all stories, in order of their first article. Others can use the store
// meanwhile.
func (s *Store) Stories(ctx context.Context) iter.Seq2[*Story, error] {
	return func(yield func(*Story, error) bool) {
		list, err := s.Summaries(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range list {
			if story, err := s.Find(ctx, list[i].ID); !yield(story, err) || err != nil {
				return
			}
		}
	}
}

// Text returns the text of an article by its number in the index.
func (s *Store) Text(ctx context.Context, number int64) (text string, err error) {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.err); err != nil {
		return err
	}
	if s.db.readOnly {
		if err := s.db.begin(); err != nil {
			return s.explain(damaged(err))
		}
		defer s.db.rollback()
	}
	err = damaged(read())
	s.trimCaches()
	if err != nil && !errors.Is(err, ErrNotFound) {
		err = s.explain(err)
	}
	return err
}

// story reads a story.
func (s *Store) story(id int64) (*Story, error) {
	st := new(Story)
	err := s.db.All("SELECT id, articles, start, latest FROM stories WHERE id = ?", []any{id}, func(rows *sql.Rows) (err error) {
		st.Summary, err = scanSummary(rows)
		return err
	})
	if err == nil && st.ID == "" {
		err = fmt.Errorf("story %s: %w", storyName(id), ErrNotFound)
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
	st.First = st.Members[0]
	languages := map[string]int{}
	for _, m := range st.Members {
		if m.Site != "" && len(st.Papers) < maxPapers && !slices.Contains(st.Papers, m.Site) {
			st.Papers = append(st.Papers, m.Site)
		}
		if languages[m.Lang]++; m.Lang != "" && languages[m.Lang] == 1 {
			st.Languages = append(st.Languages, m.Lang)
		}
	}
	slices.SortStableFunc(st.Languages, func(a, b string) int { return cmp.Compare(languages[b], languages[a]) })
	return st, s.describe(st)
}

func (s *Store) members(story int64) (list []Member, err error) {
	var nodes []int64
	err = s.db.All(`SELECT a.number, a.id, a.url, a.site, a.title, a.lang, a.published, a.seen, a.node
		FROM nodes n JOIN articles a ON a.node = n.id WHERE n.story = ?
		ORDER BY coalesce(a.published, a.seen) IS NULL, coalesce(a.published, a.seen), a.number LIMIT ?`, []any{story, MaxMembers}, func(rows *sql.Rows) error {
		var m Member
		var published, seen *int64
		var node int64
		err := rows.Scan(&m.Number, &m.ID, &m.URL, &m.Site, &m.Title, &m.Lang, &published, &seen, &node)
		m.Published, m.FirstSeen = fromMillis(fromNullable(published)), fromMillis(fromNullable(seen))
		list, nodes = append(list, m), append(nodes, node)
		return err
	})
	for i := range list {
		m := &list[i]
		if err == nil {
			m.node, err = s.node(nodes[i])
		}
		if err == nil {
			m.Membership, m.Parent, err = s.placeOf(m.node, m.Number, m.ID)
		}
	}
	return list, err
}

// describe finds the headline and the terms of a story: a sample of its articles that are
// not copies are compared with one another, and the one that is most like the others
// represents it.
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
	n := min(len(own), maxDescribed)
	titles, vectors, likeness := make([]string, n), make([]*stories.Vector, n), make([]float64, n)
	for i := range n {
		m := own[i*len(own)/n]
		v, err := s.vectorOf(m.node.id)
		if err != nil {
			return err
		}
		titles[i], vectors[i] = m.Title, v
		for j := range i {
			score := stories.Likeness(v, vectors[j])
			likeness[i] += score
			likeness[j] += score
		}
	}
	best := 0
	for i, title := range titles {
		if title != "" && (likeness[i] > likeness[best] || titles[best] == "") {
			best = i
		}
	}
	counts := map[string]int{}
	for i := range titles {
		words := vectors[best].Words(maxTerms)
		if i != best {
			words = stories.Shared(vectors[best], vectors[i], maxTerms)
		}
		for _, t := range words {
			if counts[t]++; counts[t] == 1 {
				st.Terms = append(st.Terms, t)
			}
		}
	}
	slices.SortStableFunc(st.Terms, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	st.Headline, st.Terms = titles[best], st.Terms[:min(len(st.Terms), maxTerms)]
	return nil
}
