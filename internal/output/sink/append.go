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
	f := format{encode: jsonLine}
	if !days {
		f, err = formatOf(path)
		if err != nil || f.isParquet || f.header != nil {
			return nil, fmt.Errorf("%s cannot be appended to: "+
				"use .jsonl or .ndjson, also with .gz or .zst after it, .sqlite, or a folder with / at its end", path)
		}
	}
	path = filepath.Clean(path)
	dir := filepath.Dir(path)
	if days {
		dir = path
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := outfile.NewLock(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	g := &growing{lock: lock}
	switch {
	case f.isDatabase:
		g.Sink, err = appendRows(path, mark)
	case days:
		g.folder, g.day = path, today()
		if mark != nil {
			g.day = mark.File
		}
		g.Sink, err = appendLines(filepath.Join(path, g.day), f, mark)
	default:
		g.Sink, err = appendLines(path, f, mark)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return g, nil
}

// growing is an output that grows.
type growing struct {
	Sink
	lock   *outfile.Lock
	folder string // of the files of days, or ""
	day    string // the file in it
}

func today() string { return time.Now().UTC().Format(time.DateOnly) + ".jsonl" }

func (g *growing) Commit() (outfile.Mark, error) {
	size, err := g.Sink.Commit()
	if g.folder != "" && g.day < today() && err == nil {
		g.day = today()
		lines, _ := appendLines(filepath.Join(g.folder, g.day), format{encode: jsonLine}, nil) // cannot fail without a mark
		g.Sink, size = lines, lines.size
	}
	return outfile.Mark{File: g.day, Size: size}, err
}

func (g *growing) Close() error { return errors.Join(g.Sink.Close(), g.lock.Release()) }

// appendLines opens a file of lines for appending.
func appendLines(path string, f format, mark *outfile.Mark) (*file, error) {
	l := &file{format: f, path: path, grows: true}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return l, nil // it is new, or was moved away
	case mark == nil || fi.Size() < mark.Size: // it was replaced
		l.size = fi.Size()
		return l, nil
	}
	l.size = mark.Size
	return l, outfile.Truncate(path, mark.Size)
}

// appendRows opens a database for appending.
func appendRows(path string, mark *outfile.Mark) (*database, error) {
	d := &database{path: path, grows: true, rows: math.MaxInt64}
	if mark != nil {
		d.rows = mark.Size
	}
	if err := d.open(); err != nil || mark != nil {
		return d, err
	}
	err := d.db.QueryRow("SELECT coalesce(max(record) + 1, 0) FROM articles").Scan(&d.rows)
	if err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", path, err), d.db.Close())
	}
	return d, err
}
