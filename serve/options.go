package serve

import (
	"net/url"

	"github.com/lede-news/lede/internal/api/request"
)

// The options of the requests.
var (
	extractOptions = []string{"url", "method", "set", "favor", "with", "format", "explain", "body_only", "only_articles", "pictures", "site", "memory", "charset", "link_text"}
	linksOptions   = []string{"url", "charset"}
	compareOptions = []string{"url", "methods", "favor", "site", "memory", "charset", "link_text"}
	batchOptions   = []string{"method", "set", "favor", "with", "body", "only_articles", "pictures", "site", "memory"}
)

// pageRequest is a request about one page.
type pageRequest struct {
	request.Page
	HTML *string // the page in the JSON of the request, or nil
}

// newRequest returns a request with the given options. Only those that are allowed may
// be among them.
func newRequest(values url.Values, allowed []string) (*pageRequest, error) {
	q, err := request.New(values, allowed)
	if err != nil {
		return nil, err
	}
	return &pageRequest{Page: *q}, nil
}

// check returns an error for options that are invalid, or that have no effect together.
func (q *pageRequest) check(allowed []string) error { return q.Check(allowed) }

// setText sets the page to one that was sent as text, in JSON or in a form.
func (q *pageRequest) setText(html *string) {
	q.HTML, q.Content, q.HeaderCharset, q.Unicode = html, []byte(*html), "utf-8", true
}
