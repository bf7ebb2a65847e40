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
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
)

// files are outputs of lines. None of them is kept open: lines are buffered and
// appended many at a time, so that thousands of shards cost no more than one.
type files struct {
	dir      string
	base     func() string // name of the output, before it is split into shards
	grow     *growth       // nil without Options.Append
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

// The most bytes that are buffered, of one output and of all, and the capacity of the
// largest buffer that is used again.
const (
	maxOutputBuffer = 1 << 20
	maxBuffer       = 16 << 20
	maxKept         = 4 * maxOutputBuffer
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

func newFiles(path string, f format, shard Shard) *files {
	name := filepath.Base(path)
	return &files{dir: filepath.Dir(path), base: func() string { return name }, shard: shard,
		lines: f.lines, compress: f.compress(), complete: f.complete, outputs: map[string]*output{}}
}

func openFiles(path string, f format, opts Options) (*files, error) {
	s := newFiles(path, f, opts.Shard)
	for name, mark := range opts.Marks {
		s.outputs[name] = &output{size: mark, synced: mark}
		if opts.Finished {
			continue
		}
		if err := outfile.Truncate(s.file(name), mark); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return s, nil
}

// file returns the path of an output until it is complete.
func (s *files) file(name string) string {
	if s.grow != nil && !s.grow.rounds {
		return s.final(name)
	}
	return Partial(s.final(name))
}

func (s *files) final(name string) string { return filepath.Join(s.dir, name) }

func (s *files) Write(r *batch.Result) error {
	name := s.shard.name(s.base(), r)
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
	if s.grow != nil {
		if err := s.prepare(name); err != nil {
			return err
		}
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
			return errors.Join(err, f.Truncate(o.size))
		}
		o.size += int64(len(compressed))
		s.buffered -= len(o.lines)
		o.lines = o.lines[:0]
		if s.shard.BySite() || cap(o.lines) > maxKept {
			o.lines = nil // there may be very many outputs, or a huge line
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
	if s.grow != nil {
		if err := s.prepare(s.unwritten()...); err != nil {
			return nil, err
		}
	}
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
			if err := fsync.Dir(s.dir); err != nil {
				return nil, err
			}
		}
		marks[name] = o.size
	}
	if s.grow != nil {
		return s.growthMarks(marks), nil
	}
	return marks, nil
}

func (s *files) Finish() error {
	if s.grow != nil {
		return s.finishRound()
	}
	if err := s.addEmpty(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.outputs)) {
		if err := s.completeOutput(name); err != nil {
			return err
		}
	}
	return fsync.Dir(s.dir)
}

// addEmpty adds an output if there is none because all results were left out.
func (s *files) addEmpty() error {
	name := s.base()
	if len(s.outputs) > 0 || s.shard.kind != oneFile {
		return nil
	}
	s.outputs[name] = &output{}
	return os.WriteFile(s.file(name), s.compress(s.lines.header), 0o644)
}

// completeOutput gives an output its final name, unless that was done before an
// interruption.
func (s *files) completeOutput(name string) error {
	partial, final := s.file(name), s.final(name)
	if _, err := os.Stat(partial); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(final); err == nil {
			return nil
		}
	}
	return s.complete(partial, final)
}

func (s *files) Close() error {
	if s.grow != nil {
		return s.grow.claims.Close()
	}
	return nil
}

// compressor compresses lines to a gzip member or zstd frame, so that its results
// can be concatenated. They are valid until the next call.
type compressor func(lines []byte) []byte

func noCompression() compressor { return func(lines []byte) []byte { return lines } }

func newGzip() compressor {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	return func(lines []byte) []byte {
		out.Reset()
		if out.Cap() > maxKept {
			out = bytes.Buffer{}
		}
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
		if cap(out) > maxKept {
			out = nil
		}
		out = w.EncodeAll(lines, out[:0])
		return out
	}
}

// maxWindow is the largest window of a zstd frame that is decoded. A frame is one
// flush, which is hardly larger than maxOutputBuffer or a line.
const maxWindow = 64 << 20

func newZstdReader(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

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
	z, err := newZstdReader(in)
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
