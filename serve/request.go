package serve

import (
	"encoding/json"
	"mime"
	"net/http"

	"github.com/lede-news/lede"
)

// pageRequest is a request about one page.
type pageRequest struct {
	HTML    *string `json:"html"`
	URL     string  `json:"url"`
	Method  string  `json:"method"`
	Format  string  `json:"format"`
	Explain bool    `json:"explain"`

	page    []byte
	input   string // "-" for a page that was sent, its address for one that was fetched
	charset string // of the Content-Type header
}

// readPage reads a request: the options, and the page if it was sent. Call free when
// the page is no longer needed.
func (s *server) readPage(w http.ResponseWriter, r *http.Request) (q *pageRequest, free func(), err error) {
	if s.gate.full() {
		return nil, nil, errBusy
	}
	query := r.URL.Query()
	q = &pageRequest{URL: query.Get("url"), Method: query.Get("method"), Format: query.Get("format"), input: "-"}
	body, free, err := s.readBody(w, r)
	if err != nil {
		return nil, nil, err
	}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/json" {
		q.page, q.charset = body, params["charset"]
		return q, free, nil
	}
	if err := json.Unmarshal(body, q); err != nil {
		free()
		return nil, nil, newProblem("option", "the body is not the JSON of a request: %v", err)
	}
	if q.HTML != nil {
		q.page, q.charset = []byte(*q.HTML), "utf-8"
	}
	return q, free, nil
}

// options returns the options of the request for an extraction.
func (q *pageRequest) options() []lede.Option {
	opts := []lede.Option{lede.WithURL(q.URL), lede.WithHeaderCharset(q.charset)}
	if q.HTML != nil {
		opts = append(opts, lede.WithCharset("utf-8"))
	}
	if q.Method != "" {
		opts = append(opts, lede.WithMethod(q.Method))
	}
	return opts
}
