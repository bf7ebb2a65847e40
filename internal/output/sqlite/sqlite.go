// Package sqlite opens SQLite files whose transactions survive a crash of the
// machine.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged means that a check found a file damaged.
var ErrDamaged = errors.New("the database is damaged")

// Code returns the primary result code of an error of SQLite, or 0; see
// https://www.sqlite.org/rescode.html.
func Code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// IsDamaged reports whether an error means that the file is damaged, and not that a
// statement is wrong or breaks a constraint.
func IsDamaged(err error) bool {
	switch Code(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	var e *driver.Error // the file ends too early
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ || errors.Is(err, ErrDamaged)
}

// Check checks the whole file, until ctx ends. Its errors are those of IsDamaged if
// the file is damaged.
func Check(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) error {
	var result string
	err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&result)
	if err == nil && result != "ok" {
		err = fmt.Errorf("%w: %s", ErrDamaged, strings.ReplaceAll(result, "\n", " "))
	}
	return err
}

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

// SetAside renames a damaged file, so that it is kept, and removes the journal of an
// interrupted transaction. It returns the new name.
func SetAside(path string) (string, error) {
	aside := path + time.Now().UTC().Format(".corrupt-20060102T150405")
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	return aside, Remove(path)
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
