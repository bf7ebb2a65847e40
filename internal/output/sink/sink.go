// Package sink writes the results of a batch to a file of JSON lines or CSV,
// uncompressed or compressed, to a Parquet file, or to an SQLite database.
//
// Until an output is complete, its name ends in ".partial". Results that were
// committed survive a crash of the machine: [Open] with the mark of a commit
// restores the output as it was then, whatever was written since.
//
// [Append] opens outputs that have their final names and grow over many runs.
package sink

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/sqlite"
)

// Sink is a batch.Sink that must be closed.
type Sink interface {
	batch.Sink
	// Close closes the output. Results that were not committed are lost.
	Close() error
}

// ErrDamaged means that an output is missing or shorter than when it was committed.
var ErrDamaged = errors.New("the output so far is missing or damaged")

// Partial returns the name of an output until it is complete.
func Partial(path string) string { return path + ".partial" }

// Open opens an output as it was when Commit returned mark, which is that of
// batch.State; the zero mark begins a new one. finished is that of batch.State. The
// extension of path determines the format.
func Open(path string, mark int64, finished bool) (Sink, error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	if mark == 0 && !finished {
		if err := sqlite.Remove(Partial(path)); err != nil {
			return nil, err
		}
	}
	if f.isDatabase {
		return openDatabase(path, mark, finished)
	}
	return openFile(path, f, mark, finished)
}

// Stream returns a function that writes results to a pipe or a device. They are JSON
// lines, or CSV if the extension of path says so.
func Stream(w io.Writer, path string) (func(*batch.Result) error, error) {
	f := format{encode: jsonLine}
	if filepath.Ext(path) != "" {
		var err error
		if f, err = formatOf(path); err != nil {
			return nil, err
		}
		if f.compress != nil || f.isDatabase {
			return nil, fmt.Errorf("%s is not a file: only .jsonl and .csv can be written to it", path)
		}
	}
	if _, err := w.Write(f.header); err != nil {
		return nil, err
	}
	return func(r *batch.Result) error {
		_, err := w.Write(f.encode(r))
		return err
	}, nil
}

// format is the format of an output.
type format struct {
	isDatabase bool
	isParquet  bool
	header     []byte
	encode     func(*batch.Result) []byte
	compress   func(lines []byte) []byte // nil if lines are not compressed
}

func jsonLine(r *batch.Result) []byte { return r.JSON }

// formatOf returns the format by the extensions of a path.
func formatOf(path string) (f format, err error) {
	name := strings.ToLower(filepath.Base(path))
	switch ext := filepath.Ext(name); ext {
	case ".sqlite", ".sqlite3", ".db":
		return format{isDatabase: true}, nil
	case ".parquet":
		// Parquet has its index at the end, so that an incomplete file cannot be
		// read. Results are written as lines first.
		return format{isParquet: true, encode: jsonLine, compress: newZstd()}, nil
	case ".gz":
		f.compress, name = newGzip(), strings.TrimSuffix(name, ext)
	case ".zst":
		f.compress, name = newZstd(), strings.TrimSuffix(name, ext)
	}
	switch filepath.Ext(name) {
	case ".jsonl", ".ndjson":
		f.encode = jsonLine
	case ".csv":
		f.header, f.encode = csvHeader(), csvRecord
	default:
		err = fmt.Errorf("%s: the ending of the name must say the format: "+
			".jsonl, .ndjson or .csv, also with .gz or .zst after it, .parquet, .sqlite, .sqlite3 or .db", path)
	}
	return f, err
}

// Check returns an error if Open cannot write to a path.
func Check(path string) error {
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		return fmt.Errorf("%s is a folder; name a file", path)
	}
	_, err := formatOf(path)
	return err
}
