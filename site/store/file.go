package store

import (
	"cmp"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lede-news/lede/internal/output/sqlite"
)

//go:embed schema.sql
var schema string

// applicationID is in the header of our files. It changes with the schema.
const applicationID = 0x6c656473

// lockTimeout is how long a page waits for other processes.
const lockTimeout = 2 * time.Second

var busyTimeout = fmt.Sprintf("_pragma=busy_timeout(%d)", lockTimeout.Milliseconds())

// file is an open SQLite file: one connection that writes, because SQLite allows only
// one writer at a time, and some that read.
type file struct {
	writer  *sql.DB // nil if read-only
	readers *sql.DB
	info    os.FileInfo
}

// openFile opens the file at a path, or a database in memory if that is empty.
func openFile(path string, readOnly bool) (*file, error) {
	if path == "" {
		db, err := connect(":memory:?_txlock=immediate")
		if err == nil {
			err = create(db)
		}
		return &file{writer: db, readers: db}, err
	}
	if ok, err := sqlite.IsFile(path); err != nil || !ok {
		return nil, cmp.Or(err, ErrNotStore)
	}
	if readOnly {
		return openReadOnly(path)
	}
	// A commit with synchronous=NORMAL appends to the write-ahead log, which survives a
	// crash of the process, and is synced at the next checkpoint.
	name, err := sqlite.DSN(path, "_txlock=immediate", busyTimeout, "_pragma=synchronous(normal)", "_pragma=journal_size_limit(67108864)")
	if err != nil {
		return nil, err
	}
	f := new(file)
	for deadline := time.Now().Add(lockTimeout); ; time.Sleep(10 * time.Millisecond) {
		if f.writer, err = connect(name); err != nil {
			return nil, err
		}
		if err = create(f.writer); err == nil {
			break
		}
		f.writer.Close()
		// SQLite does not wait for another process that sets up the write-ahead log.
		if sqlite.Code(err) != sqlite3.SQLITE_BUSY || time.Now().After(deadline) {
			return nil, err
		}
	}
	if f.readers, err = sql.Open("sqlite", name+"&_pragma=query_only(1)"); err == nil {
		f.info, err = os.Stat(path)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// connect returns a single connection.
func connect(name string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", name)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// create checks that a file is a store, and creates the tables of a new one.
func create(db *sql.DB) error {
	if err := check(db); !errors.Is(err, errEmpty) {
		return err
	}
	_, err := db.Exec(fmt.Sprintf("PRAGMA journal_mode=wal; BEGIN IMMEDIATE; %s PRAGMA application_id = %d; COMMIT", schema, applicationID))
	return err
}

var errEmpty = errors.New("the file is empty")

// check checks that a file is a store.
func check(db *sql.DB) error {
	var id, tables int
	err := db.QueryRow("SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id").Scan(&id, &tables)
	switch {
	case err != nil:
		return err
	case tables == 0:
		return errEmpty
	case id != applicationID:
		return ErrNotStore
	}
	return nil
}

// openReadOnly opens a file for lookups. On a read-only disk, where the file that
// readers share cannot be created, it is opened as if no other process used it.
func openReadOnly(path string) (*file, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err // clearer than the error of SQLite
	}
	var err error
	for _, mode := range []string{"mode=ro", "immutable=1"} {
		var name string
		if name, err = sqlite.DSN(path, mode, busyTimeout); err != nil {
			return nil, err
		}
		f := new(file)
		if f.readers, err = sql.Open("sqlite", name); err != nil {
			return nil, err
		}
		if err = check(f.readers); err == nil {
			return f, nil
		}
		f.close()
	}
	return nil, err
}

// isAt reports whether the file is still the one at a path.
func (f *file) isAt(path string) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, f.info)
}

func (f *file) close() (err error) {
	if f.readers != nil {
		err = f.readers.Close()
	}
	if f.writer != nil { // last, because it checkpoints the write-ahead log
		err = errors.Join(err, f.writer.Close())
	}
	return err
}

// setAside renames a damaged file with its write-ahead log. The log goes first: if it
// stayed, it would be taken for that of the new file.
func setAside(path string) (string, error) {
	aside := path + ".damaged"
	for _, suffix := range []string{"-shm", "-wal", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
	}
	return aside, nil
}
