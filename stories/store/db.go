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
	schemaVersion = 2
	maxVersion    = 1000 // of any lede; a higher number is damage
	lockSuffix    = ".lock"
)

// database is an open SQLite file with one connection.
type database struct {
	*sqlite.Statements // of conn

	db       *sql.DB
	conn     *sql.Conn
	lock     *flock.Flock // of the writer
	readOnly bool
	writing  bool // a transaction is open
}

// Parameters of a connection. Commits wait for the disk. The write-ahead log is copied into the
// file when it has 64 MB.
var (
	writerParams = []string{"_pragma=busy_timeout(10000)", "_pragma=synchronous(FULL)", "_pragma=cache_size(-98304)", "_pragma=wal_autocheckpoint(16384)", "_pragma=journal_size_limit(67108864)"}
	readerParams = []string{"mode=ro", "_pragma=busy_timeout(10000)", "_pragma=cache_size(-32768)"}
)

// openDatabase opens a file, and creates it if there is none.
func openDatabase(path string, readOnly bool) (_ *database, err error) {
	if readOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, err // clearer than the error of SQLite
		}
	}
	if err := checkMagic(path); err != nil {
		return nil, err
	}
	d := &database{readOnly: readOnly}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if readOnly {
		err = d.connect(path, readerParams)
		if err != nil && !errors.Is(err, ErrNotStore) && !errors.Is(err, ErrDamaged) {
			// The disk may be read-only, so that readers cannot share a file.
			d.disconnect()
			if d.connect(path, []string{"immutable=1"}) == nil {
				err = nil
			}
		}
		return d, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	lock := flock.New(path + lockSuffix)
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("cannot lock it: %w", err)
	case !ok:
		return nil, fmt.Errorf("%w; wait until it ends, or use another file", ErrLocked)
	}
	d.lock = lock
	if err := d.connect(path, writerParams); err != nil {
		if errors.Is(err, ErrNotStore) {
			_ = os.Remove(path + lockSuffix) // leave nothing beside a file that is not ours
		}
		return nil, err
	}
	if _, err := d.conn.ExecContext(context.Background(), "PRAGMA journal_mode = WAL"); err != nil {
		return nil, explain(err)
	}
	return d, fsync.Dir(filepath.Dir(path))
}

// checkMagic refuses files that never were SQLite's, before anything is created beside
// them.
func checkMagic(path string) error {
	switch ok, err := sqlite.IsFile(path); {
	case ok || err != nil:
		return err
	}
	if _, err := os.Stat(path + lockSuffix); err == nil {
		return explain(sqlite.ErrDamaged)
	}
	return fmt.Errorf("%w: name another file", ErrNotStore)
}

func (d *database) connect(path string, params []string) (err error) {
	name, err := sqlite.DSN(path, params...)
	if err != nil {
		return err
	}
	if d.db, err = sql.Open("sqlite", name); err != nil {
		return err
	}
	d.db.SetMaxOpenConns(1)
	if d.conn, err = d.db.Conn(context.Background()); err != nil {
		return explain(err)
	}
	d.Statements = sqlite.NewStatements(d.conn)
	return explain(d.check())
}

// check checks that the file is an index, and creates the tables of a new one.
func (d *database) check() error {
	ctx := context.Background()
	var tables, own, app, version int
	err := d.conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema),
		(SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('articles', 'nodes', 'families', 'postings')),
		a.application_id, v.user_version FROM pragma_application_id a, pragma_user_version v`).Scan(&tables, &own, &app, &version)
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
	case app != applicationID && own < 4:
		return fmt.Errorf("%w but an SQLite file of another program: name another file", ErrNotStore)
	case app != applicationID || own < 4 || version < 1 || version > maxVersion:
		return sqlite.ErrDamaged
	case version > schemaVersion:
		return fmt.Errorf("%w of this version of lede (version %d, at most %d is supported): use a newer one", ErrNotStore, version, schemaVersion)
	case version < schemaVersion:
		// Its copies have another order.
		return fmt.Errorf("%w of this version of lede (version %d, and not %d): add the articles to a new one", ErrNotStore, version, schemaVersion)
	}
	return nil
}

// explain says what to do about a damaged file.
func explain(err error) error {
	if errors.Is(err, ErrDamaged) && !errors.Is(err, sqlite.ErrDamaged) || sqlite.IsDamaged(err) {
		return &damagedError{err}
	}
	return err
}

// damagedError is an ErrDamaged that says what to do.
type damagedError struct{ cause error }

func (e *damagedError) Error() string {
	return fmt.Sprintf("%v (%v); remove it or name another one, and add the articles again", ErrDamaged, e.cause)
}
func (e *damagedError) Is(target error) bool { return target == ErrDamaged }
func (e *damagedError) Unwrap() error        { return e.cause }

// begin begins a transaction, if there is none.
func (d *database) begin() error {
	if d.writing {
		return nil
	}
	err := d.Exec("BEGIN")
	d.writing = err == nil
	return err
}

func (d *database) commit() error {
	err := d.Exec("COMMIT")
	if err == nil {
		d.writing = false
	}
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
	rows, err := d.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

func (d *database) disconnect() {
	d.rollback()
	if d.conn != nil {
		_ = d.Statements.Close() // of a connection that is closed
		_ = d.conn.Close()       // it goes back to db
		d.conn = nil
	}
	if d.db != nil {
		_ = d.db.Close() // everything is committed or rolled back
		d.db = nil
	}
}

func (d *database) close() error {
	d.disconnect()
	if d.lock != nil {
		return d.lock.Unlock()
	}
	return nil
}
