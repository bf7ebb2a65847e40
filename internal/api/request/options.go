package request

import (
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/render"
)

// option is an option of a request: a parameter of a query, or a field of JSON.
type option struct {
	name string
	list bool // it may be given several times
	set  func(q *Page, values []string) error
}

// options lists all options, as serve/openapi.json does.
var options = []option{
	{"url", false, text(func(q *Page) *string { return &q.URL })},
	{"method", false, text(func(q *Page) *string { return &q.Method })},
	{"set", true, func(q *Page, v []string) error { q.Set = v; return nil }},
	{"methods", true, func(q *Page, v []string) error { q.Methods = splitLists(v); return nil }},
	{"favor", false, func(q *Page, v []string) error {
		favors := map[string]lede.Favor{"": lede.Balanced, "precision": lede.FavorPrecision, "recall": lede.FavorRecall}
		favor, ok := favors[v[0]]
		if !ok {
			return Errorf("option", "favor=%s: use precision or recall", v[0])
		}
		q.Favor = favor
		return nil
	}},
	{"with", true, func(q *Page, v []string) error {
		valid := []string{"comments", "captions", "tables", "links"}
		q.With = splitLists(v)
		for _, what := range q.With {
			if !slices.Contains(valid, what) {
				return Errorf("option", "with=%s: use one or more of %s", what, strings.Join(valid, ","))
			}
		}
		return nil
	}},
	{"format", false, choice("format", render.Formats(), func(q *Page) *string { return &q.Format })},
	{"body", false, choice("body", batch.BodyForms(), func(q *Page) *string { return &q.Body })},
	{"explain", false, flag("explain", func(q *Page, on bool) { q.Explain = on })},
	{"body_only", false, flag("body_only", func(q *Page, on bool) { q.BodyOnly = on })},
	{"only_articles", false, flag("only_articles", func(q *Page, on bool) { q.OnlyArticles = on })},
	{"pictures", false, flag("pictures", func(q *Page, on bool) { q.NoPictures = !on })},
	{"site", false, text(func(q *Page) *string { return &q.Site })},
	{"memory", false, choice("memory", []string{"off", "use", "learn"}, func(q *Page) *string { return &q.Memory })},
	{"charset", false, text(func(q *Page) *string { return &q.Charset })},
	{"link_text", false, text(func(q *Page) *string { return &q.LinkText })},
}

func text(field func(*Page) *string) func(*Page, []string) error {
	return func(q *Page, v []string) error {
		*field(q) = v[0]
		return nil
	}
}

func choice(name string, valid []string, field func(*Page) *string) func(*Page, []string) error {
	return func(q *Page, v []string) error {
		if !slices.Contains(valid, v[0]) {
			return Errorf("option", "%s=%s: use one of %s", name, v[0], strings.Join(valid, ", "))
		}
		*field(q) = v[0]
		return nil
	}
}

func flag(name string, set func(*Page, bool)) func(*Page, []string) error {
	return func(q *Page, v []string) error {
		if v[0] != "true" && v[0] != "false" {
			return Errorf("option", "%s=%s: use true or false", name, v[0])
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
