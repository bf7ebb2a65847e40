// Package sink writes the results of a batch: to files of JSON lines, plain or
// packed, to Parquet files, and to an SQLite database.
//
// All outputs have their names only when they are whole; before, ".partial" is
// added. What Commit has acknowledged survives a crash of the machine, and
// [Open] with the marks of a commit gives the outputs back as they were then,
// whatever was written since.
package sink

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lede-news/lede/batch"
)

// Options say how to open outputs.
type Options struct {
	Shard Shard
	// Marks are those of the commits so far; empty for a new run.
	Marks map[string]int64
	// Finished is set when all is written and Finish was broken off.
	Finished bool
}

// ErrDamaged means that an output is shorter than it was when it was committed.
var ErrDamaged = errors.New("what was written before is gone or damaged")

// Partial is the name of an output until it is whole.
func Partial(path string) string { return path + ".partial" }

// Check says what is wrong with a name before anything is written.
func Check(path string, shard Shard) error {
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		return fmt.Errorf("%s is a folder; name a file in it", path)
	}
	if isDatabase(strings.ToLower(path)) && shard.kind != whole {
		return errors.New("a database is not split into shards: ask it by its column host, or write .jsonl or .parquet")
	}
	return nil
}

// Open opens the outputs that are called path, or after it where there are
// several. The end of the name says what they are.
func Open(path string, opts Options) (batch.Sink, error) {
	if err := Check(path, opts.Shard); err != nil {
		return nil, err
	}
	name := strings.ToLower(path)
	switch {
	case isDatabase(name):
		return openDatabase(path, opts)
	case strings.HasSuffix(name, ".parquet"):
		// Parquet has its index at its end, so that nothing of it can be read
		// before it is whole: what is done is kept as lines until then.
		return openFiles(path, opts, zstdPacking, toParquet)
	case strings.HasSuffix(name, ".gz"):
		return openFiles(path, opts, gzipPacking, os.Rename)
	case strings.HasSuffix(name, ".zst"):
		return openFiles(path, opts, zstdPacking, os.Rename)
	}
	return openFiles(path, opts, noPacking, os.Rename)
}

func isDatabase(name string) bool {
	for _, ext := range []string{".sqlite", ".sqlite3", ".db"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// Discard removes what an unfinished run has left of the outputs of these
// names, which are the keys of its marks.
func Discard(path string, names []string) error {
	var errs []error
	for _, name := range append(names, filepath.Base(path)) {
		file := Partial(filepath.Join(filepath.Dir(path), name))
		for _, f := range []string{file, file + "-journal"} {
			if err := os.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}
