package newsroom

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// checked is the number of articles of each site that are tested.
const checked = 15

// pageText returns the text that a page shows, without white space.
func pageText(t *testing.T, page []byte) string {
	t.Helper()
	return textWithout(t, page, forScreenReaders)
}

// textWithout returns the text of a page without white space, scripts, styles and
// the elements to skip.
func textWithout(t *testing.T, page []byte, skip func(*html.Node) bool) string {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "title" || skip(n)) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	return squeeze(b.String())
}

// forScreenReaders reports whether an element has words that a page does not show.
func forScreenReaders(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "style" && strings.Contains(a.Val, "absolute") {
			return true
		}
		for i := range classNames().rules["hidden"] {
			if a.Key == "class" && a.Val == classNames().name("hidden", i, 1) {
				return true
			}
		}
	}
	return false
}

func squeeze(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, s)
}

// articles are the articles that the tests share, which must not change them.
var articles = sync.OnceValue(func() (all [][]Page) {
	for _, s := range sitesOfArticles() {
		pages := []Page{s.Page(1234567)}
		for i := range checked {
			pages = append(pages, s.Page(i))
		}
		all = append(all, pages)
	}
	return all
})

var sitesOfArticles = sync.OnceValue(func() []*Site { return append(New(1).Sites(), Cluttered(1).Sites()...) })

func eachArticle(t *testing.T, f func(t *testing.T, s *Site, p Page)) {
	for i, s := range sitesOfArticles() {
		t.Run(s.Name, func(t *testing.T) {
			for _, p := range articles()[i] {
				f(t, s, p)
			}
		})
	}
}

// TestPinned fails if a change of code or data changes the pages, so that this is never
// done by accident. Another seed gives other pages.
func TestPinned(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		room func(seed uint64) *Newsroom
		want uint64
	}{
		"news": {New, 12374387515780449335}, "cluttered": {Cluttered, 4253191414891177678}, "microblog": {Microblogs, 3441130060534323943},
	} {
		pages := func(seed uint64) uint64 {
			var all strings.Builder
			for _, s := range test.room(seed).Sites() {
				all.Write(s.Page(3).HTML)
				all.Write(s.Index("").HTML)
			}
			return hash(all.String())
		}
		got := pages(1)
		if got != test.want {
			t.Errorf("%s: the pages changed: hash is %d, was %d; if that is intended, put the new one here", name, got, test.want)
		}
		if got == pages(2) {
			t.Errorf("%s: another seed gives the same pages", name)
		}
	}
}

func TestGoldText(t *testing.T) {
	t.Parallel()
	eachArticle(t, func(t *testing.T, s *Site, p Page) {
		rest := pageText(t, p.HTML)
		lines := strings.Split(p.Gold.Text, "\n")
		if len(lines) < 2 {
			t.Errorf("%s: %d lines of text", p.Gold.ID, len(lines))
		}
		for _, line := range lines {
			_, after, ok := strings.Cut(rest, squeeze(line))
			if line == "" || !ok {
				t.Fatalf("%s: not on the page, or in another order: %q", p.Gold.ID, line)
			}
			rest = after
		}
	})
}

func TestGold(t *testing.T) {
	t.Parallel()
	eachArticle(t, func(t *testing.T, s *Site, p Page) {
		g, text := p.Gold, pageText(t, p.HTML)
		on := func(what string, values ...string) {
			for _, v := range values {
				if !strings.Contains(text, squeeze(v)) {
					t.Errorf("%s: %s is not on the page: %q", g.ID, what, v)
				}
			}
		}
		on("title", g.Title)
		on("standfirst", g.Standfirst)
		on("author", g.Authors...)
		on("extra", g.Extra...)
		on("comment", g.Comments...)
		text = textWithout(t, p.HTML, func(*html.Node) bool { return false })
		on("without", g.Without...)
		if g.Type != "article" || g.Date == "" || len(g.Authors) == 0 || !strings.HasPrefix(g.URL, "https://"+s.Host+"/") {
			t.Errorf("%s: incomplete gold: %+v", g.ID, g)
		}
	})
}

func TestSnippets(t *testing.T) {
	t.Parallel()
	eachArticle(t, func(t *testing.T, s *Site, p Page) {
		g := p.Gold
		if n := len(g.With); n < 2 || n > 5 {
			t.Errorf("%s: %d snippets that must appear", g.ID, n)
		}
		if n := len(g.Without); n < 3 || n > 6 {
			t.Errorf("%s: %d snippets that must not appear", g.ID, n)
		}
		for _, w := range g.With {
			if !strings.Contains(g.Text, w) {
				t.Errorf("%s: text does not have %q", g.ID, w)
			}
		}
		for _, w := range g.Without {
			if strings.Contains(g.Text, w) {
				t.Errorf("%s: text has boilerplate %q", g.ID, w)
			}
		}
	})
}

func TestPagesDiffer(t *testing.T) {
	t.Parallel()
	for _, s := range New(1).Sites() {
		seen := map[string]int{}
		for i := range 40 {
			text := s.Page(i).Gold.Text
			if j, ok := seen[text]; ok {
				t.Errorf("%s: pages %d and %d have the same text", s.Name, i, j)
			}
			seen[text] = i
		}
	}
}

func TestIndexPages(t *testing.T) {
	t.Parallel()
	for _, s := range New(1).Sites() {
		for _, section := range append(s.Sections(), "") {
			p := s.Index(section)
			if p.Gold.Type != "index" || p.Gold.Text != "" || len(p.Gold.Links) < 1 {
				t.Errorf("%s section %q: gold %+v", s.Name, section, p.Gold)
			}
			text := pageText(t, p.HTML)
			for _, l := range p.Gold.Links {
				if !strings.Contains(text, squeeze(l.Title)) {
					t.Errorf("%s section %q: no headline %q", s.Name, section, l.Title)
				}
			}
		}
		if p := s.Index("no-such-section"); p.Path != "" {
			t.Errorf("%s: unknown section gives %q", s.Name, p.Path)
		}
	}
}

// All addresses inside a site begin with its base.
func TestBase(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`(?i)(?:href|src|action|srcset)="?(/[^"\s>]*)`)
	for _, s := range NewPress(1, PressOptions{Sites: 46}).Sites() {
		s.plan(pressStart)
		for _, m := range address.FindAllSubmatch(s.storyPage(5, pressStart, "https://paper.example", "/base").HTML, -1) {
			if !bytes.HasPrefix(m[1], []byte("/base/")) {
				t.Errorf("%s: address %s", s.Name, m[1])
			}
		}
	}
}
