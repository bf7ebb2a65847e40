package markup_test

import (
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/dom"
)

// corpusFiles names the pages of corpora beside the repository, if any.
func corpusFiles(names ...string) []string {
	var all []string
	for _, name := range names {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", name, "pages", "*.html.gz"))
		all = append(all, files...)
	}
	return all
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

// TestCorpora compares all real pages, each corpus by itself.
func TestCorpora(t *testing.T) {
	corpora, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", "*", "pages"))
	if len(corpora) == 0 {
		t.Skip("no corpora beside the repository (../../../shared/corpora): no real pages to compare")
	}
	for _, c := range corpora {
		name := filepath.Base(filepath.Dir(c))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareCorpus(t, corpusFiles(name))
		})
	}
}

func compareCorpus(t *testing.T, files []string) {
	step := 1
	if testing.Short() {
		step = 100
	}
	compared := 0
	for i := 0; i < len(files); i += step {
		raw := gunzip(t, files[i])
		page, _, err := dom.Decode(raw, dom.Options{})
		if err != nil {
			page = raw // x/net takes anything
		}
		compared++
		for _, scripting := range []bool{true, false} {
			if err := check(page, scripting); err != nil {
				t.Errorf("%s, scripting %v: %v", files[i], scripting, err)
			}
		}
	}
	t.Logf("%d pages compared", compared)
}

// TestSplicedPages compares pages made of pieces of real ones, cut anywhere.
func TestSplicedPages(t *testing.T) {
	files := corpusFiles("*")
	if len(files) == 0 {
		t.Skip("no corpora beside the repository (../../../shared/corpora): no real pages to cut up")
	}
	rng := rand.New(rand.NewPCG(7, 11))
	sources := make([][]byte, 40)
	for i := range sources {
		sources[i] = gunzip(t, files[rng.IntN(len(files))])
	}
	count, _ := runs(t, 20_000, 1_000)
	for bad := 0; count > 0 && bad < 3; count-- {
		var page []byte
		for range 2 + rng.IntN(8) {
			s := sources[rng.IntN(len(sources))]
			from := rng.IntN(len(s) + 1)
			page = append(page, s[from:min(len(s), from+rng.IntN(600))]...)
		}
		if !checkBoth(t, string(page)) {
			bad++
		}
	}
}
