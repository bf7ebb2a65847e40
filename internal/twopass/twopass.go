// Package twopass learns about sites from many pages, independently of their order.
// Of every site it keeps the observations with the smallest hashes. After the last
// page it learns from these, in the order of the hashes.
//
// The observations are kept in an SQLite file, so that memory is bounded and a pass
// can be resumed: adding a page twice has no effect.
package twopass

import (
	"context"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/lede-news/lede/internal/sqlite"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

//go:embed sample.sql
var schema string

// sitePages is the number of observations that are kept of a site. A profile
// forgets its first page after about twenty, so that more would change nothing.
const sitePages = 64

// Sample is a file of observations. It is safe for concurrent use.
type Sample struct {
	db *sql.DB

	mu    sync.Mutex
	tx    *sql.Tx
	sites map[string]*summary
}

// summary describes the observations of a site in the file.
type summary struct {
	count   int
	maxHash int64
}

// Open opens a file, and creates it if it does not exist.
func Open(path string) (*Sample, error) {
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Sample{db: db, sites: map[string]*summary{}}, nil
}

// Remove removes a file, if it exists.
func Remove(path string) error { return sqlite.Remove(path) }

// Add adds an observation of a site, if its hash is small enough.
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
	known := s.sites[name]
	if known == nil {
		known = &summary{}
		if err := s.summarize(name, known); err != nil {
			return err
		}
		s.sites[name] = known
	}
	if known.count >= sitePages && hash >= known.maxHash {
		return nil
	}
	if _, err := s.tx.Exec("INSERT OR IGNORE INTO sample VALUES (?, ?, ?)", name, hash, data); err != nil {
		return err
	}
	if known.count >= sitePages {
		if _, err := s.tx.Exec("DELETE FROM sample WHERE site = ? AND hash NOT IN (SELECT hash FROM sample WHERE site = ? ORDER BY hash LIMIT ?)", name, name, sitePages); err != nil {
			return err
		}
	}
	return s.summarize(name, known)
}

func (s *Sample) summarize(name string, sum *summary) error {
	return s.tx.QueryRow("SELECT count(*), coalesce(max(hash), 0) FROM sample WHERE site = ?", name).Scan(&sum.count, &sum.maxHash)
}

// Commit makes the observations that were added survive a crash of the machine.
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

// Fold adds the observations to the profiles in a store. It skips sites that were
// folded before an interruption.
func (s *Sample) Fold(ctx context.Context, into store.Store) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.commit(); err != nil {
		return err
	}
	// Sites are folded in the order of their names, so that the last one is enough.
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

// Close closes the file. Observations that were not committed are lost.
func (s *Sample) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tx != nil {
		_ = s.tx.Rollback() // SQLite rolls back anyway when the file is opened again
		s.tx = nil
	}
	return s.db.Close()
}
