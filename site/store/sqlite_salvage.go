package store

import (
	"database/sql"
	"iter"
	"math"

	"github.com/lede-news/lede/site"
)

// salvage copies what can be read from a broken file, site by site, and says
// how many. The tables are walked by number, as an index may be broken too.
func salvage(to *database, path string) (n int, err error) {
	// With writable_schema SQLite reads what is there of a file that was cut off.
	name, err := dsn(path, "mode=rw", "_pragma=writable_schema(1)")
	if err != nil {
		return 0, err
	}
	from, err := sql.Open("sqlite", name)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	from.SetMaxOpenConns(1)
	err = to.transaction(func(db *statements) error {
		for id := range readableSites(from) {
			p := readSite(from, id)
			if p == nil {
				continue
			}
			data, err := p.MarshalBinary()
			if err != nil {
				continue
			}
			if err := db.drop(p.Name()); err == nil {
				n-- // there twice, which a sound file has not
			}
			if _, err := db.putSite.Exec(p.Name(), data, p.Pages()); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}

// readableSites gives the numbers of the sites, the newest first. Where SQLite
// stops at a broken page it is sent on behind it, in steps that double.
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

// readSite reads the snapshot of a site, and of its log what is there. It is
// nil when even the name is lost.
func readSite(from *sql.DB, id int64) *site.Profile {
	var name string
	if err := from.QueryRow("SELECT name FROM sites WHERE id = ?", id).Scan(&name); err != nil {
		return nil
	}
	s := state{p: site.New(name)}
	var data []byte
	if err := from.QueryRow("SELECT data FROM sites WHERE id = ?", id).Scan(&data); err == nil {
		s.restore(data) // a snapshot that is broken in itself leaves the log
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
