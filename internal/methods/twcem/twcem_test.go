package twcem_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/param"
	"github.com/lede-news/lede/internal/methods/twcem"
	"github.com/lede-news/lede/method"
)

// choose returns the rows that are kept.
func choose(tb testing.TB, c twcem.Config, p *method.Page) []string {
	tb.Helper()
	s, err := twcem.New(c).Select(context.Background(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Split(s.Text(p.Doc), "\n")
}

func want(tb testing.TB, got []string, want ...string) {
	tb.Helper()
	if !slices.Equal(got, want) {
		tb.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// marked returns the rows of the class "story", and the element with the id
// "headline".
func marked(d *dom.Document) (rows []string, headline dom.Node) {
	headline = dom.None
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if d.HasClass(n, "story") {
			rows = append(rows, d.Text(n))
		}
		if d.Attr(n, "id") == "headline" {
			headline = n
		}
	}
	return rows, headline
}

// TestPages takes the pages of testdata in many scripts, as they are and on
// one line.
func TestPages(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.html")
	if len(files) == 0 {
		t.Fatal("no pages in testdata")
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		page := string(b)
		for kind, page := range map[string]string{"": page, " on one line": strings.Join(strings.Fields(page), " ")} {
			t.Run(filepath.Base(f)+kind, func(t *testing.T) {
				d := methodtest.Parse(t, page)
				rows, headline := marked(d)
				s, err := twcem.New(twcem.Default()).Select(context.Background(), &method.Page{Doc: d})
				if err != nil {
					t.Fatal(err)
				}
				want(t, strings.Split(s.Text(d), "\n"), rows...)
				if s.Title == dom.None || d.Text(s.Title) != d.Text(headline) {
					t.Errorf("title is node %d, want %d", s.Title, headline)
				}
				if s.Confidence <= 0 || s.Confidence > 1 {
					t.Errorf("confidence %v", s.Confidence)
				}
			})
		}
	}
}

func TestNames(t *testing.T) {
	for name, c := range map[string]twcem.Config{"twcem": twcem.Default(), "twcem:microblog": twcem.Microblog(), "twcem:paper": twcem.Paper()} {
		if err := param.Set(&c, "d1", "7"); err != nil || c.D1 != 7 || twcem.New(c).Name() != name {
			t.Errorf("%s: %q, %+v, %v", name, twcem.New(c).Name(), c, err)
		}
	}
}

// TestSegmentation follows Algorithm 3: no title, so that all the rows
// that pass are kept.
func TestSegmentation(t *testing.T) {
	page := `<p>Yes.</p><p>No.</p><p>Not at all</p><p>Well, well.</p><p>你好。</p><p>你们好。</p>`
	for _, c := range []struct {
		name   string
		d1, d2 int
		want   []string
	}{
		{name: "news", d1: 4, d2: 1, want: []string{"Yes.", "Well, well.", "你们好。"}},
		{name: "microblog", d1: 2, d2: 1, want: []string{"Yes.", "No.", "Well, well.", "你好。", "你们好。"}},
		{name: "blanks do not count", d1: 10, d2: 1, want: []string{"Well, well."}},
		{name: "blanks do not count 2", d1: 9, d2: 0, want: []string{"Well, well."}},
		{name: "no marks required", d1: 8, d2: 0, want: []string{"Not at all", "Well, well."}},
		{name: "two marks", d1: 1, d2: 2, want: []string{"Well, well."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := twcem.Default()
			config.D1, config.D2, config.Extend = c.d1, c.d2, false
			want(t, choose(t, config, &method.Page{Doc: methodtest.Parse(t, page)}), c.want...)
		})
	}
}

// matching rows share two words with the title, "alpha beta gamma delta";
// quiet ones none.
const titled = `<title>Alpha beta gamma delta</title>`

// TestRecognition follows Algorithm 4.
func TestRecognition(t *testing.T) {
	page := func(rows ...string) string { return titled + "<p>" + strings.Join(rows, "</p><p>") + "</p>" }
	none := func(words string) string { return "Nothing, " + words + "." }
	for _, c := range []struct {
		name   string
		page   string
		config func(*twcem.Config)
		want   []string
	}{{
		name: "first and last row that match",
		page: page(none("one"), "Alpha, beta, surely.", none("two"), "Gamma, delta, surely.", none("three")),
		want: []string{"Alpha, beta, surely.", none("two"), "Gamma, delta, surely."},
	}, {
		name: "one word is not enough",
		page: page("Alpha, one.", none("one"), "Alpha, beta, surely.", none("two"), "Gamma, delta, surely.", none("three"), "Alpha, two."),
		want: []string{"Alpha, beta, surely.", none("two"), "Gamma, delta, surely."},
	}, {
		name:   "one word is enough for δ3 = 1",
		page:   page(none("one"), "Alpha, one.", none("two"), "Delta, two.", none("three")),
		config: func(c *twcem.Config) { c.D3 = 1 },
		want:   []string{"Alpha, one.", none("two"), "Delta, two."},
	}, {
		name: "words in another order are one word",
		page: page("Beta, alpha, surely.", "Alpha, beta, surely.", none("one"), "Gamma, delta, surely.", "Delta, gamma, surely."),
		want: []string{"Alpha, beta, surely.", none("one"), "Gamma, delta, surely."},
	}, {
		name: "the first match may be in the second half",
		page: page(none("one"), none("two"), none("three"), "Alpha, beta, surely.", none("four"), "Gamma, delta, surely."),
		want: []string{"Alpha, beta, surely.", none("four"), "Gamma, delta, surely."},
	}, {
		name: "the last match may be in the first half",
		page: page(none("one"), "Alpha, beta, surely.", none("two"), none("three"), none("four")),
		want: []string{"Alpha, beta, surely."},
	}, {
		name:   "halves: no match in the first half begins at the first row",
		page:   page(none("one"), none("two"), none("three"), "Alpha, beta, surely.", none("four")),
		config: func(c *twcem.Config) { c.Halves = true },
		want:   []string{none("one"), none("two"), none("three"), "Alpha, beta, surely."},
	}, {
		name:   "halves: no match in the second half ends at the last row",
		page:   page(none("one"), "Alpha, beta, surely.", none("two"), none("three"), none("four")),
		config: func(c *twcem.Config) { c.Halves = true },
		want:   []string{"Alpha, beta, surely.", none("two"), none("three"), none("four")},
	}, {
		name: "no match at all",
		page: page(none("one"), none("two")),
		want: []string{none("one"), none("two")},
	}, {
		name: "one row",
		page: page("Alpha, beta, surely."),
		want: []string{"Alpha, beta, surely."},
	}, {
		name:   "two rows are a block",
		page:   page(none("one"), "Alpha, one.", "Beta, two.", none("two"), none("three"), "Gamma, three.", "Delta, four.", none("four")),
		config: func(c *twcem.Config) { c.K = 1 },
		want:   []string{"Alpha, one.", "Beta, two.", none("two"), none("three"), "Gamma, three.", "Delta, four."},
	}, {
		name: "a block of one row does not see the next",
		page: page(none("one"), "Alpha, one.", "Beta, two.", "Alpha, beta, surely.", none("two"), none("three"),
			"Gamma, delta, surely.", "Gamma, three.", "Delta, four.", none("four")),
		want: []string{"Alpha, beta, surely.", none("two"), none("three"), "Gamma, delta, surely."},
	}, {
		name:   "three rows are a block",
		page:   page(none("one"), "Alpha, one.", none("two"), "Beta, two.", none("three"), "Gamma, three.", none("four"), "Delta, four.", none("five")),
		config: func(c *twcem.Config) { c.K = 2 },
		want:   []string{"Alpha, one.", none("two"), "Beta, two.", none("three"), "Gamma, three.", none("four"), "Delta, four."},
	}, {
		name:   "settings without reason",
		page:   page("Alpha, beta, surely.", none("one")),
		config: func(c *twcem.Config) { c.D1, c.D2, c.D3, c.K, c.Extend = -1, -1, -1, -1, true },
		want:   []string{"Alpha, beta, surely.", none("one")},
	}, {
		name:   "more context than there are rows",
		page:   page(none("one"), "Alpha, beta, surely.", "Gamma, delta, surely."),
		config: func(c *twcem.Config) { c.K = 1 << 40 },
		want:   []string{"Alpha, beta, surely.", "Gamma, delta, surely."},
	}, {
		name: "the title in the page opens the story and is no part of it",
		page: titled + "<p>Nothing, one.<h1>Alpha beta gamma delta</h1><p>Nothing, two.<p>Gamma, delta, surely.<p>Nothing, three.",
		want: []string{none("two"), "Gamma, delta, surely."},
	}, {
		name: "the title in the second half, with a match after it",
		page: titled + "<p>Nothing, one.<p>Nothing, two.<p>Nothing, three.<h1>Alpha beta gamma delta</h1><p>Gamma, delta, surely.<p>Nothing, four.",
		want: []string{"Gamma, delta, surely."},
	}, {
		name: "the title in the second half, with no match after it",
		page: titled + "<p>Nothing, one.<p>Nothing, two.<p>Nothing, three.<h1>Alpha beta gamma delta</h1><p>Nothing, four.",
		want: []string{none("four")},
	}, {
		name: "the title in a menu before the headline",
		page: titled + "<a href=/>Alpha beta gamma delta</a><p>Nothing, one.<h1>Alpha beta gamma delta</h1><p>Nothing, two.<p>Nothing, " +
			"three.<p>Gamma, delta, surely.<p>Nothing, four.",
		want: []string{none("two"), none("three"), "Gamma, delta, surely."},
	}} {
		t.Run(c.name, func(t *testing.T) {
			config := twcem.Default()
			config.K, config.Extend = 0, false
			if c.config != nil {
				c.config(&config)
			}
			want(t, choose(t, config, &method.Page{Doc: methodtest.Parse(t, c.page)}), c.want...)
		})
	}
}

// TestPaper checks what the paper says where the default reads it otherwise.
func TestPaper(t *testing.T) {
	for _, c := range []struct {
		name, link, page string
		want             []string
	}{{
		name: "the title is a row like others",
		page: titled + "<p>Nothing, one.<h1>Alpha, beta, gamma, delta.</h1><p>Nothing, two.<p>Nothing, yet.<p>Gamma, delta.<p>Nothing, three.",
		want: []string{"Alpha, beta, gamma, delta.", "Nothing, two.", "Nothing, yet.", "Gamma, delta."},
	}, {
		name: "a title without punctuation is no row",
		page: titled + "<h1>Alpha beta gamma delta</h1><p>Nothing, one.<p>Alpha, beta.<p>Nothing, two.<p>Nothing, three.<p>Gamma, delta.<p>Nothing, four.",
		want: []string{"Alpha, beta.", "Nothing, two.", "Nothing, three.", "Gamma, delta."},
	}, {
		name: "all words count",
		page: "<h1>The end of it</h1><p>Nothing, one.<p>The cat, of course.<p>Nothing, two.<p>Nothing, three.<p>End it, all.<p>Nothing, four.",
		want: []string{"The cat, of course.", "Nothing, two.", "Nothing, three.", "End it, all."},
	}, {
		name: "links are text",
		page: titled + `<p><a href="/1">Mayor resigns, says paper.</a><p><a href="/2">Rain, then sun.</a>`,
		want: []string{"Mayor resigns, says paper.", "Rain, then sun."},
	}, {
		name: "the link", link: "Gamma delta",
		page: titled + "<h1>Alpha beta</h1><p>Alpha, beta.<p>Gamma, delta.<p>Nothing, one.<p>Nothing, two.<p>Gamma, delta, so.<p>Alpha, beta, so.",
		want: []string{"Gamma, delta.", "Nothing, one.", "Nothing, two.", "Gamma, delta, so."},
	}, {
		name: "a link that says nothing", link: "Read more",
		page: titled + "<h1>Alpha beta</h1><p>Nothing, one.<p>Alpha, beta.<p>Alpha, beta, so.<p>Nothing, two.",
		want: []string{"Nothing, one.", "Alpha, beta.", "Alpha, beta, so.", "Nothing, two."},
	}} {
		t.Run(c.name, func(t *testing.T) {
			want(t, choose(t, twcem.Paper(), &method.Page{Doc: methodtest.Parse(t, c.page), LinkText: c.link}), c.want...)
		})
	}
}

// TestLink checks that the link to the page is the title, unless no row has its
// words.
func TestLink(t *testing.T) {
	config := twcem.Default()
	config.K, config.Extend = 0, false
	d := methodtest.Parse(t, titled+"<h1>Alpha beta</h1><p>Nothing, one.<p>Alpha, beta.<p>Gamma, delta, yes.<p>Nothing, two.<p>Gamma, "+
		"delta, so.<p>Alpha, beta, so.<p>Nothing, three.")
	own := []string{"Nothing, one.", "Alpha, beta.", "Gamma, delta, yes.", "Nothing, two.", "Gamma, delta, so.", "Alpha, beta, so."}
	want(t, choose(t, config, &method.Page{Doc: d}), own...)
	want(t, choose(t, config, &method.Page{Doc: d, LinkText: "Gamma and delta"}), own[2:5]...)
	want(t, choose(t, config, &method.Page{Doc: d, LinkText: "Read more"}), own...)
	want(t, choose(t, config, &method.Page{Doc: d, LinkText: "12 >>"}), own...)
}

// TestStopWords checks that a word in every sentence is no match.
func TestStopWords(t *testing.T) {
	config := twcem.Default()
	config.K, config.Extend = 0, false
	page := `<title>The wreck of the Hesper is off the reef</title>
		<p>The end of the, the.<p>Is the off the of, the.
		<p>Divers, who saw the wreck, say it is the Hesper.
		<p>It is the.
		<p>The reef, they say, hides more than one wreck, and a reef it is.
		<p>The, the, of the, is off the.`
	got := choose(t, config, &method.Page{Doc: methodtest.Parse(t, page)})
	if len(got) == 0 || !strings.HasPrefix(got[0], "Divers") {
		t.Errorf("the story begins with %q", got)
	}
}

// TestExtend continues where the paper ends the article.
func TestExtend(t *testing.T) {
	page := titled + `<h1>Alpha beta gamma delta</h1>
		<p>Nothing, one.<p>Nothing, too.<p>Nothing, yet.<p>Gamma, delta.<p>Nothing, two.
		<h2>Subhead</h2>
		<div><p>Nothing, three.</div>
		<ul><li>Share<li>Print<li>Mail</ul>
		<div><p>Nothing, four.</div>`
	config := twcem.Default()
	doc := &method.Page{Doc: methodtest.Parse(t, page)}
	paper := []string{"Nothing, one.", "Nothing, too.", "Nothing, yet.", "Gamma, delta."}
	want(t, choose(t, config, doc), append(paper, "Nothing, two.", "Subhead", "Nothing, three.")...)
	config.K = 0 // only rows beside each other
	want(t, choose(t, config, doc), append(paper, "Nothing, two.")...)
	config.Extend = false
	want(t, choose(t, config, doc), paper...)
}

// TestExtendBeside checks that a long box in the text does not end the story.
func TestExtendBeside(t *testing.T) {
	page := titled + `<h1>Alpha beta gamma delta</h1><div><p>Alpha, beta, surely.<aside><b>Advertisement</b><p>Boats<p>Buy now<p>Click</aside>
		<p>Nothing, one.<br>Nothing, two.</div><ul><li>Share<li>Print<li>Mail</ul><div><p>Nothing, three.</div>`
	want(t, choose(t, twcem.Default(), &method.Page{Doc: methodtest.Parse(t, page)}),
		"Alpha, beta, surely.", "Advertisement", "Boats", "Buy now", "Click", "Nothing, one.", "Nothing, two.")
}

// TestSkipLinks checks that the link to another story does not end this one.
func TestSkipLinks(t *testing.T) {
	page := titled + `<h1>Alpha beta gamma delta</h1><p>Alpha, beta, surely.<p>Gamma, <a href=/g>delta</a>, not.
		<ul><li>Read<li>This<li>Too</ul><div><p><a href=/x>Alpha, beta: all that is known.</a></div>`
	config := twcem.Default()
	doc := &method.Page{Doc: methodtest.Parse(t, page)}
	own := []string{"Alpha, beta, surely.", "Gamma, delta, not."}
	want(t, choose(t, config, doc), own...)
	config.SkipLinks = false
	want(t, choose(t, config, doc), append(own, "Alpha, beta: all that is known.")...)
}

func TestNoContent(t *testing.T) {
	for name, page := range map[string]string{
		"nothing":             "<p></p>",
		"only a title":        titled,
		"only a heading":      titled + "<h1>Alpha beta gamma delta</h1>",
		"menu":                "<ul><li>Home<li>News<li>About us</ul>",
		"script":              "<script>var a = 'Alpha, beta.';</script><style>p { color: red; }</style>",
		"hidden":              "<p hidden>Alpha, beta, and so on.</p>",
		"title and then menu": titled + `<h1>Alpha beta gamma delta</h1><ul><li>Home<li>News</ul>`,
	} {
		for _, c := range []twcem.Config{twcem.Default(), twcem.Microblog()} {
			s, err := twcem.New(c).Select(context.Background(), &method.Page{Doc: methodtest.Parse(t, page)})
			if !errors.Is(err, method.ErrNoContent) || s != nil {
				t.Errorf("%s, %s: %v, %v", name, twcem.New(c).Name(), s, err)
			}
		}
	}
}

// TestReasons checks the reason of every row.
func TestReasons(t *testing.T) {
	page := titled + `<p>Ho.<p>Nothing<p><a href=/>Nothing, more.</a><p>Nothing, one.<h1>Alpha beta gamma delta</h1>
		<p>Nothing, <b>two</b>.<h2>More</h2><p>Gamma, delta.<p>Nothing, three.<ul><li>Share<li>Print<li>Mail</ul><div><p>Nothing, four.</div>`
	d := methodtest.Parse(t, page)
	s, err := twcem.New(twcem.Default()).Select(context.Background(), &method.Page{Doc: d})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range s.Reasons {
		kept := "-"
		if r.Kept {
			kept = "+"
		}
		got = append(got, kept+" "+d.Text(r.Node)+" | "+r.Why)
		methodtest.CheckWords(t, r.Why)
	}
	want(t, got,
		"- Ho. | too short: 3 characters, and 4 are needed",
		"- Nothing | not written in sentences: 0 punctuation marks, and 1 needed",
		"- Nothing, more. | mostly links",
		"- Nothing, one. | above the first block with enough words of the headline (it has 0)",
		"- Alpha beta gamma delta | the headline, found by the heading that is most like the title of the page",
		"+ Nothing, | from the first to the last block with enough words of the headline (it has 0)",
		"+ More | near rows of the story",
		"+ Gamma, delta. | from the first to the last block with enough words of the headline (it has 2)",
		"+ Nothing, three. | near rows of the story",
		"- Share | not written in sentences: 0 punctuation marks, and 1 needed",
		"- Print | not written in sentences: 0 punctuation marks, and 1 needed",
		"- Mail | not written in sentences: 0 punctuation marks, and 1 needed",
		"- Nothing, four. | below the last block with enough words of the headline (it has 0)",
	)
	if s.Reasons[7].Score != 2 {
		t.Errorf("score %v", s.Reasons[5].Score)
	}
}

// TestPictures checks that pictures are kept with the row before them.
func TestPictures(t *testing.T) {
	page := titled + `<img src="logo.png"><h1>Alpha beta gamma delta</h1><p>Alpha, beta.
		<figure><img src="in.jpg"></figure><p>Gamma, delta.<ul><li>Share<li>Print<li>Mail</ul><img src="ad.jpg"><div><p>Nothing, one.</div>`
	d := methodtest.Parse(t, page)
	s, err := twcem.New(twcem.Default()).Select(context.Background(), &method.Page{Doc: d})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range s.Keep {
		if d.Tag(n) == dom.Img {
			got = append(got, d.Attr(n, "src"))
		}
	}
	want(t, got, "in.jpg")
}

// TestConfidence checks that confidence grows with the share of the title.
func TestConfidence(t *testing.T) {
	var last float64
	for _, page := range []string{
		`<p>Nothing, one.<p>Nothing, two.`,
		titled + `<h1>Alpha beta gamma delta</h1><p>Nothing, one.<p>Nothing, two.<p>Nothing, three.<p>Alpha, surely.`,
		titled + `<p>Alpha, beta, surely.<p>Nothing, two.<p>Gamma, delta, surely.`,
		titled + `<p>Alpha, beta, surely.<p>Nothing, two.<p>Beta, gamma, delta, surely.`,
		titled + `<p>Alpha, beta, surely.<p>Nothing, two.<p>Alpha, beta, gamma, delta, surely.`,
	} {
		s, err := twcem.New(twcem.Default()).Select(context.Background(), &method.Page{Doc: methodtest.Parse(t, page)})
		if err != nil {
			t.Fatal(err)
		}
		if s.Confidence < last || s.Confidence > 1 || s.Confidence == last && last > 0 {
			t.Errorf("%s: confidence %v after %v", page, s.Confidence, last)
		}
		last = s.Confidence
	}
}

// TestPost checks that a post that is its own title is kept.
func TestPost(t *testing.T) {
	c := twcem.Microblog()
	page := `<title>Saw a whale, off the pier.</title><ul><li>Home<li>Log in</ul><div>Saw a whale, off the pier.</div><ul><li>Like<li>Share</ul>`
	want(t, choose(t, c, &method.Page{Doc: methodtest.Parse(t, page)}), "Saw a whale, off the pier.")
	page = `<title>Saw a whale</title><div>Saw a whale, off the pier.</div>`
	want(t, choose(t, c, &method.Page{Doc: methodtest.Parse(t, page)}), "Saw a whale, off the pier.")
}

// TestLimits checks that the time is linear in the size of large and odd pages.
func TestLimits(t *testing.T) {
	words := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "word%d, ", i%1000)
		}
		return b.String()
	}
	for name, page := range map[string]func(n int) string{
		"a title of 100 kB": func(n int) string {
			return "<title>" + words(n/2) + "</title><h1>Alpha beta</h1><p>Alpha, beta and others."
		},
		"a heading of 100 kB": func(n int) string {
			return "<title>Alpha beta</title><h1>" + words(n/2) + "</h1><p>Alpha, beta and others."
		},
		"a row of 1 MB": func(n int) string { return "<title>Word1 word2 word3</title><p>" + words(6*n) },
		"many headings": func(n int) string {
			return "<title>" + strings.Repeat("ab", 120) + "</title>" + strings.Repeat("<h2>"+strings.Repeat("ba", 120)+"</h2>", n/8) + "<p>Alpha, beta and others."
		},
		"many rows": func(n int) string { return "<title>Word1 word2 word3</title>" + strings.Repeat("<p>Word1, other.", n) },
		"many title patterns": func(n int) string {
			return "<title>Other</title>" + strings.Repeat("<b class=title>", 300) + strings.Repeat("<b class=title>!</b>", n) + "<p>Alpha, beta and others."
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := twcem.Default()
			c.K = 1 << 20
			testkit.Linear(t, 20_000, func(n int) func() {
				d := methodtest.Parse(t, page(n))
				return func() {
					_, err := twcem.New(c).Select(t.Context(), &method.Page{Doc: d, LinkText: strings.Repeat("~", 100_000)})
					if err != nil && !errors.Is(err, method.ErrNoContent) {
						t.Error(err)
					}
				}
			})
		})
	}
}

// FuzzSelect checks the selections of arbitrary pages and settings.
func FuzzSelect(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.html")
	for _, name := range files {
		page, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page, "", 4, 1, 2, 1, true)
	}
	f.Add([]byte("<title>a</title><pre>Alpha, beta.\n\n c <b>d\ne</b>, f.</pre>"), "Alpha beta", 0, 0, 1, 3, false)
	f.Add([]byte("<h1>a<h1>b<h1 class=title id=titletitle>\xff"), "\xff\xfe", -1, 1<<30, -5, 1<<40, true)
	f.Fuzz(func(t *testing.T, page []byte, link string, d1, d2, d3, k int, extend bool) {
		d, err := dom.Parse(context.Background(), page, dom.Options{Charset: "utf-8"})
		if err != nil {
			return
		}
		c := twcem.Default()
		if !extend {
			c = twcem.Paper()
		}
		c.D1, c.D2, c.D3, c.K = d1, d2, d3, k
		s, err := twcem.New(c).Select(context.Background(), &method.Page{Doc: d, LinkText: link})
		if err != nil {
			if s != nil || !errors.Is(err, method.ErrNoContent) {
				t.Fatal(s, err)
			}
			return
		}
		check(t, d, s)
	})
}

func check(t *testing.T, d *dom.Document, s *method.Selection) {
	t.Helper()
	valid := func(n dom.Node) bool { return n >= 0 && int(n) < d.Len() }
	if len(s.Keep) == 0 || !slices.IsSorted(s.Keep) || len(slices.Compact(slices.Clone(s.Keep))) != len(s.Keep) {
		t.Errorf("kept %v", s.Keep)
	}
	for _, n := range s.Keep {
		if !valid(n) || d.IsText(n) && d.Hidden(n) {
			t.Errorf("kept node %d of %d", n, d.Len())
		}
	}
	if s.Title != dom.None && !valid(s.Title) {
		t.Errorf("title is node %d", s.Title)
	}
	last := dom.None
	for _, r := range s.Reasons {
		if !valid(r.Node) || !d.IsText(r.Node) || r.Node <= last || r.Why == "" {
			t.Errorf("reason %+v after that of node %d", r, last)
		}
		last = r.Node
		if r.Kept && !slices.Contains(s.Keep, r.Node) {
			t.Errorf("node %d is kept by its reason, but not by the selection", r.Node)
		}
	}
	if !(s.Confidence >= 0 && s.Confidence <= 1) {
		t.Errorf("confidence %v", s.Confidence)
	}
}

func TestContext(t *testing.T) {
	methodtest.TestContext(t, twcem.New(twcem.Default()), &method.Page{Doc: methodtest.Parse(t, titled)})
}

func TestConcurrent(t *testing.T) {
	page, err := os.ReadFile("testdata/news.html")
	if err != nil {
		t.Fatal(err)
	}
	methodtest.TestConcurrent(t, twcem.New(twcem.Default()), &method.Page{Doc: methodtest.Parse(t, string(page))})
}
