package format

import "testing"

func TestLinkURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://x.example/a":               "http://x.example/a",
		"HTTPS://x.example":                "HTTPS://x.example",
		"mailto:a@x.example":               "mailto:a@x.example",
		"/a:b":                             "/a:b",
		"a/b:c":                            "a/b:c",
		"?q=a:b":                           "?q=a:b",
		"#a:b":                             "#a:b",
		"//x.example/a":                    "//x.example/a",
		"":                                 "",
		"\n http://x.example/ \t":          "http://x.example/",
		"http://x.example/a b\"<>`|^{}":    "http://x.example/a%20b%22%3C%3E%60%7C%5E%7B%7D",
		"http://x.example/\u3000":          "http://x.example/%E3%80%80",
		"https://x.example/تقرير":          "https://x.example/تقرير",
		"https://x.example/می\u200cخواهم":  "https://x.example/می\u200cخواهم",
		"http://x.example/?a=1&b=2&copy;":  "http://x.example/?a=1&b=2&copy;",
		"javascript:alert(1)":              "",
		"JAVASCRIPT:alert(1)":              "",
		"java\tscript:alert(1)":            "",
		"http://x.example/\x00":            "",
		"http://x.example/\u0085":          "",
		"http://x.example/\nHost: y":       "",
		"http://x.example/\xff":            "",
		"ht\ntp://x.example":               "",
		" javascript:alert(1)":             "",
		"\u00a0javascript:alert(1)":        "",
		"javascript&colon;alert(1)":        "",
		"&#106;avascript:alert(1)":         "",
		"tel:123":                          "",
		"ftp://x.example":                  "",
		"file:///etc/passwd":               "",
		"data:image/png;base64,AAAA":       "",
		"data:text/html,<script>":          "",
		"foo:bar":                          "",
		"://x.example":                     "",
		"http\u200b://x.example":           "",
		"view-source:http://x.example":     "",
		"ｊavascript:alert(1)":              "",
		"httpſ://x.example":                "", // folds to https in Unicode, not in a URL
		"blob:http://x.example/1":          "",
		"vbscript:x":                       "",
		"jar:http://x.example!/a":          "",
		"intent://x.example#Intent;end":    "",
		"javascript:/*http://x.example*/1": "",
	} {
		if got := linkURL(in); got != want {
			t.Errorf("linkURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestImageURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://x.example/a.png":               "https://x.example/a.png",
		"a b.png":                               "a%20b.png",
		"data:image/png;base64,iVBORw0KGgo=":    "data:image/png;base64,iVBORw0KGgo=",
		"DATA:image/JPEG;base64,AAAA":           "DATA:image/JPEG;base64,AAAA",
		"data:image/avif;base64,":               "data:image/avif;base64,",
		"data:image/svg+xml;base64,AAAA":        "",
		"data:image/png;baſe64,AAAA":            "",
		"data:image/png,AAAA":                   "",
		"data:image/png;base64,AA\"AA":          "",
		"data:image/png;base64,AA AA":           "",
		"data:image/pngx;base64,AAAA":           "",
		"data:image/png;charset=x;base64,AA":    "",
		"data:text/html;image/png;base64,AAAA":  "",
		"data:":                                 "",
		"mailto:a@x.example":                    "",
		"javascript:alert(1)":                   "",
		"\tdata:image/svg+xml,<svg onload=x>\n": "",
	} {
		if got := imageURL(in); got != want {
			t.Errorf("imageURL(%q) = %q, want %q", in, got, want)
		}
	}
}
