// Package store keeps the profiles of sites from one run to the next, in one SQLite
// file that any number of processes may share.
//
// Each page is added in a transaction of its own. A crash of the process loses
// only the page being added; a crash of the machine may lose the last seconds.
//
// A profile is a cache: one that cannot be read is reported and learned again from
// new pages. A damaged file is renamed to FILE.damaged, reported, and replaced by an
// empty one.
package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/site"
)

// Options are the settings of a store.
type Options struct {
	// ReadOnly opens the store for lookups only. Nothing is written, not even a
	// lock, so that the disk may be read-only. Add, Put and Forget return an error.
	ReadOnly bool

	// Report is called with each profile and file that is found damaged. It may be
	// called concurrently. Nil discards.
	Report func(error)
}

var (
	// ErrNotFound means that nothing is stored under that name.
	ErrNotFound = errors.New("no such site in the store")
	// ErrNotStore means that the file is not a site store.
	ErrNotStore = errors.New("not a site store of this version of lede; name another file")
)

// Store keeps profiles by the name of their site; see [SiteName]. It is safe for
// concurrent use.
type Store struct {
	path string
	opts Options

	mu    sync.Mutex
	file  *file // replaced when it is damaged
	cache map[string]*entry
}

// entry is a profile in memory. It is compared with the file before it is used, so
// that it does no harm to evict one that is in use.
type entry struct {
	mu      sync.RWMutex
	version int64 // 0 if the file has no such profile
	profile *site.Profile
}

// Open opens the SQLite file at path, and creates it if there is none. If the path is
// empty, the store is in memory.
func Open(path string, opts Options) (*Store, error) {
	if opts.Report == nil {
		opts.Report = func(error) {}
	}
	s := &Store{path: path, opts: opts}
	err := s.reopen()
	if sqlite.IsDamaged(err) && !opts.ReadOnly {
		err = s.setAside(err)
		if err == nil {
			err = s.reopen()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("site store %s: %w", path, err)
	}
	return s, nil
}

// use calls f with the open file. If that is damaged, it is replaced by an empty one,
// and f is called again.
func (s *Store) use(f func(*file) error) error {
	now, err := s.current(nil, nil)
	if err == nil {
		err = f(now)
	}
	if sqlite.IsDamaged(err) && !s.opts.ReadOnly {
		if now, err = s.current(now, err); err == nil {
			err = f(now)
		}
	}
	if err != nil {
		return fmt.Errorf("site store %s: %w", s.path, err)
	}
	return nil
}

// current returns the open file. It is opened again if it is the one that was found
// damaged, or if another process has found it damaged and replaced it.
func (s *Store) current(damaged *file, cause error) (*file, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	isThere := s.path == "" || s.opts.ReadOnly || s.file.isAt(s.path)
	if isThere && s.file != damaged {
		return s.file, nil
	}
	s.file.close()
	if isThere {
		if err := s.setAside(cause); err != nil {
			return nil, err
		}
	}
	err := s.reopen()
	return s.file, err
}

// reopen opens the file at the path.
func (s *Store) reopen() error {
	now, err := openFile(s.path, s.opts.ReadOnly)
	if err == nil {
		s.file, s.cache = now, map[string]*entry{}
	}
	return err
}

// setAside renames a damaged file.
func (s *Store) setAside(cause error) error {
	aside, err := setAside(s.path)
	if err != nil {
		return fmt.Errorf("%w; it cannot be renamed: %w", cause, err)
	}
	s.opts.Report(fmt.Errorf("site store %s is damaged and is now %s; sites are learned again: %w", s.path, aside, cause))
	return nil
}

// View calls f with the profile of a site, which is empty if the site is not known.
// It copies nothing and is the way to use a profile for every page. f must neither
// keep nor change the profile, nor call the store.
func (s *Store) View(ctx context.Context, name string, f func(*site.Profile)) error {
	name = site.New(name).Name()
	e := s.entry(name)
	err := s.use(func(file *file) error { return s.refresh(ctx, file.readers, name, e) })
	if err != nil {
		return err
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	f(e.profile)
	return nil
}

// Profile returns a copy of the profile of a site. The error is ErrNotFound if there
// is none.
func (s *Store) Profile(ctx context.Context, name string) (*site.Profile, error) {
	p := new(site.Profile)
	return p, s.use(func(file *file) error {
		var data []byte
		err := file.readers.QueryRowContext(ctx, "SELECT profile FROM sites WHERE name = ?", name).Scan(&data)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: %s", ErrNotFound, name)
		}
		if err == nil {
			err = json.Unmarshal(data, p)
		}
		return err
	})
}

// Add learns from a page, and reports whether it did. If it returns an error, the page
// is not stored.
func (s *Store) Add(ctx context.Context, name string, o *site.Observation) (learned bool, err error) {
	name = site.New(name).Name()
	e := s.entry(name)
	err = s.change(ctx, func(tx *sql.Tx) error {
		if err := s.refresh(ctx, tx, name, e); err != nil {
			return err
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if learned = e.profile.Add(o); !learned {
			return nil
		}
		e.version = -1 // to be read again unless the page is stored
		version, err := write(ctx, tx, name, e.profile)
		if err == nil {
			err = tx.Commit()
		}
		if err == nil {
			e.version = version
		}
		return err
	})
	return learned, err
}

// Put stores a profile and replaces one with the same name.
func (s *Store) Put(ctx context.Context, p *site.Profile) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if _, err := write(ctx, tx, p.Name(), p); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Forget removes the profile of a site. The error is ErrNotFound if there is none.
func (s *Store) Forget(ctx context.Context, name string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, "DELETE FROM sites WHERE name = ?", name)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); n == 0 && err == nil {
			return fmt.Errorf("%w: %s", ErrNotFound, name)
		}
		return tx.Commit()
	})
}

// Info is an entry in the list of sites.
type Info struct {
	Name  string // of the site
	Pages int    // learned from
	Bytes int    // stored size
}

// Sites lists the sites, sorted by name.
func (s *Store) Sites(ctx context.Context) (list []Info, err error) {
	err = s.use(func(file *file) error {
		list = nil
		rows, err := file.readers.QueryContext(ctx, "SELECT name, pages, length(profile) FROM sites ORDER BY name")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var i Info
			if err := rows.Scan(&i.Name, &i.Pages, &i.Bytes); err != nil {
				return err
			}
			list = append(list, i)
		}
		return rows.Err()
	})
	return list, err
}

// Close closes the store. All pages are stored before it is called.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.close()
}

// change runs f in a transaction, which f commits. It has the write lock of the file, so that
// nobody else changes what f reads.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	return s.use(func(file *file) error {
		if file.writer == nil {
			return errors.New("the store is open for lookups only")
		}
		tx, err := file.writer.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		return f(tx)
	})
}

// write stores a profile.
func write(ctx context.Context, tx *sql.Tx, name string, p *site.Profile) (version int64, err error) {
	data, err := p.MarshalJSON() // json.Marshal would check it once more
	if err != nil {
		return 0, err
	}
	version = rand.Int64N(1<<62) + 1
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO sites VALUES (?, ?, ?, ?)", name, version, p.Pages(), string(data))
	return version, err
}

// refresh brings an entry up to date with the file.
func (s *Store) refresh(ctx context.Context, db querier, name string, e *entry) error {
	e.mu.RLock()
	known := e.version
	e.mu.RUnlock()
	var version int64
	var data []byte
	err := db.QueryRowContext(ctx, "SELECT version, iif(version = ?, NULL, profile) FROM sites WHERE name = ?", known, name).Scan(&version, &data)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if version == known {
		return nil
	}
	p := site.New(name)
	if data != nil {
		if err := json.Unmarshal(data, p); err != nil {
			s.opts.Report(fmt.Errorf("site store %s: the profile of %s is damaged and is learned again: %w", s.path, name, err))
			p = site.New(name)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.profile, e.version = p, version
	return nil
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// maxCached is how many profiles are kept in memory. They have some 20 KB each.
const maxCached = 4096

// entry returns the profile of that name in memory, an empty one if there is none.
func (s *Store) entry(name string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.cache[name]
	if e == nil {
		if len(s.cache) >= maxCached {
			clear(s.cache)
		}
		e = &entry{profile: site.New(name)}
		s.cache[name] = e
	}
	return e
}
