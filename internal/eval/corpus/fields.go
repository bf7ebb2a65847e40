package corpus

import (
	"fmt"
	"slices"
	"strconv"
)

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
