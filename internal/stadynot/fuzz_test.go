package stadynot

import (
	"context"
	"errors"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// FuzzSelect: whatever the page and its neighbour, there is a sound selection
// or no content, and the clean page reads like the selection.
func FuzzSelect(f *testing.F) {
	f.Add([]byte(figure3), []byte(news("A", lorem)))
	f.Add([]byte(news("A", lorem)), []byte(news("B", lorem)))
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), []byte(`<p>x`))
	f.Add([]byte(`<a href=x>1<div><a href=y>2<pre>3
4<form>5<select><option>6<button>7<svg>8`), []byte(`<frameset><frame>`))
	f.Fuzz(func(t *testing.T, page, other []byte) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		support := NewSupport()
		if o, err := dom.Parse(context.Background(), other, dom.Options{}); err == nil {
			support.Add(o)
		}
		for _, c := range []Config{Default(), paper(), {}} {
			m := New(c)
			s, err := m.Select(context.Background(), &method.Page{Doc: d, Site: m.Site(support, d)})
			if err != nil {
				if !errors.Is(err, method.ErrNoContent) {
					t.Fatal(err)
				}
				continue
			}
			hold(t, d, s)
			if clean := Clean(d, s); len(clean) > 0 {
				again, err := dom.Parse(context.Background(), []byte(clean), dom.Options{Charset: "utf-8"})
				if err != nil {
					t.Fatalf("the clean page is none: %v", err)
				}
				for n := range again.Len() {
					switch again.Tag(dom.Node(n)) {
					case dom.Script, dom.Style, dom.Iframe, dom.Object, dom.Embed, dom.Form, dom.Link, dom.Base:
						t.Fatalf("<%s> on the clean page", again.Name(dom.Node(n)))
					}
				}
			}
		}
	})
}
