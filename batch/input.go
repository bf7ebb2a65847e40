package batch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Page is a page to be read.
type Page struct {
	// ID is the name of the file without .html, .htm and .gz, the id of a WARC
	// record, or what a line of JSON says.
	ID   string
	URL  string
	Site string // what a corpus calls the page's site; empty when nobody says
	// Charset is what the header of the page named; empty when there was none.
	Charset string
	// Path is the file of the page, or the archive that it is in.
	Path string
	// Body is the page itself where it had to be read to get at the next one.
	Body []byte
	// Size is how much of the input the page took, as it lies on the disk.
	Size int64
	// Lost is how much of it could not be read, from the page on.
	Lost int64
	// After is where to go on when this page is done.
	After Place
	// Err is set when the page is known to be lost before it is opened.
	Err error

	// load is what is left to do to have ID, URL and Body. Workers do it, side by
	// side.
	load func(*Page) error
}

// Place is a place in the inputs, between two records.
type Place struct {
	Input int `json:"input"` // its number
	// File is the way to the file in an input that is a folder.
	File string `json:"file,omitempty"`
	// Record is how many records of the file are done, and Offset where the
	// next one begins, in files that can be read from there.
	Record int64 `json:"record,omitempty"`
	Offset int64 `json:"offset,omitempty"`
	// Over is set when the rest of the file cannot be read.
	Over bool `json:"over,omitempty"`
}

// Open opens the page, unpacked.
func (p Page) Open() (io.ReadCloser, error) {
	if err := p.finish(); err != nil {
		return nil, err
	}
	if p.Body != nil {
		return io.NopCloser(bytes.NewReader(p.Body)), nil
	}
	return Open(p.Path)
}

// finish does what is left to do to know the page.
func (p *Page) finish() error {
	load := p.load
	if p.load = nil; load == nil {
		return nil
	}
	return load(p)
}

// Open opens a file; one that is packed with gzip, whatever its name, is
// unpacked while it is read.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	if fi, err := f.Stat(); err == nil && fi.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s is a folder; lede batch reads folders", path)
	}
	b := bufio.NewReader(f)
	if head, err := b.Peek(2); err != nil || head[0] != 0x1F || head[1] != 0x8B {
		return readCloser{b, f}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: broken gzip file: %w", path, err)
	}
	return readCloser{z, f}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// fileError says what is wrong with a file without the name of a system call.
type fileError struct {
	path, what string
	err        error
}

func (e *fileError) Error() string { return e.path + ": " + e.what }
func (e *fileError) Unwrap() error { return e.err }

func plain(err error) error {
	var pe *fs.PathError
	switch {
	case !errors.As(err, &pe):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &fileError{pe.Path, "no such file or folder", err}
	case errors.Is(err, fs.ErrPermission):
		return &fileError{pe.Path, "may not be read", err}
	}
	return &fileError{pe.Path, pe.Err.Error(), err}
}
