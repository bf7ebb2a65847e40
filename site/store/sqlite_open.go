package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"time"

	"github.com/lede-news/lede/internal/sqlite"
	"github.com/lede-news/lede/site"
)

// Every process that has the file open holds a shared lock on a file beside it.
// A process that gets the exclusive lock may replace the file. The lock is a file
// of its own because opening and closing the database outside SQLite would release
// the locks of SQLite.
const lockSuffix = "-lock"

func openSQLite(path string, opts Options) (*sqliteStore, error) {
	s := &sqliteStore{path: path, opts: opts, cache: newCache[record](opts.CacheBytes)}
	if opts.ReadOnly {
		return s.openReadOnly()
	}
	if err := checkMagic(path); err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s.lock = newLock(path + lockSuffix)
	if _, err := s.lock.TryRLock(); err != nil {
		return nil, cannotWrite(path, err)
	}
	var err error
	if s.db, err = s.connect(nil, nil); err != nil {
		s.lock.Close()
		if errors.Is(err, ErrNotStore) {
			os.Remove(path + lockSuffix) // leave nothing beside a file that is not ours
		}
		return nil, explain(path, err)
	}
	return s, nil
}

func (s *sqliteStore) openReadOnly() (*sqliteStore, error) {
	db, stale, err := openReadOnly(s.path)
	if err != nil {
		return nil, explain(s.path, err)
	}
	if stale {
		s.opts.Report(fmt.Errorf("store %s: the latest pages are in %s-wal, which cannot be read on this disk; they are not lost", s.path, s.path))
	}
	s.db = db
	return s, nil
}

// checkMagic refuses files that never were a store, so that other files are not
// taken for a broken one. A lock beside the file shows that it was a store.
func checkMagic(path string) error {
	if _, err := os.Stat(path + lockSuffix); err == nil {
		return nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	n, err := io.ReadFull(f, head)
	if n == 0 && err == io.EOF {
		return nil // SQLite treats an empty file as new
	}
	if string(head[:n]) != magic {
		return fmt.Errorf("%w: it is not an SQLite file; name another path, or a folder", ErrNotStore)
	}
	return nil
}

// connect opens the file. If it is the broken one, or opening shows that it is
// broken, it is moved aside and replaced by a new file with everything that can
// still be read.
func (s *sqliteStore) connect(broken os.FileInfo, cause error) (*database, error) {
	// Another process may replace the file at any time, so each attempt checks
	// whether it is still the broken one.
	isBroken := func() bool {
		now, err := os.Stat(s.path)
		return broken != nil && err == nil && os.SameFile(now, broken)
	}
	for deadline := time.Now().Add(lockTimeout); ; time.Sleep(lockRetry) {
		lock, exclusive := s.lock.TryRLock, isBroken()
		if exclusive {
			lock = s.lock.TryLock
		}
		switch ok, err := lock(); {
		case err != nil:
			return nil, err
		case !ok && time.Now().After(deadline) && exclusive:
			return nil, fmt.Errorf("%w; other processes have it open: stop them, so that it can be rebuilt", cause)
		case !ok && time.Now().After(deadline):
			return nil, ErrBusy
		case !ok:
			continue
		}
		var db *database
		var err error
		if !exclusive {
			db, err = openDatabase(s.path, s.opts)
		} else if isBroken() {
			db, err = s.replaceBroken(cause)
		} else {
			s.lock.Unlock()
			continue
		}
		if !isCorruptFile(err) || exclusive {
			return db, err
		}
		s.lock.Unlock() // a file is replaced only by the process that has it alone
		cause = err
		if broken, err = os.Stat(s.path); err != nil {
			return nil, errors.Join(cause, err)
		}
	}
}

// replaceBroken moves the file aside and opens a new one with what could be
// read. It needs the exclusive lock and returns with a shared one.
func (s *sqliteStore) replaceBroken(cause error) (*database, error) {
	aside, err := moveAside(s.path)
	if err != nil {
		return nil, fmt.Errorf("%w; it cannot be moved aside: %w", cause, err)
	}
	db, err := openDatabase(s.path, s.opts)
	if err != nil {
		return nil, err
	}
	n, err := salvage(db, aside)
	s.opts.Report(fmt.Errorf("store %s: %w: the file was broken and is now %s; %d sites could be read and were kept, others are learned again: %w",
		s.path, site.ErrCorrupt, aside, n, errors.Join(cause, err)))
	s.lock.Unlock()
	if err := waitLock(context.Background(), s.lock.TryRLockContext); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// rebuild replaces a file that SQLite found broken, unless another goroutine has
// done so.
func (s *sqliteStore) rebuild(broken *database, cause error) error {
	s.open.Lock()
	defer s.open.Unlock()
	if s.db == nil {
		return errClosed
	}
	if s.db != broken {
		return nil
	}
	file, err := os.Stat(s.path)
	if err != nil {
		return errors.Join(cause, err)
	}
	s.db.close()
	s.lock.Unlock()
	db, err := s.connect(file, cause)
	if err != nil {
		// Lookups of what is not broken go on.
		s.lock.Unlock()
		s.lock.TryRLock()
		db, _ = openDatabase(s.path, s.opts)
	}
	s.db = db
	return err
}

// moveAside renames the file and its write-ahead log. The log goes first: if it
// stayed, it would be taken for that of the new file.
func moveAside(path string) (string, error) {
	aside, err := freeName(path)
	if err != nil {
		return "", err
	}
	for _, suffix := range []string{"-wal", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
	}
	return aside, remove(path + "-shm")
}

const maxCorrupt = 100 // rows that are kept in the table corrupt

// setAside moves rows that cannot be read into the table corrupt.
func (db *statements) setAside(name string, bad []damage) error {
	for _, d := range bad {
		if _, err := db.exec("INSERT INTO corrupt (name, why, data) VALUES (?, ?, ?)", name, d.err.Error(), d.data); err != nil {
			return err
		}
		var err error
		if d.row == 0 {
			_, err = db.exec("UPDATE sites SET data = NULL, pages = 0 WHERE id = ?", d.site)
		} else {
			_, err = db.exec("DELETE FROM log WHERE id = ?", d.row)
		}
		if err != nil {
			return err
		}
	}
	if len(bad) == 0 {
		return nil
	}
	_, err := db.exec("DELETE FROM corrupt WHERE id <= (SELECT max(id) FROM corrupt) - ?", maxCorrupt)
	return err
}

// repair sets aside what a lookup could not read.
func (s *sqliteStore) repair(ctx context.Context, name string, r *record) error {
	r.forget() // so that the damage is found again, inside the transaction
	return s.update(ctx, name, func(*statements, *record) error { return nil })
}

func (s *sqliteStore) report(name string, bad []damage, kept string) {
	for _, d := range bad {
		what, then := "a page in the log", "that page is lost"
		if d.row == 0 {
			what, then = "the profile", "it is learned again from new pages"
		}
		s.opts.Report(fmt.Errorf("store %s: %s of %s cannot be read and %s; %s: %w", s.path, what, name, kept, then, d.err))
	}
}

// salvage copies what can be read from a broken file, site by site, and returns
// the number of sites. It reads the tables by id, because an index may be broken
// as well.
func salvage(to *database, path string) (sites int, err error) {
	// With writable_schema SQLite reads the beginning of a truncated file.
	name, err := sqlite.DSN(path, "mode=rw", "_pragma=writable_schema(1)")
	if err != nil {
		return 0, err
	}
	from, err := sql.Open("sqlite", name)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	from.SetMaxOpenConns(1)
	found := make(map[string]bool) // a broken file may have a site twice
	err = to.transaction(func(db *statements) error {
		for id := range readableSites(from) {
			if p := readSite(from, id); p != nil {
				if err := db.put(p); err != nil {
					return err
				}
				found[p.Name()] = true
			}
		}
		return nil
	})
	return len(found), err
}

// readableSites returns the ids of the sites, the newest first. Where SQLite stops
// at a broken page, it skips ids in steps that double.
func readableSites(from *sql.DB) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		var before int64
		if from.QueryRow("SELECT seq + 1 FROM sqlite_sequence WHERE name = 'sites'").Scan(&before) != nil {
			before = math.MaxInt64
		}
		for skip := int64(0); skip <= before/2; {
			var id int64
			switch err := from.QueryRow("SELECT id FROM sites WHERE id < ? ORDER BY id DESC LIMIT 1", before-skip).Scan(&id); err {
			case nil:
				if !yield(id) {
					return
				}
				before, skip = id, 0
			case sql.ErrNoRows:
				return
			default:
				skip = max(1, 2*skip)
			}
		}
	}
}

// readSite reads what is left of the snapshot and the log of a site. It returns nil
// if the name cannot be read.
func readSite(from *sql.DB, id int64) *site.Profile {
	var name string
	if err := from.QueryRow("SELECT name FROM sites WHERE id = ?", id).Scan(&name); err != nil {
		return nil
	}
	s := state{p: site.New(name)}
	var data []byte
	if err := from.QueryRow("SELECT data FROM sites WHERE id = ?", id).Scan(&data); err == nil {
		s.restore(data) // if the snapshot is broken, the log may not be
	}
	rows, err := from.Query("SELECT data FROM log WHERE site = ? ORDER BY id", id)
	if err != nil {
		return s.p
	}
	defer rows.Close()
	for rows.Next() {
		o := new(site.Observation)
		if rows.Scan(&data) == nil && o.UnmarshalBinary(data) == nil {
			s.p.Add(o)
		}
	}
	return s.p
}
