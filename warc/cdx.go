package warc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Entry is one line of an index: where a record is, and what of.
type Entry struct {
	Key      string // the URL turned round for sorting, "com,example)/news"
	URL      string
	Date     time.Time // zero if the line has none that can be read
	MIME     string
	Status   int    // 0 if the line has none
	Digest   string // of the payload, as written: with or without "sha1:"
	Filename string // of the archive
	Offset   int64  // of the record in it, for At
	Length   int64  // of the record as packed; 0 if the line has none
}

// CDX reads an index: CDXJ, lines of JSON, and CDX of 9, 10 or 11 fields or with
// a header line; plain or packed with gzip. Lines that cannot be used are passed
// over, counted, and told to Options.OnFault.
type CDX struct {
	r       *bufio.Reader
	input   *input
	opts    Options
	fields  string // the letters of the header line
	line    int64
	skipped int64
	err     error
}

// maxCDXLine bounds a line; long URLs fit.
const maxCDXLine = 1 << 20

// NewCDX reads an index from r.
func NewCDX(r io.Reader, opts Options) *CDX {
	in := newInput(r)
	c := &CDX{r: in.Reader, input: in, opts: opts.withDefaults()}
	if magic, _ := in.Peek(3); isGzip(magic) {
		gz, err := gzip.NewReader(in.Reader)
		if err != nil {
			c.err = c.broken(err)
			return c
		}
		c.r = bufio.NewReaderSize(gz, bufferSize)
	}
	return c
}

// Skipped is the number of lines that could not be used.
func (c *CDX) Skipped() int64 { return c.skipped }

// Next returns the next entry, io.EOF at the end, and another error when the
// index cannot be read on; that one stays.
func (c *CDX) Next() (Entry, error) {
	for c.err == nil {
		line, err := c.readLine()
		if err != nil {
			c.err = err
			break
		}
		e, use, err := c.parse(line)
		switch {
		case err != nil:
			c.skipped++
			c.opts.OnFault(&Error{Offset: -1, Kind: ErrMalformed, Err: err,
				Reason: fmt.Sprintf("line %d of the index cannot be used", c.line)})
		case use:
			return e, nil
		}
	}
	return Entry{}, c.err
}

var errLongLine = errors.New("it is longer than 1 MiB")

// readLine returns a line; one that is too long comes empty and is counted.
func (c *CDX) readLine() (string, error) {
	var line []byte
	long := false
	for {
		part, err := c.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxCDXLine; !long {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) == 0 && !long:
			return "", io.EOF
		case err != nil && err != io.EOF:
			return "", c.broken(err)
		}
		c.line++
		if long {
			c.skipped++
			c.opts.OnFault(&Error{Offset: -1, Kind: ErrMalformed, Err: errLongLine,
				Reason: fmt.Sprintf("line %d of the index cannot be used", c.line)})
			return "", nil
		}
		return string(line), nil
	}
}

func (c *CDX) broken(err error) error {
	if c.input.err != nil {
		return &Error{Offset: c.input.end, Kind: ErrInput, Err: err, Reason: "the index cannot be read on"}
	}
	kind := ErrMalformed
	if err = noEOF(err); errors.Is(err, io.ErrUnexpectedEOF) {
		kind = ErrTruncated
	}
	return &Error{Offset: c.input.pos(), Kind: kind, Err: err, Reason: "the packed index is broken; fetch it again"}
}
