// Package twopass learns sites from many pages in such a way that the order in
// which the pages come makes no difference: of every site it keeps the pages
// whose observations have the smallest hashes, and when all pages are seen it
// learns from those, in the order of the hashes.
//
// What is kept is in an SQLite file, so that memory is bounded and a pass may be
// broken off: a page that is added again changes nothing.
package twopass

import (
	"context"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the driver

	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

//go:embed sample.sql
var schema string

// Pages is how many pages of a site are learned from. After twenty a profile
// has forgotten the first; more than these would change nothing.
const Pages = 64

// Sample is the pages that sites are learned from. It is safe for concurrent
// use.
type Sample struct {
	db *sql.DB

	mu    sync.Mutex
	tx    *sql.Tx
	sites map[string]*kept
}

// kept is what is known of a site's pages without looking them up.
type kept struct {
	count int
	last  int64 // the largest hash
}

// Open opens the file, or makes it.
func Open(path string) (*Sample, error) {
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()}
	address.RawQuery = "_pragma=journal_mode(DELETE)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)"
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Sample{db: db, sites: map[string]*kept{}}, nil
}

// Remove removes the file, if it is there.
func Remove(path string) error {
	var errs []error
	for _, f := range []string{path, path + "-journal"} {
		if err := os.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Add takes a page of a site, and keeps it if its hash is small enough.
func (s *Sample) Add(name string, o *site.Observation) error {
	data, err := o.MarshalBinary()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(append([]byte(name+"\x00"), data...))
	hash := int64(binary.BigEndian.Uint64(sum[:8]))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tx == nil {
		if s.tx, err = s.db.Begin(); err != nil {
			return err
		}
	}
	k := s.sites[name]
	if k == nil {
		k = &kept{}
		if err := s.look(name, k); err != nil {
			return err
		}
		s.sites[name] = k
	}
	if k.count >= Pages && hash >= k.last {
		return nil
	}
	if _, err := s.tx.Exec("INSERT OR IGNORE INTO sample VALUES (?, ?, ?)", name, hash, data); err != nil {
		return err
	}
	if k.count >= Pages {
		if _, err := s.tx.Exec("DELETE FROM sample WHERE site = ? AND hash NOT IN (SELECT hash FROM sample WHERE site = ? ORDER BY hash LIMIT ?)", name, name, Pages); err != nil {
			return err
		}
	}
	return s.look(name, k)
}

func (s *Sample) look(name string, k *kept) error {
	return s.tx.QueryRow("SELECT count(*), coalesce(max(hash), 0) FROM sample WHERE site = ?", name).Scan(&k.count, &k.last)
}

// Commit makes what was added safe.
func (s *Sample) Commit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commit()
}

func (s *Sample) commit() error {
	if s.tx == nil {
		return nil
	}
	err := s.tx.Commit()
	s.tx = nil
	return err
}

// Fold learns every site from its pages, into a store, on top of what is known
// there. A site that was folded before, in a pass that was broken off, is left.
func (s *Sample) Fold(ctx context.Context, into store.Store) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.commit(); err != nil {
		return err
	}
	// Sites are folded in the order of their names; the last one is noted.
	var name string
	err := s.db.QueryRowContext(ctx, "SELECT coalesce(max(site), '') FROM folded").Scan(&name)
	for err == nil {
		if err = s.db.QueryRowContext(ctx, "SELECT site FROM sample WHERE site > ? ORDER BY site LIMIT 1", name).Scan(&name); err != nil {
			break
		}
		err = s.fold(ctx, name, into)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

func (s *Sample) fold(ctx context.Context, name string, into store.Store) error {
	p, err := into.Profile(ctx, name)
	if err != nil {
		return err
	}
	if err := s.replay(ctx, name, p); err != nil {
		return err
	}
	if err := into.Put(ctx, p); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO folded VALUES (?)", name)
	return err
}

func (s *Sample) replay(ctx context.Context, name string, p *site.Profile) error {
	rows, err := s.db.QueryContext(ctx, "SELECT data FROM sample WHERE site = ? ORDER BY hash", name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var data sql.RawBytes
		if err := rows.Scan(&data); err != nil {
			return err
		}
		o := new(site.Observation)
		if err := o.UnmarshalBinary(data); err != nil {
			return fmt.Errorf("the sample of %s: %w", name, err)
		}
		p.Add(o)
	}
	return rows.Err()
}

// Close closes the file; what was not committed is gone.
func (s *Sample) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tx != nil {
		_ = s.tx.Rollback() // the file is closed next, whatever it says
		s.tx = nil
	}
	return s.db.Close()
}
