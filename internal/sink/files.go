package sink

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/fsync"
)

// files are outputs of lines. None of them is kept open: lines are buffered and
// appended many at a time, so that thousands of shards cost no more than one.
type files struct {
	path     string
	shard    Shard
	lines    lineFormat
	compress compressor
	complete func(partial, final string) error
	outputs  map[string]*output // by their final name
	buffered int                // bytes
}

type output struct {
	size   int64  // of the file
	lines  []byte // not written yet
	synced int64  // size of the file at the last sync
}

// The most bytes that are buffered, of one output and of all.
const (
	maxOutputBuffer = 1 << 20
	maxBuffer       = 16 << 20
)

// lineFormat is how results are written, one after the other.
type lineFormat struct {
	header []byte
	encode func(*batch.Result) []byte
}

func jsonLines() lineFormat {
	return lineFormat{encode: func(r *batch.Result) []byte { return r.JSON }}
}

func csvLines() lineFormat { return lineFormat{header: csvHeader(), encode: csvRecord} }

func openFiles(path string, f format, opts Options) (*files, error) {
	s := &files{path: path, shard: opts.Shard, lines: f.lines, compress: f.compress(), complete: f.complete, outputs: map[string]*output{}}
	for name, mark := range opts.Marks {
		s.outputs[name] = &output{size: mark, synced: mark}
		if opts.Finished {
			continue
		}
		if err := truncate(s.file(name), mark); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// truncate removes what was written after the last commit.
func truncate(file string, size int64) error {
	fi, err := os.Stat(file)
	if err == nil && fi.Size() < size {
		err = fmt.Errorf("it has %d bytes, but had %d", fi.Size(), size)
	}
	if err == nil {
		err = os.Truncate(file, size)
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, file, err)
	}
	return nil
}

// file returns the path of an output until it is complete.
func (s *files) file(name string) string { return Partial(filepath.Join(filepath.Dir(s.path), name)) }

func (s *files) Write(r *batch.Result) error {
	name := s.shard.name(filepath.Base(s.path), r)
	o := s.outputs[name]
	if o == nil {
		o = &output{lines: slices.Clone(s.lines.header)}
		s.outputs[name] = o
		s.buffered += len(s.lines.header)
	}
	line := s.lines.encode(r)
	o.lines = append(o.lines, line...)
	s.buffered += len(line)
	switch {
	case len(o.lines) >= maxOutputBuffer:
		return s.flush(name, o, false)
	case s.buffered >= maxBuffer:
		for name, o := range s.outputs {
			if err := s.flush(name, o, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the buffered lines of an output, and syncs the file if asked.
func (s *files) flush(name string, o *output, sync bool) error {
	if len(o.lines) == 0 && (!sync || o.synced == o.size) {
		return nil
	}
	flags := os.O_WRONLY | os.O_CREATE
	if o.size == 0 {
		flags |= os.O_TRUNC // the content of the file was never committed
	}
	f, err := os.OpenFile(s.file(name), flags, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if len(o.lines) > 0 {
		compressed := s.compress(o.lines)
		if _, err := f.WriteAt(compressed, o.size); err != nil {
			return err
		}
		o.size += int64(len(compressed))
		s.buffered -= len(o.lines)
		o.lines = o.lines[:0]
		if s.shard.BySite() {
			o.lines = nil // there may be very many outputs
		}
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
		o.synced = o.size
	}
	return f.Close()
}

func (s *files) Commit() (map[string]int64, error) {
	marks := map[string]int64{}
	for name, o := range s.outputs {
		if o.synced == o.size && len(o.lines) == 0 {
			continue
		}
		created := o.synced == 0
		if err := s.flush(name, o, true); err != nil {
			return nil, err
		}
		if created {
			if err := fsync.Dir(filepath.Dir(s.path)); err != nil {
				return nil, err
			}
		}
		marks[name] = o.size
	}
	return marks, nil
}

func (s *files) Finish() error {
	for _, name := range slices.Sorted(maps.Keys(s.outputs)) {
		partial, final := s.file(name), filepath.Join(filepath.Dir(s.path), name)
		if _, err := os.Stat(partial); errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Stat(final); err == nil {
				continue // completed before an interruption
			}
		}
		if err := s.complete(partial, final); err != nil {
			return err
		}
	}
	return fsync.Dir(filepath.Dir(s.path))
}

func (s *files) Close() error { return nil }

// compressor compresses lines to a gzip member or zstd frame, so that its results
// can be concatenated. They are valid until the next call.
type compressor func(lines []byte) []byte

func noCompression() compressor { return func(lines []byte) []byte { return lines } }

func newGzip() compressor {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	return func(lines []byte) []byte {
		out.Reset()
		w.Reset(&out)
		_, _ = w.Write(lines) // writing to memory cannot fail
		_ = w.Close()
		return out.Bytes()
	}
}

func newZstd() compressor {
	// Only invalid options are an error.
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	var out []byte
	return func(lines []byte) []byte {
		out = w.EncodeAll(lines, out[:0])
		return out
	}
}

// maxWindow is the largest window of a zstd frame that is decoded. A frame is one
// flush, which is hardly larger than maxOutputBuffer or a line.
const maxWindow = 64 << 20

// groupBytes is about the size of a row group, which is held in memory.
const groupBytes = 16 << 20

// toParquet converts a file of compressed lines to Parquet and removes it.
func toParquet(lines, final string) error {
	in, err := os.Open(lines)
	if err != nil {
		return err
	}
	defer in.Close()
	partial := lines + ".parquet"
	out, err := os.Create(partial)
	if err != nil {
		return err
	}
	defer out.Close()
	buffered := bufio.NewWriterSize(out, 1<<20)
	if err := writeRows(in, buffered); err != nil {
		return fmt.Errorf("%s: %w", final, err)
	}
	if err := errors.Join(buffered.Flush(), out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := os.Rename(partial, final); err != nil {
		return err
	}
	return os.Remove(lines)
}

// parquetRow is a line with its body as a string.
type parquetRow struct {
	batch.Line
	Body string `parquet:"body"`
}

func writeRows(in io.Reader, out io.Writer) error {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return err
	}
	defer z.Close()
	w := parquet.NewGenericWriter[parquetRow](out, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("lede", "1", ""))
	r := bufio.NewReaderSize(z, 1<<16)
	for size := 0; ; {
		line, err := r.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return w.Close()
		}
		var l batch.Line
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if _, err := w.Write([]parquetRow{{l, bodyText(l.Body)}}); err != nil {
			return err
		}
		if size += len(line); size >= groupBytes {
			if err := w.Flush(); err != nil {
				return err
			}
			size = 0
		}
	}
}
