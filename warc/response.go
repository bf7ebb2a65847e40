package warc

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

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
