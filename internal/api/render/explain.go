package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/page/lines"
)

// explainText writes the facts about an article with their sources, and the decisions
// about all blocks of text. input names the page, "-" is
// the standard input; linkText is the text of the link that led to it, if known.
func explainText(w io.Writer, input, linkText string, x *lede.Explanation) error {
	const maxText, maxValue = 90, 200 // characters
	a := x.Article
	var b strings.Builder
	if input == "-" {
		input = "standard input"
	}
	fmt.Fprintf(&b, "%s\n", input)
	fmt.Fprintf(&b, "method      %s\n", a.Method)
	fmt.Fprintf(&b, "type        %s, confidence %.2f%s\n", a.Type, a.Confidence, flags(a))
	decisions := x.Decisions()
	known := facts(x, decisions)
	for _, f := range known {
		f.Value = lines.Shorten(f.Value, maxValue)
		fmt.Fprintf(&b, "%-11s %s\n", cmp.Or(labels[f.Name], f.Name), f.String())
		if own := x.MethodTitle(); f.Name == "title" && own != "" && own != a.Title {
			fmt.Fprintf(&b, "            %s  (found by the method)\n", lines.Shorten(own, maxValue))
		}
		for _, c := range losers(x, f.Name) {
			lost := fact{Value: lines.Shorten(c.Value, maxText), From: sourceNames[c.Source]}
			fmt.Fprintf(&b, "            not %s\n", lost.String())
		}
	}
	for _, name := range []string{"title", "authors", "published"} {
		if !slices.ContainsFunc(known, func(f fact) bool { return f.Name == name }) {
			fmt.Fprintf(&b, "%-11s not found\n", name)
		}
	}
	if linkText != "" {
		fmt.Fprintf(&b, "link text   %s\n", lines.Shorten(linkText, maxText))
	}
	if a.NextPage != "" {
		fmt.Fprintf(&b, "next page   %s\n", a.NextPage)
	}
	n := countCharacters(decisions)
	fmt.Fprintf(&b, "characters  %d kept, %d dropped, %d hidden from readers\n\n", n.Kept, n.Dropped, n.Hidden)
	for _, v := range decisions {
		fmt.Fprintf(&b, "%-7s %7.1f  %s\n", v.Role, v.Score, lines.Shorten(v.Text, maxText))
		fmt.Fprintf(&b, "                 %s — %s\n", shortPath(v.Path), why(v))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// characters are the numbers of characters of a page by what became of them.
type characters struct {
	Kept    int `json:"kept"`
	Dropped int `json:"dropped"`
	Hidden  int `json:"hidden"`
}

func countCharacters(decisions []lede.Decision) (c characters) {
	for _, v := range decisions {
		n := utf8.RuneCountInString(v.Text)
		switch v.Role {
		case "kept":
			c.Kept += n
		case "hidden":
			c.Hidden += n
		default:
			c.Dropped += n
		}
	}
	return c
}

// decision is a lede.Decision in JSON.
type decision struct {
	Role  string  `json:"role"`
	Score float64 `json:"score"`
	Path  string  `json:"path"`
	Why   string  `json:"why"`
	Text  string  `json:"text"`
}

// explainJSON writes what explainText writes, in full, as one JSON object: the article is as
// format.JSON writes it. With indent, the object has a line for each value.
func explainJSON(w io.Writer, input, linkText string, x *lede.Explanation, indent bool) error {
	var a bytes.Buffer
	if err := format.JSON(&a, x.Article, format.Options{}); err != nil {
		return err
	}
	decisions := x.Decisions()
	out := struct {
		Input       string            `json:"input"`
		Article     json.RawMessage   `json:"article"`
		Sources     map[string]string `json:"sources"`
		Facts       []fact            `json:"facts"`
		Candidates  []candidate       `json:"candidates"`
		MethodTitle string            `json:"method_title,omitempty"`
		LinkText    string            `json:"link_text,omitempty"`
		Characters  characters        `json:"characters"`
		Decisions   []decision        `json:"decisions"`
	}{
		Input: input, Article: a.Bytes(), Sources: x.Sources, Facts: facts(x, decisions), Candidates: candidates(x, decisions),
		MethodTitle: x.MethodTitle(), LinkText: linkText,
		Characters: countCharacters(decisions), Decisions: make([]decision, len(decisions)),
	}
	for i, v := range decisions {
		if math.IsNaN(v.Score) || math.IsInf(v.Score, 0) {
			v.Score = 0 // JSON has no such numbers
		}
		out.Decisions[i] = decision{Role: v.Role, Score: v.Score, Path: v.Path, Why: why(v), Text: v.Text}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(out)
}

// flags lists what is unusual about an article.
func flags(a *lede.Article) string {
	var s string
	if a.Form != "" {
		s += ", " + string(a.Form)
	}
	if a.Paywalled {
		s += ", paywalled"
	}
	if a.Partial {
		s += ", partial (" + a.PartialReason.Describe() + ")"
	}
	return s
}

func why(v lede.Decision) string {
	switch {
	case v.Role == "hidden":
		return "not shown to readers"
	case v.Role == "title":
		return "the headline"
	case v.Why == "" && v.Role == "kept":
		return "in the part of the page that is kept"
	case v.Why == "":
		return "outside the part of the page that is kept"
	}
	return v.Why
}

// shortPath returns the last elements of a path.
func shortPath(p string) string {
	const maxElements = 5
	parts := strings.Split(p, ">")
	if len(parts) > maxElements {
		parts = append([]string{"…"}, parts[len(parts)-maxElements:]...)
	}
	return strings.Join(parts, ">")
}

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
		{Name: "title", Value: a.Title}, {Name: "standfirst", Value: a.Standfirst}, {Name: "description", Value: a.Description}, {Name: "authors", Value: a.Byline()},
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

// candidate is a lede.Candidate in JSON. Block is like that of fact.
type candidate struct {
	Name   string  `json:"name"`
	Value  string  `json:"value"`
	Source string  `json:"source,omitempty"`
	Score  float32 `json:"score"`
	Block  *int    `json:"block,omitempty"`
}

// candidates returns the values that the page offers for facts, those that lost included.
func candidates(x *lede.Explanation, decisions []lede.Decision) []candidate {
	out := make([]candidate, len(x.Candidates))
	for i, c := range x.Candidates {
		out[i] = candidate{Name: c.Fact, Value: c.Value, Source: c.Source, Score: c.Score}
		if c.Node != dom.None && x.Document().Chars(c.Node) > 0 {
			out[i].Block = blockOf(x.Document(), decisions, c.Node)
		}
	}
	return out
}

// losers returns the best other values that the page offers for a fact.
func losers(x *lede.Explanation, name string) (out []lede.Candidate) {
	const most = 3
	seen := map[string]bool{}
	for i, c := range x.Candidates {
		if c.Fact != name || len(out) == most {
			continue
		}
		isFirst := len(seen) == 0 // the candidates of a fact are sorted
		if known := seen[c.Value]; !known && !isFirst && c.Value != "" && c.Score > 0 {
			out = append(out, x.Candidates[i])
		}
		seen[c.Value] = true
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
