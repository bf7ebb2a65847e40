package coreex

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// FuzzSelect: whatever the page, there is a sound selection or an error.
func FuzzSelect(f *testing.F) {
	for _, pattern := range []string{"testdata/*.html", "testdata/lang/*.html"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, uint8(len(b)))
		}
	}
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), uint8(0xff))
	f.Add([]byte(`0<a href>0<div><a>0`), uint8(0x1b))                    // the winner inside a run
	f.Add([]byte(`<p>x</p>a<div><img src=i></div>b<p>y</p>`), uint8(16)) // a picture inside a run
	f.Fuzz(func(t *testing.T, page []byte, switches uint8) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		c := Default()
		c.Weighted = switches&1 == 0
		c.Subset = switches&2 == 0
		c.IgnoreForms = switches&4 == 0
		c.RemoveScripts = switches&8 == 0
		c.Normalise = switches&16 != 0
		c.DropCaptions = switches&32 != 0
		s, err := New(c).Select(context.Background(), &method.Page{Doc: d})
		if err != nil {
			if !errors.Is(err, method.ErrNoContent) {
				t.Fatal(err)
			}
			return
		}
		hold(t, d, s)
		if s.Text(d) == "" && len(s.Drop) == 0 {
			t.Error("a selection without text")
		}
	})
}
