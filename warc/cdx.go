package warc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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

// Field letters of the CDX lines that come without a header line.
const (
	cdx11 = "NbamskrMSVg"
	cdx10 = "NbamskrMVg"
	cdx9  = "NbamskrVg"
)

// parse reads one line. Empty lines and header lines are of no use and no fault.
func (c *CDX) parse(line string) (e Entry, use bool, err error) {
	trimmed := strings.TrimSpace(line)
	fields := strings.Fields(trimmed)
	switch {
	case trimmed == "":
		return e, false, nil
	case fields[0] == "CDX":
		// " CDX N b a m s k r M S V g" names the fields, each by a letter.
		c.fields = strings.Join(fields[1:], "")
		return e, false, nil
	case strings.HasPrefix(line, "!"):
		return e, false, nil // a header of CDXJ, such as "!OpenWayback-CDXJ 1.0"
	case strings.HasPrefix(trimmed, "{"):
		e, err = parseJSON(Entry{}, trimmed)
	case len(fields) >= 3 && strings.HasPrefix(fields[2], "{"):
		e, err = parseJSON(Entry{Key: fields[0], Date: parseStamp(fields[1])}, trimmed[strings.Index(trimmed, "{"):])
	default:
		e, err = parseFields(fields, c.fields)
	}
	if err == nil && e.Filename == "" {
		err = errors.New("it names no file")
	}
	return e, err == nil, err
}

// parseFields reads a line of fields that letters name.
func parseFields(fields []string, letters string) (e Entry, err error) {
	if letters == "" {
		letters = map[int]string{11: cdx11, 10: cdx10, 9: cdx9}[len(fields)]
	}
	if letters == "" || len(letters) != len(fields) {
		return e, fmt.Errorf("it has %d fields; 9, 10 or 11 are known, or as many as its header line says", len(fields))
	}
	offset := false
	for i, value := range fields {
		if value == "-" {
			continue
		}
		switch letters[i] {
		case 'N':
			e.Key = value
		case 'b':
			e.Date = parseStamp(value)
		case 'a':
			e.URL = value
		case 'm':
			e.MIME = value
		case 's':
			e.Status, _ = strconv.Atoi(value)
		case 'k':
			e.Digest = value
		case 'g':
			e.Filename = value
		case 'S':
			e.Length, err = parseSize(value)
		case 'V':
			e.Offset, err = parseSize(value)
			offset = true
		}
		if err != nil {
			return e, err
		}
	}
	if !offset {
		return e, errNoOffset
	}
	return e, nil
}

var errNoOffset = errors.New("it has no offset")

// parseSize reads a number that is not below zero.
func parseSize(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q is neither an offset nor a length", s)
	}
	return int64(n), nil
}

// value takes a string or a number: tools write either.
type value string

func (v *value) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		s = string(b)
	}
	if s != "null" {
		*v = value(s)
	}
	return nil
}

// parseJSON reads the object of a CDXJ line into e.
func parseJSON(e Entry, object string) (Entry, error) {
	var o struct{ URLKey, Timestamp, URL, MIME, Status, Digest, Filename, Offset, Length value }
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		return e, err
	}
	if o.URLKey != "" {
		e.Key = string(o.URLKey)
	}
	if o.Timestamp != "" {
		e.Date = parseStamp(string(o.Timestamp))
	}
	e.URL, e.MIME, e.Digest, e.Filename = string(o.URL), string(o.MIME), string(o.Digest), string(o.Filename)
	e.Status, _ = strconv.Atoi(string(o.Status))
	if o.Offset == "" {
		return e, errNoOffset
	}
	var err error
	if e.Offset, err = parseSize(string(o.Offset)); err != nil {
		return e, err
	}
	if o.Length != "" && o.Length != "-" {
		e.Length, err = parseSize(string(o.Length))
	}
	return e, err
}

// parseStamp reads the 14 digits of an index, or fewer.
func parseStamp(s string) time.Time {
	const layout = "20060102150405"
	if len(s) > len(layout) {
		s = s[:len(layout)] // some add fractions of a second
	}
	if len(s) < 4 {
		return time.Time{}
	}
	t, err := time.Parse(layout[:len(s)], s)
	if err != nil {
		return time.Time{}
	}
	return t
}
