package serve

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/crawl/coding"
)

// readRequest reads a request: the options, and the page if it was sent. Call free when
// the page is no longer needed.
func (s *server) readRequest(w http.ResponseWriter, r *http.Request, allowed []string) (q *request.Page, free func(), err error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, request.Errorf("option", "the query of the address is malformed: %v; encode special characters", err)
	}
	isGet := r.Method == http.MethodGet || r.Method == http.MethodHead
	media, charset := coding.ContentType(r.Header.Get("Content-Type"))
	isJSON := media == "application/json" && !isGet
	if !isJSON {
		q, err = request.New(values, allowed)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case isGet && q.URL == "":
		return nil, nil, request.Errorf("option", "name the page to fetch with ?url=, or send one with POST")
	case isGet:
		return q, func() {}, s.pages.Check(q)
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
		q.Content, q.HeaderCharset = body, charset
	}
	if err == nil {
		err = s.pages.Check(q)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return q, free, nil
}

var errForm = request.Errorf("media-type", "the body is a form; send the page itself (curl --data-binary @page.html), "+
	"or JSON with the fields html and url and Content-Type application/json")

// isFields reports whether a body has the fields of a form. curl calls every body a
// form unless told otherwise, and most are pages.
func isFields(body []byte) bool {
	return bytes.HasPrefix(body, []byte("url=")) || bytes.HasPrefix(body, []byte("html="))
}

// readJSON returns the request of a JSON object, and of the query.
func readJSON(query url.Values, body []byte, allowed []string) (*request.Page, error) {
	if text := bytes.TrimLeft(body, " \t\r\n\ufeff"); len(text) == 0 || text[0] != '{' {
		return nil, request.Errorf("media-type", "the body is not a JSON object; send a page with Content-Type text/html")
	}
	var html *string
	fields, err := request.ParseJSON(body, map[string]any{"html": &html})
	if err != nil {
		return nil, err
	}
	for name, v := range query {
		if _, ok := fields[name]; ok {
			return nil, request.Errorf("option", "%s is both in the query and in the JSON; give it once", name)
		}
		fields[name] = v
	}
	q, err := request.New(fields, allowed)
	switch {
	case err != nil:
		return nil, err
	case html != nil && q.Charset != "":
		return nil, request.Errorf("option", "charset=%s: html in JSON is Unicode; leave charset out, or send the page as the body", q.Charset)
	case html != nil:
		q.SetText(*html)
	case q.URL == "":
		return nil, request.Errorf("option", "the JSON has neither html nor url; send a page as html, or name the one to fetch as url")
	}
	return q, nil
}

// loadPage fetches the page of a request, unless it was sent. A bounded number is fetched
// at once; no worker waits for a site.
func (s *server) loadPage(ctx context.Context, q *request.Page) error {
	if q.Content != nil {
		return nil
	}
	if s.opts.Fetch == nil {
		return request.Errorf("no-fetch", "this service fetches no pages; send the page itself, as the body or as html in JSON")
	}
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	default:
		return request.Errorf("busy", "too many pages are being fetched; try again later, or send the page itself")
	}
	resp, err := s.opts.Fetch.Get(ctx, q.URL)
	s.metrics.countFetch(err)
	if err != nil {
		return err
	}
	q.SetFetched(resp)
	return nil
}

// process reads a request about a page, fetches the page unless it was sent, calls do when
// there is a worker, and sends what do has written, as the media type that it returns.
func (s *server) process(w http.ResponseWriter, r *http.Request, allowed []string,
	do func(context.Context, *bytes.Buffer, *request.Page) (media string, err error)) {
	q, free, err := s.readRequest(w, r, allowed)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var out bytes.Buffer
	var media string
	err = func() error {
		defer free() // before the response is written, which may take long
		if err := s.loadPage(r.Context(), q); err != nil {
			return err
		}
		return s.gate.do(r.Context(), func() (err error) {
			media, err = do(r.Context(), &out, q)
			return err
		})
	}()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	if media == htmlType {
		h.Set("Content-Security-Policy", documentPolicy)
	}
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(out.Len()))
	_, _ = out.WriteTo(w)
}
