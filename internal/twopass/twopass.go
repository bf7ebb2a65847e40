// Package twopass learns about sites from many pages, independently of their order.
// Of every site it keeps the observations with the smallest hashes. After the last
// page it learns from these, in the order of the hashes.
//
// The observations are kept in an SQLite file, so that memory is bounded and a pass
// can be resumed: adding a page twice has no effect.
package twopass

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/output/sqlite"
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
	named map[string]bool
}

// summary describes the observations of a site in the file.
type summary struct {
	count   int
	maxHash int64
}

// ErrDamaged means that a file is damaged. The first pass must begin again.
var ErrDamaged = errors.New("the sample of the first pass is damaged")

// checkTime limits the check of a file. One that is too large to be checked in time
// is taken for sound, and what cannot be read is found when it is used.
const checkTime = 5 * time.Second

// Open opens a file, and creates it if it does not exist.
func Open(path string) (*Sample, error) {
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	err = sqlite.Check(ctx, db)
	if err == nil || ctx.Err() != nil {
		_, err = db.Exec(schema)
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", path, damaged(err))
	}
	return &Sample{db: db, sites: map[string]*summary{}, named: map[string]bool{}}, nil
}

// damaged wraps an error that means that the file is damaged.
func damaged(err error) error {
	if sqlite.IsDamaged(err) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// SetAside renames a damaged file, so that it is kept, and returns its new name.
func SetAside(path string) (string, error) { return sqlite.SetAside(path) }

// Remove removes a file, if it exists.
func Remove(path string) error { return sqlite.Remove(path) }

// Add adds an observation of a site, if its hash is small enough.
func (s *Sample) Add(name string, o *site.Observation) error { return damaged(s.add(name, o)) }

func (s *Sample) add(name string, o *site.Observation) error {
	n, err := newObservation(name, o)
	if err != nil {
		return err
	}
	name = n.Site
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(); err != nil {
		return err
	}
	known := s.sites[name]
	if known == nil {
		known = &summary{}
		if err := s.summarize(name, known); err != nil {
			return err
		}
		s.sites[name] = known
	}
	if known.count >= sitePages && n.Hash >= known.maxHash {
		return nil
	}
	if _, err := s.tx.Exec("INSERT OR IGNORE INTO sample VALUES (?, ?, ?)", name, n.Hash, n.Data); err != nil {
		return err
	}
	if known.count >= sitePages {
		if _, err := s.tx.Exec("DELETE FROM sample WHERE site = ? AND hash NOT IN (SELECT hash FROM sample WHERE site = ? ORDER BY hash LIMIT ?)", name, name, sitePages); err != nil {
			return err
		}
	}
	return s.summarize(name, known)
}

// AddName adds a site of which a page could not be observed. The second pass may look
// it up all the same.
func (s *Sample) AddName(name string) error {
	name = validName(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named[name] {
		return nil
	}
	if err := s.begin(); err != nil {
		return damaged(err)
	}
	if _, err := s.tx.Exec("INSERT OR IGNORE INTO named VALUES (?)", name); err != nil {
		return damaged(err)
	}
	s.named[name] = true
	return nil
}

func (s *Sample) begin() (err error) {
	if s.tx == nil {
		s.tx, err = s.db.Begin()
	}
	return err
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
	return damaged(err)
}

// Fold adds the observations to the profiles in a store. It skips sites that were
// folded before an interruption. Observations that are damaged are left out; it
// returns their number.
func (s *Sample) Fold(ctx context.Context, into *store.Store) (lost int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.commit(); err != nil {
		return 0, err
	}
	// Sites are folded in the order of their names, so that the last one is enough.
	var last string
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(site), '') FROM folded").Scan(&last)
	for err == nil {
		if last, err = s.next(ctx, "sample", last); err != nil || last == "" {
			break
		}
		var n int
		n, err = s.fold(ctx, last, into)
		lost += n
	}
	return lost, damaged(err)
}

// next returns the first site of a table after another one, or "".
func (s *Sample) next(ctx context.Context, table, after string) (name string, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT site FROM "+table+" WHERE site > ? ORDER BY site LIMIT 1", after).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err == nil && name <= after { // a damaged file could go round in circles
		err = fmt.Errorf("%w: sites are out of order", ErrDamaged)
	}
	return name, err
}

// Each calls do with the observations, sorted by site, then by hash. A site of which
// only the name is known has one without data. Observations that are damaged are left
// out; it returns their number.
func (s *Sample) Each(ctx context.Context, do func(Observation) error) (lost int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.commit(); err != nil {
		return 0, err
	}
	observed, err := s.next(ctx, "sample", "")
	if err != nil {
		return 0, damaged(err)
	}
	named, err := s.next(ctx, "named", "")
	for err == nil && (observed != "" || named != "") {
		switch {
		case observed == "" || named != "" && named < observed:
			if err = do(Observation{Site: named}); err == nil {
				named, err = s.next(ctx, "named", named)
			}
		case named == observed:
			named, err = s.next(ctx, "named", named)
		default:
			var n int
			n, err = s.eachOf(ctx, observed, do)
			if lost += n; err == nil {
				observed, err = s.next(ctx, "sample", observed)
			}
		}
	}
	return lost, damaged(err)
}

// eachOf calls do with the observations of a site.
func (s *Sample) eachOf(ctx context.Context, name string, do func(Observation) error) (lost int, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT hash, data FROM sample WHERE site = ? ORDER BY hash LIMIT ?", name, sitePages)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		o := Observation{Site: name}
		if err := rows.Scan(&o.Hash, &o.Data); err != nil {
			return lost, err
		}
		if o.Check() != nil {
			lost++
		} else if err := do(o); err != nil {
			return lost, err
		}
	}
	return lost, rows.Err()
}

// fold adds the observations of a site. The store ignores those that it has.
func (s *Sample) fold(ctx context.Context, name string, into *store.Store) (lost int, err error) {
	var all Smallest
	lost, err = s.eachOf(ctx, name, func(o Observation) error {
		all = append(all, o)
		return nil
	})
	if err == nil {
		err = all.learn(ctx, name, into)
	}
	if err == nil {
		_, err = s.db.ExecContext(ctx, "INSERT INTO folded VALUES (?)", name)
	}
	return lost, err
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
