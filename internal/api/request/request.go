// Package request has requests about a page: their options, how these are written and
// checked, and the extraction of the page. The service and pipes share it.
package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// hints say what to do about errors, by kind.
var hints = map[string]string{
	"not-html":   "send HTML",
	"malformed":  "open it in a browser, save it and send what was saved",
	"no-content": "try favor=recall, or another method",
	"scripts":    "send the page as a browser has it after its scripts have run",
	"timeout":    "raise the time for a page (--page-time), or try another method",
	"output":     "send the part of the page with the article",
	"charset":    "leave charset out, or use a name such as windows-1252",
	"crash":      "please report it with the page",
	"address":    "name an http or https address",
	"fetch":      "or send the page itself",
	"status":     "open the address in a browser, or send the page itself",
}

// Describe returns the kind of any error, "other" if it has none, and what happened and
// what to do next, in one line.
func Describe(err error) (kind, text string) {
	text = strings.Join(strings.Fields(err.Error()), " ")
	e := (*Error)(nil)
	switch {
	case errors.As(err, &e):
		return e.Kind, text
	case errors.Is(err, lede.ErrNotArticle):
		return "not-article", "the page is not an article; leave only_articles out to get its text"
	case errors.Is(err, fetch.ErrPrivateAddress):
		return "address", text + "; pages of private networks are fetched with --allow-private only"
	case errors.Is(err, lede.ErrUnknownMethod):
		kind = "method"
	case errors.Is(err, lede.ErrOption):
		kind = "option"
	default:
		kind = cmp.Or(render.Kind(err), "other")
	}
	if hint := hints[kind]; hint != "" {
		text += "; " + hint
	}
	return kind, text
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

// The options of the requests.
var (
	ExtractOptions = []string{
		"url", "method", "set", "favor", "with", "format", "explain", "body_only", "only_articles", "pictures", "site", "memory", "charset", "link_text",
	}
	LinksOptions   = []string{"url", "charset"}
	CompareOptions = []string{"url", "methods", "favor", "site", "memory", "charset", "link_text"}
	FormatOptions  = []string{"format", "with", "body_only"}
)

// option is an option of a request: a parameter of a query, or a field of JSON.
type option struct {
	list  bool     // it may be given several times, or as a list separated by commas
	valid []string // its values; nil if there are others
	set   func(q *Page, v []string)
}

// options are all options, as serve/openapi.json has them.
var options = map[string]option{
	"url":           text(func(q *Page) *string { return &q.URL }),
	"method":        text(func(q *Page) *string { return &q.Method }),
	"set":           {list: true, set: func(q *Page, v []string) { q.Set = v }},
	"methods":       {list: true, set: func(q *Page, v []string) { q.Methods = split(v) }},
	"favor":         {valid: []string{"", "precision", "recall"}, set: func(q *Page, v []string) { q.Favor = Favors[v[0]] }},
	"with":          {list: true, valid: []string{"comments", "captions", "tables", "links", "cleaned"}, set: func(q *Page, v []string) { q.With = split(v) }},
	"format":        text(func(q *Page) *string { return &q.Format }, render.Formats()...),
	"explain":       flag(func(q *Page, on bool) { q.Explain = on }),
	"body_only":     flag(func(q *Page, on bool) { q.BodyOnly = on }),
	"only_articles": flag(func(q *Page, on bool) { q.OnlyArticles = on }),
	"pictures":      flag(func(q *Page, on bool) { q.NoPictures = !on }),
	"site":          text(func(q *Page) *string { return &q.Site }),
	"memory":        text(func(q *Page) *string { return &q.Memory }, "off", "use", "learn"),
	"charset":       text(func(q *Page) *string { return &q.Charset }),
	"link_text":     text(func(q *Page) *string { return &q.LinkText }),
}

// Favors are the values of the option favor.
var Favors = map[string]lede.Favor{"": lede.Balanced, "precision": lede.FavorPrecision, "recall": lede.FavorRecall}

func text(field func(*Page) *string, valid ...string) option {
	return option{valid: valid, set: func(q *Page, v []string) { *field(q) = v[0] }}
}

func flag(set func(*Page, bool)) option {
	return option{valid: []string{"true", "false"}, set: func(q *Page, v []string) { set(q, v[0] == "true") }}
}

// split returns the elements of lists that are separated by commas.
func split(lists []string) []string {
	return strings.FieldsFunc(strings.Join(lists, ","), func(r rune) bool { return r == ',' || r == ' ' })
}

// New returns a request with the given options. Only those that are allowed may be among
// them.
func New(values map[string][]string, allowed []string) (*Page, error) {
	q := &Page{Input: "-"}
	for name, v := range values {
		o := options[name]
		given := v
		if o.list {
			given = split(v)
		}
		unknown := slices.IndexFunc(given, func(one string) bool { return o.valid != nil && !slices.Contains(o.valid, one) })
		switch {
		case !slices.Contains(allowed, name):
			return nil, Errorf("option", "unknown option %q; the options are %s", name, strings.Join(allowed, ", "))
		case len(v) > 1 && !o.list:
			return nil, Errorf("option", "%s is given %d times; give it once", name, len(v))
		case unknown >= 0:
			return nil, Errorf("option", "%s=%s: use one of %s", name, given[unknown], strings.TrimPrefix(strings.Join(o.valid, ", "), ", "))
		case len(v) > 0:
			o.set(q, v)
		}
	}
	switch {
	case q.Explain && q.Format != "" && q.Format != "text" && q.Format != "json":
		return nil, Errorf("option", "explain writes text or json; use it without format=%s", q.Format)
	case q.Format == render.Cleaned && q.BodyOnly:
		return nil, Errorf("option", "body_only does not apply to format=cleaned, which is the page without what the method dropped")
	}
	_, err := lede.New(q.Options()...)
	return q, err
}

// SetText sets the page to one that was sent as text, in JSON or in a form.
func (q *Page) SetText(html string) {
	q.Content, q.HeaderCharset, q.Unicode = []byte(html), "utf-8", true
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
		opts = append(opts, lede.WithMethod(cmp.Or(q.Method, lede.DefaultMethod), q.Set...))
	}
	if q.Favor != lede.Balanced {
		opts = append(opts, lede.WithFavor(q.Favor))
	}
	for what, with := range map[string]func(bool) lede.Option{
		"comments": lede.WithComments, "captions": lede.WithCaptions, "tables": lede.WithTables, render.Cleaned: lede.WithCleaned,
	} {
		if slices.Contains(q.With, what) || q.Format == what {
			opts = append(opts, with(true))
		}
	}
	if q.OnlyArticles {
		opts = append(opts, lede.WithArticlesOnly(true))
	}
	if q.NoPictures {
		opts = append(opts, lede.WithPictures(false))
	}
	if charset := q.charset(); charset != "" {
		opts = append(opts, lede.WithCharset(charset))
	}
	return opts
}

// charset returns the charset that overrides what the page declares, or "".
func (q *Page) charset() string {
	if q.Unicode {
		return "utf-8"
	}
	return q.Charset
}

// ParseJSON returns the options in a JSON object, as lists of values. The fields of own,
// which are pointers, are no options: they are decoded first, also if an option is wrong.
func ParseJSON(object []byte, own map[string]any) (map[string][]string, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimPrefix(object, []byte("\ufeff")), &fields)
	if err == nil && fields == nil {
		err = errors.New("it is not an object")
	}
	if err != nil {
		return nil, Errorf("json", "the JSON of the request is invalid: %s", JSONError(err))
	}
	for name, value := range own {
		if raw, ok := fields[name]; ok {
			if err := json.Unmarshal(raw, value); err != nil {
				return nil, Errorf("json", "%s is invalid: %s", name, JSONError(err))
			}
			delete(fields, name)
		}
	}
	values := map[string][]string{}
	for name, raw := range fields {
		var value any
		_ = json.Unmarshal(raw, &value) // which is valid
		list, ok := optionValues(value)
		if !ok {
			return nil, Errorf("option", "%s: use a string, a boolean or a list of strings", name)
		}
		if list != nil {
			values[name] = list
		}
	}
	return values, nil
}

// JSONError describes an error of encoding/json without the names of Go types.
func JSONError(err error) string {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return cmp.Or(e.Field, "it") + " has the wrong type, " + e.Value
	}
	return err.Error()
}

// optionValues returns a JSON value as the values of an option. Null means no value.
func optionValues(value any) (values []string, ok bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case bool:
		return []string{strconv.FormatBool(v)}, true
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
