package links

import (
	"net/url"
	"testing"
)

// FuzzIsResolved checks that resolving a resolved address does not change it.
func FuzzIsResolved(f *testing.F) {
	for _, addr := range []string{
		"https://quay.example/news/2024/cranes.html?page=2&from=top", "http://quay.example/", "https://quay.example",
		"https://quay.example/a/../b", "https://quay.example/.well-known", "https://quay.example//a", "https://a.example/?",
		"https://quay.example:80/a", "https://quay.example/a?b?c", "https://quay.example/a%20b", "HTTPS://quay.example/a",
		"https://quay.example/?q=100%", "https://quay.example/a%2Fb,c", "https://quay.example/%2e%2e/a:b@c", "https://quay.example/a?b=(c)", "https://-/_", "https:///a", "https://quay.example/a#b", "https://.../a/...",
	} {
		f.Add(addr)
	}
	base, err := url.Parse("https://pier.example/story/one")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, addr string) {
		if !IsResolved(addr) {
			return
		}
		u, err := url.Parse(addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.String(); got != addr {
			t.Errorf("%q is not resolved: parsing gives %q", addr, got)
		}
		if got := base.ResolveReference(u).String(); got != addr {
			t.Errorf("%q is not resolved: resolving gives %q", addr, got)
		}
	})
}

func TestIsResolved(t *testing.T) {
	for addr, want := range map[string]bool{
		"https://quay.example/news/cranes_2.html?page=2&from=top": true,
		"http://quay.example/":                     true,
		"/news/cranes.html":                        false,
		"//quay.example/news":                      false,
		"javascript:go()":                          false,
		"https://quay.example/news/../cranes.html": false,
	} {
		if got := IsResolved(addr); got != want {
			t.Errorf("%q: got %v, want %v", addr, got, want)
		}
	}
}

func TestResolveHidesNoScheme(t *testing.T) {
	for link, want := range map[string]string{
		"javascript&colon;alert(1)": "", "&#106;avascript:alert(1)": "", "java\nscript:alert(1)": "", "javascript:alert(1)": "",
		"/a&b": "/a&b", "a?b&c": "a?b&c", "mailto:a&b": "mailto:a&b",
	} {
		if got := Resolve(nil, link, "http", "https", "mailto"); got != want {
			t.Errorf("%q: got %q, want %q", link, got, want)
		}
	}
}

func TestResolveWeb(t *testing.T) {
	base, err := url.Parse("https://quay.example/news/")
	if err != nil {
		t.Fatal(err)
	}
	for link, want := range map[string]string{
		"cranes.html":               "https://quay.example/news/cranes.html",
		"//pier.example/a":          "https://pier.example/a",
		"http://pier.example?a":     "http://pier.example?a",
		" https://pier.example/a\n": "https://pier.example/a",
		"/100%-sure":                "https://quay.example/100%25-sure",
		"http:///a":                 "",
		"https:":                    "",
		"mailto:desk@quay.example":  "",
		"java\nscript:go()":         "",
		"":                          "",
	} {
		if got := ResolveWeb(base, link); got != want {
			t.Errorf("%q: got %q, want %q", link, got, want)
		}
	}
	for _, link := range []string{"cranes.html", "/a", "//pier.example/a", "http:///a", "httpx://pier.example/a"} {
		if got := ResolveWeb(nil, link); got != "" {
			t.Errorf("%q without a base: got %q", link, got)
		}
	}
}
