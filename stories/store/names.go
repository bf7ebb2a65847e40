package store

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/placing"
)

// Summary is what is known of a story without reading its articles.
type Summary struct {
	ID         string
	Articles   int
	Start, End time.Time // of the earliest and the latest article
}

// Summaries returns all stories in the order of their ids. It is far faster than
// Stories.
func (s *Store) Summaries(ctx context.Context) iter.Seq2[Summary, error] {
	return func(yield func(Summary, error) bool) {
		last := int64(-1)
		for {
			list, err := s.someSummaries(ctx, &last)
			for _, summary := range list {
				if !yield(summary, nil) {
					return
				}
			}
			if err != nil {
				yield(Summary{}, err)
			}
			if err != nil || len(list) == 0 {
				return
			}
		}
	}
}

// someSummaries returns the stories after the last one.
func (s *Store) someSummaries(ctx context.Context, last *int64) (list []Summary, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.view(ctx, func() error {
		rows, err := s.db.Query("SELECT id, articles, start, latest FROM stories WHERE id > ? ORDER BY id LIMIT 4096", *last)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var start, latest int64
			summary := Summary{}
			if err := rows.Scan(last, &summary.Articles, &start, &latest); err != nil {
				return err
			}
			summary.ID, summary.Start, summary.End = placing.StoryName(*last), placing.FromMillis(start), placing.FromMillis(latest)
			list = append(list, summary)
		}
		return rows.Err()
	})
	return list, err
}

// Names returns up to n ids of stories that begin with a prefix, in order.
func (s *Store) Names(ctx context.Context, prefix string, n int) (names []string, err error) {
	bits := placing.NameBits - placing.LetterBits*len(prefix)
	if bits < 0 {
		return nil, nil
	}
	var from int64
	for _, c := range []byte(prefix) {
		i := strings.IndexByte(placing.Letters, c)
		if i < 0 {
			return nil, nil
		}
		from = from<<placing.LetterBits | int64(i)
	}
	from <<= bits
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.view(ctx, func() error {
		ids, err := s.db.numbers("SELECT id FROM stories WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", from, from|(1<<bits-1), n)
		for _, id := range ids {
			names = append(names, placing.StoryName(id))
		}
		return err
	})
	return names, err
}
