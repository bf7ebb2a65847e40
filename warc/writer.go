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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Packing is how the records of an archive are compressed, each for itself.
type Packing int

// The packings, and the ends of file names that belong to them.
const (
	Gzip  Packing = iota // .warc.gz
	Zstd                 // .warc.zst
	Plain                // .warc
)

// WriterOptions direct the writing of an archive. The zero value is good.
type WriterOptions struct {
	Packing Packing

	// Random is where record ids come from. nil means crypto/rand; a source that
	// gives the same bytes each time makes the same archive each time.
	Random io.Reader
}

// Writer writes an archive of WARC 1.1. It is for one goroutine at a time. Each
// record goes out in one call of Write, so a crash costs the last one at most.
type Writer struct {
	w      io.Writer
	opts   WriterOptions
	offset int64
	err    error // after a failed Write nothing that follows would be in place
	buf    bytes.Buffer
	gzip   *gzip.Writer
	zstd   *zstd.Encoder
}

// NewWriter writes an archive to w.
func NewWriter(w io.Writer, opts WriterOptions) *Writer {
	if opts.Random == nil {
		opts.Random = rand.Reader
	}
	return &Writer{w: w, opts: opts}
}

// draft is a record to be written.
type draft struct {
	kind, url, contentType string
	date                   time.Time
	block                  []byte
	payload                []byte // nil if there is none
	fields                 Header // further ones
}

// write writes a record and says where it is.
func (w *Writer) write(d draft) (at Entry, err error) {
	if w.err != nil {
		return at, w.err
	}
	id, err := newID(w.opts.Random)
	if err != nil {
		return at, err
	}
	if d.date.IsZero() {
		d.date = time.Now()
	}
	h := Header{
		{"WARC-Type", d.kind},
		{"WARC-Record-ID", "<" + id + ">"},
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

	w.buf.Reset()
	if err := w.pack(h, d.block); err != nil {
		return at, err
	}
	at = Entry{URL: d.url, Date: d.date, Digest: digest(d.payload), Offset: w.offset, Length: int64(w.buf.Len())}
	n, err := w.w.Write(w.buf.Bytes())
	w.offset += int64(n)
	if err != nil {
		w.err = fmt.Errorf("warc: the archive cannot be written on after %d bytes: %w", w.offset, err)
		return at, w.err
	}
	return at, nil
}

// pack puts a record into the buffer, compressed.
func (w *Writer) pack(h Header, block []byte) (err error) {
	var out io.Writer = &w.buf
	finish := func() error { return nil }
	switch w.opts.Packing {
	case Plain:
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
		return errors.New("warc: unknown packing; use Gzip, Zstd or Plain")
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

// writeFields writes named fields. Newlines in them would be new fields, so they
// become spaces.
func writeFields(b *strings.Builder, h Header) {
	for _, f := range h {
		b.WriteString(noNewline.Replace(f.Name) + ": " + noNewline.Replace(f.Value) + "\r\n")
	}
}

var noNewline = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ")

// escapeURL keeps a URL in one word, as an index needs it.
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

// newID makes a random UUID (RFC 9562, version 4).
func newID(random io.Reader) (string, error) {
	var u [16]byte
	if _, err := io.ReadFull(random, u[:]); err != nil {
		return "", fmt.Errorf("warc: no random bytes for a record id: %w", err)
	}
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), nil
}

// Response is a page that came over HTTP.
type Response struct {
	URL    string
	Date   time.Time // when it was fetched; now if zero
	Status int
	Header http.Header
	Body   []byte

	// Wire says that Body is as it was sent, chunks, encodings and all. Without
	// it Body is decoded, as a client returns it: the fields that told of the
	// form on the wire are then kept under X-Archive-Orig-.
	Wire bool
}

// Resource is a page that came another way, such as from a file.
type Resource struct {
	URL         string
	Date        time.Time
	ContentType string
	Body        []byte
}

// WriteInfo writes a warcinfo record, which tells of the records after it:
// software, operator, description … It belongs at the beginning.
func (w *Writer) WriteInfo(date time.Time, fields Header) (Entry, error) {
	var b strings.Builder
	writeFields(&b, fields)
	return w.write(draft{kind: "warcinfo", date: date, contentType: "application/warc-fields", block: []byte(b.String())})
}

// WriteResponse writes a response record.
func (w *Writer) WriteResponse(r Response) (Entry, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", r.Status, http.StatusText(r.Status))
	writeFields(&b, r.fields())
	b.WriteString("\r\n")
	e, err := w.write(draft{kind: "response", url: r.URL, date: r.Date, contentType: "application/http;msgtype=response",
		block: append([]byte(b.String()), r.Body...), payload: orEmpty(r.Body)})
	e.Status, e.MIME = r.Status, firstOf(contentType(r.Header.Get("Content-Type")))
	return e, err
}

// WriteResource writes a resource record.
func (w *Writer) WriteResource(r Resource) (Entry, error) {
	e, err := w.write(draft{kind: "resource", url: r.URL, date: r.Date, contentType: r.ContentType,
		block: r.Body, payload: orEmpty(r.Body)})
	e.MIME = firstOf(contentType(r.ContentType))
	return e, err
}

// orEmpty makes a payload of nothing, which has a digest too.
func orEmpty(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func firstOf(media, _ string) string { return media }

// fields returns the header in an order that is always the same.
func (r Response) fields() Header {
	var h Header
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		as := name
		if !r.Wire {
			switch http.CanonicalHeaderKey(name) {
			case "Content-Encoding", "Transfer-Encoding", "Content-Length":
				as = "X-Archive-Orig-" + name
			}
		}
		for _, value := range r.Header[name] {
			h = append(h, Field{as, value})
		}
	}
	if !r.Wire {
		h = append(h, Field{"Content-Length", fmt.Sprint(len(r.Body))})
	}
	return h
}
