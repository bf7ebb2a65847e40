package warc

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// WriterOptions are the options for writing an archive. The zero value is ready
// to use.
type WriterOptions struct {
	// Random is the source of record IDs (default: crypto/rand). With the same
	// source, the same records make the same archive.
	Random io.Reader
}

// Writer writes an archive of WARC 1.1, each record compressed with gzip on its own. It is
// not safe for concurrent use. Each record is written by one call of Write, so a crash
// damages at most the last one.
type Writer struct {
	w      io.Writer
	random io.Reader
	gzip   *gzip.Writer
	err    error // of Write: the archive may end inside a record
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer, opts WriterOptions) *Writer {
	if opts.Random == nil {
		opts.Random = rand.Reader
	}
	return &Writer{w: w, random: opts.Random, gzip: gzip.NewWriter(nil)}
}

// recordData is a record to write.
type recordData struct {
	kind, url, contentType string
	id                     string // default: a new one
	date                   time.Time
	block                  []byte
	fields                 Header // further ones
}

func (w *Writer) write(d recordData) (err error) {
	if w.err != nil {
		return w.err
	}
	if d.id == "" {
		if d.id, err = newID(w.random); err != nil {
			return err
		}
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
	h = append(h, Field{"WARC-Block-Digest", digest(d.block)}, Field{"Content-Type", d.contentType},
		Field{"Content-Length", strconv.Itoa(len(d.block))})

	var b bytes.Buffer
	z := w.gzip
	z.Reset(&b)
	for _, part := range [][]byte{[]byte("WARC/1.1\r\n"), encodeFields(h), []byte("\r\n"), d.block, []byte("\r\n\r\n")} {
		_, _ = z.Write(part) // writing to memory cannot fail
	}
	_ = z.Close()
	if _, err := w.w.Write(b.Bytes()); err != nil {
		w.err = fmt.Errorf("warc: cannot write the archive: %w", err)
	}
	return w.err
}

// encodeFields returns named fields. It replaces line breaks in them, which would
// begin another field.
func encodeFields(h Header) []byte {
	var b bytes.Buffer
	for _, f := range h {
		b.WriteString(noLineBreak.Replace(f.Name) + ": " + noLineBreak.Replace(f.Value) + "\r\n")
	}
	return b.Bytes()
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

// WriteInfo writes a warcinfo record, which describes the records that follow:
// software, operator, description … It should be the first record.
func (w *Writer) WriteInfo(date time.Time, fields Header) error {
	return w.write(recordData{kind: "warcinfo", date: date, contentType: warcFields, block: encodeFields(fields)})
}

const warcFields = "application/warc-fields"

// WriteResponse writes a response record.
func (w *Writer) WriteResponse(r Response) error { return w.WriteFetch(Fetch{Response: r}) }

// WriteFetch writes a request record, a metadata record and a response record. The
// first two name the ID of the response (WARC-Concurrent-To) and come before it, so
// that whoever reads the archive once knows about a page when it comes.
func (w *Writer) WriteFetch(f Fetch) error {
	r := f.Response
	if r.Date.IsZero() {
		r.Date = time.Now()
	}
	id, err := newID(w.random)
	if err != nil {
		return err
	}
	about := Header{{"WARC-Concurrent-To", "<" + id + ">"}}
	if f.Request != nil {
		err = w.write(recordData{kind: "request", url: r.URL, date: r.Date, fields: about,
			contentType: "application/http;msgtype=request", block: encodeRequest(r.URL, f.Request)})
	}
	if f.Metadata != nil && err == nil {
		err = w.write(recordData{kind: "metadata", url: r.URL, date: r.Date, fields: about,
			contentType: warcFields, block: encodeFields(f.Metadata)})
	}
	if err != nil {
		return err
	}
	fields := Header{{"WARC-Payload-Digest", digest(r.Body)}}
	if r.Truncated != "" {
		fields = append(fields, Field{"WARC-Truncated", r.Truncated})
	}
	return w.write(recordData{kind: "response", id: id, url: r.URL, date: r.Date, fields: fields,
		contentType: "application/http;msgtype=response", block: r.encode()})
}

// encodeRequest returns a GET request.
func encodeRequest(address string, header http.Header) []byte {
	target := escapeURL(address)
	header = header.Clone()
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		target = u.RequestURI()
		header.Set("Host", u.Host)
	}
	return encodeHTTP("GET "+target+" HTTP/1.1", header, nil)
}

// encode returns the response as it is archived. The header fields of the encodings,
// which Body no longer has, are renamed to X-Archive-Orig-….
func (r Response) encode() []byte {
	h := http.Header{}
	for name, values := range r.Header {
		switch http.CanonicalHeaderKey(name) {
		case "Content-Encoding", "Transfer-Encoding", "Content-Length":
			name = "X-Archive-Orig-" + name
		}
		h[name] = values
	}
	h["Content-Length"] = []string{strconv.Itoa(len(r.Body))}
	return encodeHTTP(fmt.Sprintf("HTTP/1.1 %d %s", r.Status, http.StatusText(r.Status)), h, r.Body)
}

func encodeHTTP(line string, h http.Header, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString(line + "\r\n")
	_ = h.Write(&b) // without line breaks in the fields
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}
