package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/coding"
)

// pageRequest is a request about one page: its options, and the page.
type pageRequest struct {
	HTML         *string // the page in the JSON of the request, or nil
	URL          string
	Method       string
	Set          []string // settings of the method
	Methods      []string // to compare
	Favor        lede.Favor
	With         []string
	Format       string // empty: by Accept
	Body         string // form of the body in a batch
	Explain      bool
	BodyOnly     bool
	OnlyArticles bool
	NoPictures   bool
	Site         string
	Memory       string // off, use, learn, or empty for the default
	Charset      string
	LinkText     string

	page    []byte
	input   string // "-" for a page that was sent, its address for one that was fetched
	charset string // of the Content-Type header
	partial article.PartialReason
}

// readPage reads a request with the options of an extraction, and fetches its page if
// that was not sent. Call free when the page is no longer needed.
func (s *server) readPage(w http.ResponseWriter, r *http.Request) (q *pageRequest, free func(), err error) {
	if q, free, err = s.readRequest(w, r, extractOptions); err != nil {
		return nil, nil, err
	}
	if err := s.loadPage(r.Context(), q); err != nil {
		free()
		return nil, nil, err
	}
	return q, free, nil
}

// readRequest reads a request: the options, and the page if it was sent. Call free when
// the page is no longer needed.
func (s *server) readRequest(w http.ResponseWriter, r *http.Request, allowed []string) (q *pageRequest, free func(), err error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, errQuery(err)
	}
	isGet := r.Method == http.MethodGet || r.Method == http.MethodHead
	media, charset := coding.ContentType(r.Header.Get("Content-Type"))
	isJSON := media == "application/json" && !isGet
	if isJSON {
		err = checkNames(values, allowed)
	} else {
		q, err = newRequest(values, allowed)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case isGet && q.URL == "":
		return nil, nil, newProblem("option", "name the page to fetch with ?url=, or send one with POST")
	case isGet:
		return q, func() {}, s.check(q)
	case s.gate.full():
		return nil, nil, errBusy
	case media == "multipart/form-data":
		return nil, nil, errForm
	}
	body, free, err := s.readBody(w, r)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case isJSON:
		q, err = readJSON(values, body, allowed)
	case media == "application/x-www-form-urlencoded" && isFields(body):
		err = errForm
	default:
		q.page, q.charset = body, charset
		if body == nil {
			q.page = []byte{}
		}
	}
	if err == nil {
		err = s.check(q)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return q, free, nil
}

// errQuery returns the problem of a query that cannot be parsed.
func errQuery(err error) error {
	return newProblem("option", "the query of the address is malformed: %v; encode special characters", err)
}

var errNoFetch = newProblem("no-fetch", "this service fetches no pages; send the page itself, as the body or as html in JSON")

var errForm = newProblem("media-type", "the body is a form; send the page itself (curl --data-binary @page.html), or JSON with the fields html and url and Content-Type application/json")

// isFields reports whether a body has the fields of a form. curl calls every body a
// form unless told otherwise, and most are pages.
func isFields(body []byte) bool {
	for _, name := range []string{"url=", "html=", "page="} {
		if bytes.HasPrefix(body, []byte(name)) {
			return true
		}
	}
	return false
}

// readJSON returns the request of a JSON object, and of the query.
func readJSON(query url.Values, body []byte, allowed []string) (*pageRequest, error) {
	if text := bytes.TrimLeft(body, " \t\r\n\ufeff"); len(text) == 0 || text[0] != '{' {
		return nil, newProblem("media-type", "the body is not a JSON object; send a page with Content-Type text/html")
	}
	fields, html, err := jsonFields(body, allowed)
	if err != nil {
		return nil, err
	}
	for name, v := range query {
		if other, ok := fields[name]; ok && !slices.Equal(v, other) {
			return nil, newProblem("option", "%s is both in the query and in the JSON, with different values; give it once", name)
		}
		fields[name] = v
	}
	q, err := newRequest(fields, allowed)
	switch {
	case err != nil:
		return nil, err
	case html != nil && q.Charset != "":
		return nil, newProblem("option", "charset=%s: html in JSON is Unicode; leave charset out, or send the page as the body", q.Charset)
	case html != nil:
		q.HTML, q.page, q.charset = html, []byte(*html), "utf-8"
	case q.URL == "":
		return nil, newProblem("option", "the JSON has neither html nor url; send a page as html, or name the one to fetch as url")
	}
	return q, nil
}

// jsonFields returns the fields of a JSON object as the values of options, and the page
// in the field html, if there is one.
func jsonFields(body []byte, allowed []string) (fields url.Values, html *string, err error) {
	fields = url.Values{}
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))))
	seen := map[string]bool{}
	_, err = dec.Token()
	for err == nil && dec.More() {
		var token json.Token
		if token, err = dec.Token(); err != nil {
			break
		}
		name, _ := token.(string)
		if seen[name] {
			return nil, nil, newProblem("option", "%s is given twice; give it once", name)
		}
		seen[name] = true
		if name == "html" {
			err = dec.Decode(&html)
			continue
		}
		if !slices.Contains(allowed, name) {
			return nil, nil, newProblem("option", "unknown option %q; the fields are html, %s", name, strings.Join(allowed, ", "))
		}
		var value any
		if err = dec.Decode(&value); err != nil {
			break
		}
		values, ok := jsonValues(value)
		if !ok {
			return nil, nil, newProblem("option", "%s: use a string, a boolean or a list of strings", name)
		}
		if values != nil {
			fields[name] = values
		}
	}
	if err == nil {
		_, err = dec.Token() // the end of the object
	}
	if err == nil {
		if _, end := dec.Token(); end != io.EOF {
			err = errors.New("something follows the object")
		}
	}
	if err != nil {
		return nil, nil, newProblem("json", "the body is not valid JSON: %s; send an object with the fields html and url", jsonError(err))
	}
	return fields, html, nil
}

// jsonError describes an error of encoding/json without the names of Go types.
func jsonError(err error) string {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return "html is a " + e.Value + ", not a string"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends early"
	}
	return err.Error()
}

// jsonValues returns a JSON value as the values of an option. Null is none.
func jsonValues(value any) (values []string, ok bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case bool:
		return []string{map[bool]string{true: "true", false: "false"}[v]}, true
	case []any:
		values = []string{}
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, false
			}
			values = append(values, s)
		}
		return values, true
	}
	return nil, false
}

// loadPage fetches the page of a request, unless it was sent. A bounded number is fetched
// at once; no worker waits for a site.
func (s *server) loadPage(ctx context.Context, q *pageRequest) error {
	if q.page != nil {
		return nil
	}
	if s.opts.Fetch == nil {
		return errNoFetch
	}
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	default:
		return newProblem("busy", "too many pages are being fetched; try again later, or send the page itself")
	}
	resp, err := s.opts.Fetch.Get(ctx, q.URL)
	s.metrics.countFetch(err)
	if err != nil {
		return err
	}
	q.input, q.URL, q.page, q.charset, q.partial = q.URL, resp.URL, resp.Body, resp.Charset, resp.TruncatedReason
	if q.page == nil {
		q.page = []byte{}
	}
	return nil
}
