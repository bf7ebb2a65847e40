package warc

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Compression is how the records of an archive are compressed, each on its own.
type Compression int

// The compressions and the file name extensions that they go with.
const (
	Gzip         Compression = iota // .warc.gz
	Zstd                            // .warc.zst
	Uncompressed                    // .warc
)

// WriterOptions are the options for writing an archive. The zero value is ready
// to use.
type WriterOptions struct {
	Compression Compression

	// Random is the source of record IDs (default: crypto/rand). With the same
	// source, the same records make the same archive.
	Random io.Reader
}

// Writer writes an archive of WARC 1.1. Its methods return the offset of the record. It is not safe for concurrent use. Each
// record is written by one call of Write, so a crash damages at most the last one.
type Writer struct {
	w      io.Writer
	opts   WriterOptions
	offset int64
	err    error // of Write: offsets after it would be wrong
	buf    bytes.Buffer
	gzip   *gzip.Writer
	zstd   *zstd.Encoder
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer, opts WriterOptions) *Writer {
	if opts.Random == nil {
		opts.Random = rand.Reader
	}
	return &Writer{w: w, opts: opts}
}

// recordData is a record to write.
type recordData struct {
	kind, url, contentType string
	date                   time.Time
	block                  []byte
	payload                []byte // nil if there is none
	fields                 Header // further ones
	id                     string // default: a new one
}

// write writes a record and returns its offset.
func (w *Writer) write(d recordData) (offset int64, err error) {
	if w.err != nil {
		return 0, w.err
	}
	if d.id == "" {
		if d.id, err = newID(w.opts.Random); err != nil {
			return 0, err
		}
	}
	if d.date.IsZero() {
		d.date = time.Now()
	}
	h := Header{
		{"WARC-Type", d.kind},
		{"WARC-Record-ID", "<" + d.id + ">"},
		{"WARC-Date", d.date.UTC().Format(time.RFC3339Nano)},
	}
	if d.url != "" {
		h = append(h, Field{"WARC-Target-URI", escapeURL(d.url)})
	}
	h = append(h, d.fields...)
	h = append(h, Field{"WARC-Block-Digest", digest(d.block)})
	if d.payload != nil {
		h = append(h, Field{"WARC-Payload-Digest", digest(d.payload)})
	}
	if d.contentType != "" {
		h = append(h, Field{"Content-Type", d.contentType})
	}
	h = append(h, Field{"Content-Length", strconv.Itoa(len(d.block))})

	const maxKept = 1 << 20 // of the memory of a large record
	if w.buf.Reset(); w.buf.Cap() > maxKept {
		w.buf = bytes.Buffer{}
	}
	if err := w.compress(h, d.block); err != nil {
		return 0, err
	}
	offset = w.offset
	n, err := w.w.Write(w.buf.Bytes())
	w.offset += int64(n)
	if err != nil {
		w.err = fmt.Errorf("warc: cannot write the archive after %d bytes: %w", w.offset, err)
	}
	return offset, w.err
}

// compress writes a record to the buffer.
func (w *Writer) compress(h Header, block []byte) (err error) {
	var out io.Writer = &w.buf
	finish := func() error { return nil }
	switch w.opts.Compression {
	case Uncompressed:
	case Gzip:
		if w.gzip == nil {
			w.gzip = gzip.NewWriter(nil)
		}
		w.gzip.Reset(&w.buf)
		out, finish = w.gzip, w.gzip.Close
	case Zstd:
		if w.zstd == nil {
			if w.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20)); err != nil {
				return err
			}
		}
		w.zstd.Reset(&w.buf)
		out, finish = w.zstd, w.zstd.Close
	default:
		return errors.New("warc: unknown compression; use Gzip, Zstd or Uncompressed")
	}
	var head strings.Builder
	head.WriteString("WARC/1.1\r\n")
	writeFields(&head, h)
	head.WriteString("\r\n")
	for _, part := range [][]byte{[]byte(head.String()), block, []byte("\r\n\r\n")} {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return finish()
}

// writeFields writes named fields. It replaces line breaks in them, which would
// begin another field.
func writeFields(b *strings.Builder, h Header) {
	for _, f := range h {
		b.WriteString(noLineBreak.Replace(f.Name) + ": " + noLineBreak.Replace(f.Value) + "\r\n")
	}
}

var noLineBreak = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ")

// escapeURL escapes white space and control characters, which would split the
// URL in an index.
func escapeURL(url string) string {
	var b strings.Builder
	for i := range len(url) {
		if c := url[i]; c <= ' ' || c == 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func digest(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// newID returns a random UUID (RFC 9562, version 4).
func newID(random io.Reader) (string, error) {
	var u [16]byte
	if _, err := io.ReadFull(random, u[:]); err != nil {
		return "", fmt.Errorf("warc: no random bytes for a record ID: %w", err)
	}
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), nil
}

// Response is an HTTP response, for a response record.
type Response struct {
	URL    string
	Date   time.Time // when it was fetched (default: now)
	Status int
	Header http.Header
	Body   []byte // decoded, as a client returns it

	// Truncated is why Body is incomplete, for WARC-Truncated: "length", "time",
	// "disconnect" or "unspecified"; "" if it is complete.
	Truncated string
}

// Fetch is a response with the request for it and what else is known about it.
type Fetch struct {
	Response Response
	Request  http.Header // of the request, as sent; nil for no request record
	Metadata Header      // nil for no metadata record
}

// Resource is a page that was not fetched over HTTP, such as a file, for a
// resource record.
type Resource struct {
	URL         string
	Date        time.Time
	ContentType string
	Body        []byte
}

// WriteInfo writes a warcinfo record, which describes the records that follow:
// software, operator, description … It should be the first record.
func (w *Writer) WriteInfo(date time.Time, fields Header) (offset int64, err error) {
	return w.write(recordData{kind: "warcinfo", date: date, contentType: warcFields, block: encodeFields("", fields)})
}

const warcFields = "application/warc-fields"

// encodeFields returns a first line and named fields.
func encodeFields(line string, fields Header) []byte {
	var b strings.Builder
	b.WriteString(line)
	writeFields(&b, fields)
	return []byte(b.String())
}

// WriteResponse writes a response record.
func (w *Writer) WriteResponse(r Response) (offset int64, err error) { return w.writeResponse(r, "") }

func (w *Writer) writeResponse(r Response, id string) (offset int64, err error) {
	head := encodeFields(fmt.Sprintf("HTTP/1.1 %d %s\r\n", r.Status, http.StatusText(r.Status)), r.fields())
	d := recordData{kind: "response", url: r.URL, date: r.Date, contentType: "application/http;msgtype=response",
		block: slices.Concat(head, []byte("\r\n"), r.Body), payload: orEmpty(r.Body), id: id}
	if r.Truncated != "" {
		d.fields = Header{{"WARC-Truncated", r.Truncated}}
	}
	return w.write(d)
}

// WriteFetch writes a request record, a metadata record and a response record. The
// first two name the ID of the response (WARC-Concurrent-To) and come before it, so
// that whoever reads the archive once knows about a page when it comes. The offset is
// that of the response.
func (w *Writer) WriteFetch(f Fetch) (offset int64, err error) {
	r := f.Response
	if r.Date.IsZero() {
		r.Date = time.Now()
	}
	id, err := newID(w.opts.Random)
	if err != nil {
		return 0, err
	}
	about := Header{{"WARC-Concurrent-To", "<" + id + ">"}}
	if f.Request != nil {
		if _, err := w.write(recordData{kind: "request", url: r.URL, date: r.Date, fields: about,
			contentType: "application/http;msgtype=request", block: encodeRequest(r.URL, f.Request)}); err != nil {
			return 0, err
		}
	}
	if f.Metadata != nil {
		if _, err := w.write(recordData{kind: "metadata", url: r.URL, date: r.Date, fields: about,
			contentType: warcFields, block: encodeFields("", f.Metadata)}); err != nil {
			return 0, err
		}
	}
	return w.writeResponse(r, id)
}

// encodeRequest returns a GET request.
func encodeRequest(address string, header http.Header) []byte {
	target, fields := escapeURL(address), sortedFields(header)
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		target = u.RequestURI()
		if header.Get("Host") == "" {
			fields = append(Header{{"Host", u.Host}}, fields...)
		}
	}
	return append(encodeFields("GET "+target+" HTTP/1.1\r\n", fields), "\r\n"...)
}

// WriteResource writes a resource record.
func (w *Writer) WriteResource(r Resource) (offset int64, err error) {
	return w.write(recordData{kind: "resource", url: r.URL, date: r.Date, contentType: r.ContentType,
		block: r.Body, payload: orEmpty(r.Body)})
}

// orEmpty returns a payload that is not nil: an empty one has a digest too.
func orEmpty(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// fields returns the header fields, sorted. Those of the encodings, which Body no
// longer has, are renamed to X-Archive-Orig-….
func (r Response) fields() Header {
	h := sortedFields(r.Header)
	for i, f := range h {
		switch http.CanonicalHeaderKey(f.Name) {
		case "Content-Encoding", "Transfer-Encoding", "Content-Length":
			h[i].Name = "X-Archive-Orig-" + f.Name
		}
	}
	return append(h, Field{"Content-Length", fmt.Sprint(len(r.Body))})
}

func sortedFields(header http.Header) (h Header) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			h = append(h, Field{name, value})
		}
	}
	return h
}
