package render

import (
	"sort"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
)

// fact is a piece of metadata in JSON. Name is the name of its field in the JSON of
// an article.
type fact struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source,omitempty"`
	// From is the source in plain words.
	From string `json:"from,omitempty"`
	// Block is the index of the decision on the block that shows the value, if the
	// page shows it.
	Block *int `json:"block,omitempty"`
}

// sourceNames are the sources of metadata in plain words.
var sourceNames = map[string]string{
	"json-ld":   "JSON-LD",
	"og":        "OpenGraph",
	"meta":      "meta",
	"microdata": "microdata",
	"time":      "the page",
	"html":      "the page",
	"text":      "the words of the text",
	"url":       "the address",
}

// labels are the names of facts in text, where they differ.
var labels = map[string]string{"lang": "language", "lead": "picture"}

// facts returns the metadata of an article that is known.
func facts(x *lede.Explanation, decisions []lede.Decision) []fact {
	a := x.Article
	lead := ""
	if a.Lead != nil {
		lead = a.Lead.URL
	}
	out := []fact{}
	for _, f := range []fact{
		{Name: "title", Value: a.Title}, {Name: "standfirst", Value: a.Standfirst}, {Name: "authors", Value: a.Byline()},
		{Name: "published", Value: a.Published.String()}, {Name: "modified", Value: a.Modified.String()},
		{Name: "site", Value: a.Site}, {Name: "section", Value: a.Section}, {Name: "lang", Value: a.Lang},
		{Name: "tags", Value: strings.Join(a.Tags, ", ")}, {Name: "lead", Value: lead}, {Name: "canonical", Value: a.Canonical},
	} {
		if f.Value != "" {
			f.Source = x.Sources[f.Name]
			f.From = sourceNames[f.Source]
			out = append(out, f)
		}
	}
	places := x.Places()
	for i := range out {
		if n, ok := places[out[i].Name]; ok {
			out[i].Block = blockOf(x.Document(), decisions, n)
		}
	}
	return out
}

// blockOf returns the index of the first decision on text of a node, or nil.
func blockOf(d *dom.Document, decisions []lede.Decision, n dom.Node) *int {
	i := sort.Search(len(decisions), func(i int) bool { return decisions[i].Last >= n })
	if i == len(decisions) || decisions[i].First >= d.End(n) {
		return nil
	}
	return &i
}

// String returns the value and its source.
func (f *fact) String() string {
	switch {
	case f.From == "":
		return f.Value
	case f.Block != nil && f.From != sourceNames["html"]:
		return f.Value + "  (from " + f.From + ", and the page shows it)"
	}
	return f.Value + "  (from " + f.From + ")"
}
