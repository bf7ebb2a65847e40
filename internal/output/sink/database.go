package sink

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/sqlite"
)

//go:embed index.sql
var indexes string

// database is an SQLite file with a row for each result. Its mark is the number of the
// next row.
type database struct {
	path  string
	final string // the name that Finish gives to the file
	grows bool   // as in file
	db    *sql.DB
	tx    *sql.Tx
	stmt  *sql.Stmt // inserts a row
	rows  int64
	err   error // of a write: what was written since the last Commit is lost
}

func openDatabase(path string, mark int64, finished bool) (*database, error) {
	d := &database{path: Partial(path), final: path, rows: mark}
	there := isThere(d.path)
	if finished && !there {
		return d, nil // Finish has renamed it
	}
	if mark > 0 && !there {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, d.path)
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	var n int64
	err := d.db.QueryRow("SELECT count(*) FROM articles").Scan(&n)
	if err == nil && n != mark {
		err = fmt.Errorf("%w: %s has %d rows, but had %d", ErrDamaged, d.path, n, mark)
	}
	if err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	return d, nil
}

// open opens the file, creates the table if there is none, and removes the rows that
// were not recorded.
func (d *database) open() (err error) {
	if d.db, err = sqlite.Open(d.path); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("CREATE TABLE IF NOT EXISTS articles (\n\trecord INTEGER PRIMARY KEY,\n\thost TEXT NOT NULL")
	for _, c := range columns {
		b.WriteString(",\n\t" + c.name + " " + c.kind)
	}
	b.WriteString("\n);\nDELETE FROM articles WHERE record >= ?")
	if _, err = d.db.Exec(b.String(), d.rows); err == nil && d.grows {
		_, err = d.db.Exec("PRAGMA busy_timeout = 60000;\n" + indexes) // others may read it for a while
	}
	if err == nil {
		return nil
	}
	if sqlite.IsDamaged(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return errors.Join(fmt.Errorf("%s: %w", d.path, err), d.db.Close())
}

func (d *database) Write(r *batch.Result) error {
	if d.err == nil && d.tx == nil {
		d.err = d.begin()
	}
	if d.err == nil {
		_, d.err = d.stmt.Exec(append([]any{d.rows, r.Host()}, values(&r.Line)...)...)
		d.rows++
	}
	return d.err
}

// begin begins a transaction.
func (d *database) begin() (err error) {
	if d.grows && !isThere(d.path) { // it was moved away
		if err := errors.Join(d.Close(), d.open()); err != nil {
			return err
		}
	}
	if d.tx, err = d.db.Begin(); err != nil {
		return err
	}
	names := "record, host"
	for _, c := range columns {
		names += ", " + c.name
	}
	d.stmt, err = d.tx.Prepare("INSERT INTO articles (" + names + ") VALUES (?, ?" + strings.Repeat(", ?", len(columns)) + ")")
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
	return rename(d.path, d.final)
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
