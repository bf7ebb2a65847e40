package batch

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/internal/page/lines"
)

// read yields the pages of a file, until yield returns false. They are the same each time.
func (s *Source) read(f file, yield func(Input) bool) {
	switch {
	case f.err != nil || f.kind == pageFile:
		yield(Input{ID: f.pageID(), URL: f.origin.url, Site: f.origin.site, Size: f.size, Err: f.err})
		return
	case f.kind == addressFile:
		p := s.addressInput(f.path)
		p.Size = f.size
		yield(p)
		return
	}
	a := &archive{src: s, file: f, input: &byteCounter{r: s.Stdin}, yield: yield}
	if f.path != "-" || s.Stdin == nil {
		var err error
		if a.raw, err = os.Open(f.path); err != nil {
			a.fail(describe(err))
			return
		}
		defer a.raw.Close()
		a.input.r = a.raw
	}
	switch f.kind {
	case streamFile:
		a.readStream()
	case warcFile:
		a.readWARC(a.raw) // which can seek, unlike a.input
	default:
		a.readKind(f.kind, a.input)
	}
}

// archive reads a file with many pages.
type archive struct {
	src      *Source
	file     file
	raw      *os.File     // nil for Source.Stdin
	input    *byteCounter // of raw or Source.Stdin
	reported int64        // bytes of the input that are in the Size of a page
	pages    int          // that were yielded
	yield    func(Input) bool
}

// emit yields a page and reports whether to continue.
func (a *archive) emit(p Input) bool {
	p.Size, a.reported = max(a.input.n-a.reported, 0), max(a.input.n, a.reported)
	a.pages++
	return a.yield(p)
}

// fail yields a page with the error that ends the archive.
func (a *archive) fail(err error) {
	if !errors.Is(err, ErrSource) && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
		err = fmt.Errorf("%w: %s: %w; the rest was not read", ErrSource, a.file.path, err)
	}
	id := a.file.archiveName()
	if a.pages > 0 {
		id = fmt.Sprintf("%s#%d", id, a.pages)
	}
	a.emit(Input{ID: id, Err: err})
}

// readBody reads a page of up to Source.MaxBytes. A page that is empty is not nil.
func (a *archive) readBody(r io.Reader) ([]byte, error) {
	limit := a.src.maxBytes()
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(body)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes; raise the limit to read it", ErrTooLarge, limit)
	}
	return body, err
}

// decompress decompresses gzip or zstd, and returns other data as it is.
func decompress(b *bufio.Reader) (plain io.Reader, compressed bool, err error) {
	head, _ := b.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		return z, true, err
	case bytes.Equal(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
		return z, true, err
	}
	return b, false, nil
}

// byteCounter counts the bytes that are read.
type byteCounter struct {
	r io.Reader
	n int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// readStream reads standard input or a pipe.
func (a *archive) readStream() {
	b := bufio.NewReaderSize(a.input, 64<<10)
	head, _ := b.Peek(4 << 10)
	if r, compressed, err := decompress(bufio.NewReader(bytes.NewReader(head))); err == nil && compressed {
		plain := make([]byte, 512)
		n, _ := io.ReadFull(r, plain) // head is cut off, so that an error is expected
		head = plain[:n]
	}
	kind := sniff(head)
	if kind == pageFile && lines.AreAddresses(head) {
		a.fail(fmt.Errorf("%w: this looks like a list of addresses: read it as one (lede batch --urls -)", ErrSource))
		return
	}
	a.readKind(kind, b)
}

// sniff returns the kind of a stream by its first bytes.
func sniff(head []byte) fileKind {
	const ustar = 257 // offset of the magic number of tar
	switch {
	case bytes.HasPrefix(head, []byte("WARC/")):
		return warcFile
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return zipFile
	case len(head) > ustar+5 && string(head[ustar:ustar+5]) == "ustar":
		return tarFile
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")):
		return linesFile
	}
	return pageFile
}

// readKind reads r as a file of a kind.
func (a *archive) readKind(kind fileKind, r io.Reader) {
	switch kind {
	case warcFile: // package warc decompresses by itself
		a.readWARC(r)
		return
	case zipFile:
		a.readZip()
		return
	}
	plain, _, err := decompress(bufio.NewReaderSize(r, 64<<10))
	if err != nil {
		a.fail(err)
		return
	}
	switch kind {
	case tarFile:
		a.readTar(plain)
	case linesFile:
		a.readLines(plain)
	case listFile:
		a.readList(plain)
	default:
		a.readPage(plain)
	}
}

// readPage reads a stream that is a page.
func (a *archive) readPage(r io.Reader) {
	p := Input{ID: a.file.archiveName()}
	if p.Body, p.Err = a.readBody(r); p.Err != nil {
		p.Err = fmt.Errorf("%s: %w", a.file.archiveName(), p.Err)
	}
	a.emit(p)
}

// readTar reads the pages of a tar archive.
func (a *archive) readTar(r io.Reader) {
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return
		case err != nil:
			a.fail(err)
			return
		case h.Typeflag == tar.TypeReg && isPage(h.Name) && !a.emitEntry(h.Name, t, nil):
			return
		}
	}
}

// emitEntry yields a page of a tar or zip archive, which may be compressed, and reports
// whether to continue. err is why it cannot be read, if it is known.
func (a *archive) emitEntry(name string, r io.Reader, err error) bool {
	p := Input{ID: path.Join(a.file.prefix, entryID(name))}
	if err == nil {
		r, _, err = decompress(bufio.NewReader(r))
	}
	if err == nil {
		p.Body, err = a.readBody(r)
	}
	if p.Err = err; err != nil && !errors.Is(err, ErrTooLarge) {
		p.Err = fmt.Errorf("%w: %s in %s: %w", ErrSource, name, a.file.path, err)
	}
	return a.emit(p)
}

// readZip reads the pages of a zip archive.
func (a *archive) readZip() {
	if a.raw == nil || a.file.kind == streamFile {
		a.fail(fmt.Errorf("%w: a zip archive cannot be read from a pipe, since its directory is at the end; save it to a file", ErrSource))
		return
	}
	z, err := zip.NewReader(a.raw, a.file.size)
	if err != nil {
		a.fail(err)
		return
	}
	for _, entry := range z.File {
		if entry.FileInfo().IsDir() || !isPage(entry.Name) {
			continue
		}
		a.input.n += int64(entry.CompressedSize64)
		r, err := entry.Open()
		more := a.emitEntry(entry.Name, r, err)
		if err == nil {
			r.Close()
		}
		if !more {
			return
		}
	}
}

// readLines reads the pages of a file of JSON lines.
func (a *archive) readLines(r io.Reader) {
	a.eachLine(r, 2*a.src.maxBytes()+1<<16, func(id string, line []byte, err error) bool {
		p := Input{ID: id, Body: line, Err: err}
		if err == nil {
			if len(bytes.TrimSpace(line)) == 0 {
				return true
			}
			p.isLine = true
		}
		return a.emit(p)
	})
}

// eachLine calls do with each line and an ID for it, until it returns false. A line that
// is longer than limit comes with ErrTooLarge.
func (a *archive) eachLine(r io.Reader, limit int64, do func(id string, line []byte, err error) bool) {
	in := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, size, err := lines.Read(in, limit)
		switch {
		case err == io.EOF:
			return
		case err == lines.ErrTooLong:
			err = fmt.Errorf("%w: a line of %d bytes", ErrTooLarge, size)
		case err != nil:
			a.fail(err)
			return
		}
		if !do(fmt.Sprintf("%s:%d", a.file.archiveName(), number), line, err) {
			return
		}
	}
}

// Load sets ID, URL, LinkText and Body of a page that is a JSON line, unless it has done so.
func (in *Input) Load() error {
	if !in.isLine {
		return nil
	}
	l, err := lines.ParsePage(in.Body)
	in.isLine, in.Body = false, nil
	if err != nil {
		return fmt.Errorf("%s is invalid JSON: %w", in.ID, err)
	}
	in.URL, in.Site, in.LinkText = l.URL, l.Site, l.LinkText
	if l.HTML == nil {
		err = fmt.Errorf("%s has no field html", in.ID)
	} else {
		in.Body, in.Charset = []byte(*l.HTML), "utf-8" // JSON is, whatever the page declares
	}
	in.ID = cmp.Or(l.ID, in.ID)
	return err
}
