package lede_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/method"
)

const prose = "<p>The council of Marston met on Monday and decided, after a long debate, to build the bridge.</p>"

// endless is a reader that repeats a piece, n bytes in all.
type endless struct {
	piece string
	n     int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && e.n > 0 {
		k := copy(p[n:], e.piece[:min(len(e.piece), e.n)])
		n += k
		e.n -= k
	}
	return n, nil
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(prose, 5)
	many := func(piece string, n int) io.Reader { return &endless{piece, n * len(piece)} }
	tests := []struct {
		name    string
		page    io.Reader
		opts    []lede.Option
		want    error // nil: there must be an article
		partial bool  // and it must say that it is a part
	}{
		{name: "empty", page: strings.NewReader(""), want: lede.ErrEmpty},
		{name: "white space", page: strings.NewReader(" \r\n\t "), want: lede.ErrEmpty},
		{name: "picture", page: strings.NewReader("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), want: lede.ErrNotHTML},
		{name: "pdf", page: strings.NewReader("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"), want: lede.ErrNotHTML},
		{name: "noise", page: bytes.NewReader(noise(100_000)), want: lede.ErrNotHTML},
		{name: "100 MB", page: io.MultiReader(strings.NewReader(text), many("<p>x y z</p>", 9_000_000)), want: lede.ErrTooLarge},
		{name: "limit", page: strings.NewReader(text), opts: []lede.Option{lede.WithLimits(lede.Limits{Bytes: 100})}, want: lede.ErrTooLarge},
		{name: "only links", page: strings.NewReader(`<ul><li><a href="/a">Home</a><li><a href="/b">News</a></ul>`), want: lede.ErrNoContent},
		{name: "only a picture", page: strings.NewReader(`<img src="a.jpg">`), want: lede.ErrNoContent},
		{name: "1e6 nested tags", page: io.MultiReader(strings.NewReader(text), many("<div>", 1_000_000), strings.NewReader(prose))},
		{name: "2e5 different attributes", page: io.MultiReader(strings.NewReader("<div "), manyAttributes(200_000), strings.NewReader(">"+text))},
		{name: "truncated in a tag", page: strings.NewReader(text + "<p class=\"x")},
		{name: "truncated in a comment", page: strings.NewReader(text + "<!-- no end")},
		{name: "NUL bytes", page: strings.NewReader(strings.ReplaceAll(text, "bridge", "bri\x00dge"))},
		{name: "wrong charset in the page", page: strings.NewReader(`<meta charset="utf-16">` + text)},
		{name: "wrong charset in the header", page: strings.NewReader(text), opts: []lede.Option{lede.WithHeaderCharset("nonsense")}},
		{name: "plain text", page: strings.NewReader("The council met on Monday, and it decided to build the bridge after all. It will cost a lot.")},
		{name: "too many nodes", page: strings.NewReader(strings.Repeat(prose, 500)), opts: []lede.Option{lede.WithLimits(lede.Limits{Nodes: 200})}, partial: true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			// A busy machine may take its time.
			patient := newExtractor(t, lede.WithLimits(lede.Limits{Time: time.Hour}))
			a, err := patient.Extract(t.Context(), tc.page, tc.opts...)
			if tc.want != nil {
				checkError(t, err, tc.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(a.Text(), "council") {
				t.Errorf("the article is lost: %.200q", a.Text())
			}
			if tc.partial && (!a.Partial || a.PartialReason != article.PartialNodes) {
				t.Error("a part is not marked as partial")
			}
			if strings.ContainsRune(a.Text(), 0) {
				t.Error("NUL in the text")
			}
		})
	}
}

func checkError(t *testing.T, err, want error) {
	t.Helper()
	switch {
	case !errors.Is(err, want):
		t.Errorf("error %v, want %v", err, want)
	case strings.ContainsAny(err.Error(), "\r\n"):
		t.Errorf("error of more than one line: %q", err)
	}
}

func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func manyAttributes(n int) io.Reader {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d ", i)
	}
	return strings.NewReader(b.String())
}

// TestMemoryIsBounded checks that a page of 100 MB does not cost 100 MB.
func TestMemoryIsBounded(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	page := &endless{"<p>a b c d</p>", 100 << 20}
	_, err := lede.Extract(t.Context(), page, lede.WithLimits(lede.Limits{Bytes: 1 << 20}))
	runtime.ReadMemStats(&after)
	checkError(t, err, lede.ErrTooLarge)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("allocated %d bytes for a page that is refused at 1 MiB", got)
	}
}

type brokenReader struct{ after io.Reader }

var errBroken = errors.New("the line went dead")

func (b brokenReader) Read(p []byte) (int, error) {
	n, err := b.after.Read(p)
	if err == io.EOF {
		err = errBroken
	}
	return n, err
}

func TestBrokenReader(t *testing.T) {
	t.Parallel()
	_, err := lede.Extract(t.Context(), brokenReader{strings.NewReader(strings.Repeat(prose, 5))})
	checkError(t, err, errBroken)
}

func TestContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := lede.Extract(ctx, strings.NewReader(strings.Repeat(prose, 5)))
	checkError(t, err, context.Canceled)
	why := errors.New("the editor called")
	ctx, cancelWhy := context.WithCancelCause(context.Background())
	cancelWhy(why)
	_, err = lede.Extract(ctx, strings.NewReader(strings.Repeat(prose, 5)))
	checkError(t, err, why)
}

// trickle is a slow reader that never ends.
type trickle struct{}

func (trickle) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return copy(p, "x"), nil
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	_, err := lede.Extract(t.Context(), strings.NewReader(strings.Repeat(prose, 5)), lede.WithLimits(lede.Limits{Time: time.Nanosecond}))
	checkError(t, err, lede.ErrTimeout)
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := lede.Extract(t.Context(), trickle{}, lede.WithLimits(lede.Limits{Time: 50 * time.Millisecond}))
		checkError(t, err, lede.ErrTimeout)
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Errorf("a slow reader held the page for %v", took)
		}
	})
}

func TestArticlesOnly(t *testing.T) {
	t.Parallel()
	var links strings.Builder
	for i := range 80 {
		fmt.Fprintf(&links, `<li><a href="/%d">A headline of story number %d</a></li>`, i, i)
	}
	front := "<ul>" + links.String() + "</ul><p>All the news of the day, every day.</p>"
	_, err := lede.Extract(t.Context(), strings.NewReader(front), lede.WithArticlesOnly(true))
	checkError(t, err, lede.ErrNotArticle)
	a, err := lede.Extract(t.Context(), strings.NewReader(strings.Repeat(prose, 10)), lede.WithArticlesOnly(true))
	if err != nil || a.Type != article.TypeArticle {
		t.Errorf("an article is refused: %v", err)
	}
}

type methodFunc func(context.Context, *method.Page) (*method.Selection, error)

func (methodFunc) Name() string { return "custom" }

func (f methodFunc) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	return f(ctx, p)
}

func TestCustomMethod(t *testing.T) {
	t.Parallel()
	page := func() io.Reader { return strings.NewReader(strings.Repeat(prose, 5)) }
	run := func(f methodFunc) (*lede.Article, error) {
		return lede.Extract(t.Context(), page(), lede.WithCustomMethod(f))
	}
	_, err := run(func(context.Context, *method.Page) (*method.Selection, error) { panic("two\nlines") })
	checkError(t, err, lede.ErrInternal)
	_, err = run(func(context.Context, *method.Page) (*method.Selection, error) { return nil, nil })
	checkError(t, err, lede.ErrNoContent)
	_, err = run(func(_ context.Context, p *method.Page) (*method.Selection, error) {
		return &method.Selection{Title: dom.None}, nil
	})
	checkError(t, err, lede.ErrNoContent)
	_, err = run(func(_ context.Context, p *method.Page) (*method.Selection, error) {
		return &method.Selection{Title: dom.None, Keep: []dom.Node{1 << 30}}, nil
	})
	checkError(t, err, lede.ErrInternal)
	a, err := run(func(_ context.Context, p *method.Page) (*method.Selection, error) {
		return &method.Selection{Title: dom.None, Keep: []dom.Node{p.Doc.Root()}}, nil
	})
	if err != nil || a.Method != "custom" || !strings.Contains(a.Text(), "council") {
		t.Errorf("custom method: %v %+v", err, a)
	}
}

// TestStrangePages extracts the pages of testdata/strange. Each is named for what
// is odd about it and begins with a comment that lists words which must be in the
// text, one line each. A line with - lists words that must not be there, and a
// line with ! says that there is no article.
func TestStrangePages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/strange/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, _, ok := strings.Cut(strings.TrimPrefix(string(page), "<!--\n"), "-->")
			if !ok {
				t.Fatal("the page does not list its words")
			}
			a, err := lede.Extract(t.Context(), bytes.NewReader(page), lede.WithURL("https://paper.example/story"))
			if strings.HasPrefix(want, "!") {
				checkError(t, err, lede.ErrNoContent)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(a.Text()), " ")
			for line := range strings.Lines(want) {
				line = strings.TrimSpace(line)
				switch words, not := strings.CutPrefix(line, "- "); {
				case not && strings.Contains(text, words):
					t.Errorf("%q is not part of the article:\n%s", words, a.Text())
				case !not && !strings.Contains(text, line):
					t.Errorf("%q is missing:\n%s", line, a.Text())
				}
			}
		})
	}
}

// TestOptionsAndText extracts made-up pages with and without each option.
// Pictures and comments never change the text; captions and tables add lines and
// leave all others as they are.
func TestOptionsAndText(t *testing.T) {
	t.Parallel()
	captions := 0
	for name, page := range madeUpPages(t) {
		get := func(opts ...lede.Option) *lede.Article {
			a, err := lede.Extract(t.Context(), bytes.NewReader(page), append(opts, lede.WithURL("https://paper.example/x"))...)
			if err != nil {
				return &lede.Article{}
			}
			return a
		}
		plain := get()
		for option, a := range map[string]*lede.Article{
			"no pictures": get(lede.WithPictures(false)), "comments": get(lede.WithComments(true)),
		} {
			if a.Text() != plain.Text() || a.Form != plain.Form || a.Paywalled != plain.Paywalled || a.Type != plain.Type {
				t.Errorf("%s: %s changes the text:\n%s\nwithout\n%s", name, option, a.Text(), plain.Text())
			}
		}
		if n := len(get(lede.WithPictures(false)).Images()); n > 0 {
			t.Errorf("%s: %d pictures, want none", name, n)
		}
		known := captionsOf(plain)
		for _, line := range added(t, name, "captions", plain, get(lede.WithCaptions(true))) {
			captions++
			if !slices.ContainsFunc(known, func(c string) bool { return strings.Contains(line, c) }) {
				t.Errorf("%s: %q is not a caption of %q", name, line, known)
			}
		}
		added(t, name, "tables", plain, get(lede.WithTables(true)))
	}
	if captions == 0 {
		t.Error("no page has a caption")
	}
}

// added returns the lines that a has and plain does not. All lines of plain must
// be in a, in the same order.
func added(t *testing.T, name, option string, plain, a *lede.Article) []string {
	t.Helper()
	rest := strings.Split(plain.Text(), "\n")
	var more []string
	for line := range strings.SplitSeq(a.Text(), "\n") {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
			continue
		}
		more = append(more, line)
	}
	if len(rest) > 0 && plain.Text() != "" {
		t.Errorf("%s: with %s the line %q is missing or out of place", name, option, rest[0])
	}
	return more
}

func captionsOf(a *lede.Article) []string {
	var out []string
	if a.Lead != nil {
		out = append(out, a.Lead.Caption, a.Lead.Credit)
	}
	for b := range a.Blocks() {
		switch {
		case b.Image != nil:
			out = append(out, b.Image.Caption, b.Image.Credit)
		case b.Video != nil:
			out = append(out, b.Video.Caption)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// madeUpPages returns pages of the newsroom and of testdata.
func madeUpPages(t *testing.T) map[string][]byte {
	t.Helper()
	pages := map[string][]byte{}
	for _, s := range newsroom.New(3).Sites() {
		for i := range 3 {
			p := s.Page(i)
			pages[p.Gold.ID] = p.HTML
		}
	}
	for _, p := range goldenPages(t) {
		pages[p.dir] = p.source
	}
	strange, err := filepath.Glob("testdata/strange/*.html")
	if err != nil || len(strange) == 0 {
		t.Fatal("no pages", err)
	}
	for _, file := range strange {
		if pages[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return pages
}
