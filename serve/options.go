package serve

import (
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output"
)

// option is an option of a request: a parameter of the query, or a field of the JSON.
type option struct {
	name string
	list bool // it may be given several times
	set  func(q *pageRequest, values []string) error
}

// options lists all options, as openapi.json does.
var options = []option{
	{"url", false, text(func(q *pageRequest) *string { return &q.URL })},
	{"method", false, text(func(q *pageRequest) *string { return &q.Method })},
	{"set", true, func(q *pageRequest, v []string) error { q.Set = v; return nil }},
	{"methods", true, func(q *pageRequest, v []string) error { q.Methods = splitLists(v); return nil }},
	{"favor", false, func(q *pageRequest, v []string) error {
		favors := map[string]lede.Favor{"": lede.Balanced, "precision": lede.FavorPrecision, "recall": lede.FavorRecall}
		favor, ok := favors[v[0]]
		if !ok {
			return newProblem("option", "favor=%s: use precision or recall", v[0])
		}
		q.Favor = favor
		return nil
	}},
	{"with", true, func(q *pageRequest, v []string) error {
		valid := []string{"comments", "captions", "tables", "links"}
		q.With = splitLists(v)
		for _, what := range q.With {
			if !slices.Contains(valid, what) {
				return newProblem("option", "with=%s: use one or more of %s", what, strings.Join(valid, ","))
			}
		}
		return nil
	}},
	{"format", false, choice("format", output.Formats(), func(q *pageRequest) *string { return &q.Format })},
	{"body", false, choice("body", batch.BodyForms(), func(q *pageRequest) *string { return &q.Body })},
	{"explain", false, flag("explain", func(q *pageRequest, on bool) { q.Explain = on })},
	{"body_only", false, flag("body_only", func(q *pageRequest, on bool) { q.BodyOnly = on })},
	{"only_articles", false, flag("only_articles", func(q *pageRequest, on bool) { q.OnlyArticles = on })},
	{"pictures", false, flag("pictures", func(q *pageRequest, on bool) { q.NoPictures = !on })},
	{"site", false, text(func(q *pageRequest) *string { return &q.Site })},
	{"memory", false, choice("memory", []string{"off", "use", "learn"}, func(q *pageRequest) *string { return &q.Memory })},
	{"charset", false, text(func(q *pageRequest) *string { return &q.Charset })},
	{"link_text", false, text(func(q *pageRequest) *string { return &q.LinkText })},
}

// The options of the requests.
var (
	extractOptions = []string{"url", "method", "set", "favor", "with", "format", "explain", "body_only", "only_articles", "pictures", "site", "memory", "charset", "link_text"}
	linksOptions   = []string{"url", "charset"}
	compareOptions = []string{"url", "methods", "favor", "site", "memory", "charset", "link_text"}
	batchOptions   = []string{"method", "set", "favor", "with", "body", "only_articles", "pictures", "site", "memory"}
)

func text(field func(*pageRequest) *string) func(*pageRequest, []string) error {
	return func(q *pageRequest, v []string) error {
		*field(q) = v[0]
		return nil
	}
}

func choice(name string, valid []string, field func(*pageRequest) *string) func(*pageRequest, []string) error {
	return func(q *pageRequest, v []string) error {
		if !slices.Contains(valid, v[0]) {
			return newProblem("option", "%s=%s: use one of %s", name, v[0], strings.Join(valid, ", "))
		}
		*field(q) = v[0]
		return nil
	}
}

func flag(name string, set func(*pageRequest, bool)) func(*pageRequest, []string) error {
	return func(q *pageRequest, v []string) error {
		if v[0] != "true" && v[0] != "false" {
			return newProblem("option", "%s=%s: use true or false", name, v[0])
		}
		set(q, v[0] == "true")
		return nil
	}
}

// splitLists returns the elements of lists that are separated by commas.
func splitLists(lists []string) (all []string) {
	for _, list := range lists {
		for what := range strings.SplitSeq(list, ",") {
			if what = strings.TrimSpace(what); what != "" {
				all = append(all, what)
			}
		}
	}
	return all
}

// newRequest returns a request with the given options. Only those that are allowed may
// be among them.
func newRequest(values url.Values, allowed []string) (*pageRequest, error) {
	if err := checkNames(values, allowed); err != nil {
		return nil, err
	}
	q := &pageRequest{input: "-"}
	for _, o := range options {
		if v := values[o.name]; len(v) > 0 {
			if err := o.set(q, v); err != nil {
				return nil, err
			}
		}
	}
	return q, q.check(allowed)
}

// checkNames returns an error for an option that is not allowed, or is given too often.
func checkNames(values url.Values, allowed []string) error {
	for name, v := range values {
		i := slices.IndexFunc(options, func(o option) bool { return o.name == name })
		switch {
		case i < 0 || !slices.Contains(allowed, name):
			return newProblem("option", "unknown option %q; the options are %s", name, strings.Join(allowed, ", "))
		case len(v) > 1 && !options[i].list:
			return newProblem("option", "%s is given %d times; give it once", name, len(v))
		}
	}
	return nil
}

// check returns an error for options that are invalid, or that have no effect together.
func (q *pageRequest) check(allowed []string) error {
	format := q.Format
	switch {
	case q.LinkText != "" && slices.Contains(allowed, "method") && q.Method != "twcem" && !strings.HasPrefix(q.Method, "twcem:"):
		return newProblem("option", "link_text requires method=twcem: no other method uses the text of links")
	case q.Explain && format != "" && format != "text" && format != "json":
		return newProblem("option", "explain writes text or json; use it without format=%s", format)
	case format == output.Cleaned && q.BodyOnly:
		return newProblem("option", "body_only does not apply to format=cleaned, which is the page without what the method dropped")
	}
	_, err := lede.New(q.options()...)
	return err
}

// options returns the options of the request for an extraction. Those that are not
// given are as the extractor has them.
func (q *pageRequest) options() []lede.Option {
	opts := []lede.Option{lede.WithURL(q.URL), lede.WithHeaderCharset(q.charset), lede.WithLinkText(q.LinkText)}
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
	for what, option := range map[string]func(bool) lede.Option{"comments": lede.WithComments, "captions": lede.WithCaptions, "tables": lede.WithTables} {
		if slices.Contains(q.With, what) {
			opts = append(opts, option(true))
		}
	}
	if q.OnlyArticles {
		opts = append(opts, lede.WithArticlesOnly(true))
	}
	if q.NoPictures {
		opts = append(opts, lede.WithPictures(false))
	}
	if q.HTML != nil {
		opts = append(opts, lede.WithCharset("utf-8")) // JSON is, whatever the page declares
	}
	return opts
}
