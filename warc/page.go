package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/crawl/coding"
)

// Page is an archived page, decoded.
type Page struct {
	ID          string // of the record
	URL         string
	Status      int         // of the HTTP response; 0 if the record holds none
	ContentType string      // media type in lower case, without parameters; "" if unknown
	Charset     string      // of the Content-Type, in lower case; "" if unknown
	Header      http.Header // of the HTTP response, as sent; nil if the record holds none
	Body        []byte      // without transfer and content encodings
	Date        time.Time   // of the record

	// TruncatedReason is the first reason why Body is incomplete, or "".
	TruncatedReason article.PartialReason
}

func (p *Page) truncate(reason article.PartialReason) {
	p.TruncatedReason = cmp.Or(p.TruncatedReason, reason)
}

// Page returns the page that a response, resource or conversion record holds.
// It reads the block, so it can be called once.
//
// The error is ErrNotPage if the record holds no page but, for example, an image.
// It is also ErrStatus if there could have been a page, but the response is a
// redirect or an error of the server. It is ErrTooLarge if the page is larger than
// Options.MaxPage. If the server or the crawler truncated the
// response, Page sets TruncatedReason. If the archive is damaged inside
// the record, Page returns both what could be read and the error.
func (rec *Record) Page() (*Page, error) {
	p := &Page{ID: rec.ID, URL: rec.TargetURI, Date: rec.Date}
	if rec.Truncated != "" || rec.Header.Get("WARC-Segment-Number") != "" {
		p.truncate(article.PartialRecord)
	}
	switch rec.Type {
	case "response", "resource", "conversion":
	default:
		return nil, rec.notPage("a record of type " + rec.Type)
	}
	if scheme, _, _ := strings.Cut(rec.TargetURI, ":"); strings.EqualFold(scheme, "metadata") {
		return nil, rec.notPage("metadata of the crawler") // such as the log of Wget
	}
	block := bufio.NewReader(rec.Block)
	media, charset := coding.ContentType(rec.ContentType)
	if rec.Type == "response" && (media == "application/http" || media == "") {
		if err := rec.readResponse(p, block); err != nil {
			return nil, err
		}
		media, charset = coding.ContentType(p.Header.Get("Content-Type"))
	}
	p.ContentType, p.Charset = media, charset
	switch {
	case !isPage(media):
		return nil, rec.notPage(media)
	case p.Status != 0 && !hasPage(p.Status):
		return nil, rec.fail(ErrStatus, statusReason(p), nil)
	}
	return rec.readPayload(p, block)
}

// readResponse reads the status line and the header of the HTTP response.
func (rec *Record) readResponse(p *Page, block *bufio.Reader) (err error) {
	p.Status, p.Header, err = readResponseHead(block)
	switch {
	case err == errShortHeader && p.Status != 0:
		p.truncate(article.PartialClosed) // it has no body, but the status may exclude it first
	case err != nil:
		if e := new(Error); errors.As(err, &e) {
			return e // of the archive
		}
		return rec.fail(ErrMalformed, "the HTTP response in the record cannot be parsed; open the record by hand", err)
	}
	if coding.IsPart(p.Status, p.Header) {
		p.truncate(article.PartialStatus)
	}
	return nil
}

// hasPage reports whether a response with this status has a page.
func hasPage(status int) bool {
	return status >= 200 && status < 300 && status != http.StatusNoContent && status != http.StatusResetContent
}

// statusReason describes a response without a page.
func statusReason(p *Page) string {
	text := strconv.Itoa(p.Status)
	if name := http.StatusText(p.Status); name != "" { // the text of the server may contain anything
		text += " " + name
	}
	if to := p.Header.Get("Location"); to != "" && p.Status >= 300 && p.Status < 400 {
		return "the server answered " + text + ", to " + escape(to)
	}
	return "the server answered " + text
}

// readPayload reads and decodes the rest of the block.
func (rec *Record) readPayload(p *Page, block *bufio.Reader) (*Page, error) {
	body, err := decode(p, block, rec.ContentLength, rec.reader.opts.MaxPage)
	p.Body = body
	damage := new(Error)
	switch {
	case err == nil:
	case errors.Is(err, coding.ErrTooLarge):
		return nil, rec.fail(ErrTooLarge, fmt.Sprintf("the page is larger than %d bytes; raise the limit to read it", rec.reader.opts.MaxPage), nil)
	case errors.As(err, &damage):
		p.truncate(article.PartialRecord)
		return p, damage
	case errors.Is(err, errCutChunks):
		p.truncate(article.PartialClosed)
	case errors.Is(err, io.ErrUnexpectedEOF):
		p.truncate(article.PartialCompressed)
	default:
		return nil, rec.fail(ErrMalformed, "the page cannot be decoded; open it in a browser", err)
	}
	if what := nonPageType(p.ContentType, body); what != "" {
		return nil, rec.notPage(what)
	}
	return p, nil
}

func (rec *Record) fail(kind error, reason string, cause error) error {
	return &Error{Offset: rec.Offset, ID: rec.ID, Kind: kind, Reason: reason, Err: cause}
}

func (rec *Record) notPage(what string) error {
	return rec.fail(ErrNotPage, "this is "+escape(what)+", not a page", nil)
}

// decode removes the encodings of a payload. It reads the block to its end, so
// that damage of the record is detected, and returns what could be read along
// with the error.
func decode(p *Page, block io.Reader, size, maxBytes int64) ([]byte, error) {
	limit := coding.NewLimit(maxBytes)
	r, chunked := dechunk(limit.Reader(block), p.Header)
	if chunked {
		r = limit.Reader(chunkErrors{r, limit})
	}
	body, err := coding.Read(r, p.Header, size, limit)
	if errors.Is(err, coding.ErrTooLarge) {
		return nil, err
	}
	if isShort(p.Header, body) {
		p.truncate(article.PartialLength)
	}
	if _, rest := io.Copy(io.Discard, block); rest != nil {
		err = rest
	}
	return body, err
}

// dechunk decodes Transfer-Encoding: chunked. Many crawlers decode the body and
// keep the header field, so dechunk checks that the body begins with a chunk.
func dechunk(r io.Reader, h http.Header) (io.Reader, bool) {
	if !strings.Contains(strings.ToLower(strings.Join(h.Values("Transfer-Encoding"), ",")), "chunked") {
		return r, false
	}
	in := bufio.NewReader(r)
	head, _ := in.Peek(maxChunkLine)
	if !isChunkLine(head) {
		return in, false
	}
	return httputil.NewChunkedReader(in), true
}

const maxChunkLine = 64

// isChunkLine reports whether b begins with the first line of a chunk: a
// hexadecimal number, an optional extension, and a line break.
func isChunkLine(b []byte) bool {
	line, _, ended := bytes.Cut(b, []byte("\n"))
	number, _, extended := bytes.Cut(line, []byte(";"))
	if !ended && !extended {
		return false
	}
	_, err := strconv.ParseUint(string(bytes.TrimRight(number, " \t\r")), 16, 63)
	return err == nil
}

var errCutChunks = errors.New("the chunks end early")

// chunkErrors replaces errors of the chunked encoding by errCutChunks: the
// response is usable up to there. Errors of the archive are kept.
type chunkErrors struct {
	r     io.Reader
	limit *coding.Limit
}

func (c chunkErrors) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF && c.limit.Err() == nil {
		err = errCutChunks
	}
	return n, err
}

// isShort reports whether an unencoded body is shorter than its Content-Length.
func isShort(h http.Header, body []byte) bool {
	if h.Get("Content-Encoding") != "" || h.Get("Transfer-Encoding") != "" {
		return false
	}
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	return err == nil && int64(len(body)) < n
}

var errNoStatus = errors.New("it does not begin with a status line")

// readResponseHead reads the status line and the header of an HTTP response. It
// accepts malformed lines that browsers ignore and net/http rejects.
func readResponseHead(r *bufio.Reader) (status int, h http.Header, err error) {
	l := &headerReader{r: r}
	line, err := l.next()
	if err != nil {
		return 0, nil, err
	}
	proto, rest, _ := strings.Cut(string(line), " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	status, err = strconv.Atoi(code)
	if !strings.HasPrefix(proto, "HTTP/") || err != nil || status < 100 || status > 999 {
		return 0, nil, errNoStatus
	}
	fields, err := readFields(l)
	h = make(http.Header, len(fields))
	for _, f := range fields {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		h[name] = append(h[name], f.Value)
	}
	return status, h, err
}

// isPage reports whether a page may have this media type. It is stricter than a
// client that follows a link to a page, since crawls contain more scripts,
// style sheets, feeds and data than pages.
func isPage(media string) bool {
	switch media {
	case "text/html", "text/plain", "text/xhtml", "application/xhtml+xml",
		"application/vnd.wap.xhtml+xml", "application/x-httpd-php":
		return true
	}
	return coding.IsUnspecified(media) || isXML(media)
}

// isXML reports whether the media type may be that of a page, a feed or a
// sitemap.
func isXML(media string) bool { return media == "text/xml" || media == "application/xml" }

// nonPageType inspects a body with an ambiguous media type. It returns what the
// body is if it is not a page.
func nonPageType(media string, body []byte) string {
	switch {
	case isXML(media) && !bytes.Contains(bytes.ToLower(body[:min(len(body), 2048)]), []byte("<html")):
		return "XML"
	case coding.IsUnspecified(media):
		sniffed, _ := coding.ContentType(http.DetectContentType(body))
		if coding.IsUnspecified(sniffed) || !isPage(sniffed) || nonPageType(sniffed, body) != "" {
			return sniffed
		}
	}
	return ""
}
