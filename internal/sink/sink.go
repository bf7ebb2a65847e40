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
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
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

// Shard says how results are spread over several files. The zero value is one
// file.
type Shard struct {
	kind  shardKind
	count int
}

type shardKind uint8

const (
	whole shardKind = iota
	bySite
	byHash
)

const maxShards = 1000

// ParseShard reads "site", or "hash:8" for eight files by the hash of the id.
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{}, nil
	}
	if s == "site" {
		return Shard{kind: bySite}, nil
	}
	if number, ok := strings.CutPrefix(s, "hash:"); ok {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= maxShards {
			return Shard{kind: byHash, count: n}, nil
		}
	}
	return Shard{}, fmt.Errorf("cannot split by %q: use site, or hash:N with N from 1 to %d", s, maxShards)
}

// BySite tells whether there may be very many files.
func (s Shard) BySite() bool { return s.kind == bySite }

// name is the file of a result, for the file that all are named after.
func (s Shard) name(base string, r *batch.Result) string {
	switch s.kind {
	case bySite:
		return numbered(base, fileName(batch.SiteOf(r)))
	case byHash:
		h := fnv.New32a()
		h.Write([]byte(r.Line.ID))
		width := len(strconv.Itoa(s.count - 1))
		return numbered(base, fmt.Sprintf("%0*d", width, h.Sum32()%uint32(s.count)))
	}
	return base
}

// numbered puts something before the ends of a name: articles-7.jsonl.gz.
func numbered(base, what string) string {
	stem, ends := base, ""
	for {
		ext := filepath.Ext(stem)
		if ext == "" || ext == stem || len(ext) > len(".parquet") {
			return stem + "-" + what + ends
		}
		stem, ends = strings.TrimSuffix(stem, ext), ext+ends
	}
}

// fileName keeps what every file system takes.
func fileName(site string) string {
	const room = 150
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, strings.ToLower(site))
	return name[:min(len(name), room)]
}
