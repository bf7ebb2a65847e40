package follow

import (
	"context"
	"database/sql"
	"os"
	"strings"

	"github.com/lede-news/lede/internal/output/sqlite"
)

// salvaged are the tables that are worth keeping: what was written and seen, and where
// the outputs end. Sources are found and read again, without conditions, since pages
// that they had listed may be lost.
var salvaged = []string{"meta", "sites", "pages", "forms", "params", "hosts"}

// repairs make what was salvaged consistent. A site is visited as if for the first
// time. Stories of sites that are lost belong to none; what was still to be fetched is
// found again.
const repairs = `
UPDATE sites SET visited = 0, next = 0, probed = 0;
DELETE FROM pages WHERE hash IS NULL AND state IN (0, 6);
UPDATE pages SET site = 0 WHERE site NOT IN (SELECT id FROM sites);
DELETE FROM forms WHERE site NOT IN (SELECT id FROM sites);
DELETE FROM params WHERE site NOT IN (SELECT id FROM sites);
UPDATE sites SET stories = (SELECT count(*) FROM pages WHERE site = sites.id AND hash IS NOT NULL);`

// salvage copies what can be read of a damaged state file, which may be nothing. The
// error is that of the new file.
func (s *state) salvage(damaged string) error {
	fi, err := os.Stat(damaged)
	if err != nil {
		return err
	}
	name, err := sqlite.DSN(damaged, "mode=ro")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it may be committed
	for _, table := range salvaged {
		columns, err := sqlite.Columns(context.Background(), tx, table)
		if err != nil {
			return err
		}
		// From both ends, as far as the damage.
		copyRows(tx, db, table, columns, "", fi.Size())
		copyRows(tx, db, table, columns, " ORDER BY 1 DESC", fi.Size())
	}
	if _, err := tx.Exec(repairs); err != nil {
		return err
	}
	return tx.Commit()
}

// copyRows copies the rows of a table until one cannot be read. Rows that break a
// constraint are left out. A table with more rows than bytes goes round in circles.
func copyRows(to *sql.Tx, from *sql.DB, table string, columns []string, order string, maxRows int64) {
	list := strings.Join(columns, ", ")
	rows, err := from.Query("SELECT " + list + " FROM " + table + order)
	if err != nil {
		return
	}
	defer rows.Close()
	insert, err := to.Prepare("INSERT OR IGNORE INTO " + table + " (" + list + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")")
	if err != nil {
		return
	}
	defer insert.Close()
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	for n := int64(0); n < maxRows && rows.Next() && rows.Scan(pointers...) == nil; n++ {
		_, _ = insert.Exec(values...)
	}
}
