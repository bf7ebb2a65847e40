package robots

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// verdicts says which targets are allowed, for a robots.txt and a program.
type verdicts struct {
	name, robots, agent string
	allowed, forbidden  []string
}

func (v verdicts) check(t *testing.T) {
	t.Helper()
	r := Parse([]byte(v.robots), v.agent)
	for _, target := range v.allowed {
		if !r.Allowed(target) {
			t.Errorf("%s: %s may not fetch %s", v.name, v.agent, target)
		}
	}
	for _, target := range v.forbidden {
		if r.Allowed(target) {
			t.Errorf("%s: %s may fetch %s", v.name, v.agent, target)
		}
	}
}

// list is a file with several groups, after RFC 9309, section 5.1.
const list = `User-Agent: *
Disallow: *.gif$
Disallow: /sample/
Allow: /open/

User-Agent: alphabot
Disallow: /
Allow: /sample/page.html
Allow: /sample/allowed.gif

User-Agent: betabot
User-Agent: gammabot
Disallow: /sample/page.html

User-Agent: deltabot

EOF
`

// TestRFC has the examples of RFC 9309.
func TestRFC(t *testing.T) {
	t.Parallel()
	for _, v := range []verdicts{
		{"groups", list, "lede", []string{"/", "/open/a", "/a.gifs", "/a.gif?x", "/sample"}, []string{"/a.gif", "/sample/", "/sample/x", "/open.gif"}},
		{"groups", list, "alphabot", []string{"/sample/page.html", "/sample/allowed.gif", "/sample/page.html?x", "/robots.txt"}, []string{"/", "/sample/", "/x"}},
		{"groups", list, "BetaBot", []string{"/", "/sample/", "/a.gif"}, []string{"/sample/page.html"}},
		{"groups", list, "GAMMABOT/2.1", []string{"/", "/sample/", "/a.gif"}, []string{"/sample/page.html"}},
		{"groups", list, "deltabot", []string{"/", "/sample/page.html", "/a.gif"}, nil},
		{
			"longest match (5.2)", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif", "foobot",
			[]string{"https://paper.example/example/page/", "https://paper.example/example/page/other.gif"},
			[]string{"https://paper.example/example/page/disallowed.gif", "/example/page/disallowed.gif.png"},
		},
		{"merged groups (2.2.1)", "user-agent: a\ndisallow: /x\n\nuser-agent: *\ndisallow: /\n\nuser-agent: A\ndisallow: /y\n", "a", []string{"/z", "/"}, []string{"/x", "/y"}},
		{"no group for it (2.2.1)", "user-agent: a\ndisallow: /\n", "b", []string{"/", "/x"}, nil},
		{"user agent posing as a browser (2.2.1)", "user-agent: ExampleBot\ndisallow: /\n", "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)", nil, []string{"/"}},
		{"equal rules (2.2.2)", "user-agent: *\ndisallow: /a\nallow: /a\n", "x", []string{"/a", "/ab"}, nil},
		{"no rules (2.2.2)", "user-agent: *\n", "x", []string{"/a"}, nil},
		{"robots.txt (2.2.2)", "user-agent: *\ndisallow: /\n", "x", []string{"/robots.txt", "https://a.example/robots.txt", "https://a.example:8080/robots.txt#x"}, []string{"/robots.txt2", "/a/robots.txt", "/Robots.txt"}},
		{"case of paths", "user-agent: *\ndisallow: /Story\n", "x", []string{"/story"}, []string{"/Story"}},
		{"encoding 1 (2.2.2)", "user-agent: *\ndisallow: /foo/bar?baz=quz\n", "x", []string{"/foo/bar?baz%3Dquz", "/foo/bar%3Fbaz=quz"}, []string{"/foo/bar?baz=quz", "/foo/bar?ba%7A=quz"}},
		{"encoding 2 (2.2.2)", "user-agent: *\ndisallow: /foo/bar?baz=https://foo.bar\n", "x", []string{"/foo/bar"}, []string{"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f%2ffoo.bar", "/foo/bar?baz=https://foo.bar"}},
		{"encoding 2, the other way", "user-agent: *\ndisallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar\n", "x", []string{"/foo/bar"}, []string{"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar/x"}},
		{"encoding 3 (2.2.2)", "user-agent: *\ndisallow: /foo/bar/ツ\n", "x", []string{"/foo/bar/%E3%83%85"}, []string{"/foo/bar/ツ", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"}},
		{"encoding 4 (2.2.2)", "user-agent: *\ndisallow: /foo/bar/%E3%83%84\n", "x", nil, []string{"/foo/bar/ツ", "/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84/x"}},
		{"encoding 5 (2.2.2)", "user-agent: *\ndisallow: /foo/bar/%62%61%7A\n", "x", []string{"/foo/bar/ba"}, []string{"/foo/bar/baz", "/foo/bar/%62%61%7A", "/foo/bar/b%61z"}},
		{"encoded slash", "user-agent: *\ndisallow: /a/b\n", "x", []string{"/a%2Fb"}, []string{"/a/b"}},
		{"special characters (2.2.3)", "user-agent: *\ndisallow: /this/*/exactly # a comment\ndisallow: /end$\n", "x", []string{"/this/exactly", "/ending", "/end?x"}, []string{"/this/path/exactly", "/this/a/b/exactly/x", "/this//exactly", "/end"}},
		{"special characters, verbatim (2.2.3)", "user-agent: *\ndisallow: /file-with-a-%2A.html\ndisallow: /foo-%24\n", "x", []string{"/file-with-a-x.html", "/foo-"}, []string{"/file-with-a-*.html", "/file-with-a-%2a.html", "/foo-$", "/foo-$x"}},
		{"a dollar in the middle", "user-agent: *\ndisallow: /a$b\n", "x", []string{"/a", "/ab"}, []string{"/a$b", "/a%24b/c"}},
		{"other records (2.2.4)", "user-agent: a\nSitemap: https://a.example/s.xml\nuser-agent: b\nUnknown: x\nuser-agent: c\ndisallow: /\n", "a", nil, []string{"/"}},
		{"other records (2.2.4)", "user-agent: a\ndisallow: /x\nSitemap: https://a.example/s.xml\ndisallow: /y\n", "a", []string{"/"}, []string{"/x", "/y"}},
	} {
		v.check(t)
	}
}

// TestCases has facts that the tests of other parsers check: Google's robotstxt, the
// standard library of Python, reppy and Protego.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, v := range []verdicts{
		{"empty", "", "lede", []string{"/", "/x"}, nil},
		{"rule before a group", "disallow: /x\nuser-agent: *\nallow: /\n", "lede", []string{"/x"}, nil},
		{"only a rule", "Disallow: /", "lede", []string{"/x"}, nil},
		{"empty disallow", "user-agent: *\ndisallow:\n", "lede", []string{"/", "/x"}, nil},
		{"empty allow", "user-agent: *\nallow:\ndisallow: /\n", "lede", nil, []string{"/", "/x"}},
		{"unknown lines", "foo: lede\nbar: /\n", "lede", []string{"/"}, nil},
		{"without colons", "user-agent lede\ndisallow /\n", "lede", nil, []string{"/"}},
		{"without colons, and more words", "user-agent: *\ndisallow all of it\n", "lede", []string{"/"}, nil},
		{"case of directives", "USER-AGENT: Lede\nDisAllow: /x\nALLOW: /x/y\n", "lede", []string{"/x/y"}, []string{"/x"}},
		{"misspelt", "Useragent: lede\nDissallow: /a\nDissalow: /b\nDisalow: /c\nDiasllow: /d\nDisallaw: /e\n", "lede", []string{"/f"}, []string{"/a", "/b", "/c", "/d", "/e"}},
		{"misspelt with a space", "user agent: lede\ndisallow: /\n", "lede", nil, []string{"/"}},
		{"spaces", "  user-agent :\tlede  \n\tdisallow\t: /x  \n", "lede", []string{"/"}, []string{"/x", "/xy"}},
		{"space in a path", "user-agent: *\ndisallow: /a b\n", "lede", []string{"/a"}, []string{"/a%20b", "/a b"}},
		{"no longer name", "user-agent: lede\ndisallow: /\n", "ledebot", []string{"/"}, nil},
		{"no shorter name", "user-agent: ledebot\ndisallow: /\n", "lede", []string{"/"}, nil},
		{"name with a hyphen", "user-agent: lede\ndisallow: /\n\nuser-agent: lede-news\ndisallow: /x\n", "Lede-News/1.0", []string{"/"}, []string{"/x"}},
		{"name with a version", "user-agent: lede/2.0\ndisallow: /\n", "lede/1.0 (+https://paper.example/)", nil, []string{"/"}},
		{"name up to a space", "user-agent: *\ndisallow: /\nuser-agent: lede reader\nallow: /x\ndisallow: /\n", "lede", []string{"/x"}, []string{"/"}},
		{"empty name", "user-agent:\ndisallow: /\n", "", []string{"/"}, nil},
		{"everybody", "user-agent: *\ndisallow: /\n", "", nil, []string{"/"}},
		{"everybody, with more words", "user-agent: * and all\ndisallow: /\n", "lede", nil, []string{"/"}},
		{"everybody last", "user-agent: lede\nallow: /\nuser-agent: *\ndisallow: /\n", "lede", []string{"/x"}, nil},
		{"name and everybody", "user-agent: lede\nuser-agent: *\ndisallow: /x\n", "other", []string{"/"}, []string{"/x"}},
		{"empty lines in a group", "user-agent: lede\n\n\ndisallow: /x\n\ndisallow: /y\n", "lede", []string{"/"}, []string{"/x", "/y"}},
		{"comment in a group", "user-agent: lede # that is us\n# and\ndisallow: /x # not this\n", "lede", []string{"/"}, []string{"/x"}},
		{"Crawl-delay ends the names of a group", "user-agent: *\ncrawl-delay: 5\n\nuser-agent: bad\ndisallow: /\n", "lede", []string{"/"}, nil},
		{"order of rules", "user-agent: *\nallow: /a/b\ndisallow: /a\nallow: /a/b/c\ndisallow: /a/b/c/d\n", "lede", []string{"/", "/a/b", "/a/b/c", "/a/b/c/"}, []string{"/a", "/a/c", "/a/b/c/d"}},
		{"longer by a wildcard", "user-agent: *\nallow: /page\ndisallow: /*.htm\n", "lede", []string{"/page"}, []string{"/page.htm", "/page.html"}},
		{"equal length", "user-agent: *\nallow: /page\ndisallow: /*.ph\n", "lede", []string{"/page.php"}, []string{"/x.php"}},
		{"allow longer by a wildcard", "user-agent: *\nallow: /$\ndisallow: /\n", "lede", []string{"/", "https://paper.example", "https://paper.example/"}, []string{"/page", "/?x"}},
		{"rule of two groups of a name", "user-agent: lede\ndisallow: /a/b\nuser-agent: x\ndisallow: /\nuser-agent: lede\nallow: /a\nallow: /a/b\n", "lede", []string{"/a", "/a/b"}, nil},
		{"prefixes", "user-agent: *\ndisallow: /fish\n", "lede", []string{"/Fish.asp", "/catfish", "/?id=fish"}, []string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads/yummy.html", "/fish.php?id=anything"}},
		{"prefix with a wildcard", "user-agent: *\ndisallow: /fish*\n", "lede", []string{"/catfish"}, []string{"/fish", "/fish/x"}},
		{"folder", "user-agent: *\ndisallow: /fish/\n", "lede", []string{"/fish", "/fish.html"}, []string{"/fish/", "/fish/?id=1"}},
		{"suffix", "user-agent: *\ndisallow: /*.php$\n", "lede", []string{"/x.php?y", "/x.php/", "/x.php5", "/windows.PHP"}, []string{"/x.php", "/a/x.php"}},
		{"prefix and suffix", "user-agent: *\ndisallow: /fish*.php\n", "lede", []string{"/Fish.PHP", "/fish"}, []string{"/fish.php", "/fishheads/catfish.php?x"}},
		{"many wildcards", "user-agent: *\ndisallow: /a**b***c$\n", "lede", []string{"/abcd", "/ab"}, []string{"/abc", "/axbxc"}},
		{"only a wildcard", "user-agent: *\ndisallow: *\n", "lede", nil, []string{"/", "/x"}},
		{"only a dollar", "user-agent: *\ndisallow: $\n", "lede", []string{"/", "/x"}, nil},
		{"overlapping ends", "user-agent: *\ndisallow: /aba*ba$\n", "lede", []string{"/aba"}, []string{"/ababa", "/abaxba"}},
		{"backtracking", "user-agent: *\ndisallow: /*ab*abc$\n", "lede", []string{"/xab", "/xabc"}, []string{"/xababc", "/ab/ab/abc"}},
		{"without a slash", "user-agent: *\ndisallow: fish\n", "lede", []string{"/fish"}, nil},
		{"query", "user-agent: *\ndisallow: /*?sort=\ndisallow: /some?name=\n", "lede", []string{"/list?page=2", "/some"}, []string{"/list?sort=up", "/some?name=value"}},
		{"address in a query", "user-agent: *\ndisallow: /*/print\n", "lede", []string{"/print"}, []string{"/a?at=/print", "/a/print"}},
		{"parameters", "user-agent: *\ndisallow: /a;x\n", "lede", []string{"/a"}, []string{"/a;x", "/a;xy"}},
		{"fragment", "user-agent: *\ndisallow: /a/b\n", "lede", []string{"/a/#/a/b", "https://paper.example/#/a/b"}, []string{"/a/b#c"}},
		{"address in a path", "user-agent: *\ndisallow: /go/http://\n", "lede", []string{"/http://a"}, []string{"/go/http://other.example/", "https://paper.example/go/http://x"}},
		{"double slash", "user-agent: *\ndisallow: //x\n", "lede", []string{"/x"}, []string{"//x/y", "https://paper.example//x"}},
		{"addresses", "user-agent: *\ndisallow: /x\n", "lede", []string{"http://x.example", "http://x.example?x", "y.example"}, []string{"HTTP://paper.example:8080/x", "https://a:b@paper.example/x", "x"}},
		{"broken escape sequences", "user-agent: *\ndisallow: /a%zz\ndisallow: /b%\n", "lede", []string{"/a", "/b"}, []string{"/a%zz", "/b%", "/b%25"}},
		{"CR", "user-agent: lede\rdisallow: /x\r\rdisallow: /y", "lede", []string{"/"}, []string{"/x", "/y"}},
		{"CRLF", "user-agent: lede\r\ndisallow: /x\r\n\r\ndisallow: /y\r\n", "lede", []string{"/"}, []string{"/x", "/y"}},
		{"byte order mark", "\xef\xbb\xbfuser-agent: *\ndisallow: /\n", "lede", nil, []string{"/"}},
		{"part of a byte order mark", "\xef\xbbuser-agent: *\ndisallow: /\n", "lede", nil, []string{"/"}},
		{"not a byte order mark", "\xef\x11\xbfuser-agent: *\ndisallow: /\n", "lede", []string{"/"}, nil},
		{"byte order mark in the middle", "user-agent: *\n\xef\xbb\xbfdisallow: /\n", "lede", []string{"/"}, nil},
		{"NUL", "user-agent: *\x00\ndis\x00allow: /x\x00\n\x00\ndisallow: /y", "lede", []string{"/"}, []string{"/x", "/y"}},
		{"UTF-16", "\xff\xfe" + strings.Join(strings.Split("user-agent: *\ndisallow: /x\n", ""), "\x00") + "\x00", "lede", []string{"/"}, []string{"/x"}},
		{"Latin-1", "user-agent: *\ndisallow: /caf\xe9\n", "lede", []string{"/caf", "/café"}, []string{"/caf%e9"}},
		{"HTML", "<!DOCTYPE html>\n<html><head><title>404: not found</title></head>\n<body>disallow: / </body></html>", "lede", []string{"/"}, nil},
	} {
		v.check(t)
	}
	if !new(Rules).Allowed("/story") || new(Rules).CrawlDelay() != 0 || len(new(Rules).Sitemaps()) != 0 {
		t.Error("the zero value does not allow everything")
	}
}

func TestCrawlDelay(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"3": 3 * time.Second, "2.5": 2500 * time.Millisecond, "0,5": 500 * time.Millisecond, ".25 # a quarter": 250 * time.Millisecond,
		"0": 0, "": 0, "-3": 0, "soon": 0, "3 seconds": 0, "NaN": 0, "-Inf": 0, "-1e999": 0,
		"86399": maxDelay - time.Second, "86401": maxDelay, "1e300": maxDelay, "1e999": maxDelay, "99999999999999999999999": maxDelay, "Inf": maxDelay,
	} {
		r := Parse([]byte("user-agent: *\ncrawl-delay: "+value+"\ndisallow: /x\n"), "lede")
		if got := r.CrawlDelay(); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	file := []byte("crawl-delay: 9\nuser-agent: a\nuser-agent: b\nCRAWL-DELAY: 1\nuser-agent: b\ncrawl-delay: 4\ncrawl-delay: 3\nuser-agent: *\ncrawl-delay: 7\nuser-agent: c\ndisallow: /\n")
	for agent, want := range map[string]time.Duration{"a": time.Second, "B/2": 4 * time.Second, "c": 0, "d": 7 * time.Second} {
		if got := Parse(file, agent).CrawlDelay(); got != want {
			t.Errorf("%s: %v, want %v", agent, got, want)
		}
	}
}

func TestSitemaps(t *testing.T) {
	t.Parallel()
	r := Parse([]byte("sitemap: https://paper.example/a.xml\nuser-agent: x\nSitemap : https://paper.example/b.xml?x=1:2 # new\ndisallow: /\nSITE-MAP: /c.xml\nsitemap:\nsitemap: https://paper.example/a.xml\n"), "lede")
	want := []string{"https://paper.example/a.xml", "https://paper.example/b.xml?x=1:2", "/c.xml"}
	if got := r.Sitemaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestLarge checks that 500 KiB count, that what follows the limit does not, and that
// a line is not cut off.
func TestLarge(t *testing.T) {
	t.Parallel()
	const end = "\ndisallow: /last\n"
	filler := strings.Repeat("#", 500<<10-len("user-agent: *\n"+end))
	verdicts{"500 KiB", "user-agent: *\n" + filler + end, "lede", []string{"/"}, []string{"/last"}}.check(t)

	before := "user-agent: *\ndisallow: /first\n"
	before += strings.Repeat("#", MaxBytes-len(before)-len("\ndisallow: /last"))
	long := before + "\ndisallow: /last/of/all\n" + strings.Repeat("disallow: /\n", 1<<20)
	verdicts{"12 MiB", long, "lede", []string{"/last", "/last/of/all"}, []string{"/first"}}.check(t)
	verdicts{"line at the limit", before + "\ndisallow: /last\n" + strings.Repeat("disallow: /\n", 9), "lede", []string{"/"}, []string{"/last"}}.check(t)
	verdicts{"one line", strings.Repeat("x", 2*MaxBytes), "lede", []string{"/"}, nil}.check(t)
}

// TestHostile has files that would take very long if matching were not linear, or if
// groups were copied for each of their names.
func TestHostile(t *testing.T) {
	t.Parallel()
	stars := strings.Repeat("*a", 10_000)
	verdicts{"wildcards", "user-agent: *\ndisallow: /" + stars + "b\n", "lede", []string{"/" + strings.Repeat("a", 100_000)}, []string{"/" + strings.Repeat("a", 10_000) + "b"}}.check(t)
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "user-agent: bot%d\n", i)
	}
	for i := range 10_000 {
		fmt.Fprintf(&b, "disallow: /*%d$\n", i)
	}
	verdicts{"names and rules", strings.Repeat("user-agent: bot77\n", 10_000) + b.String(), "bot77", []string{"/x"}, []string{"/x123"}}.check(t)
}

// TestOthers compares with other implementations: the files have random files with what
// Protego 0.7, the parser of Scrapy, and gpyrobotstxt 1.0, Google's parser in Python, say
// of random addresses.
func TestOthers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"protego", "google"} {
		file, err := os.Open("testdata/" + name + ".jsonl")
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
				if got := r.Allowed("https://paper.example" + path); got != want {
					t.Errorf("%q\n%s is allowed: %v, by %s: %v", row.Robots, path, got, name, want)
				}
			}
		}
		if addresses < 1000 {
			t.Errorf("%d addresses compared with %s", addresses, name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /*a*b$\nAllow: /"), "lede", "/a/b?c")
	f.Add([]byte(list), "betabot", "https://paper.example/sample/page.html")
	f.Add([]byte("\xef\xbb\xbfuser-agent lede\rcrawl-delay: 1e99\rsitemap: x"), "lede/1.0", "?a=http://x")
	f.Fuzz(func(t *testing.T, text []byte, agent, target string) {
		r := Parse(text, agent)
		r.Allowed(target)
		if d := r.CrawlDelay(); d < 0 || d > maxDelay {
			t.Errorf("delay %v", d)
		}
		if !r.Allowed("/robots.txt") {
			t.Error("robots.txt is not allowed")
		}
		r.Sitemaps()
	})
}
