// Package store keeps an index of news articles in a SQLite file. It tells which
// articles are copies of one another, and which tell the same story in other words.
//
// One process writes at a time; others may read meanwhile. What was committed survives
// a crash. Memory does not depend on the number of articles, and neither does the cost
// of adding one, so that an index can run for years.
//
// Copies depend only on the set of articles, not on the order in which they are added.
// The original of an article is found by going from copy to copy: the parent of an
// article is, among the articles with shared text that precede it, the one that shares
// most. What precedes is decided by date, or by when it was first seen if there is none,
// then by length. A text with many near copies is compared with some of them only.
//
// Stories depend on the order: articles have to be added in order of time. An article
// that is no copy joins the story within the window that is most like it, or opens one.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

var (
	// ErrLocked means that another process writes to the file.
	ErrLocked = errors.New("another process writes to the file")
	// ErrDamaged means that the file is damaged.
	ErrDamaged = errors.New("the file is damaged")
	// ErrNotStore means that the file is not an index of articles, or of a newer version.
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
	// Log receives what is worth knowing about the file, and dates that are not believed
	// (default: nothing).
	Log *slog.Logger

	flushAt, commitAt, countAt int // in tests, other numbers than the constants
}

// Store is an index of articles. Its methods may be called concurrently.
type Store struct {
	path   string
	opts   Options
	window int64 // in ms
	log    *slog.Logger
	coder  *coder

	mu      sync.Mutex
	db      *database
	err     error // of a write; nothing is written after it
	closed  bool
	pending int // articles that are not committed

	counters
	freq     *stories.Frequencies // nil until it is needed
	saved    int64                // the last node whose terms are in the frequencies of the file
	buckets  *lists
	postings *lists
	flush    flusher
	nodes    *cache[int64, *node]
	shingles *cache[int64, *stories.Shingles]
	vectors  *cache[int64, *stories.Vector]
	shared   map[uint32]int // scratch memory of copiesOf

	clusterer placing.Clusterer
}

// counters number what is added.
type counters struct {
	article, node, family int64 // the last ones
	latest                int64 // time of the latest article
}

// Sizes of the caches, in bytes.
const (
	cacheNodes    = 80 << 20
	cacheShingles = 224 << 20
	cacheVectors  = 64 << 20
)

// Open opens an index, and creates it if there is none. The caller closes it.
func Open(path string, opts Options) (*Store, error) {
	switch {
	case opts.Window < 0 || opts.Window > placing.MaxWindow:
		return nil, fmt.Errorf("window %v: use one of up to %v", opts.Window, placing.MaxWindow)
	case opts.Window == 0:
		opts.Window = DefaultWindow
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.flushAt, opts.commitAt, opts.countAt = cmp.Or(opts.flushAt, flushAt), cmp.Or(opts.commitAt, commitAt), cmp.Or(opts.countAt, countAt)
	coder, err := newCoder()
	if err != nil {
		return nil, err
	}
	s := &Store{
		path: path, opts: opts, window: opts.Window.Milliseconds(), log: opts.Log, coder: coder,
		nodes:    newCache[int64, *node](cacheNodes),
		shingles: newCache[int64, *stories.Shingles](cacheShingles),
		vectors:  newCache[int64, *stories.Vector](cacheVectors),
		shared:   map[uint32]int{},
		buckets:  newLists("buckets", placing.MaxBucket, keepFirst),
		postings: newLists("postings", placing.MaxPosting, keepLast),
	}
	if s.db, err = openDatabase(path, opts.ReadOnly); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, explain(err)), s.db.close())
	}
	return s, nil
}

// Commit makes what was added durable.
func (s *Store) Commit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	return s.commit()
}

// Close commits and closes the file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	err := s.err
	if err == nil {
		err = s.commit()
	}
	s.closed = true
	return errors.Join(err, s.db.close())
}

// usable returns an error if nothing more can be done.
func (s *Store) usable() error {
	if s.closed {
		return errClosed
	}
	return s.err
}

// commitAt is how many articles are added before the store commits by itself, so that
// the write-ahead log stays small.
const commitAt = 2048

// fail keeps an error of a write: what is in memory may be ahead of the file.
func (s *Store) fail(err error) error {
	if err != nil {
		s.err = fmt.Errorf("%s: %w; what was committed is safe: open it again to go on", s.path, explain(err))
		s.db.rollback()
		return s.err
	}
	return nil
}

// commit commits the open transaction, if there is one.
func (s *Store) commit() error {
	if !s.db.writing {
		return nil
	}
	err := s.save()
	if err == nil {
		err = s.db.commit()
	}
	s.pending = 0
	return s.fail(err)
}

// begin begins the transaction that Add writes to, if there is none.
func (s *Store) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.usable(); err != nil {
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
