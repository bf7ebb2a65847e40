package sink

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
)

// file is an output of lines. They are buffered and appended many at a time.
type file struct {
	format
	path  string // where they are written
	final string // the name that Finish gives to the file
	// grows is set for an output that is appended to over many runs. It may be moved away
	// at any time, and is begun anew.
	grows bool
	lines []byte // not written yet
	size  int64  // of the file
}

// The most bytes that are buffered, and the capacity of the largest buffer that is used
// again.
const (
	maxBuffer = 1 << 20
	maxKept   = 4 * maxBuffer
)

func openFile(path string, f format, mark int64, finished bool) (*file, error) {
	s := &file{format: f, path: Partial(path), final: path, size: mark}
	if mark == 0 {
		s.lines = f.header
	} else if !finished {
		if err := outfile.Truncate(s.path, mark); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return s, nil
}

func (s *file) Write(r *batch.Result) error {
	s.lines = append(s.lines, s.encode(r)...)
	if len(s.lines) < maxBuffer {
		return nil
	}
	return s.flush(false)
}

// flush writes the buffered lines at the end of the file, and syncs it if asked.
func (s *file) flush(sync bool) error {
	if s.grows {
		fi, err := os.Stat(s.path)
		switch {
		case err != nil && len(s.lines) == 0:
			return nil
		case err != nil:
			s.size = 0
		default:
			s.size = min(s.size, fi.Size())
		}
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	data := s.lines
	if s.compress != nil && (len(data) > 0 || s.size == 0) { // an empty file is not compressed
		data = s.compress(data)
	}
	if _, err := f.WriteAt(data, s.size); err != nil {
		return errors.Join(err, f.Truncate(s.size))
	}
	s.size += int64(len(data))
	if s.lines = s.lines[:0]; cap(s.lines) > maxKept {
		s.lines = nil
	}
	if sync {
		if err := errors.Join(f.Sync(), fsync.Dir(filepath.Dir(s.path))); err != nil {
			return err
		}
	}
	return f.Close()
}

func (s *file) Commit() (int64, error) {
	err := s.flush(true)
	return s.size, err
}

// Finish gives the output its final name, unless that was done before an interruption.
func (s *file) Finish() error {
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) && isThere(s.final) {
		return nil
	}
	if s.isParquet {
		return toParquet(s.path, s.final)
	}
	return rename(s.path, s.final)
}

// rename renames a file, which is complete, in a way that survives a crash.
func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return fsync.Dir(filepath.Dir(to))
}

func isThere(path string) bool { _, err := os.Stat(path); return err == nil }

func (s *file) Close() error { return nil }

// newGzip returns a function that compresses lines to a gzip member, so that its
// results can be concatenated.
func newGzip() func(lines []byte) []byte {
	w := gzip.NewWriter(nil)
	return func(lines []byte) []byte {
		var out bytes.Buffer
		w.Reset(&out)
		_, _ = w.Write(lines) // writing to memory cannot fail
		_ = w.Close()
		return out.Bytes()
	}
}

// newZstd is newGzip for zstd frames.
func newZstd() func(lines []byte) []byte {
	// Only invalid options are an error.
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	return func(lines []byte) []byte { return w.EncodeAll(lines, nil) }
}
