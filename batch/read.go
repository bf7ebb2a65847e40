package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// ErrTooLarge is said of a page in an archive that is larger than the limit.
var ErrTooLarge = errors.New("the page is too large")

// ErrSource is said of an archive, or a part of one, that cannot be read.
var ErrSource = errors.New("the archive cannot be read")

// ErrStatus is said of a page that the server gave with an error.
var ErrStatus = errors.New("the server gave no page")

// read goes through the pages of one file. It says whether to go on.
func (in *Inputs) read(f file, from Place, yield func(Page) bool) bool {
	if from.Over {
		return true
	}
	if f.err != nil || f.kind == pageFile {
		if from.Record > 0 {
			return true // it was done
		}
		p := Page{ID: idOf(f.path), URL: f.origin.url, Site: f.origin.site, Path: f.path, Size: f.size, Err: f.err}
		p.After = f.place
		p.After.Record = 1
		return yield(p)
	}
	a := &archive{in: in, file: f, at: from, yield: yield}
	if err := a.open(); err != nil {
		a.fail(err)
		return !a.stopped
	}
	if a.raw != nil {
		defer a.raw.Close()
	}
	switch f.kind {
	case warcFile:
		if a.inParts() {
			a.parts()
		} else {
			a.warc(a.raw)
		}
	case tarFile:
		a.tar()
	case zipFile:
		a.zip()
	case linesFile:
		a.lines()
	default:
		a.stream()
	}
	return !a.stopped
}

// archive is a file with many pages that is being read.
type archive struct {
	in      *Inputs
	file    file
	raw     *os.File // or standard input; closed by read
	input   *tally   // raw, and how much of it was read
	told    int64    // of it, how much pages have as their size
	at      Place    // where the next record begins
	until   int64    // of a part, where the next part begins; 0 for all of the archive
	next    int64    // and the first record there
	stopped bool
	yield   func(Page) bool
}

func (a *archive) open() error {
	a.input = &tally{r: a.in.stdin}
	if a.file.path == "-" && a.in.stdin != nil {
		return nil
	}
	f, err := os.Open(a.file.path)
	if err != nil {
		return plain(err)
	}
	a.raw, a.input.r = f, f
	return nil
}

// seek goes to where a file that is not packed can be read on.
func (a *archive) seek(offset int64) error {
	if offset == 0 || a.raw == nil {
		return nil
	}
	a.told, a.input.n = offset, offset
	_, err := a.raw.Seek(offset, io.SeekStart)
	return err
}

// emit hands a page on. The place to go on from is a.at, which the caller has moved.
func (a *archive) emit(p Page) bool {
	p.Path, p.After = a.file.path, a.at
	p.Size, a.told = max(a.input.n-a.told, 0), max(a.input.n, a.told)
	if !a.yield(p) {
		a.stopped = true
	}
	return !a.stopped
}

// fail says that the rest of the archive cannot be read.
func (a *archive) fail(err error) bool {
	if errors.Is(err, ErrSource) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		err = fmt.Errorf("%w", err)
	} else {
		err = fmt.Errorf("%w: %s: %w; what comes after was not read", ErrSource, a.file.path, err)
	}
	id := a.name()
	if a.at.Record > 0 || a.at.Offset > 0 {
		id = fmt.Sprintf("%s#%d", id, a.at.Offset+a.at.Record)
	}
	a.at.Over = true
	return a.emit(Page{ID: id, Err: err})
}

// name is what pages are called that have no name.
func (a *archive) name() string {
	if a.file.path == "-" {
		return "stdin"
	}
	return filepath.Base(a.file.path)
}

// body reads a page, and passes over the rest of one that is too large. The
// rest is read on by the caller, who looks for the next record.
func (a *archive) body(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, a.in.maxBytes+1))
	switch {
	case err != nil:
		return nil, err
	case n > a.in.maxBytes:
		return nil, fmt.Errorf("%w: more than %d bytes; raise the limit to read it", ErrTooLarge, a.in.maxBytes)
	}
	return b.Bytes(), nil
}

// unpack undoes gzip or zstd, if there is one of them.
func unpack(r io.Reader) (unpacked io.Reader, packed bool, err error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, _ := b.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		return z, true, err
	case bytes.Equal(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, true, err
		}
		return z, true, nil
	}
	return b, false, nil
}

// tally counts what is read.
type tally struct {
	r io.Reader
	n int64
}

func (t *tally) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.n += int64(n)
	return n, err
}
