package sink

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/sqlite"
)

// A database with Options.Append has its mark in the number of the next record, so
// that rows may be deleted by others. Records of another version of lede lack the
// columns that it did not have.

func openGrowingDatabase(path string, g *growth) (*database, error) {
	name := filepath.Base(path)
	mark, known := g.marks[name]
	d := &database{path: path, grow: g, rows: mark}
	void := g.isVoid(name)
	if !void && !known {
		if err := g.check(path); err != nil {
			return nil, err
		}
	}
	if void || !known {
		if err := sqlite.Remove(path); err != nil {
			return nil, err
		}
	} else if !exists(path) && mark > 0 {
		g.warnMoved(path)
	}
	if err := g.claims.Clear(); err != nil {
		return nil, err
	}
	return d, d.openFile()
}

// nextRecord returns the number of the record after those of a database, or 0 if it
// cannot be read.
func nextRecord(path string) (n int64, err error) {
	db, err := sqlite.Open(path)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	if db.QueryRow("SELECT max(record) + 1 FROM articles").Scan(&n) != nil {
		return 0, nil // it is another one, or damaged
	}
	return n, nil
}

func exists(path string) bool {
	fi, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || fi.Size() > 0)
}

// openFile opens the database, creates it if there is none, and removes the rows that
// were not recorded. A damaged file is kept under another name.
func (d *database) openFile() error {
	for {
		begun := !exists(d.path)
		name := filepath.Base(d.path)
		if begun {
			if err := d.grow.claims.Add(map[string]int64{name: d.grow.marks[name]}); err != nil {
				return err
			}
		}
		err := d.openGrown()
		if err == nil {
			return nil
		}
		closed := d.closeFile()
		if err = damaged(d.path, err); begun || !errors.Is(err, ErrDamaged) || closed != nil {
			return errors.Join(err, closed)
		}
		if err := d.grow.setAside(d.path, err); err != nil {
			return err
		}
		if err := sqlite.Remove(d.path); err != nil { // its journal
			return err
		}
	}
}

func (d *database) openGrown() (err error) {
	if d.db, err = sqlite.Open(d.path); err != nil {
		return err
	}
	// Others may read the database for a while.
	if _, err := d.db.Exec("PRAGMA busy_timeout = 60000"); err != nil {
		return err
	}
	names, err := sqlite.Columns(context.Background(), d.db, "articles")
	if err != nil {
		return err
	}
	update := []string{"BEGIN"}
	if len(names) == 0 {
		update = append(update, createTable())
	}
	for _, c := range columns {
		if len(names) > 0 && !slices.Contains(names, c.name) {
			update = append(update, "ALTER TABLE articles ADD COLUMN "+c.name+" "+c.kind+c.missing())
		}
	}
	_, err = d.db.Exec(strings.Join(append(update, indexes+";\nDELETE FROM articles WHERE record >= ?;\nCOMMIT"), ";\n"), d.rows)
	return err
}

// missing returns the default of a column, for rows that were written without it.
func (c *column) missing() string {
	switch v := c.value(&batch.Line{}).(type) {
	case nil:
		return ""
	case string:
		return " DEFAULT '" + v + "'"
	}
	return " DEFAULT 0"
}

// checkMoved opens a new database if the file was moved away.
func (d *database) checkMoved() error {
	if d.grow == nil || exists(d.path) {
		return nil
	}
	d.grow.warnMoved(d.path)
	if err := d.closeFile(); err != nil {
		return err
	}
	return d.openFile()
}
