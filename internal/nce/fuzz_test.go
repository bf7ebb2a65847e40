package nce_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/method"
)

// FuzzSelect holds that any page gives a sane selection or no content.
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
		for _, c := range []nce.Config{nce.Default(), small(), {}} {
			s, err := nce.New(c).Select(context.Background(), &method.Page{Doc: d})
			switch {
			case err == nil:
				sane(t, d, s)
			case !errors.Is(err, method.ErrNoContent):
				t.Error(err)
			}
		}
	})
}
