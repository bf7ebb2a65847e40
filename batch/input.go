package batch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lede-news/lede/article"
	growing "github.com/lede-news/lede/internal/output/archive"
	"github.com/lede-news/lede/internal/page/owned"
)

// Input is a page to extract. It is a file, named by Path, has a Body, or is fetched
// from URL.
type Input struct {
	// ID is the path of the page within its folder or archive without .html, .htm and
	// .gz, the ID of a WARC record, or the field id of a JSON line. See Source.
	ID  string
	URL string
	// Site is the name of the page's site in a corpus or JSON line, if known.
	Site string
	// Charset is the charset of the Content-Type header, if known.
	Charset string
	// LinkText is the text of the link that led to the page: the field link_text of a
	// JSON line or of an archive of lede follow.
	LinkText string
	// Partial is why the page is incomplete, or "". The result has it, whatever the
	// ExtractFunc returns.
	Partial article.PartialReason
	// Path is the file, or the archive that contains the page.
	Path string
	// Body is the page, if it was read from an archive.
	Body []byte
	// Size is the number of bytes of the source that the page takes, as stored.
	Size int64
	// Lost is the number of bytes that are damaged, from the page on.
	Lost int64
	// Err is set if the page cannot be read.
	Err error

	next position // where to resume after this page
	// found is how lede follow found the page, if it was read from its archive.
	found growing.Found
	// fetch, if not nil, sets Body, and URL, Charset and Partial if they are known.
	fetch  func(context.Context, *Input) error
	isLine bool // Body is a line of JSON, which workers parse
}

// position is a position in a source, between two pages.
type position struct {
	Input int `json:"input"` // index in Source.Paths
	// File is the slash-separated path of a file in an input that is a folder.
	File string `json:"file,omitempty"`
	// Pages is the number of pages of the file before the position.
	Pages int `json:"pages,omitempty"`
}

// Open opens the page and decompresses it.
func (in Input) Open() (io.ReadCloser, error) {
	if err := in.Load(); err != nil {
		return nil, err
	}
	if in.Body != nil {
		return owned.NewReader(in.Body), nil
	}
	return openFile(in.Path)
}

// openFile opens a file and decompresses it if it is compressed with gzip or zstd,
// whatever its name.
func openFile(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, describe(err)
	}
	if fi, err := f.Stat(); err == nil && fi.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s is a folder, not a page", path)
	}
	r, compressed, err := decompress(bufio.NewReader(f))
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: corrupt compressed file: %w", path, err)
	}
	if compressed {
		r = corruptReader{r, path}
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// corruptReader describes the errors of a compressed file.
type corruptReader struct {
	r    io.Reader
	path string
}

func (c corruptReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: corrupt compressed file: %w", c.path, err)
	}
	return n, err
}

// fileError is an error of a file without the name of a system call.
type fileError struct{ *fs.PathError }

func (e fileError) Error() string {
	if errors.Is(e.Err, fs.ErrNotExist) {
		return e.Path + ": no such file or folder"
	}
	return e.Path + ": " + e.Err.Error()
}

func (e fileError) Unwrap() error { return e.PathError }

// describe returns a fileError for a *fs.PathError.
func describe(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return fileError{pe}
	}
	return err
}
