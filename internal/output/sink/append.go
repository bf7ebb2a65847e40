package sink

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/outfile"
)

// Appender is an output that grows over many runs.
type Appender interface {
	Write(*batch.Result) error
	// Commit makes what was written survive a crash of the machine. The caller
	// records the mark together with what was written, and before it writes more.
	Commit() (outfile.Mark, error)
	Close() error
}

// Append opens an output of JSON lines or SQLite that is appended to. A path that is a
// folder or ends in a slash gets one file of JSON lines for each day (UTC). mark is the
// last one that was recorded, or nil if there is none: what is in the output is then
// kept, and the caller must record the mark of a Commit before the first Write. The error
// is outfile.ErrLocked if another process has the output open.
func Append(path string, mark *outfile.Mark) (Appender, error) {
	fi, err := os.Stat(path)
	days := err == nil && fi.IsDir() || path != "" && os.IsPathSeparator(path[len(path)-1])
	g := &growing{path: filepath.Clean(path), days: days}
	f := format{encode: jsonLine}
	if !days {
		f, err = formatOf(path)
		if err != nil || f.isParquet || f.header != nil {
			return nil, fmt.Errorf("%s cannot be appended to: use .jsonl or .ndjson, also with .gz or .zst after it, .sqlite, or a folder with / at its end", path)
		}
	}
	dir := filepath.Dir(g.path)
	if days {
		dir = g.path
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if g.lock, err = outfile.NewLock(filepath.Clean(path) + ".lock"); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.isDatabase {
		g.out, err = appendRows(g.path, mark)
	} else {
		err = g.openLines(f, mark)
	}
	if err != nil {
		return nil, errors.Join(err, g.lock.Release())
	}
	return g, nil
}

// growing is an output that grows.
type growing struct {
	path string // the file, or the folder of days
	days bool
	lock *outfile.Lock
	out  interface {
		Write(*batch.Result) error
		Commit() (int64, error)
		Close() error
	}
	name string // of the file of the day
}

func (g *growing) openLines(f format, mark *outfile.Mark) error {
	l := &tailFile{file: file{format: f, path: g.path}}
	g.out = l
	if g.days {
		if g.name = today(); mark != nil {
			g.name = mark.File
		}
		l.path = filepath.Join(g.path, g.name)
	}
	fi, err := os.Stat(l.path)
	switch {
	case err != nil:
		return nil // it is new, or was moved away
	case mark == nil || fi.Size() < mark.Size: // it was replaced
		l.size = fi.Size()
		return nil
	}
	l.size = mark.Size
	return outfile.Truncate(l.path, mark.Size)
}

func today() string { return time.Now().UTC().Format(time.DateOnly) + ".jsonl" }

func (g *growing) Write(r *batch.Result) error { return g.out.Write(r) }

func (g *growing) Commit() (outfile.Mark, error) {
	size, err := g.out.Commit()
	if l, ok := g.out.(*tailFile); ok && g.days && g.name < today() && err == nil {
		g.name = today()
		l.path, size = filepath.Join(g.path, g.name), 0
		if fi, err := os.Stat(l.path); err == nil {
			size = fi.Size()
		}
		l.size = size
	}
	return outfile.Mark{File: g.name, Size: size}, err
}

func (g *growing) Close() error { return errors.Join(g.out.Close(), g.lock.Release()) }

// tailFile is a file of lines that has its final name. It may be moved away at any time, and
// is begun anew.
type tailFile struct{ file }

func (l *tailFile) Write(r *batch.Result) error {
	l.file.lines = append(l.file.lines, l.encode(r)...)
	if len(l.file.lines) < maxBuffer {
		return nil
	}
	return l.append(false)
}

func (l *tailFile) Commit() (int64, error) {
	if len(l.file.lines) == 0 {
		return l.size, nil
	}
	err := l.append(true)
	return l.size, err
}

func (l *tailFile) append(sync bool) error {
	if fi, err := os.Stat(l.path); err != nil {
		l.size = 0
	} else {
		l.size = min(l.size, fi.Size())
	}
	return l.flush(l.path, sync)
}

// tailRows is a database that has its final name.
type tailRows struct{ database }

// appendRows opens a database for appending. If it was moved away, another one is begun.
func appendRows(path string, mark *outfile.Mark) (*tailRows, error) {
	r := &tailRows{database{path: path, rows: math.MaxInt64}}
	if mark != nil {
		r.rows = mark.Size
	}
	if err := r.open(path); err != nil {
		return nil, err
	}
	var err error
	if mark == nil {
		err = r.db.QueryRow("SELECT coalesce(max(record) + 1, 0) FROM articles").Scan(&r.rows)
	}
	if err == nil {
		_, err = r.db.Exec("PRAGMA busy_timeout = 60000;\n" + indexes) // others may read it for a while
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), r.db.Close())
	}
	return r, nil
}

func (r *tailRows) Write(result *batch.Result) error {
	if r.tx == nil && r.err == nil && !isThere(r.path) {
		if r.err = errors.Join(r.database.Close(), r.open(r.path)); r.err != nil {
			return r.err
		}
	}
	return r.database.Write(result)
}
