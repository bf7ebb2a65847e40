package lede_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/newsroom"
)

// TestOptionsKeepTheirPromise extracts made-up pages with and without each
// option. Pictures and comments never change the text; captions and tables add
// their own lines and leave all others as they are.
func TestOptionsKeepTheirPromise(t *testing.T) {
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
				t.Errorf("%s: %s changes the story:\n%s\nwithout\n%s", name, option, a.Text(), plain.Text())
			}
		}
		if n := len(get(lede.WithPictures(false)).Images()); n > 0 {
			t.Errorf("%s: %d pictures that nobody wants", name, n)
		}
		known := captionsOf(plain)
		for _, line := range added(t, name, "captions", plain, get(lede.WithCaptions(true))) {
			captions++
			if !slices.ContainsFunc(known, func(c string) bool { return strings.Contains(line, c) }) {
				t.Errorf("%s: %q is no caption of %q", name, line, known)
			}
		}
		added(t, name, "tables", plain, get(lede.WithTables(true)))
	}
	if captions == 0 {
		t.Error("no page has a caption: nothing was tested")
	}
}

// added are the lines that a has and plain does not. All of plain must be there
// in its order.
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
		t.Errorf("%s: with %s the line %q is lost or out of place", name, option, rest[0])
	}
	return more
}

func captionsOf(a *lede.Article) []string {
	var out []string
	article.Walk(a.Body, func(b *article.Block) {
		switch {
		case b.Image != nil:
			out = append(out, b.Image.Caption, b.Image.Credit)
		case b.Video != nil:
			out = append(out, b.Video.Caption)
		}
	})
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// madeUpPages are those of the newsroom and of testdata.
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
