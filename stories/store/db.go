package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gofrs/flock"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sqlite"
)

//go:embed schema.sql
var schema string

const (
	applicationID = 0x6c656473 // "leds", to recognize our files
	schemaVersion = 5
)

// database is an open SQLite file with one connection.
type database struct {
	*sqlite.Statements // of conn

	path     string
	db       *sql.DB
	conn     *sql.Conn
	lock     *flock.Flock // of the writer
	readOnly bool
	writing  bool // a transaction is open
}

// Parameters of a connection. Commits wait for the disk. The write-ahead log is copied into the
// file when it has 64 MB.
var (
	writerParams = []string{"_pragma=busy_timeout(10000)", "_pragma=synchronous(FULL)", "_pragma=cache_size(-98304)",
		"_pragma=wal_autocheckpoint(16384)", "_pragma=journal_size_limit(67108864)"}
	readerParams = []string{"mode=ro", "_pragma=busy_timeout(10000)", "_pragma=cache_size(-32768)"}
)

// openDatabase opens a file, and creates it if there is none.
func openDatabase(path string, readOnly bool) (d *database, err error) {
	if _, err := os.Stat(path); err != nil && readOnly {
		return nil, err // clearer than the error of SQLite
	}
	if ok, err := sqlite.IsFile(path); err != nil {
		return nil, err
	} else if !ok { // nothing is written beside a file of others
		return nil, fmt.Errorf("%w: name another file", ErrNotStore)
	}
	d = &database{path: path, readOnly: readOnly}
	defer func() {
		if err != nil {
			err = errors.Join(damaged(err), d.close())
		}
	}()
	if readOnly {
		return d, d.connect(readerParams)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return d, err
	}
	lock := flock.New(path + ".lock")
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return d, fmt.Errorf("cannot lock it: %w", err)
	case !ok:
		return d, fmt.Errorf("%w; wait until it ends, or use another file", ErrLocked)
	}
	d.lock = lock
	if err := d.connect(writerParams); err != nil {
		if errors.Is(err, ErrNotStore) { // nothing stays beside a file of others
			d.lock = nil
			return d, errors.Join(err, lock.Close(), os.Remove(lock.Path()))
		}
		return d, err
	}
	if _, err := d.conn.ExecContext(context.Background(), "PRAGMA journal_mode = WAL"); err != nil {
		return d, err
	}
	return d, fsync.Dir(filepath.Dir(path))
}

func (d *database) connect(params []string) (err error) {
	name, err := sqlite.DSN(d.path, params...)
	if err != nil {
		return err
	}
	if d.db, err = sql.Open("sqlite", name); err != nil {
		return err
	}
	d.db.SetMaxOpenConns(1)
	if d.conn, err = d.db.Conn(context.Background()); err != nil {
		return err
	}
	d.Statements = sqlite.NewStatements(d.conn)
	return d.check()
}

// check checks that the file is an index, and creates the tables of a new one.
func (d *database) check() error {
	ctx := context.Background()
	var tables, app, version int
	err := d.conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema), a.application_id, v.user_version
		FROM pragma_application_id a, pragma_user_version v`).Scan(&tables, &app, &version)
	switch {
	case err != nil:
		return err
	case tables == 0 && app == 0:
		if d.readOnly {
			return fmt.Errorf("%w: the file is empty", ErrNotStore)
		}
		_, err := d.conn.ExecContext(ctx, "BEGIN;"+schema+"PRAGMA user_version = "+strconv.Itoa(schemaVersion)+
			"; PRAGMA application_id = "+strconv.Itoa(applicationID)+"; COMMIT")
		return err
	case app != applicationID:
		return fmt.Errorf("%w but an SQLite file of another program: name another file", ErrNotStore)
	case version != schemaVersion:
		return fmt.Errorf("%w of this version of lede (%d, and not %d): add the articles to a new one", ErrNotStore, version, schemaVersion)
	}
	return nil
}

// damaged returns an error of SQLite as ErrDamaged if it means that.
func damaged(err error) error {
	if !errors.Is(err, ErrDamaged) && sqlite.IsDamaged(err) {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return err
}

// begin begins a transaction, if there is none.
func (d *database) begin() error {
	if d.writing {
		return nil
	}
	err := d.Exec("BEGIN")
	d.writing = err == nil
	return err
}

// rollback ends a transaction that failed. SQLite may have done so.
func (d *database) rollback() {
	if d.writing {
		_ = d.Exec("ROLLBACK")
		d.writing = false
	}
}

// numbers returns the first column of all rows.
func (d *database) numbers(query string, args ...any) (list []int64, err error) {
	err = d.All(query, args, func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		list = append(list, n)
		return err
	})
	return list, err
}

func (d *database) close() error {
	if d.conn != nil {
		d.rollback()
		_ = d.Statements.Close() // of a connection that is closed
		_ = d.conn.Close()       // it goes back to db
	}
	if d.db != nil {
		_ = d.db.Close() // everything is committed or rolled back
	}
	if d.lock != nil {
		return d.lock.Unlock()
	}
	return nil
}
