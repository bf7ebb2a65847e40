package lede_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/format"
)

var update = flag.Bool("update", false, "record what the pages of testdata/pages give now")

// goldenPage is a folder of testdata/pages: a page, its article and its address.
type goldenPage struct {
	dir    string
	source []byte
	opts   []lede.Option
}

func goldenPages(t testing.TB) []goldenPage {
	t.Helper()
	dirs, err := filepath.Glob("testdata/pages/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no pages", err)
	}
	var pages []goldenPage
	for _, dir := range dirs {
		p := goldenPage{dir: dir}
		if p.source, err = os.ReadFile(filepath.Join(dir, "source.html")); err != nil {
			t.Fatal(err)
		}
		var o struct{ URL, Charset string }
		src, err := os.ReadFile(filepath.Join(dir, "options.json"))
		if err == nil {
			err = json.Unmarshal(src, &o)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(dir, err)
		}
		if o.URL != "" {
			p.opts = append(p.opts, lede.WithURL(o.URL))
		}
		if o.Charset != "" {
			p.opts = append(p.opts, lede.WithCharset(o.Charset))
		}
		pages = append(pages, p)
	}
	return pages
}

// TestPages extracts testdata/pages/*/source.html and compares the article with
// want.json. Run it with -update to record, and read the diff.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, p := range goldenPages(t) {
		t.Run(filepath.Base(p.dir), func(t *testing.T) {
			a, err := lede.Extract(t.Context(), bytes.NewReader(p.source), p.opts...)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := format.JSON(&got, a, format.Options{Indent: true}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(p.dir, "want.json")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s gives\n%s\nwant\n%s", p.dir, got.Bytes(), want)
			}
		})
	}
}
