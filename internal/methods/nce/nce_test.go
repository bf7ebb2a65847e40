package nce_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/nce"
	"github.com/lede-news/lede/internal/methods/param"
	"github.com/lede-news/lede/method"
)

// small returns settings for pages of a few lines, with all readings.
func small() nce.Config {
	return nce.Config{
		Alpha1: 150, Alpha2: 60, Alpha3: 60,
		Alpha5: 2, Alpha6: 14, Alpha7: 40, Alpha8: 3, Alpha9: 15,
		Beta1: 0.4, Beta2: 0.75, Beta3: 0.6, Beta4: 0.4,
		RefuseLinks: true, Ideographs: true, Shown: true,
	}
}

// TestPages selects from testdata/pages. The attribute want names the expected
// result for an element: "kept" or "dropped" for all text in it, "separator", "cut"
// for the first comment, "title"; on <html>, "no content". set="a7=3" changes the
// settings.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".html"), func(t *testing.T) {
			page, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			testPage(t, methodtest.Parse(t, string(page)))
		})
	}
}

func testPage(t *testing.T, d *dom.Document) {
	html := d.First(dom.HTML)
	c := small()
	for set := range strings.FieldsSeq(d.Attr(html, "set")) {
		name, value, _ := strings.Cut(set, "=")
		if err := param.Set(&c, name, value); err != nil {
			t.Fatal(err)
		}
	}
	s, err := nce.New(c).Select(t.Context(), &method.Page{Doc: d})
	if d.Attr(html, "want") == "no content" {
		if !errors.Is(err, method.ErrNoContent) {
			t.Errorf("got %v, %v; want no content", s, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	mask := s.Mask(d)
	title := dom.None
	for n := range dom.Node(d.Len()) {
		switch want := d.Attr(n, "want"); want {
		case "kept", "dropped":
			for c := n; c < d.End(n); c++ {
				if d.IsText(c) && mask[c] != (want == "kept") {
					t.Errorf("%q should be %s", d.Text(c), want)
				}
			}
		case "separator":
			hasReason(t, s, n, "the part of the page with the story")
		case "cut":
			hasReason(t, s, n, "readers' comments begin here")
			if mask[n] {
				t.Errorf("%q should be dropped", d.Text(n))
			}
		case "title":
			title = n
		}
	}
	if s.Title != title {
		t.Errorf("title %s, want %s", show(d, s.Title), show(d, title))
	}
	check(t, d, s)
}

func hasReason(t *testing.T, s *method.Selection, n dom.Node, why string) {
	t.Helper()
	if !slices.ContainsFunc(s.Reasons, func(r method.Reason) bool { return r.Node == n && strings.HasPrefix(r.Why, why) }) {
		t.Errorf("node %d has no reason %q in %v", n, why, s.Reasons)
	}
}

func show(d *dom.Document, n dom.Node) string {
	if n == dom.None {
		return "none"
	}
	return d.Name(n) + " " + d.Text(n)
}

// check checks what must hold for every selection.
func check(t testing.TB, d *dom.Document, s *method.Selection) {
	t.Helper()
	if len(s.Keep) == 0 {
		t.Fatal("nothing kept, and no error")
	}
	last := dom.Node(0)
	for _, n := range s.Keep {
		if n < last || int(n) >= d.Len() {
			t.Fatalf("kept %v: out of order, or twice", s.Keep)
		}
		last = d.End(n)
	}
	for _, n := range s.Drop {
		if !slices.ContainsFunc(s.Keep, func(k dom.Node) bool { return d.Contains(k, n) && n != k }) {
			t.Errorf("node %d is dropped, but not inside a kept node", n)
		}
	}
	if s.Confidence < 0 || s.Confidence > 1 || (s.Type == article.TypeArticle) != (s.Keep[0] != d.Root()) {
		t.Errorf("type %q, confidence %g", s.Type, s.Confidence)
	}
	if strings.TrimSpace(s.Text(d)) == "" {
		t.Error("no text, and no error")
	}
	if n := s.Title; n != dom.None && d.Tag(n) != dom.Title && (d.Hidden(n) || d.Chars(n) == 0) {
		t.Errorf("title %d is not visible", n)
	}
	if !slices.IsSortedFunc(s.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) }) {
		t.Error("the reasons are not in the order of the page")
	}
	for _, r := range s.Reasons {
		if r.Node < 0 || int(r.Node) >= d.Len() || r.Why == "" {
			t.Errorf("bad reason %v", r)
		}
		methodtest.CheckWords(t, r.Why)
	}
	// The innermost reason around a text must agree with the selection.
	mask := s.Mask(d)
	verdict := map[dom.Node]bool{}
	for _, r := range s.Reasons {
		if !strings.HasPrefix(r.Why, "the headline") { // of the headline, not of the body
			verdict[r.Node] = r.Kept
		}
	}
	for n := range dom.Node(d.Len()) {
		if !d.IsText(n) || d.Chars(n) == 0 {
			continue
		}
		kept, found := verdict[n]
		for a := d.Parent(n); !found && a != dom.None; a = d.Parent(a) {
			kept, found = verdict[a]
		}
		if !found || kept != mask[n] {
			t.Fatalf("%q is kept: %v, but its reason says %v", d.Text(n), mask[n], kept)
		}
	}
}

// TestEdges has a page with exactly α1 and α3 characters.
func TestEdges(t *testing.T) {
	const page = `<html><body><div><div id=u>%</div></div></body></html>`
	leaf := strings.Repeat("x", 60)
	d := methodtest.Parse(t, strings.Replace(page, "%", "<p>"+leaf+"</p><p>"+strings.Repeat("y", 90)+"</p>", 1))
	u := dom.None
	for n := range d.All(d.Root(), dom.Div) {
		if d.Attr(n, "id") == "u" {
			u = n
		}
	}
	whole := func(c nce.Config) bool {
		s, err := nce.New(c).Select(t.Context(), &method.Page{Doc: d})
		if err != nil {
			t.Fatal(err)
		}
		return len(s.Keep) == 1 && s.Keep[0] == d.Root()
	}
	c := small()
	c.Alpha1, c.Alpha3 = 150, 60 // as many as there are
	if whole(c) {
		t.Errorf("α1 and α3 met exactly: no separator node %d", u)
	}
	c.Alpha1 = 151
	if !whole(c) {
		t.Error("one character less than α1, but a separator node")
	}
	c.Alpha1, c.Alpha3 = 150, 91
	if !whole(c) {
		t.Error("no leaf of α3 characters, but a separator node")
	}
}

func TestDefault(t *testing.T) {
	params := param.List(nce.Default())
	if len(params) != 15 {
		t.Errorf("%d parameters can be set, want 15", len(params))
	}
	for _, p := range params {
		if p.About == "" || p.Value == "0" {
			t.Errorf("parameter %v", p)
		}
	}
	if got := nce.New(nce.Default()).Name(); got != "nce" {
		t.Errorf("name %q", got)
	}
}

func TestPaper(t *testing.T) {
	if got := nce.New(nce.Paper()).Name(); got != "nce:paper" {
		t.Errorf("name %q", got)
	}
	for _, p := range param.List(nce.Paper()) {
		if p.Value == "true" {
			t.Errorf("%s is set, which is not in the paper", p.Name)
		}
	}
}

// TestManyLines checks that each of many similar lines is compared
// with a limited number of others, however large α7 is.
func TestManyLines(t *testing.T) {
	testkit.Linear(t, 20_000, func(n int) func() {
		d := methodtest.Parse(t, manyLines(n))
		return func() {
			c := small()
			c.Beta2, c.Alpha7 = 1, 1<<30
			s, err := nce.New(c).Select(t.Context(), &method.Page{Doc: d})
			if err != nil {
				t.Fatal(err)
			}
			check(t, d, s)
		}
	})
}

func manyLines(n int) string {
	var b strings.Builder
	b.WriteString("<div><p>" + strings.Repeat("The cranes stand still. ", 20) + "</p>")
	for i := range n {
		// Every word is its own, but for two.
		letter := func(k int) rune { return rune('a' + k%26) }
		fmt.Fprintf(&b, "<p>same words q%s%c%c%c w%c</p>", strings.Repeat("z", i%7), letter(i), letter(i/26), letter(i/676), letter(i/9))
	}
	return b.String() + "</div>"
}

// TestStoryAmongLinks has an article on a page of links: every tree of the forest
// has too many of them, but the article must be kept.
func TestStoryAmongLinks(t *testing.T) {
	story := strings.Repeat("The ferry left the old pier at seven on Monday morning with forty people on board. ", 4)
	page := "<body><div><p>" + story + "</p>" + strings.Repeat(`<a href="/x">One of very many headlines</a> `, 60) + "</div></body>"
	d := methodtest.Parse(t, page)
	sel, err := nce.New(nce.Default()).Select(t.Context(), &method.Page{Doc: d})
	if err != nil {
		t.Fatal(err)
	}
	if got := sel.Text(d); !strings.Contains(got, "The ferry left the old pier") {
		t.Errorf("the story is lost: %q", got)
	}
}

// FuzzSelect checks the selections of arbitrary pages.
func FuzzSelect(f *testing.F) {
	files, _ := filepath.Glob("testdata/pages/*.html")
	for _, name := range files {
		page, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
	f.Add([]byte("<p>12 <p>12 <p>12 "))
	f.Add([]byte("<title>x<title>y</title><body>a1b2c3d4e5f6g7h8i9"))
	f.Fuzz(func(t *testing.T, page []byte) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			return
		}
		for _, c := range []nce.Config{nce.Default(), nce.Paper(), small(), {}} {
			s, err := nce.New(c).Select(context.Background(), &method.Page{Doc: d})
			switch {
			case err == nil:
				check(t, d, s)
			case !errors.Is(err, method.ErrNoContent):
				t.Error(err)
			}
		}
	})
}

func TestContext(t *testing.T) {
	methodtest.TestContext(t, nce.New(nce.Default()), &method.Page{Doc: methodtest.Parse(t, "<p>x")})
}

func TestConcurrent(t *testing.T) {
	page, err := os.ReadFile("testdata/pages/comments.html")
	if err != nil {
		t.Fatal(err)
	}
	methodtest.TestConcurrent(t, nce.New(small()), &method.Page{Doc: methodtest.Parse(t, string(page))})
}
