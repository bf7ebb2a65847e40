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

	"github.com/lede-news/lede/internal/page/lines"
)

// CDXEntry is an entry of an index. It describes a record and where it is.
type CDXEntry struct {
	Key      string // the URL in a form for sorting, such as "com,example)/news"
	URL      string
	Date     time.Time // zero if missing or invalid
	MIME     string
	Status   int    // 0 if missing
	Digest   string // of the payload, as written: with or without "sha1:"
	Filename string // of the archive
	Offset   int64  // of the record in the archive, for RecordAt
	Length   int64  // of the record, compressed if the archive is; 0 if missing
}

// CDXReader reads an index: CDXJ, JSON lines, and CDX of 9, 10 or 11 fields or
// with a header line, uncompressed or compressed with gzip. Invalid lines are
// skipped, counted and reported to Options.OnError.
type CDXReader struct {
	r       *bufio.Reader
	input   *input
	opts    Options
	fields  string // the letters of the header line
	line    int64
	skipped int64
	err     error
}

// maxCDXLine is the longest line that is parsed.
const maxCDXLine = 1 << 20

// NewCDXReader returns a CDXReader that reads from r.
func NewCDXReader(r io.Reader, opts Options) *CDXReader {
	in := newInput(r)
	c := &CDXReader{r: in.Reader, input: in, opts: opts.withDefaults()}
	if magic, _ := in.Peek(3); isGzip(magic) {
		gz, err := gzip.NewReader(in.Reader)
		if err != nil {
			c.err = c.readError(err)
			return c
		}
		c.r = bufio.NewReaderSize(gz, bufferSize)
	}
	return c
}

// Skipped returns the number of invalid lines.
func (c *CDXReader) Skipped() int64 { return c.skipped }

// Next returns the next entry, and io.EOF at the end. Any other error means that
// the index cannot be read further and is returned by all further calls.
func (c *CDXReader) Next() (CDXEntry, error) {
	for c.err == nil {
		line, _, err := lines.Read(c.r, maxCDXLine)
		switch {
		case err == io.EOF:
			c.err = io.EOF
			return CDXEntry{}, c.err
		case err != nil && err != lines.ErrTooLong:
			c.err = c.readError(err)
			return CDXEntry{}, c.err
		}
		c.line++
		var e CDXEntry
		var ok bool
		if err == nil {
			e, ok, err = c.parse(string(line))
		}
		switch {
		case err != nil:
			c.skipped++
			c.opts.OnError(&Error{Offset: -1, Kind: ErrMalformed, Err: err, Reason: fmt.Sprintf("line %d of the index is invalid", c.line)})
		case ok:
			return e, nil
		}
	}
	return CDXEntry{}, c.err
}

func (c *CDXReader) readError(err error) error {
	if c.input.err != nil {
		return &Error{Offset: c.input.end, Kind: ErrInput, Err: err, Reason: "the index cannot be read further"}
	}
	kind := ErrMalformed
	if err = noEOF(err); errors.Is(err, io.ErrUnexpectedEOF) {
		kind = ErrTruncated
	}
	return &Error{Offset: c.input.pos(), Kind: kind, Err: err, Reason: "the compressed index is corrupt; fetch it again"}
}

// The field letters of CDX lines without a header line, by their number.
const (
	cdx11 = "NbamskrMSVg"
	cdx10 = "NbamskrMVg"
	cdx9  = "NbamskrVg"
)

// parse parses a line. It returns false for empty lines and header lines.
func (c *CDXReader) parse(line string) (e CDXEntry, ok bool, err error) {
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
		return e, false, nil // a CDXJ header, such as "!OpenWayback-CDXJ 1.0"
	case strings.HasPrefix(trimmed, "{"):
		e, err = parseJSON(cdxValues{}, trimmed)
	case len(fields) >= 3 && strings.HasPrefix(fields[2], "{"):
		e, err = parseJSON(cdxValues{URLKey: value(fields[0]), Timestamp: value(fields[1])}, trimmed[strings.Index(trimmed, "{"):])
	default:
		e, err = parseFields(fields, c.fields)
	}
	if err == nil && e.Filename == "" {
		err = errors.New("it has no filename")
	}
	return e, err == nil, err
}

// parseFields parses a CDX line whose fields are named by letters.
func parseFields(fields []string, letters string) (CDXEntry, error) {
	if letters == "" {
		letters = map[int]string{11: cdx11, 10: cdx10, 9: cdx9}[len(fields)]
	}
	if letters == "" || len(letters) != len(fields) {
		return CDXEntry{}, fmt.Errorf("it has %d fields, not 9, 10, 11 or as many as the header line", len(fields))
	}
	var v cdxValues
	values := [...]*value{&v.URLKey, &v.Timestamp, &v.URL, &v.MIME, &v.Status, &v.Digest, &v.Filename, &v.Length, &v.Offset}
	for i, field := range fields {
		if at := strings.IndexByte("NbamskgSV", letters[i]); at >= 0 {
			*values[at] = value(field)
		}
	}
	return v.entry()
}

// parseJSON parses a JSON object. Its fields replace those of v.
func parseJSON(v cdxValues, object string) (e CDXEntry, err error) {
	if err := json.Unmarshal([]byte(object), &v); err != nil {
		return e, err
	}
	return v.entry()
}

// cdxValues are the fields of an entry as written, named as in JSON.
type cdxValues struct{ URLKey, Timestamp, URL, MIME, Status, Digest, Filename, Offset, Length value }

// value is a string or a number in JSON: tools write either.
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

// text returns the value, which is "-" if it is missing.
func (v value) text() string {
	if v == "-" {
		return ""
	}
	return string(v)
}

// size parses an offset or a length.
func (v value) size() (int64, error) {
	n, err := strconv.ParseUint(string(v), 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q is neither an offset nor a length", v)
	}
	return int64(n), nil
}

func (v *cdxValues) entry() (e CDXEntry, err error) {
	e = CDXEntry{Key: v.URLKey.text(), Date: parseTimestamp(v.Timestamp.text()), URL: v.URL.text(), MIME: v.MIME.text(),
		Digest: v.Digest.text(), Filename: v.Filename.text()}
	e.Status, _ = strconv.Atoi(v.Status.text())
	if v.Offset.text() == "" {
		return e, errors.New("it has no offset")
	}
	if e.Offset, err = v.Offset.size(); err == nil && v.Length.text() != "" {
		e.Length, err = v.Length.size()
	}
	return e, err
}

// parseTimestamp parses a timestamp of up to 14 digits.
func parseTimestamp(s string) time.Time {
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
