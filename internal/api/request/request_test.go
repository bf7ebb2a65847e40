package request

import (
	"testing"

	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

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
