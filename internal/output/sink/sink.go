// Package sink writes the results of a batch to files of JSON lines or CSV,
// uncompressed or compressed, to Parquet files, or to an SQLite database.
//
// Until an output is complete, its name ends in ".partial". Results that were
// committed survive a crash of the machine: [Open] with the marks of a commit
// restores the outputs as they were then, whatever was written since.
//
// With Options.Append, outputs have their final names and grow over many runs; see
// there.
package sink

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/sqlite"
)

// Sink is a batch.Sink that must be closed.
type Sink interface {
	batch.Sink
	// Close closes the outputs. Results that were not committed are lost.
	Close() error
}

// Options are the options of Open.
type Options struct {
	Shard Shard
	// Marks are those of batch.State; empty for a new run.
	Marks map[string]int64
	// Finished is that of batch.State.
	Finished bool

	// Append is for a program that writes results for months. They are appended to
	// the outputs, which have their final names from the start. The program records
	// the marks that Commit returns, together with what was written, before it writes
	// more, and gives all of them to the next Open; a negative mark means that it may
	// be forgotten. Finish says that they are recorded. After an error, the outputs
	// must be opened again.
	//
	// A path that is a folder or ends in a slash gets one file of JSON lines for each
	// day (UTC), and Parquet one file for the results between two calls of Finish.
	Append bool
	// Overwrite replaces files of others. Without it, they are ErrExists.
	Overwrite bool
	// Adopt is for a program that has lost its marks. Files that no mark knows are
	// continued, with Append, and the next Commit returns their marks.
	Adopt bool
	// Log gets a warning if an output was moved away or is damaged, and another
	// is begun with Append (default: none).
	Log *slog.Logger
}

// ErrExists means that there is a file with the name of an output, but that no mark
// says that it is one.
var ErrExists = errors.New("the file exists and was not written with this state")

// ErrDamaged means that an output is missing or shorter than when it was committed.
var ErrDamaged = errors.New("the output so far is missing or damaged")

// Partial returns the name of an output until it is complete.
func Partial(path string) string { return path + ".partial" }

// Check returns an error if Open would reject its arguments.
func Check(path string, shard Shard) error {
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		return fmt.Errorf("%s is a folder; name a file", path)
	}
	f, err := formatOf(path)
	if err != nil {
		return err
	}
	return f.checkShard(shard)
}

func (f *format) checkShard(shard Shard) error {
	if f.isDatabase && shard.kind != oneFile {
		return errors.New("a database cannot be split into shards: query its column host, or write .jsonl, .csv or .parquet")
	}
	return nil
}

// Open opens the output path, or several outputs with names derived from it. The
// extension determines the format.
func Open(path string, opts Options) (Sink, error) {
	if opts.Append {
		return openGrowing(path, opts)
	}
	if err := Check(path, opts.Shard); err != nil {
		return nil, err
	}
	f, err := formatOf(path)
	switch {
	case err != nil:
		return nil, err
	case f.isDatabase:
		return openDatabase(path, opts)
	}
	return openFiles(path, f, opts)
}

// Stream returns a function that writes results to a pipe or a device. They are JSON
// lines, or CSV if the extension of path says so.
func Stream(w io.Writer, path string) (func(*batch.Result) error, error) {
	lines := jsonLines()
	if filepath.Ext(path) != "" {
		f, err := formatOf(path)
		if err != nil {
			return nil, err
		}
		if f.compressed || f.isDatabase {
			return nil, fmt.Errorf("%s is not a file: only .jsonl and .csv can be written to it", path)
		}
		lines = f.lines
	}
	if _, err := w.Write(lines.header); err != nil {
		return nil, err
	}
	return func(r *batch.Result) error {
		_, err := w.Write(lines.encode(r))
		return err
	}, nil
}

// format is the format of an output.
type format struct {
	isDatabase bool
	lines      lineFormat
	compressed bool
	compress   func() compressor
	complete   func(partial, final string) error // renames or converts
}

// formatOf returns the format by the extensions of a path.
func formatOf(path string) (format, error) {
	name := strings.ToLower(filepath.Base(path))
	f := format{compress: noCompression, complete: os.Rename}
	stem := name
	switch filepath.Ext(name) {
	case ".gz":
		f.compress, f.compressed, stem = newGzip, true, strings.TrimSuffix(name, ".gz")
	case ".zst":
		f.compress, f.compressed, stem = newZstd, true, strings.TrimSuffix(name, ".zst")
	case ".sqlite", ".sqlite3", ".db":
		return format{isDatabase: true}, nil
	case ".parquet":
		// Parquet has its index at the end, so that an incomplete file cannot be
		// read. Results are written as lines first.
		return format{lines: jsonLines(), compressed: true, compress: newZstd, complete: toParquet}, nil
	}
	switch filepath.Ext(stem) {
	case ".jsonl", ".ndjson":
		f.lines = jsonLines()
		return f, nil
	case ".csv":
		f.lines = csvLines()
		return f, nil
	}
	return f, fmt.Errorf("%s: the ending of the name must say the format: .jsonl, .ndjson or .csv, also with .gz or .zst after it, .parquet, .sqlite, .sqlite3 or .db", path)
}

// Existing returns the name of an output of an earlier run that would be replaced,
// or "" if there is none. Empty files do not count.
func Existing(path string, shard Shard) (string, error) {
	if shard.kind == oneFile {
		if fi, err := os.Stat(path); err == nil && fi.Size() > 0 {
			return path, nil
		}
		return "", nil
	}
	before, after, _ := strings.Cut(shardName(filepath.Base(path), "\x00"), "\x00")
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		name := e.Name()
		if len(name) <= len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
			continue
		}
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() && fi.Size() > 0 {
			return filepath.Join(filepath.Dir(path), name), nil
		}
	}
	return "", nil
}

// SetAside renames the partial outputs of an unfinished run that cannot be continued,
// so that they are kept, and returns their new names. names are the keys of its marks.
func SetAside(path string, names []string) (asides []string, err error) {
	slices.Sort(names)
	for _, name := range slices.Compact(append(names, filepath.Base(path))) {
		aside, err := sqlite.SetAside(Partial(filepath.Join(filepath.Dir(path), name)))
		if err == nil {
			asides = append(asides, aside)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return asides, err
		}
	}
	return asides, nil
}

// Discard removes the partial outputs of an unfinished run. names are the keys of
// its marks.
func Discard(path string, names []string) error {
	var errs []error
	for _, name := range append(names, filepath.Base(path)) {
		errs = append(errs, sqlite.Remove(Partial(filepath.Join(filepath.Dir(path), name))))
	}
	return errors.Join(errs...)
}

// Shard is how results are distributed over several files. The zero value is one
// file.
type Shard struct {
	kind  shardKind
	count int
}

type shardKind uint8

const (
	oneFile shardKind = iota
	bySite
	byHash
)

const maxShards = 1000

// ParseShard parses "site" for one file per host, or "hash:8" for eight files by the
// hash of the ID.
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

// BySite reports whether there is one file per host, so that there may be very many.
func (s Shard) BySite() bool { return s.kind == bySite }

// name returns the name of the file for a result.
func (s Shard) name(base string, r *batch.Result) string {
	switch s.kind {
	case bySite:
		return shardName(base, fileName(r.Host()))
	case byHash:
		h := fnv.New32a()
		h.Write([]byte(r.Line.ID))
		width := len(strconv.Itoa(s.count - 1))
		return shardName(base, fmt.Sprintf("%0*d", width, h.Sum32()%uint32(s.count)))
	}
	return base
}

// shardName inserts the name of a shard before the extensions: articles-7.jsonl.gz.
func shardName(base, shard string) string {
	stem, exts := base, ""
	for {
		ext := filepath.Ext(stem)
		if ext == "" || ext == stem || len(ext) > len(".parquet") {
			return stem + "-" + shard + exts
		}
		stem, exts = strings.TrimSuffix(stem, ext), ext+exts
	}
}

// fileName returns a name that is valid on every file system.
func fileName(host string) string {
	const maxLen = 150
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, strings.ToLower(host))
	return name[:min(len(name), maxLen)]
}
