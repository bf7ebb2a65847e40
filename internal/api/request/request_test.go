package request

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

// TestParseJSON checks that fields that are no options are set, also if an option is wrong.
func TestParseJSON(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		object string
		id     int64
		values map[string][]string
		text   string // of the error
	}{
		{`{"id":7,"url":"a","with":["b","c"],"explain":true}`, 7, map[string][]string{"url": {"a"}, "with": {"b", "c"}, "explain": {"true"}}, ""},
		{"\ufeff {\"id\":7,\"url\":null,\"with\":[]}", 7, map[string][]string{"with": {}}, ""},
		{`{"url":1,"id":7}`, 7, nil, "url: use a string, a boolean or a list of strings"},
		{`{"id":true,"url":1}`, 0, nil, "id is invalid: it has the wrong type, bool"},
		{`{"id":7,"url":`, 0, nil, "the JSON of the request is invalid: unexpected end"},
		{`{"id":7}}`, 0, nil, "the JSON of the request is invalid: invalid character"},
		{`["id",7]`, 0, nil, "the JSON of the request is invalid: it has the wrong type, array"},
		{`null`, 0, nil, "the JSON of the request is invalid: it is not an object"},
	} {
		var id int64
		values, err := ParseJSON([]byte(v.object), map[string]any{"id": &id})
		if id != v.id || !reflect.DeepEqual(values, v.values) || (err == nil) != (v.text == "") || err != nil && !strings.HasPrefix(err.Error(), v.text) {
			t.Errorf("%s: id %d, %v, %v", v.object, id, values, err)
		}
		if err != nil && !errors.As(err, new(*Error)) {
			t.Errorf("%s: the error is a %T", v.object, err)
		}
	}
}

// TestMemory checks which requests use what is known about sites.
func TestMemory(t *testing.T) {
	known, err := store.Open("", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	all, named := &sites.Sites{Store: known}, &sites.Sites{Store: known, Name: "paper"}
	for _, v := range []struct {
		sites *sites.Sites
		q     Page
		want  string // name of the site, "-" for no memory
	}{
		{nil, Page{URL: "https://a.example/"}, "-"}, {all, Page{}, "-"}, {all, Page{URL: "https://a.example/"}, ""}, {all, Page{URL: "https://a.example/", Memory: "off"}, "-"},
		{all, Page{Site: "b"}, "b"}, {named, Page{}, "paper"}, {named, Page{Site: "b"}, "b"}, {named, Page{Memory: "off"}, "-"},
	} {
		e := Extractor{Sites: v.sites}
		got := "-"
		if m := e.Memory(&v.q); m != nil {
			got = m.Name
		}
		if got != v.want {
			t.Errorf("%+v: %q, want %q", v.q, got, v.want)
		}
	}
}

// TestFetched checks that an incomplete page is the reason given for an error.
func TestFetched(t *testing.T) {
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	q := &Page{URL: "https://paper.example/a"}
	q.SetFetched(&fetch.Response{URL: "https://paper.example/b", TruncatedReason: "closed-early"})
	if q.Input != "https://paper.example/a" || q.URL != "https://paper.example/b" || q.Content == nil {
		t.Errorf("%+v", q)
	}
	e := Extractor{Lede: ex, PageTime: time.Hour}
	if _, err := e.Explain(t.Context(), q); !errors.Is(err, lede.ErrEmpty) || !strings.Contains(err.Error(), q.Partial.Describe()) {
		t.Error(err)
	}
}
