// Package request has requests about a page: their options, how these are written and
// checked, and the extraction of the page. The service and pipes share it.
package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/api/render"
)

// Error is an error of a request, not of its page.
type Error struct {
	Kind string // a short name, such as option
	Text string
}

func (e *Error) Error() string { return e.Text }

// Errorf returns an Error.
func Errorf(kind, text string, args ...any) error {
	return &Error{kind, fmt.Sprintf(text, args...)}
}

// Page is a request about one page: its options, and the page.
type Page struct {
	URL          string
	Method       string
	Set          []string // settings of the method
	Methods      []string // to compare
	Favor        lede.Favor
	With         []string
	Format       string // empty if it is not given
	Body         string // form of the body in a batch
	Explain      bool
	BodyOnly     bool
	OnlyArticles bool
	NoPictures   bool
	Site         string
	Memory       string // off, use, learn, or empty for the default
	Charset      string
	LinkText     string

	Content       []byte // nil if the page is to be fetched
	Unicode       bool   // Content is UTF-8, whatever it declares
	Input         string // "-" for a page that was sent, its address for one that was fetched
	HeaderCharset string // of the Content-Type header
	Partial       article.PartialReason
}

// New returns a request with the given options. Only those that are allowed may be among
// them.
func New(values map[string][]string, allowed []string) (*Page, error) {
	if err := CheckNames(values, allowed); err != nil {
		return nil, err
	}
	q := &Page{Input: "-"}
	for _, o := range options {
		if v := values[o.name]; len(v) > 0 {
			if err := o.set(q, v); err != nil {
				return nil, err
			}
		}
	}
	return q, q.Check(allowed)
}

// CheckNames returns an error for an option that is not allowed, or is given too often.
func CheckNames(values map[string][]string, allowed []string) error {
	for name, v := range values {
		i := slices.IndexFunc(options, func(o option) bool { return o.name == name })
		switch {
		case i < 0 || !slices.Contains(allowed, name):
			return Errorf("option", "unknown option %q; the options are %s", name, strings.Join(allowed, ", "))
		case len(v) > 1 && !options[i].list:
			return Errorf("option", "%s is given %d times; give it once", name, len(v))
		}
	}
	return nil
}

// Check returns an error for options that are invalid, or that have no effect together.
func (q *Page) Check(allowed []string) error {
	format := q.Format
	switch {
	case q.LinkText != "" && slices.Contains(allowed, "method") && q.Method != "twcem" && !strings.HasPrefix(q.Method, "twcem:"):
		return Errorf("option", "link_text requires method=twcem: no other method uses the text of links")
	case q.Explain && format != "" && format != "text" && format != "json":
		return Errorf("option", "explain writes text or json; use it without format=%s", format)
	case format == render.Cleaned && q.BodyOnly:
		return Errorf("option", "body_only does not apply to format=cleaned, which is the page without what the method dropped")
	}
	_, err := lede.New(q.Options()...)
	return err
}

// SetFetched sets the page to one that was fetched from the URL of the request.
func (q *Page) SetFetched(resp *fetch.Response) {
	q.Input, q.URL, q.Content, q.HeaderCharset, q.Partial = q.URL, resp.URL, resp.Body, resp.Charset, resp.TruncatedReason
	if q.Content == nil {
		q.Content = []byte{}
	}
}

// Options returns the options of the request for an extraction. Those that are not
// given are as the extractor has them.
func (q *Page) Options() []lede.Option {
	opts := []lede.Option{lede.WithURL(q.URL), lede.WithHeaderCharset(q.HeaderCharset), lede.WithLinkText(q.LinkText)}
	if q.Method != "" || len(q.Set) > 0 {
		name := q.Method
		if name == "" {
			name = lede.DefaultMethod
		}
		opts = append(opts, lede.WithMethod(name, q.Set...))
	}
	if q.Charset != "" {
		opts = append(opts, lede.WithCharset(q.Charset))
	}
	if q.Favor != lede.Balanced {
		opts = append(opts, lede.WithFavor(q.Favor))
	}
	for _, o := range []struct {
		what string
		with func(bool) lede.Option
	}{{"comments", lede.WithComments}, {"captions", lede.WithCaptions}, {"tables", lede.WithTables}} {
		if slices.Contains(q.With, o.what) {
			opts = append(opts, o.with(true))
		}
	}
	if q.OnlyArticles {
		opts = append(opts, lede.WithArticlesOnly(true))
	}
	if q.NoPictures {
		opts = append(opts, lede.WithPictures(false))
	}
	if q.Unicode {
		opts = append(opts, lede.WithCharset("utf-8"))
	}
	return opts
}
