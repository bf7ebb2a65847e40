// Package sqlite opens SQLite files whose transactions survive a crash of the
// machine.
package sqlite

import (
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// Open opens a file, and creates it if it does not exist. SQLite rolls back an
// interrupted transaction when the file is opened again. A commit waits for the
// disk.
func Open(path string) (*sql.DB, error) {
	name, err := DSN(path, "_pragma=journal_mode(DELETE)", "_pragma=synchronous(FULL)", "_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// DSN returns the data source name of a file, with special characters escaped.
func DSN(path string, params ...string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	abs = filepath.ToSlash(abs)
	if !strings.HasPrefix(abs, "/") {
		abs = "/" + abs // a drive letter
	}
	u := url.URL{Scheme: "file", Path: abs}
	return u.String() + "?" + strings.Join(params, "&"), nil
}

// Remove removes a file and the journal of an interrupted transaction, if they
// exist.
func Remove(path string) error {
	var errs []error
	for _, file := range []string{path, path + "-journal"} {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
