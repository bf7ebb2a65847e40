package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/gofrs/flock"

	"github.com/lede-news/lede/site"
)

// maxLogRows is how many rows the log of a site has at most. A lookup of a site
// that is not in memory reads them all; folding writes the whole profile.
const maxLogRows = 16

// sqliteStore is a store in one SQLite file.
type sqliteStore struct {
	path  string
	opts  Options
	lock  *flock.Flock // nil when read-only
	cache *cache[record]

	open   sync.Mutex  // guards db, repair and closed
	db     *database   // nil if it could not be opened after a rebuild
	repair *rebuilding // the last one, or nil
	closed bool
	write  sync.Mutex // one writer at a time in this process, so that it need not poll for the lock of the file
}

// use runs f with the open file. If SQLite finds the file broken, it is rebuilt
// from what can be read, and f runs again.
func (s *sqliteStore) use(ctx context.Context, f func(*database) error) error {
	db, err := s.once(ctx, f)
	if db != nil && !s.opts.ReadOnly && db.isBroken(err) {
		if err = s.rebuild(ctx, db, err); err == nil {
			_, err = s.once(ctx, f)
		}
	}
	return explain(s.path, err)
}

// once runs f with the open file, after a rebuild that is under way.
func (s *sqliteStore) once(ctx context.Context, f func(*database) error) (*database, error) {
	db, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer db.users.Done()
	return db, f(db)
}

// change runs f in a transaction.
func (s *sqliteStore) change(ctx context.Context, f func(*statements) error) error {
	return s.use(ctx, func(db *database) error {
		s.write.Lock()
		defer s.write.Unlock()
		return db.transaction(ctx, f)
	})
}

func (s *sqliteStore) view(ctx context.Context, name string, f func(*site.Profile)) error {
	r := s.cache.get(name)
	repaired := s.opts.ReadOnly
	for { // again after a repair, or if a write failed between the two locks
		var bad []damage
		err := s.use(ctx, func(db *database) (err error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			bad, err = r.refresh(ctx, &db.read, name)
			s.cache.resize(name, r.bytes)
			return err
		})
		switch {
		case err != nil:
			return err
		case len(bad) > 0 && !repaired:
			repaired = true
			if err := s.repairSite(ctx, name, r); err != nil {
				s.opts.Report(err) // a lookup works with a full disk, too
			}
		default:
			s.report(name, bad, "was left in place")
			if viewLocked(&r.mu, &r.p, f) {
				return nil
			}
		}
	}
}

// update runs f on the record of a site, refreshed and repaired, in a transaction.
// If f fails after it has changed the profile, it must set that to nil.
func (s *sqliteStore) update(ctx context.Context, name string, f func(*statements, *record) error) error {
	r := s.cache.get(name)
	var bad []damage
	again := false
	err := s.change(ctx, func(db *statements) (err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if again { // the first attempt failed
			r.state = state{}
		}
		again = true
		if bad, err = r.refresh(ctx, &db.queries, name); err != nil {
			return err
		}
		if len(bad) > 0 {
			if err = db.verify(); err != nil {
				return err
			}
		}
		if err = db.setAside(name, bad); err != nil {
			return err
		}
		before := r.state
		if err = f(db, r); err != nil && r.p != nil {
			r.state = before // a rebuild of the file may need it
		}
		return err
	})
	if err != nil {
		r.forget()
		return err
	}
	s.report(name, bad, "is kept in the table corrupt")
	return nil
}

func (s *sqliteStore) add(ctx context.Context, name string, o *site.Observation) (e site.Event, err error) {
	pages := o.Keys()
	if len(pages) == 0 {
		return site.Ignored, nil
	}
	data, err := o.MarshalBinary()
	if err != nil {
		return site.Ignored, fmt.Errorf("store %s: %s: %w", s.path, name, err)
	}
	err = s.update(ctx, name, func(db *statements, r *record) error {
		e = site.SamePage
		if r.p.Has(o) {
			return nil
		}
		if known, err := db.hasSeen(r.id, pages); known || err != nil {
			return err
		}
		if err := db.append(r, name, data); err != nil {
			return err
		}
		if err := db.remember(r.id, pages); err != nil {
			return err
		}
		e = r.p.Add(o)
		if r.pending >= maxLogRows {
			if err := db.foldLog(r); err != nil {
				r.p = nil
				return err
			}
		}
		s.cache.resize(name, r.bytes)
		return nil
	})
	return e, err
}

// hasSeen reports whether a site has learned from a page.
func (db *statements) hasSeen(site int64, pages []uint64) (bool, error) {
	find, err := db.prepare("SELECT count(*) FROM seen WHERE site = ? AND page = ?")
	for _, page := range pages {
		var n int
		if err == nil {
			err = find.QueryRowContext(db.ctx, site, int64(page)).Scan(&n)
		}
		if n > 0 || err != nil {
			return n > 0, err
		}
	}
	return false, nil
}

// remember records that a site has learned from a page.
func (db *statements) remember(site int64, pages []uint64) error {
	for _, page := range pages {
		if _, err := db.exec("INSERT OR IGNORE INTO seen VALUES (?, ?)", site, int64(page)); err != nil {
			return err
		}
	}
	return nil
}

// append writes a page to the log of a site.
func (db *statements) append(r *record, name string, data []byte) error {
	if r.id == 0 {
		res, err := db.exec("INSERT INTO sites (name) VALUES (?)", name)
		if err != nil {
			return err
		}
		if r.id, err = res.LastInsertId(); err != nil {
			return err
		}
	}
	res, err := db.exec("INSERT INTO log (site, data) VALUES (?, ?)", r.id, data)
	if err != nil {
		return err
	}
	r.pending++
	r.bytes += int64(len(data))
	r.last, err = res.LastInsertId()
	return err
}

const deleteLog = "DELETE FROM log WHERE site = ?"

// foldLog writes the snapshot of a record and deletes its log.
func (db *statements) foldLog(r *record) error {
	data, err := r.p.MarshalBinary()
	if err != nil {
		return err
	}
	if _, err := db.exec("UPDATE sites SET data = ?2, pages = ?3, upto = ?4 WHERE id = ?1", r.id, data, r.p.Pages(), r.last); err != nil {
		return err
	}
	if _, err := db.exec(deleteLog, r.id); err != nil {
		return err
	}
	r.pending, r.bytes = 0, int64(len(data))
	return nil
}

// put stores the profiles in one transaction. The sites get new ids, by which
// other processes see that their copies are out of date.
func (s *sqliteStore) put(ctx context.Context, profiles []*site.Profile, merge bool) error {
	return s.change(ctx, func(db *statements) error {
		for _, p := range profiles {
			var old int64 // the id of the site whose pages it has
			if merge {
				var here state
				bad, err := here.refresh(ctx, &db.queries, p.Name())
				if err != nil {
					return err
				}
				if err := db.setAside(p.Name(), bad); err != nil {
					return err
				}
				here.p.Merge(p)
				p, old = here.p, here.id
			}
			if err := db.put(p, old); err != nil {
				return err
			}
		}
		return nil
	})
}

// put stores a profile under a new id, and replaces one of the same name. It keeps
// the pages that the site with the id old has seen.
func (db *statements) put(p *site.Profile, old int64) error {
	data, err := p.MarshalBinary()
	if err != nil {
		return err
	}
	if old == 0 {
		err = db.drop(p.Name())
	} else {
		err = db.dropSite(old)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	res, err := db.exec("INSERT INTO sites (name, data, pages) VALUES (?, ?, ?)", p.Name(), data, p.Pages())
	if err != nil || old == 0 {
		return err
	}
	id, err := res.LastInsertId()
	if err == nil {
		_, err = db.exec("UPDATE seen SET site = ?2 WHERE site = ?1", old, id)
	}
	return err
}

// siteID returns the id of a site.
func (db *statements) siteID(name string) (id int64, err error) {
	find, err := db.prepare("SELECT id FROM sites WHERE name = ?")
	if err != nil {
		return 0, err
	}
	err = find.QueryRowContext(db.ctx, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	return id, err
}

func (db *statements) drop(name string) error {
	id, err := db.siteID(name)
	if err != nil {
		return err
	}
	if _, err := db.exec("DELETE FROM seen WHERE site = ?", id); err != nil {
		return err
	}
	return db.dropSite(id)
}

// dropSite removes a site, but not the pages that it has seen.
func (db *statements) dropSite(id int64) error {
	if _, err := db.exec(deleteLog, id); err != nil {
		return err
	}
	_, err := db.exec("DELETE FROM sites WHERE id = ?", id)
	return err
}

func (s *sqliteStore) forget(ctx context.Context, name string) error {
	return s.change(ctx, func(db *statements) error { return db.drop(name) })
}

// Sites reads the list in pieces, because a long read would keep SQLite from
// checkpointing its write-ahead log.
func (s *sqliteStore) Sites(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		const piece = 1000
		after := ""
		for {
			var infos []Info
			err := s.use(ctx, func(db *database) (err error) {
				infos, err = db.list(ctx, after, piece)
				return err
			})
			if err != nil {
				yield(Info{}, err)
				return
			}
			for _, info := range infos {
				if !yield(info, nil) {
					return
				}
				after = info.Name
			}
			if len(infos) < piece {
				return
			}
		}
	}
}

func (d *database) list(ctx context.Context, after string, n int) (infos []Info, err error) {
	rows, err := d.readers.QueryContext(ctx, `SELECT name,
		pages + (SELECT count(*) FROM log WHERE site = s.id),
		coalesce(length(data), 0) + (SELECT coalesce(sum(length(data)), 0) FROM log WHERE site = s.id)
		FROM sites s WHERE name > ? ORDER BY name LIMIT ?`, after, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i Info
		if err := rows.Scan(&i.Name, &i.Pages, &i.Bytes); err != nil {
			return nil, fmt.Errorf("%w: %w", errBrokenFile, err)
		}
		infos = append(infos, i)
	}
	return infos, rows.Err()
}

func (s *sqliteStore) Close() error {
	s.open.Lock()
	for s.repair != nil && s.repair.running() {
		repair := s.repair
		repair.cancel()
		s.open.Unlock()
		<-repair.done
		s.open.Lock()
	}
	db, closed := s.db, s.closed
	s.db, s.closed = nil, true
	s.open.Unlock()
	if closed {
		return nil
	}
	var err error
	if db != nil {
		db.users.Wait()
		err = explain(s.path, db.close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}
