package corpus

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Gold is what is known of a page. Empty means that nobody knows.
type Gold struct {
	ID      string
	URL     string
	Site    string
	Lang    string
	Country string
	Type    string // such as article
	Title   string
	Text    string // the body
	// TitleInText says that Text begins with the headline, so that an
	// extractor's headline counts as part of its text.
	TitleInText bool
	Authors     []string
	Date        string // as the corpus has it
	Topics      []string
	Images      []Image
	Extra       []string // belongs to the story, but not to its body: captions, datelines
	Related     []string // about other stories
	Comments    []string // of readers
	With        []string // snippets that must be in the text
	Without     []string // snippets that must not

	page string // the file with the HTML; empty when there is none
	file string // where the gold is
	line int    // there; 0 when it is the whole file
}

// Image is a picture that belongs to a story.
type Image struct {
	URL     string
	Caption string
}

// SiteName is the site of the page: what the gold says, else the host of its
// address, else the page by itself.
func (g *Gold) SiteName() string {
	if g.Site != "" {
		return g.Site
	}
	if u, err := url.Parse(g.URL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return g.ID
}

// textless tells of pages whose story nobody wrote down. A page of another
// type, such as a product or an index, need not have one.
func (g *Gold) textless() bool {
	return strings.TrimSpace(g.Text) == "" && len(g.With) == 0 && len(g.Without) == 0 && (g.Type == "" || g.Type == "article")
}

var (
	// A year in a date stands by itself or begins a row of digits such as 20240514.
	yearInDate = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)(?:\d{4}|\d{10})?(?:\D|$)`)
	// In an address or a name, where numbers can be anything, it is a folder
	// or the beginning of a whole day.
	yearInName = regexp.MustCompile(`(?:^|\D)((?:19[89]|20[0-4])\d)(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|[-_/.](?:0?[1-9]|1[0-2])[-_/.](?:0?[1-9]|[12]\d|3[01]))(?:\D|$)`)
	yearFolder = regexp.MustCompile(`/((?:19[89]|20[0-4])\d)/`)
)

// Year is when the story is from: by its date, else by a date in its address
// or in its id; empty when none of them says.
func (g *Gold) Year() string {
	for _, at := range []struct {
		in string
		*regexp.Regexp
	}{{g.Date, yearInDate}, {g.URL, yearFolder}, {g.URL, yearInName}, {g.ID, yearInName}} {
		if m := at.FindStringSubmatch(at.in); m != nil {
			return m[1]
		}
	}
	return ""
}

// fields are what is known of a page, as decoded from JSON or from a Python
// literal. Corpora differ in what they put where: a string or a list of
// strings, a list of strings or of objects. All of that is understood; a field that
// is something else is as good as absent, and wrong says so.
type fields struct {
	values map[string]any
	wrong  []error
}

// gold puts the fields with the names of the shared form into a Gold.
func (f *fields) gold() Gold {
	return Gold{
		URL: f.text("url"), Site: f.text("site"), Lang: f.text("lang"), Country: f.text("country"), Type: f.text("type"),
		Title: f.text("title"), Text: f.text("text"), TitleInText: f.flag("title_in_text"),
		Authors: f.authors(), Date: f.text("date"), Topics: f.list("topics", "name", "title"), Images: f.images(),
		Extra: f.list("extra", "text", "caption"), Related: f.list("related", "title", "text", "url"),
		Comments: f.list("comments", "text", "body", "content", "comment"),
		With:     f.list("with", "text"), Without: f.list("without", "text"),
	}
}

func (f *fields) fail(key string, v any, want string) {
	f.wrong = append(f.wrong, fmt.Errorf("%s is %s, want %s; it is ignored", key, kind(v), want))
}

func (f *fields) text(key string) string {
	v := f.values[key]
	s, ok := plain(v)
	if !ok && v != nil {
		f.fail(key, v, "a string")
	}
	return s
}

func (f *fields) flag(key string) bool {
	v := f.values[key]
	b, ok := v.(bool)
	if !ok && v != nil {
		f.fail(key, v, "true or false")
	}
	return b
}

// list takes a string for a list of one, and of objects the first of the inner
// fields that is there.
func (f *fields) list(key string, inner ...string) []string {
	var all []string
	for _, v := range f.items(key) {
		if m, ok := v.(map[string]any); ok {
			for _, k := range inner {
				if s, ok := plain(m[k]); ok && s != "" {
					v = s
					break
				}
			}
		}
		if s, ok := plain(v); ok {
			all = append(all, s)
		} else {
			f.fail(key, v, "strings")
		}
	}
	return all
}

// items are the elements of a list. Anything else is a list of one, but
// nothing and the empty string are none.
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

// authors are in authors or else in author.
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
			f.fail("images", v, "addresses or objects with url")
		}
	}
	return all
}

// plain spells a string or a number.
func plain(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	}
	return "an object"
}
