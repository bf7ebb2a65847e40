package pipe

import (
	"errors"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/request"
)

// The options of the requests.
var (
	extractOptions = []string{"url", "method", "set", "favor", "with", "format", "explain", "body_only", "only_articles", "pictures", "site", "memory", "charset"}
	linksOptions   = []string{"url", "charset"}
	formatOptions  = []string{"format", "with", "body_only"}
)

// What a request can ask for.
const (
	doExtract = "extract"
	doFetch   = "fetch"
	doLinks   = "links"
	doFormat  = "format"
)

// job is a request.
type job struct {
	id       int64 // 0 if it cannot be read
	do       string
	fragment bool
	page     *request.Page // never nil if err is nil
	err      error         // why the request cannot be answered

	buffer []byte // memory of the page, to be used again
}

// parseJob parses the head of a request.
func parseJob(head []byte, hasBody bool) *job {
	j := &job{}
	if j.err = j.parse(head, hasBody); j.err != nil && j.id < 0 {
		j.id = 0
	}
	return j
}

func (j *job) parse(head []byte, hasBody bool) error {
	var headerCharset, linkText, partial string
	values, err := request.ParseJSON(head, extractOptions, request.Field{Name: "id", Value: &j.id}, request.Field{Name: "do", Value: &j.do},
		request.Field{Name: "header_charset", Value: &headerCharset}, request.Field{Name: "link_text", Value: &linkText},
		request.Field{Name: "partial", Value: &partial}, request.Field{Name: "fragment", Value: &j.fragment})
	if bad := (*request.SyntaxError)(nil); errors.As(err, &bad) {
		return request.Errorf("json", `the head is not the JSON of a request: %s; send an object such as {"id":1,"do":"extract"}`, bad)
	}
	if err != nil {
		return err
	}
	allowed := extractOptions
	switch j.do {
	case doExtract, doFetch:
	case doLinks:
		allowed = linksOptions
	case doFormat:
		allowed = formatOptions
	case "":
		return request.Errorf("option", "the request does not say what to do; use do with extract, fetch, links or format")
	default:
		return request.Errorf("option", "do=%s: use extract, fetch, links or format", j.do)
	}
	if j.page, err = request.New(values, allowed); err != nil {
		return err
	}
	j.page.HeaderCharset, j.page.LinkText, j.page.Partial = headerCharset, linkText, article.PartialReason(partial)
	switch fetches := j.do == doFetch || j.do == doLinks && !hasBody; {
	case j.id < 1:
		return request.Errorf("option", "id=%d: give each request a number from 1, which its answer has", j.id)
	case j.do == doFetch && hasBody:
		return request.Errorf("option", "do=fetch has a body, but fetches its page; use do=extract for a page that you have")
	case fetches && j.page.URL == "":
		return request.Errorf("option", "do=%s has neither a page nor url; send the page, or name the one to fetch with url", j.do)
	case headerCharset != "" && (fetches || j.do == doFormat):
		return request.Errorf("option", "header_charset=%s: it is for pages that are sent; leave it out", headerCharset)
	case linkText != "" && j.do != doExtract && j.do != doFetch:
		return request.Errorf("option", "link_text is for do=extract and do=fetch; leave it out")
	case partial != "" && j.do != doExtract:
		return request.Errorf("option", "partial is for do=extract; leave it out")
	case j.fragment && j.do != doFormat:
		return request.Errorf("option", "fragment is for do=format; leave it out")
	case j.do == doFormat:
		return j.checkFormat()
	}
	return nil
}

// checkFormat checks the options of an article that is written.
func (j *job) checkFormat() error {
	if !slices.Contains(format.Names(), j.page.Format) && j.page.Format != "" {
		return request.Errorf("option", "format=%s needs the page: use it with do=extract, or use one of %s", j.page.Format, strings.Join(format.Names(), ", "))
	}
	for _, what := range j.page.With {
		if what != "links" {
			return request.Errorf("option", "with=%s is for extractions: of an article that is there, only with=links has an effect", what)
		}
	}
	return nil
}

// fetches reports whether the page of the request is to be fetched.
func (j *job) fetches() bool { return j.err == nil && j.page.Content == nil }
