package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/site"
)

//go:embed schema.sql
var schema string

const (
	applicationID = 0x6c656465 // "lede", to recognize our files
	schemaVersion = 1
	maxVersion    = 1000 // of any lede; a higher number is damage
)

// database is an open SQLite file: one connection that writes, because SQLite
// allows only one writer at a time, and some that read.
type database struct {
	writer, readers *sql.DB
	stmt            statements
	read            queries
	users           sync.WaitGroup // of sqliteStore.once
}

// queries are the statements that read profiles. There are two sets, because the
// writer must read inside its own transaction.
type queries struct{ since, load *sql.Stmt }

// statements run on the connection of the writer.
type statements struct {
	queries
	conn     *sql.Conn
	ctx      context.Context      // of the transaction
	prepared map[string]*sql.Stmt // by their text; they must be closed before conn
	verified bool
}

// verifyTime limits a check of the whole file.
const verifyTime = time.Second

// verify checks the whole file once, after a record was found damaged: an index that
// is damaged as well would hide others. A file that is too large to be checked in
// time is taken for sound.
func (s *statements) verify() error {
	if s.verified {
		return nil
	}
	s.verified = true
	ctx, cancel := context.WithTimeout(s.ctx, verifyTime)
	defer cancel()
	if err := sqlite.Check(ctx, s.conn); isCorruptFile(err) {
		return err
	}
	return s.ctx.Err()
}

func (s *statements) prepare(query string) (_ *sql.Stmt, err error) {
	stmt := s.prepared[query]
	if stmt == nil {
		if stmt, err = s.conn.PrepareContext(context.Background(), query); err == nil {
			s.prepared[query] = stmt
		}
	}
	return stmt, err
}

func (s *statements) exec(query string, args ...any) (sql.Result, error) {
	stmt, err := s.prepare(query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(s.ctx, args...)
}

// Both queries are single statements, so that they see one state of the file:
// between two statements another process might fold the log.
const (
	// querySince returns the site and the log after a row, in order.
	querySince = `SELECT s.id, s.upto, l.id, l.data FROM sites s
		LEFT JOIN log l ON l.site = s.id AND l.id > ?2 WHERE s.name = ?1 ORDER BY l.id`
	// queryLoad returns the snapshot, as row 0, and the whole log.
	queryLoad = `SELECT s.id, s.upto, 0, s.data FROM sites s WHERE s.name = ?1
		UNION ALL SELECT s.id, s.upto, l.id, l.data FROM sites s JOIN log l ON l.site = s.id WHERE s.name = ?1
		ORDER BY 3`
)

// openDatabase opens the file for reading and writing, and creates its tables if
// it is new.
func openDatabase(path string, opts Options) (_ *database, err error) {
	// In WAL mode a commit with synchronous=NORMAL appends to the log, which
	// survives a crash of the process, and is synced at the next checkpoint.
	sync := "normal"
	if opts.Sync {
		sync = "full"
	}
	name, err := sqlite.DSN(path, fmt.Sprintf("_pragma=busy_timeout(%d)", lockTimeout.Milliseconds()),
		"_pragma=synchronous("+sync+")", "_pragma=journal_size_limit(67108864)")
	if err != nil {
		return nil, err
	}
	d := new(database)
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if d.writer, err = sql.Open("sqlite", name); err != nil {
		return nil, err
	}
	d.writer.SetMaxOpenConns(1)
	ctx := context.Background()
	d.stmt.ctx = ctx
	if d.stmt.conn, err = d.writer.Conn(ctx); err != nil {
		return nil, err
	}
	if err := d.prepareFile(ctx); err != nil {
		return nil, err
	}
	if err := d.prepareWriter(ctx); err != nil {
		return nil, err
	}
	if d.readers, err = sql.Open("sqlite", name+"&_pragma=query_only(1)"); err != nil {
		return nil, err
	}
	return d, d.prepareReaders(ctx)
}

// openReadOnly opens the file for lookups. On a read-only disk, where the file that
// readers share cannot be created, it is opened as if no other process used it;
// stale then reports that the latest pages, which are in the write-ahead log, are
// not seen.
func openReadOnly(path string) (d *database, stale bool, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, false, err // clearer than the error of SQLite
	}
	for _, mode := range []string{"mode=ro", "immutable=1"} {
		var name string
		if name, err = sqlite.DSN(path, mode, fmt.Sprintf("_pragma=busy_timeout(%d)", lockTimeout.Milliseconds())); err != nil {
			return nil, false, err
		}
		d = &database{}
		if d.readers, err = sql.Open("sqlite", name); err != nil {
			return nil, false, err
		}
		ctx := context.Background()
		if err = d.checkFile(ctx, d.readers); err == nil {
			if err = d.prepareReaders(ctx); err == nil {
				wal, _ := os.Stat(path + "-wal")
				return d, mode != "mode=ro" && wal != nil && wal.Size() > 0, nil
			}
		}
		d.close()
		if errors.Is(err, ErrNotStore) || isCorruptFile(err) {
			break
		}
	}
	return nil, false, err
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

var errEmptyFile = errors.New("the file is empty")

// checkFile checks that the file is a store.
func (d *database) checkFile(ctx context.Context, q querier) error {
	var tables, own, pages, app, version int
	err := q.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema),
		(SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('sites', 'log', 'corrupt')),
		p.page_count, a.application_id, v.user_version
		FROM pragma_page_count p, pragma_application_id a, pragma_user_version v`).Scan(&tables, &own, &pages, &app, &version)
	switch {
	case err != nil:
		return err
	case tables == 0 && app == 0 && pages <= 1:
		return errEmptyFile
	case app != applicationID && (own >= 2 || tables == 0), own < 2 && app == applicationID, version < 0, version > maxVersion && app == applicationID:
		return errBrokenFile
	case app != applicationID:
		return fmt.Errorf("%w but an SQLite file of another program: name another path", ErrNotStore)
	case version > schemaVersion:
		return fmt.Errorf("%w of this version of lede (version %d, at most %d is supported): use a newer one", ErrNotStore, version, schemaVersion)
	}
	return nil
}

// prepareFile creates the tables. Several processes may do so at once. Ids start
// at the current time, so that those in a file that replaces another one are new
// to processes that used the old one.
func (d *database) prepareFile(ctx context.Context) error {
	err := d.checkFile(ctx, d.stmt.conn)
	if err != nil && !errors.Is(err, errEmptyFile) {
		return err
	}
	if _, err := d.stmt.conn.ExecContext(ctx, "PRAGMA journal_mode=wal"); err != nil {
		return err
	}
	if err == nil {
		return d.addTables(ctx)
	}
	now := time.Now().UnixMicro()
	_, err = d.stmt.conn.ExecContext(ctx, fmt.Sprintf(`BEGIN IMMEDIATE; %s
		INSERT INTO sqlite_sequence SELECT 'sites', %d WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sites');
		INSERT INTO sqlite_sequence SELECT 'log', %d WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'log');
		PRAGMA application_id = %d;
		PRAGMA user_version = %d;
		COMMIT`, schema, now, now, applicationID, schemaVersion))
	if err != nil {
		d.stmt.conn.ExecContext(ctx, "ROLLBACK")
	}
	return err
}

// addTables adds tables that files of older versions do not have.
func (d *database) addTables(ctx context.Context) error {
	var n int
	err := d.stmt.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'seen'").Scan(&n)
	if err == nil && n == 0 {
		_, err = d.stmt.conn.ExecContext(ctx, schema)
	}
	return err
}

func (d *database) prepareWriter(ctx context.Context) (err error) {
	d.stmt.prepared = make(map[string]*sql.Stmt)
	if d.stmt.since, err = d.stmt.prepare(querySince); err != nil {
		return err
	}
	if d.stmt.load, err = d.stmt.prepare(queryLoad); err != nil {
		return err
	}
	_, err = d.stmt.conn.ExecContext(ctx, "PRAGMA busy_timeout = 20")
	return err
}

func (d *database) prepareReaders(ctx context.Context) (err error) {
	n := runtime.GOMAXPROCS(0)
	d.readers.SetMaxOpenConns(n)
	d.readers.SetMaxIdleConns(n)
	if d.read.since, err = d.readers.PrepareContext(ctx, querySince); err != nil {
		return err
	}
	d.read.load, err = d.readers.PrepareContext(ctx, queryLoad)
	return err
}

func (d *database) close() error {
	var errs []error
	if d.readers != nil {
		errs = append(errs, d.readers.Close())
	}
	for _, s := range d.stmt.prepared {
		errs = append(errs, s.Close())
	}
	if d.stmt.conn != nil {
		errs = append(errs, d.stmt.conn.Close())
	}
	if d.writer != nil { // last, because it checkpoints the write-ahead log
		errs = append(errs, d.writer.Close())
	}
	return errors.Join(errs...)
}

// begin takes the write lock. SQLite would sleep longer and longer until it is
// free, which starves a new process; so its timeout is short, and it is retried.
func (d *database) begin(ctx context.Context) error {
	deadline := time.Now().Add(lockTimeout)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := d.stmt.exec("BEGIN IMMEDIATE")
		if sqlite.Code(err) != sqlite3.SQLITE_BUSY || time.Now().After(deadline) {
			return err
		}
	}
}

// transaction runs f with the write lock of the file, so that no other process
// changes what f reads.
func (d *database) transaction(ctx context.Context, f func(*statements) error) error {
	err := d.begin(ctx)
	if err != nil {
		return err
	}
	d.stmt.ctx = ctx
	err = f(&d.stmt)
	d.stmt.ctx = context.Background() // to end the transaction in any case
	if err == nil {
		_, err = d.stmt.exec("COMMIT")
	}
	if err != nil {
		d.stmt.exec("ROLLBACK") // it may be rolled back already, for example by a full disk
	}
	return err
}

// isCorruptFile reports whether the file itself is broken.
func isCorruptFile(err error) bool { return sqlite.IsDamaged(err) || errors.Is(err, errBrokenFile) }

// errBrokenFile means that the file is broken in a way that SQLite does not notice.
var errBrokenFile = fmt.Errorf("%w: the file is broken", site.ErrCorrupt)

// isBroken reports whether an error shows that the file is broken. SQLite also takes
// it for a full disk if there are no more ids, as only a broken file has.
func (d *database) isBroken(err error) bool {
	if sqlite.Code(err) != sqlite3.SQLITE_FULL {
		return isCorruptFile(err)
	}
	var last int64
	err = d.readers.QueryRow("SELECT max(seq) FROM sqlite_sequence").Scan(&last)
	return err == nil && last == math.MaxInt64
}

// explain wraps an error of SQLite and says what to do.
func explain(path string, err error) error {
	switch sqlite.Code(err) {
	case 0:
		if err == nil {
			return nil
		}
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("store %s: %w; try again, or stop the other process: %w", path, ErrBusy, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("store %s: %w: nothing was stored; move it to a writable disk, or open it for lookups only: %w", path, ErrReadOnly, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("store %s: %w: make room and add the page again; what was stored is safe: %w", path, ErrFull, err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("store %s: the disk failed or is full; what was stored is safe: %w", path, err)
	case sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("store %s: cannot be opened or created; check that its folder exists and is writable: %w", path, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("store %s: %w: %w", path, site.ErrCorrupt, err)
	}
	return fmt.Errorf("store %s: %w", path, err)
}
