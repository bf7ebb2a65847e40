package sink

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sqlite"
)

//go:embed index.sql
var indexes string

// database is an SQLite file with a row for each result. Its mark is the number of
// rows.
type database struct {
	path  string
	grow  *growth // nil without Options.Append
	db    *sql.DB
	tx    *sql.Tx
	stmt  *sql.Stmt // inserts a row
	check *sql.Stmt // inserts its checksum
	rows  int64
	err   error // of a write: what was written since the last Commit is lost
}

func openDatabase(path string, opts Options) (*database, error) {
	d := &database{path: path, rows: opts.Marks[filepath.Base(path)]}
	if opts.Finished {
		return d, nil
	}
	partial := Partial(path)
	if d.rows == 0 {
		if err := Discard(path, nil); err != nil {
			return nil, err
		}
	} else if _, err := os.Stat(partial); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var err error
	if d.db, err = sqlite.Open(partial); err != nil {
		return nil, err
	}
	if err := d.prepare(); err != nil {
		d.db.Close()
		return nil, damaged(partial, err)
	}
	return d, nil
}

// damaged wraps an error, as ErrDamaged if the file is damaged.
func damaged(file string, err error) error {
	if err != nil && sqlite.IsDamaged(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// prepare creates the table, or checks the file and removes the rows that were not
// committed.
func (d *database) prepare() error {
	if d.rows == 0 {
		_, err := d.db.Exec(createTable() + ";\n" + createChecks)
		return err
	}
	if err := sqlite.Check(context.Background(), d.db); err != nil {
		return err
	}
	if _, err := d.db.Exec("DELETE FROM articles WHERE record >= ?", d.rows); err != nil {
		return err
	}
	var n int64
	if err := d.db.QueryRow("SELECT count(*) FROM articles WHERE record >= 0").Scan(&n); err != nil {
		return err
	}
	if n != d.rows {
		return fmt.Errorf("%w: it has %d rows, but had %d", ErrDamaged, n, d.rows)
	}
	return d.verify()
}

// file returns the path of the database until it is complete.
func (d *database) file() string {
	if d.grow != nil {
		return d.path
	}
	return Partial(d.path)
}

func (d *database) Write(r *batch.Result) error {
	if d.err == nil {
		d.err = d.write(r)
	}
	return d.err
}

func (d *database) write(r *batch.Result) (err error) {
	number := r.Number
	if d.grow != nil {
		number = d.rows
	}
	if d.tx == nil {
		if err := d.checkMoved(); err != nil {
			return err
		}
		if d.tx, err = d.db.Begin(); err != nil {
			return err
		}
		if d.stmt, err = d.tx.Prepare(insertRow()); err == nil && d.grow == nil {
			d.check, err = d.tx.Prepare(insertCheck)
		}
		if err != nil {
			return damaged(d.file(), err)
		}
	}
	row := []any{number, r.Host()}
	for _, c := range columns {
		row = append(row, c.value(&r.Line))
	}
	if _, err = d.stmt.Exec(row...); err == nil && d.grow == nil {
		_, err = d.check.Exec(number, checksum(row))
	}
	d.rows = number + 1
	return damaged(d.file(), err)
}

func (d *database) Commit() (map[string]int64, error) {
	if d.tx != nil && d.err == nil {
		d.err = damaged(d.file(), d.tx.Commit())
		d.tx = nil
	}
	if d.err != nil {
		return nil, d.err
	}
	marks := map[string]int64{filepath.Base(d.path): d.rows}
	if d.grow != nil {
		maps.Copy(d.grow.marks, marks)
		marks = d.grow.absolute(marks)
	}
	return marks, nil
}

func (d *database) Finish() error {
	if d.grow != nil {
		return d.grow.claims.Clear()
	}
	partial := Partial(d.path)
	if d.db == nil { // Finish was interrupted before
		if _, err := os.Stat(partial); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		again, err := openDatabase(d.path, Options{Marks: map[string]int64{filepath.Base(d.path): d.rows}})
		if err != nil {
			return err
		}
		d.db = again.db
	}
	if _, err := d.db.Exec("BEGIN;\n" + indexes + ";\n" + dropChecks + ";\nCOMMIT"); err != nil {
		return damaged(partial, err)
	}
	if err := d.Close(); err != nil {
		return err
	}
	if err := os.Rename(partial, d.path); err != nil {
		return err
	}
	return fsync.Dir(filepath.Dir(d.path))
}

// Close rolls back what was not committed and closes the file.
func (d *database) Close() error {
	err := d.closeFile()
	if d.grow != nil {
		err = errors.Join(err, d.grow.claims.Close())
	}
	return err
}

func (d *database) closeFile() error {
	if d.db == nil {
		return nil
	}
	var err error
	if d.tx != nil {
		err = d.tx.Rollback()
		d.tx = nil
	}
	err = errors.Join(err, d.db.Close())
	d.db = nil
	return err
}
