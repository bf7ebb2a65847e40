package warc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
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
