package wrapper

import (
	"context"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// lay parses a page whose elements say where they stand, as in
// <div at="10 20 300 40">, and in what size, as in <h1 font=30>. What says
// nothing is not shown; type is 16 pixels and is inherited. The screen is of
// 1000 by 500 pixels.
func lay(t testing.TB, page string) (*dom.Document, *method.Layout) {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	l := &method.Layout{
		Screen: method.Screen{Width: 1000, Height: 500}, Measured: true,
		Boxes: make([]method.Box, d.Len()), Fonts: make([]method.Font, d.Len()),
	}
	for n := range d.Len() {
		id := dom.Node(n)
		l.Fonts[n] = method.Font{Size: 16, Weight: 400}
		if p := d.Parent(id); p != dom.None {
			l.Fonts[n] = l.Fonts[p]
		}
		if font, ok := d.Attr(id, "font"); ok {
			l.Fonts[n].Size = number(t, font)
		}
		if at := strings.Fields(d.AttrOr(id, "at")); len(at) == 4 {
			l.Boxes[n] = method.Box{X: number(t, at[0]), Y: number(t, at[1]), W: number(t, at[2]), H: number(t, at[3])}
		}
	}
	return d, l
}

func scene(t testing.TB, page string) *Scene {
	t.Helper()
	d, l := lay(t, page)
	return NewScene(d, "https://weir.example/mill", l, Default())
}

// byID finds the element of an id.
func byID(t testing.TB, d *dom.Document, id string) dom.Node {
	t.Helper()
	for n := range d.Len() {
		if d.AttrOr(dom.Node(n), "id") == id {
			return dom.Node(n)
		}
	}
	t.Fatalf("there is no #%s", id)
	return dom.None
}

// ids names nodes by their ids, or else by their elements.
func ids(d *dom.Document, nodes []dom.Node) string {
	var out []string
	for _, n := range nodes {
		name := d.AttrOr(n, "id")
		if name == "" {
			name = d.Name(n)
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}
