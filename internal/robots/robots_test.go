package robots

import (
	"encoding/json"
	"net/url"
	"os"
	"testing"
	"time"
)

func allowed(t testing.TB, r *Rules, path string) bool {
	t.Helper()
	u, err := url.Parse("https://paper.example" + path)
	if err != nil {
		t.Fatal(err)
	}
	return r.Allowed(u)
}

func TestAllowed(t *testing.T) {
	const text = "\ufeffUser-agent: other\nDisallow: /\n\n" +
		"User-Agent: someone\nUser-agent: * # everybody\nDisallow: /search\nDisallow: /*.pdf$\nDisallow: /a/*/print\nAllow: /search/help\n" +
		"Disallow: /sp%c3%a9cial\nDisallow: /*?sort=\nCrawl-delay: 2.5\nSitemap: https://paper.example/sitemap.xml\n" +
		"Disallow:\nnonsense\n"
	r := Parse([]byte(text), "lede")
	for path, want := range map[string]bool{
		"": true, "/": true, "/story": true, "/search": false, "/searches": false, "/search/help": true, "/a.pdf": false, "/a.pdf?x=1": true,
		"/a/b/c/print": false, "/a/print": true, "/spécial": false, "/sp%C3%A9cial/x": false, "/list?sort=up": false, "/list?page=2": true,
	} {
		if got := allowed(t, r, path); got != want {
			t.Errorf("%s is allowed: %v", path, got)
		}
	}
	if r.Delay != 2500*time.Millisecond {
		t.Errorf("delay %v", r.Delay)
	}
}

func TestGroups(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                     true,
		"Disallow: /":                          true, // before any group
		"User-agent: *\nDisallow: /":           false,
		"User-agent: *\nDisallow: /\nAllow: /": true,
		"User-agent: *\nDisallow: /\n\nUser-agent: Lede/1.0\nDisallow: /private": true,
		"User-agent: LEDE\nDisallow: /\n\nUser-agent: *\nAllow: /":               false,
		"User-agent: lede\nAllow: /\nUser-agent: x\nDisallow: /":                 true,
		"User-agent: lede\nUser-agent: x\nDisallow: /":                           false,
		"User-agent: x\nSitemap: /s\nUser-agent: lede\nDisallow: /":              false,
	} {
		if got := allowed(t, Parse([]byte(text), "lede"), "/story"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !allowed(t, &Rules{}, "/story") {
		t.Error("the zero value does not allow everything")
	}
}

// TestProtego compares with another implementation: testdata/protego.jsonl has random
// files with what Protego 0.7, the parser of Scrapy, says of random addresses.
func TestProtego(t *testing.T) {
	file, err := os.Open("testdata/protego.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	addresses := 0
	for rows := json.NewDecoder(file); rows.More(); {
		var row struct {
			Robots  string
			Allowed map[string]bool
		}
		if err := rows.Decode(&row); err != nil {
			t.Fatal(err)
		}
		r := Parse([]byte(row.Robots), "lede")
		for path, want := range row.Allowed {
			addresses++
			if got := allowed(t, r, path); got != want {
				t.Errorf("%s\n%s is allowed: %v, by Protego: %v", row.Robots, path, got, want)
			}
		}
	}
	if addresses < 1000 {
		t.Errorf("%d addresses compared", addresses)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /*a*b$\nAllow: /"), "/a/b?c")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		r := Parse(text, "lede")
		r.Allowed(&url.URL{Path: path})
		r.Allowed(&url.URL{Path: "/", RawQuery: path})
	})
}
