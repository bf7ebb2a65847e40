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

	open  sync.RWMutex // read-locked to use db, locked to replace it
	db    *database    // nil after Close
	write sync.Mutex   // one writer at a time in this process, so that it need not poll for the lock of the file
}

// use runs f with the open file. If SQLite finds the file broken, it is rebuilt
// from what can be read, and f runs again.
func (s *sqliteStore) use(ctx context.Context, f func(*database) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db, err := s.once(f)
	if isCorruptFile(err) && !s.opts.ReadOnly {
		if err = s.rebuild(db, err); err == nil {
			_, err = s.once(f)
		}
	}
	return explain(s.path, err)
}

func (s *sqliteStore) once(f func(*database) error) (*database, error) {
	s.open.RLock()
	defer s.open.RUnlock()
	if s.db == nil {
		return nil, errClosed
	}
	return s.db, f(s.db)
}

// change runs f in a transaction.
func (s *sqliteStore) change(ctx context.Context, f func(*statements) error) error {
	return s.use(ctx, func(db *database) error {
		s.write.Lock()
		defer s.write.Unlock()
		return db.transaction(f)
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
			bad, err = r.refresh(&db.read, name)
			s.cache.resize(name, r.bytes)
			return err
		})
		switch {
		case err != nil:
			return err
		case len(bad) > 0 && !repaired:
			repaired = true
			if err := s.repair(ctx, name, r); err != nil {
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
// After an error the next use loads the record again.
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
		if bad, err = r.refresh(&db.queries, name); err != nil {
			return err
		}
		if err = db.setAside(name, bad); err != nil {
			return err
		}
		return f(db, r)
	})
	if err != nil {
		r.forget()
		return err
	}
	s.report(name, bad, "is kept in the table corrupt")
	return nil
}

func (s *sqliteStore) add(ctx context.Context, name string, o *site.Observation) (e site.Event, err error) {
	data, err := o.MarshalBinary()
	if err != nil {
		return site.Ignored, fmt.Errorf("store %s: %s: %w", s.path, name, err)
	}
	err = s.update(ctx, name, func(db *statements, r *record) error {
		if e = r.p.Add(o); e == site.Ignored {
			return nil
		}
		if err := db.append(r, name, data); err != nil {
			return err
		}
		if r.pending >= maxLogRows {
			if err := db.foldLog(r); err != nil {
				return err
			}
		}
		s.cache.resize(name, r.bytes)
		return nil
	})
	return e, err
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
			if merge {
				var here state
				bad, err := here.refresh(&db.queries, p.Name())
				if err != nil {
					return err
				}
				if err := db.setAside(p.Name(), bad); err != nil {
					return err
				}
				here.p.Merge(p)
				p = here.p
			}
			if err := db.put(p); err != nil {
				return err
			}
		}
		return nil
	})
}

func (db *statements) put(p *site.Profile) error {
	data, err := p.MarshalBinary()
	if err != nil {
		return err
	}
	if err := db.drop(p.Name()); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	_, err = db.exec("INSERT INTO sites (name, data, pages) VALUES (?, ?, ?)", p.Name(), data, p.Pages())
	return err
}

func (db *statements) drop(name string) error {
	find, err := db.prepare("SELECT id FROM sites WHERE name = ?")
	if err != nil {
		return err
	}
	var id int64
	err = find.QueryRow(name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return err
	}
	if _, err := db.exec(deleteLog, id); err != nil {
		return err
	}
	_, err = db.exec("DELETE FROM sites WHERE id = ?", id)
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
			return nil, err
		}
		infos = append(infos, i)
	}
	return infos, rows.Err()
}

func (s *sqliteStore) Close() error {
	s.open.Lock()
	defer s.open.Unlock()
	if s.db == nil {
		return nil
	}
	err := explain(s.path, s.db.close())
	s.db = nil
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// record is a profile in memory with its position in the file.
type record struct {
	mu sync.RWMutex
	state
}

type state struct {
	p       *site.Profile // nil if it must be loaded
	id      int64         // of the site; 0 if it is not in the file
	last    int64         // the last row of the log that is in p
	pending int           // rows in the log
	bytes   int64         // of snapshot and log
}

// forget makes the next use load the record.
func (r *record) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = state{}
}

// damage is a row that cannot be read. Row 0 is the snapshot.
type damage struct {
	site, row int64
	data      []byte
	err       error
}

// resultRow is a row of both queries: the site, the last log row in its snapshot,
// and a row of the log, if any.
type resultRow struct {
	site, upto int64
	row        sql.NullInt64
	data       []byte
}

// refresh brings the record up to date with the file. Rows that cannot be read are
// skipped and returned. After an error the record must be loaded again.
func (s *state) refresh(q *queries, name string) (bad []damage, err error) {
	current := false
	if s.p != nil {
		current, bad, err = s.catchUp(q, name)
	}
	if !current && err == nil {
		bad, err = s.load(q, name)
	}
	if err != nil {
		*s = state{}
	}
	return bad, err
}

// catchUp adds the new rows of the log. It returns false if that is not enough: the
// site was added, removed or replaced, or another process has folded rows that
// are missing here.
func (s *state) catchUp(q *queries, name string) (current bool, bad []damage, err error) {
	rows, err := query(q.since, name, s.last)
	if err != nil {
		return false, nil, err
	}
	if len(rows) == 0 {
		return s.id == 0, nil, nil
	}
	if rows[0].site != s.id || rows[0].upto > s.last {
		return false, nil, nil
	}
	bad, err = s.apply(rows)
	return true, bad, err
}

// load reads the snapshot and the whole log.
func (s *state) load(q *queries, name string) ([]damage, error) {
	*s = state{p: site.New(name)}
	rows, err := query(q.load, name)
	if err != nil {
		return nil, err
	}
	return s.apply(rows)
}

// query runs one of the queries.
func query(q *sql.Stmt, args ...any) (all []resultRow, err error) {
	rows, err := q.Query(args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r resultRow
		if err := rows.Scan(&r.site, &r.upto, &r.row, &r.data); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// apply adds rows to the record in order.
func (s *state) apply(rows []resultRow) (bad []damage, err error) {
	for _, r := range rows {
		s.id = r.site
		s.last = max(s.last, r.upto)
		switch {
		case !r.row.Valid: // nothing in the log
			continue
		case r.row.Int64 == 0:
			err = s.restore(r.data)
		default:
			s.last = r.row.Int64
			s.pending++
			o := new(site.Observation)
			if err = o.UnmarshalBinary(r.data); err == nil {
				s.p.Add(o)
			}
		}
		s.bytes += int64(len(r.data))
		if errors.Is(err, site.ErrCorrupt) {
			bad = append(bad, damage{r.site, r.row.Int64, r.data, err})
		} else if err != nil {
			return nil, err // for example of a newer version: must not be removed
		}
	}
	return bad, nil
}

// restore loads the snapshot.
func (s *state) restore(data []byte) error {
	if data == nil {
		return nil
	}
	p := new(site.Profile)
	if err := p.UnmarshalBinary(data); err != nil {
		return err
	}
	if p.Name() != s.p.Name() {
		return fmt.Errorf("%w: this is the profile of %q", site.ErrCorrupt, p.Name())
	}
	s.p = p
	return nil
}
