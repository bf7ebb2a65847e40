package batch

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

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

// stream reads standard input or a pipe: its first bytes say what it is.
func (a *archive) stream() {
	b := bufio.NewReaderSize(a.input, 64<<10)
	head, _ := b.Peek(4 << 10)
	if r, packed, err := unpack(bytes.NewReader(head)); err == nil && packed {
		inside := make([]byte, 512)
		n, _ := io.ReadFull(r, inside) // the head breaks off somewhere
		head = inside[:n]
	}
	kind := sniff(head)
	if kind == warcFile { // which has a packing of its own
		a.warc(b)
		return
	}
	r, _, err := unpack(b)
	if err != nil {
		a.fail(err)
		return
	}
	switch kind {
	case tarFile:
		a.tarOf(r)
	case zipFile:
		a.zip()
	case linesFile:
		a.linesOf(bufio.NewReaderSize(r, 64<<10), true)
	default:
		a.page(r)
	}
}

// page reads a stream that is one page.
func (a *archive) page(r io.Reader) {
	if a.at.Record > 0 {
		return
	}
	p := Page{ID: a.name()}
	if p.Body, p.Err = a.body(r); p.Err != nil {
		p.Err = fmt.Errorf("%s: %w", a.name(), p.Err)
	} else if p.Body == nil {
		p.Body = []byte{}
	}
	a.at.Record = 1
	a.emit(p)
}

func sniff(head []byte) kind {
	const ustar = 257 // where a tar header says so
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

// tar reads the pages of a tar archive, also of a packed one.
func (a *archive) tar() {
	r, _, err := unpack(a.input)
	if err != nil {
		a.fail(err)
		return
	}
	a.tarOf(r)
}

func (a *archive) tarOf(r io.Reader) {
	end := &ending{r: r}
	t := tar.NewReader(end)
	skip := a.at.Record
	for n := int64(1); ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			if end.zeros < tarBlock {
				a.fail(errors.New("it ends without the mark of its end, so a part may be missing"))
			}
			return
		case err != nil:
			a.fail(err)
			return
		case n <= skip || h.Typeflag != tar.TypeReg || !isPage(h.Name):
			continue
		}
		p := Page{ID: idOf(h.Name)}
		p.Body, err = a.body(t)
		switch {
		case errors.Is(err, ErrTooLarge):
			p.Err = err
		case err != nil:
			p.Err = fmt.Errorf("%w: %s in %s: %w", ErrSource, h.Name, a.file.path, err)
		default:
			p.load = a.unpackBody
		}
		a.at.Record = n
		if !a.emit(p) {
			return
		}
	}
}

// tarBlock is what all of a tar archive is made of. Two of them, with nothing in
// them, are its end, and one may do.
const tarBlock = 512

// ending counts the zeros at the end of what was read.
type ending struct {
	r     io.Reader
	zeros int
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	text := bytes.TrimRight(p[:n], "\x00")
	if len(text) > 0 {
		e.zeros = 0
	}
	e.zeros += n - len(text)
	return n, err
}

// unpackBody undoes the packing that a page has besides that of its archive.
func (a *archive) unpackBody(p *Page) error {
	r, packed, err := unpack(bytes.NewReader(p.Body))
	if err == nil && packed {
		p.Body, err = a.body(r)
	}
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("broken gzip file: %w", err)
	}
	return err
}

// zip reads the pages of a zip archive. Workers unpack them, side by side.
func (a *archive) zip() {
	if a.raw == nil || a.file.kind == streamFile {
		a.fail(fmt.Errorf("%w: a zip archive has its list at its end and cannot be read from a pipe; save it to a file", ErrSource))
		return
	}
	f, err := os.Open(a.file.path)
	if err != nil {
		a.fail(plain(err))
		return
	}
	shared := &sharedFile{f: f}
	shared.take()
	defer shared.leave()
	z, err := zip.NewReader(f, a.file.size)
	if err != nil {
		a.fail(err)
		return
	}
	for i, entry := range z.File {
		if int64(i) < a.at.Record || entry.FileInfo().IsDir() || !isPage(entry.Name) {
			continue
		}
		a.at.Record = int64(i) + 1
		a.input.n += int64(entry.CompressedSize64)
		shared.take()
		if !a.emit(Page{ID: idOf(entry.Name), load: a.entry(entry, shared)}) {
			return
		}
	}
}

// entry reads a page of a zip archive.
func (a *archive) entry(entry *zip.File, shared *sharedFile) func(*Page) error {
	return func(p *Page) error {
		defer shared.leave()
		r, err := entry.Open()
		if err == nil {
			p.Body, err = a.body(r)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("%s in %s: %w", entry.Name, a.file.path, err)
		}
		return a.unpackBody(p)
	}
}

// sharedFile is closed by the last who leaves it.
type sharedFile struct {
	f    *os.File
	uses atomic.Int64
}

func (s *sharedFile) take() { s.uses.Add(1) }

func (s *sharedFile) leave() {
	if s.uses.Add(-1) == 0 {
		s.f.Close()
	}
}

// lines reads pages from lines of JSON with the fields html and url, and maybe
// id and site.
func (a *archive) lines() {
	if err := a.seek(a.at.Offset); err != nil {
		a.fail(err)
		return
	}
	r, packed, err := unpack(a.input)
	if err != nil {
		a.fail(err)
		return
	}
	a.linesOf(bufio.NewReaderSize(r, 64<<10), packed || a.raw == nil)
}

// linesOf reads lines; those of a packed file, or of a pipe, from the start.
func (a *archive) linesOf(r *bufio.Reader, fromStart bool) {
	var number, skip int64
	if number = a.at.Record; fromStart {
		number, skip = 0, a.at.Record
	}
	for {
		line, size, err := readLine(r, 2*a.in.maxBytes+1<<16)
		large := errors.Is(err, ErrTooLarge)
		switch {
		case err == io.EOF:
			return
		case err != nil && !large:
			a.fail(err)
			return
		}
		if number++; number <= skip {
			continue
		}
		if a.at.Record = number; !fromStart {
			a.at.Offset += size
		}
		p := Page{ID: fmt.Sprintf("%s:%d", a.name(), number), Body: line}
		switch {
		case large:
			p.Err = fmt.Errorf("%w: a line of %d bytes", err, size)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			p.load = (*Page).readJSON
		}
		if !a.emit(p) {
			return
		}
	}
}

// readLine reads a line, of which it keeps no more than limit bytes; size is
// what was read. A last line without its end is a line.
func readLine(r *bufio.Reader, limit int64) (line []byte, size int64, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if long = long || int64(len(line)+len(part)) > limit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && size == 0:
			return nil, 0, io.EOF
		case err != nil && err != io.EOF:
			return nil, size, err
		case long:
			return nil, size, ErrTooLarge
		}
		return line, size, nil
	}
}

// readJSON makes a page of its line.
func (p *Page) readJSON() error {
	var l struct {
		ID   string  `json:"id"`
		URL  string  `json:"url"`
		Site string  `json:"site"`
		HTML *string `json:"html"`
	}
	err := json.Unmarshal(p.Body, &l)
	p.Body = nil
	if err != nil {
		return fmt.Errorf("%s is not a line of JSON: %w", p.ID, err)
	}
	p.URL, p.Site = l.URL, l.Site
	if l.HTML == nil {
		err = fmt.Errorf("%s has no field html", p.ID)
	} else {
		p.Body, p.Charset = []byte(*l.HTML), "utf-8" // whatever the page says, JSON is in UTF-8
	}
	p.ID = cmp.Or(l.ID, p.ID)
	return err
}
