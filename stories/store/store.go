// Package store keeps an index of news articles in a SQLite file. It tells which
// articles are copies of one another, and which tell the same story in other words.
//
// One process writes at a time; others may read meanwhile. What was committed survives
// a crash. Memory does not depend on the number of articles, and neither does the cost
// of adding one, so that an index can run for years.
//
// Articles should be added in order of time (see [Rank]). The original of an article is
// found by going from copy to copy: each is a copy of the article before it that shares
// most text. An article that comes late and precedes the original takes its place.
//
// An article that is not a copy joins the story within the window that is most like it,
// or opens one.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lede-news/lede/stories"
)

var (
	// ErrLocked means that another process writes to the file.
	ErrLocked = errors.New("another process writes to the file")
	// ErrDamaged means that the file is damaged.
	ErrDamaged = errors.New("the file is damaged")
	// ErrNotStore means that the file is not an index of articles, or of another version.
	ErrNotStore = errors.New("not an index of stories")
	// ErrNotFound means that there is no such story or article.
	ErrNotFound = errors.New("not found")
	// ErrReadOnly means that a store that was opened for reading was written to.
	ErrReadOnly = errors.New("the index is open for reading only")
	errClosed   = errors.New("the index is closed")
)

// DefaultWindow is how far apart in time an article and those of a story may be.
const DefaultWindow = 4 * 24 * time.Hour

// Options are the options of Open. The zero value is fine.
type Options struct {
	// ReadOnly opens a file that exists, without waiting for who writes to it.
	ReadOnly bool
	// Window is how far apart in time an article and those of the story that it joins
	// may be (default: DefaultWindow; at most 60 days).
	Window time.Duration
}

// Store is an index of articles. Its methods may be called concurrently.
type Store struct {
	path   string
	window int64 // in ms

	mu      sync.Mutex
	db      *database
	err     error // of a write; nothing more can be done after it
	pending int   // articles that are not committed

	lastArticle, lastNode int64
	latest                int64                // time of the latest article
	freq                  *stories.Frequencies // nil until it is needed
	saved                 int64                // the last node whose terms are in the frequencies of the file

	buckets, postings *lists
	nodes             *cache[*node]
	shingles          *cache[*stories.Shingles]
	vectors           *cache[*stories.Vector]
	sizes             *cache[int32] // shingles
}

const (
	// Sizes of the caches, in bytes.
	cacheNodes    = 80 << 20
	cacheSizes    = 40 << 20
	cacheShingles = 160 << 20
	cacheVectors  = 96 << 20
	// commitAt is how many articles are added before the store commits by itself.
	commitAt = 32768
	// countAt is how many texts are added before the frequencies are written again. The
	// terms of those after are counted again when a file is opened.
	countAt = 4096
)

// Open opens an index, and creates it if there is none. The caller closes it.
func Open(path string, opts Options) (*Store, error) {
	switch {
	case opts.Window < 0 || opts.Window > maxWindow:
		return nil, fmt.Errorf("window %v: use one of up to %v", opts.Window, maxWindow)
	case opts.Window == 0:
		opts.Window = DefaultWindow
	}
	s := &Store{
		path: path, window: opts.Window.Milliseconds(),
		nodes:    newCache(cacheNodes, func(n *node) int { return 320 + len(n.firstID) + len(n.reason) }),
		shingles: newCache(cacheShingles, func(s *stories.Shingles) int { return 400 + 11*s.Len() }),
		vectors:  newCache(cacheVectors, func(*stories.Vector) int { return 2 << 10 }),
		sizes:    newCache(cacheSizes, func(int32) int { return 20 }),
		buckets:  newLists("buckets", maxBucket, false),
		postings: newLists("postings", maxPosting, true),
	}
	var err error
	if s.db, err = openDatabase(path, opts.ReadOnly); err != nil {
		return nil, s.explain(err)
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(s.explain(err), s.db.close())
	}
	return s, nil
}

// explain says which file has an error, and what to do.
func (s *Store) explain(err error) error {
	if errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("%w: remove it, and add the articles again", err)
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// load reads what is needed to go on.
func (s *Store) load() error {
	for query, to := range map[string]*int64{
		"SELECT coalesce(max(number), 0) FROM articles": &s.lastArticle,
		"SELECT coalesce(max(id), 0) FROM nodes":        &s.lastNode,
		"SELECT value FROM meta WHERE name = 'latest'":  &s.latest,
		"SELECT value FROM meta WHERE name = 'saved'":   &s.saved,
	} {
		if _, err := s.db.Get(query, nil, to); err != nil {
			return damaged(err)
		}
	}
	return nil
}

// loadFrequencies reads in how many articles terms occur.
func (s *Store) loadFrequencies() error {
	f := new(stories.Frequencies)
	var b []byte
	ok, err := s.db.Get("SELECT value FROM meta WHERE name = 'frequencies'", nil, &b)
	if err == nil && ok {
		if b, err = decompress(b); err == nil {
			err = f.UnmarshalBinary(b)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: frequencies: %w", ErrDamaged, err)
	}
	ids, err := s.db.numbers("SELECT node FROM vectors WHERE node > ? ORDER BY node", s.saved)
	if err != nil {
		return err
	}
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

// Commit makes what was added durable.
func (s *Store) Commit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	return s.commit()
}

// Close commits and closes the file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.err
	switch err {
	case errClosed:
		return nil
	case nil:
		err = s.commit()
	}
	s.err = errClosed
	return errors.Join(err, s.db.close())
}

// fail keeps an error of a write: what is in memory may be ahead of the file.
func (s *Store) fail(err error) error {
	if err == nil {
		return nil
	}
	s.db.rollback()
	err = damaged(err)
	if s.err = s.explain(err); !errors.Is(err, ErrDamaged) {
		s.err = fmt.Errorf("%w; what was committed is safe: open it again to go on", s.err)
	}
	return s.err
}

// begin begins the transaction that Add writes to, if there is none.
func (s *Store) begin(ctx context.Context) error {
	if err := cmp.Or(ctx.Err(), s.err); err != nil {
		return err
	}
	if s.db.readOnly {
		return fmt.Errorf("%s: %w", s.path, ErrReadOnly)
	}
	if s.freq == nil {
		if err := s.loadFrequencies(); err != nil {
			return s.fail(err)
		}
	}
	return s.fail(s.db.begin())
}

// commit commits the open transaction, if there is one.
func (s *Store) commit() error {
	if !s.db.writing {
		return nil
	}
	err := s.save()
	if err == nil {
		err = s.db.Exec("COMMIT")
	}
	if err == nil {
		s.db.writing, s.pending = false, 0
	}
	return s.fail(err)
}

// save writes what is kept in memory until a commit.
func (s *Store) save() error {
	if err := s.buckets.write(s.db); err != nil {
		return err
	}
	if err := s.postings.write(s.db); err != nil {
		return err
	}
	const set = "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)"
	if s.lastNode-s.saved >= countAt {
		b, err := s.freq.MarshalBinary()
		if err == nil {
			err = s.db.Exec(set, "frequencies", compress(b))
		}
		if err == nil {
			s.saved = s.lastNode
			err = s.db.Exec(set, "saved", s.saved)
		}
		if err != nil {
			return err
		}
	}
	return s.db.Exec(set, "latest", s.latest)
}
