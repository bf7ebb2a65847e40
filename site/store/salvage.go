package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"
	"time"

	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/site"
)

const (
	// readTime limits a statement on a broken file, whose pages may refer to one
	// another in circles. A sound file needs microseconds.
	readTime = time.Second
	// salvageRows is how many rows of the log of a site are read at most. A sound
	// log has maxLogRows.
	salvageRows = 64 * maxLogRows
	// salvageFailures is how many statements may fail before the rest of a broken
	// file is given up. It bounds the time for files that are broken all over.
	salvageFailures = 100_000
	// salvageTimeouts is how many statements may take readTime.
	salvageTimeouts = 3
)

// errGivenUp means that a broken file was not read to its end.
var errGivenUp = errors.New("the rest of the file was given up")

// brokenFile is a file that SQLite finds broken. Nothing that it says is relied upon.
type brokenFile struct {
	db       *sql.DB
	ctx      context.Context
	failures int // statements that failed
	timeouts int
}

// salvage copies what can be read from a broken file, site by site, and returns
// the number of sites. It reads the tables by id, because an index may be broken
// as well. The error says why something could not be read.
//
// known are profiles in memory. They replace those in the file that have fewer pages,
// which were lost.
func salvage(ctx context.Context, to *database, path string, known iter.Seq[*site.Profile]) (sites int, err error) {
	// With writable_schema SQLite reads the beginning of a truncated file.
	name, err := sqlite.DSN(path, "mode=rw", "_pragma=writable_schema(1)")
	if err != nil {
		return 0, err
	}
	from := &brokenFile{ctx: ctx}
	if from.db, err = sql.Open("sqlite", name); err != nil {
		return 0, err
	}
	defer from.db.Close()
	from.db.SetMaxOpenConns(1)
	found := make(map[string]int) // pages by site
	err = to.transaction(ctx, func(db *statements) error {
		for id := range from.sites() {
			p := from.site(id)
			if p == nil || found[p.Name()] > 0 {
				continue // of two with the same name the newer one counts
			}
			if err := db.put(p, 0); err != nil {
				return err
			}
			found[p.Name()] = p.Pages()
			if err := from.copySeen(db, id, p.Name()); err != nil {
				return err
			}
		}
		for p := range known {
			if p.Pages() <= found[p.Name()] {
				continue
			}
			old, err := db.siteID(p.Name())
			if err == nil || errors.Is(err, ErrNotFound) {
				err = db.put(p, old)
			}
			if err != nil {
				return err
			}
			found[p.Name()] = p.Pages()
		}
		return ctx.Err()
	})
	if err != nil {
		return 0, err
	}
	if from.givenUp() {
		err = errGivenUp
	}
	return len(found), err
}

// givenUp reports whether enough was tried.
func (f *brokenFile) givenUp() bool {
	return f.ctx.Err() != nil || f.failures >= salvageFailures || f.timeouts >= salvageTimeouts
}

// read runs a query and calls scan for each row, up to a number of rows.
func (f *brokenFile) read(rows int, scan func(*sql.Rows) error, query string, args ...any) (n int, err error) {
	if f.givenUp() {
		return 0, errGivenUp
	}
	ctx, cancel := context.WithTimeout(f.ctx, readTime)
	defer cancel()
	defer func() {
		if err != nil {
			f.failures++
		}
		if ctx.Err() != nil {
			f.timeouts++
		}
	}()
	result, err := f.db.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer result.Close()
	for n < rows && result.Next() {
		n++
		if err := scan(result); err != nil {
			return n, err
		}
	}
	return n, result.Err()
}

// sites returns the ids of the sites, the newest first. Where SQLite stops at a
// broken page, or returns an id out of order, it skips ids in steps that double.
// The ids fall, so that each site is returned once at most.
func (f *brokenFile) sites() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		var id int64
		scan := func(r *sql.Rows) error { return r.Scan(&id) }
		before := int64(math.MaxInt64)
		if n, err := f.read(1, scan, "SELECT seq FROM sqlite_sequence WHERE name = 'sites'"); err == nil && n == 1 && id > 0 && id < math.MaxInt64 {
			before = id + 1
		}
		for skip := int64(0); skip <= before/2 && !f.givenUp(); {
			n, err := f.read(1, scan, "SELECT id FROM sites WHERE id < ? ORDER BY id DESC LIMIT 1", before-skip)
			switch {
			case err == nil && n == 0:
				return
			case err == nil && id < before-skip:
				if !yield(id) {
					return
				}
				before, skip = id, 0
			default:
				skip = max(1, 2*skip)
			}
		}
	}
}

// site reads what is left of the snapshot and the log of a site. It returns nil if
// nothing is.
func (f *brokenFile) site(id int64) *site.Profile {
	var name string
	f.read(1, func(r *sql.Rows) error { return r.Scan(&name) }, "SELECT name FROM sites WHERE id = ?", id)
	var data []byte
	p := new(site.Profile)
	n, err := f.read(1, func(r *sql.Rows) error { return r.Scan(&data) }, "SELECT data FROM sites WHERE id = ?", id)
	if err != nil || n == 0 || p.UnmarshalBinary(data) != nil { // if the snapshot is broken, the log may not be
		if valid, err := validName(name); err != nil || valid != name {
			return nil
		}
		p = site.New(name)
	}
	f.read(salvageRows, func(r *sql.Rows) error {
		o := new(site.Observation)
		if r.Scan(&data) == nil && o.UnmarshalBinary(data) == nil {
			p.Add(o)
		}
		return nil
	}, "SELECT data FROM log WHERE site = ? ORDER BY id", id)
	if p.Pages() == 0 || p.Name() == "" {
		return nil
	}
	return p
}

// seenPiece is how many hashes of pages are copied at once.
const seenPiece = 1000

// copySeen copies the pages that a site has seen. They are in order, so that it ends.
func (f *brokenFile) copySeen(db *statements, id int64, name string) error {
	to, err := db.siteID(name)
	if err != nil {
		return err
	}
	for after := int64(math.MinInt64); ; {
		last := after
		var pages []uint64
		n, err := f.read(seenPiece, func(r *sql.Rows) error {
			var page int64
			if err := r.Scan(&page); err != nil {
				return err
			}
			if page > last {
				last = page
				pages = append(pages, uint64(page))
			}
			return nil
		}, "SELECT page FROM seen WHERE site = ? AND page > ? ORDER BY page LIMIT ?", id, after, seenPiece)
		if bad := db.remember(to, pages); bad != nil {
			return bad
		}
		if n < seenPiece || last == after || err != nil {
			return nil
		}
		after = last
	}
}
