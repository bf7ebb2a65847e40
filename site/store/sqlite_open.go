package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sqlite"
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
	if s.db, err = s.connect(context.Background(), nil, nil); err != nil {
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
	ok, err := sqlite.IsFile(path)
	if err == nil && !ok {
		err = fmt.Errorf("%w: it is not an SQLite file; name another path, or a folder", ErrNotStore)
	}
	return err
}

// connect opens the file. If it is the broken one, or opening shows that it is
// broken, it is moved aside and replaced by a new file with everything that can
// still be read.
func (s *sqliteStore) connect(ctx context.Context, broken os.FileInfo, cause error) (*database, error) {
	// Another process may replace the file at any time, so each attempt checks
	// whether it is still the broken one.
	isBroken := func() bool {
		now, err := os.Stat(s.path)
		return broken != nil && err == nil && os.SameFile(now, broken)
	}
	for deadline := time.Now().Add(lockTimeout); ; time.Sleep(lockRetry) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
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
			db, err = s.replaceBroken(ctx, cause)
		} else {
			s.lock.Unlock()
			continue
		}
		if !exclusive && sqlite.Code(err) == sqlite3.SQLITE_BUSY && time.Now().Before(deadline) {
			continue // several processes make the file: SQLite does not wait for the write-ahead log to be set up
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

// replaceBroken moves the file aside and puts a new one with what could be read in
// its place. Until that is complete the broken file stays, so that nothing is lost
// if the process is killed. It needs the exclusive lock and returns with a shared
// one.
func (s *sqliteStore) replaceBroken(ctx context.Context, cause error) (*database, error) {
	rebuilt := s.path + ".rebuilt"
	if err := removeDatabase(rebuilt); err != nil {
		return nil, fmt.Errorf("%w; it cannot be rebuilt: %w", cause, err)
	}
	db, err := openDatabase(rebuilt, s.opts)
	if err != nil {
		return nil, fmt.Errorf("%w; it cannot be rebuilt: %w", cause, err)
	}
	n, unread := salvage(ctx, db, s.path, s.inMemory())
	err = db.close()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(cause, err, removeDatabase(rebuilt))
	}
	aside, err := moveAside(s.path)
	if err == nil {
		err = os.Rename(rebuilt, s.path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; it cannot be moved aside: %w", cause, err)
	}
	if db, err = openDatabase(s.path, s.opts); err != nil {
		return nil, err
	}
	s.opts.Report(fmt.Errorf("store %s: %w: the file was broken and is now %s; %d sites could be read and were kept, others are learned again: %w",
		s.path, site.ErrCorrupt, aside, n, errors.Join(cause, unread)))
	s.lock.Unlock()
	if err := waitLock(ctx, s.lock.TryRLockContext); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// inMemory returns the profiles in memory, as they were last read or written.
func (s *sqliteStore) inMemory() iter.Seq[*site.Profile] {
	return func(yield func(*site.Profile) bool) {
		for _, r := range s.cache.all() {
			more := true
			viewLocked(&r.mu, &r.p, func(p *site.Profile) { more = p.Pages() == 0 || yield(p) })
			if !more {
				return
			}
		}
	}
}

// removeDatabase removes a file with its write-ahead log.
func removeDatabase(path string) error {
	return errors.Join(remove(path), remove(path+"-wal"), remove(path+"-shm"))
}

// rebuilding is the rebuild of a broken file. It has a goroutine and a context of its
// own, since many pages may wait for it and each has its own time.
type rebuilding struct {
	broken *database
	cancel context.CancelFunc
	done   chan struct{}
	err    error     // after done
	ended  time.Time // after done
}

func (r *rebuilding) running() bool {
	select {
	case <-r.done:
		return false
	default:
		return true
	}
}

// rebuildPause is how long a broken file that could not be replaced is left alone.
const rebuildPause = time.Minute

// acquire returns the open file, after a rebuild that is under way. Its users must be
// released.
func (s *sqliteStore) acquire(ctx context.Context) (*database, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.open.Lock()
		repair, db, closed := s.repair, s.db, s.closed
		waiting := repair != nil && repair.running()
		if db != nil && !waiting {
			db.users.Add(1)
		}
		s.open.Unlock()
		switch {
		case closed:
			return nil, errClosed
		case waiting:
		case db == nil:
			return nil, repair.err
		default:
			return db, nil
		}
		select {
		case <-repair.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("the file is broken and is being rebuilt: %w", ctx.Err())
		}
	}
}

// rebuild replaces a file that SQLite found broken, unless another goroutine has
// done so, and waits for it. The rebuild goes on if ctx ends.
func (s *sqliteStore) rebuild(ctx context.Context, broken *database, cause error) error {
	s.open.Lock()
	r := s.repair
	switch {
	case s.closed:
		s.open.Unlock()
		return errClosed
	case r != nil && r.running():
	case s.db != broken:
		s.open.Unlock()
		return nil
	case r != nil && r.err != nil && time.Since(r.ended) < rebuildPause:
		s.open.Unlock()
		return r.err
	default:
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		r = &rebuilding{broken: broken, cancel: cancel, done: make(chan struct{})}
		s.repair = r
		go func() {
			defer cancel()
			db, err := s.reconnect(own, broken, cause)
			s.open.Lock()
			defer s.open.Unlock()
			s.db, r.err, r.ended = db, err, time.Now()
			close(r.done)
		}()
	}
	s.open.Unlock()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("the file is broken and is being rebuilt: %w", ctx.Err())
	}
}

// reconnect closes a broken file and opens the one that replaces it.
func (s *sqliteStore) reconnect(ctx context.Context, broken *database, cause error) (*database, error) {
	broken.users.Wait()
	file, err := os.Stat(s.path)
	if err != nil {
		return broken, errors.Join(cause, err)
	}
	broken.close()
	s.lock.Unlock()
	db, err := s.connect(ctx, file, cause)
	if err != nil {
		// Lookups of what is not broken go on.
		s.lock.Unlock()
		s.lock.TryRLock()
		db, _ = openDatabase(s.path, s.opts)
	}
	return db, err
}

// moveAside renames the file and its write-ahead log. The log goes first: if it
// stayed, it would be taken for that of the new file.
func moveAside(path string) (string, error) {
	aside, err := fsync.Aside(path)
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

// repairSite sets aside what a lookup could not read.
func (s *sqliteStore) repairSite(ctx context.Context, name string, r *record) error {
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
