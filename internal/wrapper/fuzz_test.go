package wrapper

import (
	"context"
	"errors"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// FuzzSelect: whatever the page and its layout, there is a sound selection or no
// content.
func FuzzSelect(f *testing.F) {
	f.Add([]byte(story), 10.0, 20.0, 300.0, 40.0)
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), 0.0, 1e9, 1e300, 1e300)
	f.Add([]byte(`<a href=#><h1>1<div><br>2<pre>3<nav>4<frameset>`), -5.0, -1e9, 0.0, 2000.0)
	f.Fuzz(func(t *testing.T, page []byte, x, y, w, h float64) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		made := &method.Layout{Screen: method.Screen{Width: w, Height: h}, Boxes: make([]method.Box, d.Len()), Fonts: make([]method.Font, d.Len())}
		for n := range made.Boxes {
			k := float64(n)
			made.Boxes[n] = method.Box{X: x * k, Y: y * k, W: w + k, H: h - k}
			made.Fonts[n].Size = x - k
		}
		paper, _ := Preset("paper")
		for _, c := range []Config{Default(), paper, {}} {
			for _, l := range []*method.Layout{nil, made} {
				s, err := New(c).Select(context.Background(), &method.Page{Doc: d, Layout: l})
				if err == nil {
					hold(t, d, s)
				} else if !errors.Is(err, method.ErrNoContent) {
					t.Fatal(err)
				}
			}
		}
	})
}
