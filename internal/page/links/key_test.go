package links

import (
	"strings"
	"testing"
)

func TestKey(t *testing.T) {
	same := map[string][]string{
		"quay.example/news/cranes": {
			"https://quay.example/news/cranes", "http://quay.example/news/cranes", "//quay.example/news/cranes",
			"https://www.quay.example/news/cranes/", "HTTPS://QUAY.example:443/news/cranes", "http://quay.example.:80/news/cranes",
			"https://m.quay.example/news/cranes", "https://amp.quay.example/news/cranes", "https://www.m.quay.example/news/cranes", "https://mobile.quay.example/news/cranes",
			"https://quay.example/news/cranes#comments", "https://quay.example/news/./old/../cranes", "https://quay.example/news/cr%61nes",
			"https://quay.example/news/cranes?", "https://quay.example/news/cranes?&", " https://user:secret@quay.example/news/cranes\n",
			"https://quay.example/news/cranes?utm_source=a&UTM_Medium=b&fbclid=c&wt.mc_id=d&wt_zmc=e&_ga=f",
		},
		"quay.example":               {"https://quay.example", "http://www.quay.example/", "https://quay.example/?utm_source=x", "https://quay.example//"},
		"quay.example/a?id=7&page=2": {"https://quay.example/a?id=7&page=2", "https://quay.example/a/?page=2&utm_term=x&id=7"},
		"quay.example/é%20b%2Fc%25":  {"https://quay.example/é b%2fc%25", "https://quay.example/%C3%A9%20b%2Fc%", "https://quay.example/%c3%a9%20b%2fc%25"},
		"quay.example/a?q=é%26":      {"https://quay.example/a?q=é%26", "https://quay.example/a?q=%c3%a9%26"},
		"quay.example:8080/a":        {"http://quay.example:8080/a"},
		"[::1]:8080/a":               {"http://[::1]:8080/a/"},
		"[::1]/a":                    {"http://[::1]:80/a"},
		"127.0.0.1:34567/a":          {"http://127.0.0.1:34567/a"},
		"www.com/a":                  {"https://www.com/a"},
		"m.example/a":                {"https://m.example/a"},
		"новости.example/а":          {"https://НОВОСТИ.example/а"},
		"quay.example/a?tag=1&tag=2": {"https://quay.example/a?tag=1&tag=2"},
		"quay.example/a?tag=2&tag=1": {"https://quay.example/a?tag=2&tag=1"},
		"quay.example/Cranes":        {"https://quay.example/Cranes"},
		"": {"", "quay.example/a", "/a", "mailto:desk@quay.example", "https:", "https:///a", "javascript:go()", "ftp://quay.example/a", "https:quay.example/a",
			"http://[fe80::1%25en0]/a", "http://a b/", "http://quay.example:port/"},
	}
	for want, all := range same {
		for _, address := range all {
			if got := Key(address); got != want {
				t.Errorf("%q: got %q, want %q", address, got, want)
			}
		}
	}
}

// FuzzKey checks that the key of a key is the key, and that what Key promises to
// ignore makes no difference.
func FuzzKey(f *testing.F) {
	for _, address := range []string{
		"https://quay.example/news/cranes?b=1&a=2#x", "http://www.m.quay.example.:80//a/../b/%2f%zz", "//[::1]:81/?&=&utm_x", "http://a/%C3%A9?é=%20+%2B", "http://A%C3%A9/", "https://WWW.quay.example/news/Cranes-1_2.html", "http://.../a/", "https://m.quay.example./", "http://a/;b?c;d",
	} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		key := Key(address)
		if parsed := parsedKey(address); key != parsed {
			t.Errorf("%q: key %q, but %q if parsed", address, key, parsed)
		}
		if key == "" {
			return
		}
		for _, same := range []string{"https://" + key, "http://" + key, "//" + key, "https://" + key + "#top", strings.TrimSpace(address) + "#end"} {
			if got := Key(same); got != key {
				t.Errorf("%q: key %q, but %q for %q", address, key, got, same)
			}
		}
	})
}

func BenchmarkKey(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Key("https://www.quay.example/news/2024/cranes-are-back.html?page=2&utm_source=feed")
	}
}

func TestStoryKey(t *testing.T) {
	const story = "quay.example/news/cranes"
	for address, want := range map[string]string{
		"https://quay.example/news/cranes":                    story,
		"https://amp.quay.example/news/cranes":                story,
		"https://quay.example/amp/news/cranes":                story,
		"https://quay.example/news/cranes/amp/":               story,
		"https://quay.example/news/cranes.amp":                story,
		"https://quay.example/news/cranes.amp.html":           story + ".html",
		"https://quay.example/news/cranes?amp":                story,
		"https://quay.example/news/cranes?outputType=amp":     story,
		"https://quay.example/news/cranes/print":              story,
		"https://quay.example/news/cranes?view=print":         story,
		"https://quay.example/news/cranes?PHPSESSID=1b989e6a": story,
		"https://quay.example/news/cranes;jsessionid=12":      story,
		"https://quay.example/(S(abc))/news/cranes":           story,
		"https://quay.example/news/cranes?id=7&sid=1&amp=1":   story + "?id=7",
		"https://quay.example/news/cranes?view=2":             story + "?view=2",
		"https://quay.example/amp":                            "quay.example/amp",
		"https://quay.example/":                               "quay.example",
		"mailto:desk@quay.example":                            "",
		"":                                                    "",
	} {
		if got := StoryKey(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}
