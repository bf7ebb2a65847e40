package dom

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusFiles names the pages of corpora beside the repository, if any.
func corpusFiles(names ...string) []string {
	var all []string
	for _, name := range names {
		files, _ := filepath.Glob(filepath.Join("..", "..", "shared", "corpora", name, "pages", "*.html.gz"))
		all = append(all, files...)
	}
	return all
}

// corpusPages reads pages of the corpora beside the repository, or skips.
func corpusPages(tb testing.TB, names ...string) [][]byte {
	tb.Helper()
	files := corpusFiles(names...)
	if len(files) == 0 {
		tb.Skip("no corpora beside the repository (../../shared/corpora): nothing to measure on real pages")
	}
	pages := make([][]byte, len(files))
	for i, f := range files {
		pages[i] = gunzip(tb, f)
	}
	return pages
}

func gunzip(tb testing.TB, path string) []byte {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// madeUpPages stand in for the corpora where there are none.
func madeUpPages() [][]byte {
	var pages [][]byte
	for n := 20; n <= 2000; n *= 10 {
		var b strings.Builder
		b.WriteString("<!DOCTYPE html><html><head><title>The bridge</title><script>var a = 1 < 2;</script></head><body><nav><ul>")
		for range n {
			b.WriteString(`<li class="menu-item"><a href="/section/town">Town</a></li>`)
		}
		b.WriteString("</ul></nav><article><h1>The bridge is open again</h1>")
		for range n {
			b.WriteString(`<div class="row"><p class="text">The old bridge over the river was <b>opened</b> again on Monday, ` +
				`said the <a href="/mayor">mayor</a>; it had been closed since the flood &amp; the winter’s ice.</p></div>` + "\n")
		}
		b.WriteString("</article></body></html>")
		pages = append(pages, []byte(b.String()))
	}
	return pages
}
