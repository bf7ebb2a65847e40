package store

import "testing"

func TestSiteName(t *testing.T) {
	tests := map[string]string{
		"https://www.Marrow.example/a?b":  "marrow.example",
		"http://marrow.example:80/":       "marrow.example",
		"https://marrow.example:443/":     "marrow.example",
		"http://marrow.example:8080/x":    "marrow.example:8080",
		"https://news.marrow.example.":    "marrow.example",
		"https://www.nytimes.com/":        "nytimes.com",
		"https://nytimes.com/":            "nytimes.com",
		"https://mobile.nytimes.com/":     "nytimes.com",
		"https://www.bbc.co.uk/news":      "bbc.co.uk",
		"https://co.uk/":                  "co.uk",
		"https://gulls.blogspot.com/":     "gulls.blogspot.com",
		"https://a.gulls.github.io/":      "gulls.github.io",
		"https://m.paper.example:8080/":   "paper.example:8080",
		"http://localhost:8080/":          "localhost:8080",
		"http://localhost/":               "localhost",
		"http://127.0.0.1/":               "127.0.0.1",
		"http://127.0.0.1:80/":            "127.0.0.1",
		"http://10.0.0.7:8080/":           "10.0.0.7:8080",
		"https://www.münchen.example/":    "münchen.example",
		"https://xn--mnchen-3ya.example/": "münchen.example",
		"https://a.新闻.公司.cn/":             "新闻.公司.cn",
		"http://my_paper.example/":        "my_paper.example",
		"http://a..b/":                    "a..b",
		"http://www.example":              "www.example",
		"http://[::1]/":                   "[::1]",
		"http://[::1]:81/":                "[::1]:81",
		" https://marrow.example ":        "marrow.example",
		"ftp://marrow.example/":           "",
		"marrow.example":                  "",
		"mailto:desk@marrow.example":      "",
		"https://":                        "",
		"http://%zz/":                     "",
		"":                                "",
		"file:///home/desk/page.html":     "",
		"https://user:pw@www.marrow.test": "marrow.test",
	}
	for in, want := range tests {
		if got := SiteName(in); got != want {
			t.Errorf("SiteName(%q) = %q, want %q", in, got, want)
		}
	}
}
