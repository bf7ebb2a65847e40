// Package sqlite opens SQLite files whose transactions survive a crash of the
// machine.
package sqlite

import (
	"database/sql"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver
)

// Open opens a file, and creates it if it does not exist. SQLite rolls back an
// interrupted transaction when the file is opened again. A commit waits for the
// disk.
func Open(path string) (*sql.DB, error) {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()}
	name.RawQuery = "_pragma=journal_mode(DELETE)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)"
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}
