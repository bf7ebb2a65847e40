package follow

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sqlite"
)

// Errors of the state file.
var (
	// ErrLocked means that another process uses the state file.
	ErrLocked = errors.New("another process uses the state file")
	// ErrDamaged means that the state file was damaged. It is kept under another name,
	// and a new one is begun.
	ErrDamaged = errors.New("the state file was damaged")
)

//go:embed schema.sql
var schema string

const schemaVersion = 3

// commitInterval is how much work a crash can undo. What was undone is done again.
const commitInterval = time.Second

// state is what is known about sites, sources and pages: one SQLite file with one
// transaction, which is committed together with what the handler has written.
type state struct {
	*sqlite.Statements // of conn

	path   string // "" for a state in memory
	db     *sql.DB
	lock   *flock.Flock // nil for a state in memory
	commit func() ([]byte, error)

	mu     sync.Mutex
	conn   *sql.Conn   // the only connection; nil until something is read or written
	active bool        // a transaction is open
	marked []byte      // the mark of the last commit
	timer  *time.Timer // commits; nil if nothing is to be committed
	err    error       // of a commit; nothing is written after it
	closed bool

	failure error // of the write that runs; its further statements do nothing
	suspect bool  // a statement failed as if a file were damaged
}

// openState opens a state file, or one in memory if path is empty. commit makes what
// the handler has written durable and returns its mark. aside is the new name of a
// damaged file, which is replaced.
func openState(path string, commit func() ([]byte, error)) (s *state, aside string, err error) {
	s = &state{path: path, commit: commit}
	if path == "" {
		if s.db, err = sql.Open("sqlite", ":memory:"); err != nil {
			return nil, "", err
		}
		s.db.SetMaxOpenConns(1)
		return s, "", s.prepare()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, "", err
	}
	s.lock = flock.New(path + ".lock")
	switch ok, err := s.lock.TryLock(); {
	case err != nil:
		return nil, "", fmt.Errorf("cannot lock %s: %w", path, err)
	case !ok:
		return nil, "", fmt.Errorf("%s: %w; wait until it ends, or use another file", path, ErrLocked)
	}
	if err = s.open(); sqlite.IsDamaged(err) {
		if aside, err = sqlite.SetAside(path); err == nil {
			err = s.open()
		}
	}
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("%s: %w", path, err), s.lock.Unlock())
	}
	return s, aside, nil
}

func (s *state) open() (err error) {
	if s.db, err = sqlite.Open(s.path); err != nil {
		return err
	}
	if err = s.prepare(); err == nil {
		err = fsync.Dir(filepath.Dir(s.path))
	}
	if err != nil {
		return errors.Join(err, s.db.Close())
	}
	return nil
}

// prepare creates the tables of a new file. It reads little of an old one, however large
// it is: damage that does not show here ends the run that finds it.
func (s *state) prepare() error {
	var tables, version int
	if err := s.db.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if err := s.db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case tables == 0:
		_, err := s.db.Exec("BEGIN;" + schema + "PRAGMA user_version = " + strconv.Itoa(schemaVersion) + "; COMMIT")
		return err
	case version != schemaVersion:
		return errors.New("not a state file of this version of lede follow; name another one")
	}
	return nil
}

// stateError is an error of the state or of the handler, which ends a run.
type stateError struct{ err error }

func (e *stateError) Error() string { return e.err.Error() }
func (e *stateError) Unwrap() error { return e.err }

// write runs a function in the transaction, which is committed soon afterwards. Its
// error is the first one of the statements in the function.
func (s *state) write(do func(*state)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return &stateError{s.err}
	}
	if err := s.begin(); err != nil {
		return &stateError{err}
	}
	s.failure = nil
	do(s)
	if s.timer == nil {
		s.timer = time.AfterFunc(commitInterval, func() { _ = s.flush() }) // the next write returns the error
	}
	if s.failure == nil {
		return nil
	}
	s.suspect = s.suspect || sqlite.IsDamaged(s.failure)
	return &stateError{s.failure}
}

// run, row and rows run a statement within write, unless one has failed.
func (s *state) run(query string, args ...any) {
	if s.failure == nil {
		s.failure = s.Exec(query, args...)
	}
}

func (s *state) row(query string, args []any, to ...any) (found bool) {
	if s.failure == nil {
		found, s.failure = s.Get(query, args, to...)
	}
	return found && s.failure == nil
}

func (s *state) rows(query string, args []any, read func(*sql.Rows) error) {
	if s.failure == nil {
		s.failure = s.All(query, args, read)
	}
}

// begin begins a transaction if there is none.
func (s *state) begin() (err error) {
	switch {
	case s.active:
		return nil
	case s.closed:
		return errors.New("the state file is closed")
	case s.conn == nil:
		if s.conn, err = s.db.Conn(context.Background()); err != nil {
			return err
		}
		s.Statements = sqlite.NewStatements(s.conn)
	}
	// Statements outlive this transaction, unlike those of a sql.Tx.
	err = s.Exec("BEGIN")
	s.active = err == nil
	return err
}

// flush commits what was written.
func (s *state) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flushLocked()
}

func (s *state) flushLocked() error {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if !s.active || s.err != nil {
		return s.err
	}
	mark, err := s.commit()
	if err == nil && !bytes.Equal(mark, s.marked) {
		err = s.Exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('mark', ?)", mark)
		s.marked = bytes.Clone(mark)
	}
	if err == nil {
		err = s.Exec("COMMIT")
	}
	if err != nil {
		_ = s.Exec("ROLLBACK") // SQLite may have done so
		s.err = err
	}
	s.active = false
	return s.err
}

// close commits and closes the file.
func (s *state) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.flushLocked()
	s.closed = true
	if s.conn != nil {
		err = errors.Join(err, s.Statements.Close(), s.conn.Close())
	}
	// The file that is damaged may be one of the handler's.
	damaged := s.path != "" && (s.suspect || sqlite.IsDamaged(err)) && sqlite.IsDamaged(sqlite.Check(context.Background(), s.db))
	err = errors.Join(err, s.db.Close())
	if damaged {
		aside, failed := sqlite.SetAside(s.path)
		err = errors.Join(fmt.Errorf("%s: %w; it is kept as %s, and the next run begins a new one", s.path, ErrDamaged, aside), failed)
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return err
}

// replace writes a row. The values may be those that a row is scanned into.
func (s *state) replace(table, columns string, values []any) {
	s.run("INSERT OR REPLACE INTO "+table+" ("+columns+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
}

// exec runs a statement in a write of its own.
func (s *state) exec(query string, args ...any) error {
	return s.write(func(s *state) { s.run(query, args...) })
}

// get reads one row, if there is one, in a write of its own.
func (s *state) get(query string, args []any, to ...any) (found bool, err error) {
	err = s.write(func(s *state) { found = s.row(query, args, to...) })
	return found, err
}

// mark returns what the handler's Commit returned last, or nil.
func (s *state) mark() (mark []byte, err error) {
	_, err = s.get("SELECT value FROM meta WHERE name = 'mark'", nil, &mark)
	return mark, err
}

// millis returns a time as it is kept: milliseconds since 1970, 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// timeColumn is a time that is kept in milliseconds.
type timeColumn struct{ t *time.Time }

// Value implements driver.Valuer.
func (c timeColumn) Value() (driver.Value, error) { return millis(*c.t), nil }

// Scan implements sql.Scanner.
func (c timeColumn) Scan(value any) error {
	ms, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time is %T", value)
	}
	if *c.t = time.UnixMilli(ms).UTC(); ms == 0 {
		*c.t = time.Time{}
	}
	return nil
}
