package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/coding"
)

// Page is a page as archived, decoded.
type Page struct {
	ID          string // of the record
	URL         string
	Status      int         // of the HTTP answer; 0 for a page without one
	ContentType string      // media type in lower case, without parameters; "" if nobody says
	Charset     string      // of the Content-Type, in lower case; "" if nobody says
	Header      http.Header // of the HTTP answer, as sent; nil without one
	Body        []byte      // transfer and content encodings undone
	Date        time.Time   // of the record
	Truncated   bool        // Body is only a part
}

// Page returns the page that a response, resource or conversion record holds.
// It reads the body, so it works once.
//
// ErrNotPage says that there is none: another type of record, a picture, a
// redirect, an error of the server. ErrTooLarge says that the page is over
// Options.MaxPage. When the answer itself was cut off, by server or crawler, the
// page comes with Truncated set; when the archive is cut off within the record,
// or a digest does not match, what there is comes with the error.
func (rec *Record) Page() (*Page, error) {
	p := &Page{ID: rec.ID, URL: rec.TargetURI, Date: rec.Date,
		Truncated: rec.Truncated != "" || rec.Header.Get("WARC-Segment-Number") != ""}
	switch rec.Type {
	case "response", "resource", "conversion":
	default:
		return nil, rec.notPage("a record of type " + rec.Type)
	}
	if scheme, _, _ := strings.Cut(rec.TargetURI, ":"); strings.EqualFold(scheme, "metadata") {
		return nil, rec.notPage("a note of the crawler") // as Wget leaves its log
	}
	block := bufio.NewReader(rec.Body)
	media, charset := contentType(rec.ContentType)
	if rec.Type == "response" && (media == "application/http" || media == "") {
		if err := rec.answer(p, block); err != nil {
			return nil, err
		}
		media, charset = contentType(p.Header.Get("Content-Type"))
	}
	p.ContentType, p.Charset = media, charset
	if !isPage(media) {
		return nil, rec.notPage(media)
	}
	return rec.payload(p, block)
}

// answer reads the head of the HTTP answer.
func (rec *Record) answer(p *Page, block *bufio.Reader) (err error) {
	p.Status, p.Header, err = readHead(block)
	switch {
	case err == errShortHeader && p.Status != 0:
		p.Truncated = true // the answer has no body; see what its status says
	case err != nil:
		if e := new(Error); errors.As(err, &e) {
			return e // of the archive
		}
		return &Error{Offset: rec.Offset, ID: rec.ID, Kind: ErrMalformed, Err: err,
			Reason: "the HTTP answer in the record cannot be read; open it by hand"}
	}
	switch {
	case p.Status < 200, p.Status >= 300, p.Status == http.StatusNoContent, p.Status == http.StatusResetContent:
		return rec.notPage(fmt.Sprintf("an answer with status %d", p.Status))
	case p.Status == http.StatusPartialContent:
		p.Truncated = true
	}
	return nil
}

// payload reads and decodes what follows the head.
func (rec *Record) payload(p *Page, block *bufio.Reader) (*Page, error) {
	sum := rec.payloadDigest()
	body, err := decode(p, block, rec.Length, sum, rec.reader.opts.MaxPage)
	p.Body = body
	fault := new(Error)
	switch {
	case err == nil:
	case errors.Is(err, coding.ErrTooLarge):
		return nil, &Error{Offset: rec.Offset, ID: rec.ID, Kind: ErrTooLarge,
			Reason: fmt.Sprintf("the page is larger than %d bytes; allow more if it is worth it", rec.reader.opts.MaxPage)}
	case errors.As(err, &fault) && fault.Kind == ErrLeft:
		return nil, fault
	case errors.As(err, &fault):
		p.Truncated = p.Truncated || fault.Kind != ErrDigest
		return p, fault
	case errors.Is(err, io.ErrUnexpectedEOF):
		p.Truncated = true
	default:
		return nil, &Error{Offset: rec.Offset, ID: rec.ID, Kind: ErrMalformed, Err: err,
			Reason: "the page cannot be decoded; open it in a browser"}
	}
	if what := unlikePage(p.ContentType, body); what != "" {
		return nil, rec.notPage(what)
	}
	if !sum.matches() {
		return p, rec.reader.digestFault(rec, "payload")
	}
	return p, nil
}

func (rec *Record) notPage(what string) error {
	return &Error{Offset: rec.Offset, ID: rec.ID, Kind: ErrNotPage, Reason: "this is " + what + ", not a page"}
}

// decode undoes the encodings of a payload and reads the block to its end, so
// that faults of the record show. With an error comes what could be read.
func decode(p *Page, block io.Reader, size int64, sum *payloadSum, most int64) ([]byte, error) {
	limit := coding.NewLimit(most)
	raw := sum.tee(block)
	r, chunked := dechunk(limit.On(raw), p.Header)
	if chunked {
		r = limit.On(sum.teeDechunked(cutOff{r, limit}))
	}
	body, err := coding.Read(r, p.Header, size, limit)
	if errors.Is(err, coding.ErrTooLarge) {
		return nil, err
	}
	if short(p.Header, body) {
		p.Truncated = true
	}
	if _, rest := io.Copy(io.Discard, raw); rest != nil {
		err = rest
	}
	return body, err
}

// dechunk undoes Transfer-Encoding: chunked. Many crawlers store the body
// without its chunks and leave the header, so the body must begin like one.
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

// isChunkLine holds for a hexadecimal number, perhaps an extension, and a newline.
func isChunkLine(b []byte) bool {
	line, _, ended := bytes.Cut(b, []byte("\n"))
	number, _, extended := bytes.Cut(line, []byte(";"))
	if !ended && !extended {
		return false
	}
	_, err := strconv.ParseUint(string(bytes.TrimRight(number, " \t\r")), 16, 63)
	return err == nil
}

// cutOff makes every fault of the chunks an early end: the server broke off, or
// sent nonsense after what came. Faults of the archive beneath stay what they are.
type cutOff struct {
	r     io.Reader
	limit *coding.Limit
}

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF && c.limit.Fault() == nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// short holds for a plain body of fewer bytes than the server promised.
func short(h http.Header, body []byte) bool {
	if h.Get("Content-Encoding") != "" || h.Get("Transfer-Encoding") != "" {
		return false
	}
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	return err == nil && int64(len(body)) < n
}

var errNoStatus = errors.New("it does not begin with a status line")

// readHead reads the status line and the header of an HTTP answer. It is laxer
// than net/http, which gives up on lines that browsers look past.
func readHead(r *bufio.Reader) (status int, h http.Header, err error) {
	l := &lines{r: r}
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

// contentType splits the header. It is laxer than mime.ParseMediaType, which
// gives up on a parameter that is said twice.
func contentType(header string) (media, charset string) {
	header, _, _ = strings.Cut(header, ",") // several folded into one: the first counts
	media, params, _ := strings.Cut(header, ";")
	for param := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(param, "=")
		if charset == "" && strings.EqualFold(strings.TrimSpace(key), "charset") {
			charset = strings.ToLower(strings.Trim(value, " \t\"'"))
		}
	}
	return strings.ToLower(strings.TrimSpace(media)), charset
}

// isPage holds for types that a page may have. A crawl holds more scripts,
// styles, feeds and data than pages, so it is stricter than a client that was
// sent to a page.
func isPage(media string) bool {
	switch media {
	case "text/html", "text/plain", "text/xhtml", "application/xhtml+xml",
		"application/vnd.wap.xhtml+xml", "application/x-httpd-php":
		return true
	}
	return isUnstated(media) || isXML(media)
}

// isUnstated holds for the types of servers that do not know what they send.
func isUnstated(media string) bool {
	return media == "" || media == "application/octet-stream"
}

// isXML holds for types that a page, a feed or a sitemap may have.
func isXML(media string) bool { return media == "text/xml" || media == "application/xml" }

// unlikePage looks at a body whose type leaves it open what it is, and returns
// what it is if that is no page.
func unlikePage(media string, body []byte) string {
	switch {
	case isXML(media) && !bytes.Contains(bytes.ToLower(body[:min(len(body), 2048)]), []byte("<html")):
		return "XML"
	case isUnstated(media):
		sniffed, _ := contentType(http.DetectContentType(body))
		if isUnstated(sniffed) || !isPage(sniffed) || unlikePage(sniffed, body) != "" {
			return sniffed
		}
	}
	return ""
}
