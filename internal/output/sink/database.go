package sink

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sqlite"
)

//go:embed index.sql
var indexes string

// database is an SQLite file with a row for each result. Its mark is the number of the
// next row.
type database struct {
	path string // the final one
	db   *sql.DB
	tx   *sql.Tx
	stmt *sql.Stmt // inserts a row
	rows int64
	err  error // of a write: what was written since the last Commit is lost
}

func openDatabase(path string, mark int64, finished bool) (*database, error) {
	d := &database{path: path, rows: mark}
	partial := Partial(path)
	if finished && !isThere(partial) {
		return d, nil // Finish has renamed it
	}
	if mark > 0 && !isThere(partial) {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, partial)
	}
	if err := d.open(partial); err != nil {
		return nil, err
	}
	var n int64
	err := d.db.QueryRow("SELECT count(*) FROM articles").Scan(&n)
	if err == nil && n != mark {
		err = fmt.Errorf("%w: %s has %d rows, but had %d", ErrDamaged, partial, n, mark)
	}
	if err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	return d, nil
}

// open opens the file, creates the table if there is none, and removes the rows that
// were not recorded.
func (d *database) open(file string) (err error) {
	if d.db, err = sqlite.Open(file); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("CREATE TABLE IF NOT EXISTS articles (\n\trecord INTEGER PRIMARY KEY,\n\thost TEXT NOT NULL")
	for _, c := range columns {
		b.WriteString(",\n\t" + c.name + " " + c.kind)
	}
	b.WriteString("\n);\nDELETE FROM articles WHERE record >= ?")
	if _, err = d.db.Exec(b.String(), d.rows); err == nil {
		return nil
	}
	if sqlite.IsDamaged(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return errors.Join(fmt.Errorf("%s: %w", file, err), d.db.Close())
}

func (d *database) Write(r *batch.Result) error {
	if d.err == nil {
		d.err = d.write(r)
	}
	return d.err
}

func (d *database) write(r *batch.Result) (err error) {
	if d.tx == nil {
		if d.tx, err = d.db.Begin(); err != nil {
			return err
		}
		names := "record, host"
		for _, c := range columns {
			names += ", " + c.name
		}
		d.stmt, err = d.tx.Prepare("INSERT INTO articles (" + names + ") VALUES (?, ?" + strings.Repeat(", ?", len(columns)) + ")")
		if err != nil {
			return err
		}
	}
	_, err = d.stmt.Exec(append([]any{d.rows, r.Host()}, values(&r.Line)...)...)
	d.rows++
	return err
}

func (d *database) Commit() (int64, error) {
	if d.tx != nil && d.err == nil {
		d.err = d.tx.Commit()
		d.tx = nil
	}
	return d.rows, d.err
}

func (d *database) Finish() error {
	if d.db == nil { // Finish was interrupted before
		return nil
	}
	if _, err := d.db.Exec(indexes); err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	if err := os.Rename(Partial(d.path), d.path); err != nil {
		return err
	}
	return fsync.Dir(filepath.Dir(d.path))
}

// Close rolls back what was not committed and closes the file.
func (d *database) Close() (err error) {
	if d.tx != nil {
		err = d.tx.Rollback()
		d.tx = nil
	}
	if d.db != nil {
		err = errors.Join(err, d.db.Close())
		d.db = nil
	}
	return err
}
