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
)

// files are outputs of JSON lines. None of them is kept open: lines gather in
// memory and are appended many at once, so that thousands of shards cost no
// more than one.
type files struct {
	path    string
	shard   Shard
	pack    func([]byte) ([]byte, error)
	place   func(partial, final string) error // gives an output its name
	all     map[string]*output                // by the name they will have
	waiting int                               // bytes in memory
}

// output is one file.
type output struct {
	size   int64  // of the file
	lines  []byte // not yet in the file
	synced int64  // what of the file is safe
}

// The most that waits in memory, in one output and in all.
const (
	maxLines   = 1 << 20
	maxWaiting = 16 << 20
)

func openFiles(path string, opts Options, packed packing, place func(string, string) error) (*files, error) {
	pack, err := packed()
	if err != nil {
		return nil, err
	}
	s := &files{path: path, shard: opts.Shard, pack: pack, place: place, all: map[string]*output{}}
	for name, mark := range opts.Marks {
		s.all[name] = &output{size: mark, synced: mark}
		if opts.Finished {
			continue
		}
		if err := cut(s.file(name), mark); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// cut takes away what was written after the last commit.
func cut(file string, size int64) error {
	fi, err := os.Stat(file)
	if err == nil && fi.Size() < size {
		err = fmt.Errorf("%d bytes where there were %d", fi.Size(), size)
	}
	if err == nil {
		err = os.Truncate(file, size)
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, file, err)
	}
	return nil
}

// file is where an output is until it is whole.
func (s *files) file(name string) string { return Partial(filepath.Join(filepath.Dir(s.path), name)) }

func (s *files) Write(r *batch.Result) error {
	name := s.shard.name(filepath.Base(s.path), r)
	o := s.all[name]
	if o == nil {
		o = &output{}
		s.all[name] = o
	}
	o.lines = append(o.lines, r.JSON...)
	s.waiting += len(r.JSON)
	switch {
	case len(o.lines) >= maxLines:
		return s.flush(name, o, false)
	case s.waiting >= maxWaiting:
		for name, o := range s.all {
			if err := s.flush(name, o, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush appends what waits in memory, and makes the file safe if asked.
func (s *files) flush(name string, o *output, sync bool) error {
	if len(o.lines) == 0 && (!sync || o.synced == o.size) {
		return nil
	}
	packed, err := s.pack(o.lines)
	if err != nil {
		return err
	}
	how := os.O_WRONLY | os.O_CREATE
	if o.size == 0 {
		how |= os.O_TRUNC // what is there was never committed
	}
	f, err := os.OpenFile(s.file(name), how, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if len(o.lines) > 0 {
		if _, err := f.WriteAt(packed, o.size); err != nil {
			return err
		}
		o.size += int64(len(packed))
		s.waiting -= len(o.lines)
		o.lines = o.lines[:0]
		if s.shard.BySite() {
			o.lines = nil // there may be very many
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
	for name, o := range s.all {
		if o.synced == o.size && len(o.lines) == 0 {
			continue
		}
		created := o.synced == 0
		if err := s.flush(name, o, true); err != nil {
			return nil, err
		}
		if created {
			if err := batch.SyncFolder(filepath.Dir(s.path)); err != nil {
				return nil, err
			}
		}
		marks[name] = o.size
	}
	return marks, nil
}

func (s *files) Finish() error {
	for _, name := range slices.Sorted(maps.Keys(s.all)) {
		partial, final := s.file(name), filepath.Join(filepath.Dir(s.path), name)
		if _, err := os.Stat(partial); errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Stat(final); err == nil {
				continue // it was placed before
			}
		}
		if err := s.place(partial, final); err != nil {
			return err
		}
	}
	return batch.SyncFolder(filepath.Dir(s.path))
}

// Close forgets what was not committed.
func (s *files) Close() error { return nil }

// packing packs lines into bytes that may be put one after the other and
// unpacked as one: members of gzip, frames of zstd.
type packing func() (func(lines []byte) ([]byte, error), error)

func noPacking() (func([]byte) ([]byte, error), error) {
	return func(lines []byte) ([]byte, error) { return lines, nil }, nil
}

func gzipPacking() (func([]byte) ([]byte, error), error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	return func(lines []byte) ([]byte, error) {
		out.Reset()
		w.Reset(&out)
		if _, err := w.Write(lines); err != nil {
			return nil, err
		}
		err := w.Close()
		return out.Bytes(), err
	}, nil
}

func zstdPacking() (func([]byte) ([]byte, error), error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	var out []byte
	return func(lines []byte) ([]byte, error) {
		out = w.EncodeAll(lines, out[:0])
		return out, nil
	}, nil
}

// row is a line as Parquet has it. A page that failed has empty columns, and its
// error.
type row struct {
	ID         string     `parquet:"id"`
	URL        string     `parquet:"url"`
	Title      string     `parquet:"title"`
	Text       string     `parquet:"text"`
	Authors    []string   `parquet:"authors,list"`
	Date       string     `parquet:"date"`
	Modified   string     `parquet:"modified"`
	Lang       string     `parquet:"lang,dict"`
	Site       string     `parquet:"site,dict"`
	Images     []rowImage `parquet:"images,list"`
	Comments   []string   `parquet:"comments,list"`
	Type       string     `parquet:"type,dict"`
	Confidence float64    `parquet:"confidence"`
	Method     string     `parquet:"method,dict"`
	Form       string     `parquet:"form,dict"`
	Paywalled  bool       `parquet:"paywalled"`
	Partial    bool       `parquet:"partial"`
	Error      string     `parquet:"error"`
	Kind       string     `parquet:"kind,dict"`
}

type rowImage struct {
	URL     string `parquet:"url"`
	Caption string `parquet:"caption"`
}

// groupBytes is about how much text a row group holds. All of it is in memory
// while it is written.
const groupBytes = 16 << 20

// toParquet makes a Parquet file of packed lines. It is in place only when it is
// whole, and the lines go then.
func toParquet(lines, final string) error {
	in, err := os.Open(lines)
	if err != nil {
		return err
	}
	defer in.Close()
	half := lines + ".parquet"
	out, err := os.Create(half)
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
	if err := os.Rename(half, final); err != nil {
		return err
	}
	return os.Remove(lines)
}

func writeRows(in io.Reader, out io.Writer) error {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	w := parquet.NewGenericWriter[row](out, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("lede", "1", ""))
	r := bufio.NewReaderSize(z, 1<<16)
	for size := 0; ; {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return w.Close()
		}
		if err != nil {
			return err
		}
		var l batch.Line
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if _, err := w.Write([]row{rowOf(&l)}); err != nil {
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

func rowOf(l *batch.Line) row {
	r := row{
		ID: l.ID, URL: l.URL, Title: l.Title, Text: l.Text, Authors: l.Authors, Date: l.Date, Modified: l.Modified,
		Lang: l.Lang, Site: l.Site, Comments: l.Comments, Type: string(l.Type), Confidence: l.Confidence,
		Method: l.Method, Form: string(l.Form), Paywalled: l.Paywalled, Partial: l.Partial, Error: l.Error, Kind: l.Kind,
	}
	for _, im := range l.Images {
		r.Images = append(r.Images, rowImage(im))
	}
	return r
}
