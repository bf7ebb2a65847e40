package corpus

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Gold is the gold standard of a page. Empty fields are unknown.
type Gold struct {
	ID      string
	URL     string
	Site    string
	Lang    string
	Country string
	Type    string // such as article
	Title   string
	Text    string // the body
	// TitleInText means that Text begins with the headline, so that an
	// extractor's headline counts as part of its text.
	TitleInText bool
	Authors     []string
	Date        string // as the corpus has it
	Topics      []string
	Images      []Image
	Summary     []string  // paragraphs of the standfirst
	Sections    []Section // the body; nil if its structure is unknown
	Pictures    []Picture // with all addresses of each
	Extra       []string  // parts of the article outside its body: captions, datelines
	Related     []string  // links to other articles
	Comments    []string  // by readers
	With        []string  // snippets that must be in the text
	Without     []string  // snippets that must not be in the text

	page string // file of the HTML; empty if there is none
	file string // file of the gold
	line int    // line in file; 0 for the whole file
}

// Image is a picture of an article.
type Image struct {
	URL     string
	Caption string
}

// Section is a part of a body with its sub-headings.
type Section struct {
	Headline, Paragraphs []string
}

// Picture is a picture of an article with the addresses of all its sizes.
type Picture struct {
	URLs    []string
	Cover   bool // the lead picture
	Caption string
}

// SiteName returns the site of the page: the field Site, or else the host of the
// URL, or else the ID of the page.
func (g *Gold) SiteName() string {
	if g.Site != "" {
		return g.Site
	}
	if u, err := url.Parse(g.URL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return g.ID
}

// lacksText reports whether an article has neither text nor snippets. Pages of
// other types need not have any.
func (g *Gold) lacksText() bool {
	return strings.TrimSpace(g.Text) == "" && len(g.With) == 0 && len(g.Without) == 0 && (g.Type == "" || g.Type == "article")
}

var (
	// A year in a date is a number by itself or begins one such as 20240514.
	yearInDate = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)(?:\d{4}|\d{10})?(?:\D|$)`)
	// In a URL or an ID, which may contain any number, it is a folder or part of
	// a full date.
	yearInName = regexp.MustCompile(`(?:^|\D)((?:19[89]|20[0-4])\d)(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|[-_/.](?:0?[1-9]|1[0-2])[-_/.](?:0?[1-9]|[12]\d|3[01]))(?:\D|$)`)
	yearFolder = regexp.MustCompile(`/((?:19[89]|20[0-4])\d)/`)
)

// Year returns the year of the article: from its date, or else from a date in its
// URL or ID. It is empty if unknown.
func (g *Gold) Year() string {
	for _, c := range []struct {
		text string
		*regexp.Regexp
	}{{g.Date, yearInDate}, {g.URL, yearFolder}, {g.URL, yearInName}, {g.ID, yearInName}} {
		if m := c.FindStringSubmatch(c.text); m != nil {
			return m[1]
		}
	}
	return ""
}

// fields are the fields of a page, decoded from JSON or from a Python literal.
// Corpora differ in their types: a string or a list of strings, a list of strings
// or of objects. All of these are accepted. A field of another type is ignored
// and adds an error to invalid.
type fields struct {
	values  map[string]any
	invalid []error
}

// gold returns the fields with the names of the shared format as a Gold.
func (f *fields) gold() Gold {
	return Gold{
		URL: f.text("url"), Site: f.text("site"), Lang: f.text("lang"), Country: f.text("country"), Type: f.text("type"),
		Title: f.text("title"), Text: f.text("text"), TitleInText: f.flag("title_in_text"),
		Authors: f.authors(), Date: f.text("date"), Topics: f.list("topics", "name", "title"), Images: f.images(),
		Summary: f.list("summary", "text"), Sections: f.sections(), Pictures: f.pictures(),
		Extra: f.list("extra", "text", "caption"), Related: f.list("related", "title", "text", "url"),
		Comments: f.list("comments", "text", "body", "content", "comment"),
		With:     f.list("with", "text"), Without: f.list("without", "text"),
	}
}

func (f *fields) addError(key string, v any, want string) {
	f.invalid = append(f.invalid, fmt.Errorf("%s is %s, want %s; it is ignored", key, typeName(v), want))
}

func (f *fields) text(key string) string {
	v := f.values[key]
	s, ok := asString(v)
	if !ok && v != nil {
		f.addError(key, v, "a string")
	}
	return s
}

func (f *fields) flag(key string) bool {
	v := f.values[key]
	b, ok := v.(bool)
	if !ok && v != nil {
		f.addError(key, v, "a boolean")
	}
	return b
}

// list returns a list of strings. A string is a list of one; an object stands for
// the first of the inner fields that it has.
func (f *fields) list(key string, inner ...string) []string {
	var all []string
	for _, v := range f.items(key) {
		if m, ok := v.(map[string]any); ok {
			for _, k := range inner {
				if s, ok := asString(m[k]); ok && s != "" {
					v = s
					break
				}
			}
		}
		if s, ok := asString(v); ok {
			all = append(all, s)
		} else {
			f.addError(key, v, "strings")
		}
	}
	return all
}

// items returns the elements of a list. Any other value is a list of one, except
// that null and the empty string are empty lists.
func (f *fields) items(key string) []any {
	switch v := f.values[key].(type) {
	case nil:
		return nil
	case []any:
		return slices.DeleteFunc(slices.Clone(v), func(v any) bool { return v == nil })
	case string:
		if v == "" {
			return nil
		}
	}
	return []any{f.values[key]}
}

func (f *fields) authors() []string {
	if all := f.list("authors", "name"); len(all) > 0 {
		return all
	}
	return f.list("author", "name")
}

func (f *fields) images() []Image {
	var all []Image
	for _, v := range f.items("images") {
		switch v := v.(type) {
		case string:
			all = append(all, Image{URL: v})
		case map[string]any:
			inner := fields{values: v}
			image := Image{URL: inner.text("url"), Caption: inner.text("caption")}
			if image.URL == "" {
				image.URL = inner.text("src")
			}
			all = append(all, image)
		default:
			f.addError("images", v, "URLs or objects with url")
		}
	}
	return all
}

// sections returns nil if there is no such field.
func (f *fields) sections() []Section {
	if f.values["sections"] == nil {
		return nil
	}
	all := []Section{}
	f.objects("sections", func(s *fields) {
		all = append(all, Section{Headline: s.list("headline", "text"), Paragraphs: s.list("paragraphs", "text")})
	})
	return all
}

func (f *fields) pictures() []Picture {
	var all []Picture
	f.objects("pictures", func(p *fields) {
		all = append(all, Picture{URLs: p.list("urls", "url"), Cover: p.flag("cover"), Caption: p.text("caption")})
	})
	return all
}

// objects calls do for each object in a list.
func (f *fields) objects(key string, do func(*fields)) {
	for _, v := range f.items(key) {
		values, ok := v.(map[string]any)
		if !ok {
			f.addError(key, v, "objects")
			continue
		}
		inner := &fields{values: values}
		do(inner)
		f.invalid = append(f.invalid, inner.invalid...)
	}
}

// asString returns a string, or a number as a string.
func asString(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	}
	return "an object"
}
