package layout_test

import (
	"context"
	"math"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/method"
)

// page is a small page and its estimated layout; boxes are found by id.
type page struct {
	*method.Layout
	t   *testing.T
	doc *dom.Document
}

// lay lays out the body of a page in standards mode without margins.
func lay(t *testing.T, css, body string) page {
	t.Helper()
	return layAll(t, "<!DOCTYPE html><style>body{margin:0}"+css+"</style><body>"+body)
}

func layAll(t *testing.T, html string) page {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(html), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	p := page{layout.Estimate(d, screen), t, d}
	if err := check(d, p.Layout); err != nil {
		t.Error(err)
	}
	return p
}

func (p page) node(id string) dom.Node {
	p.t.Helper()
	for n := range dom.Node(p.doc.Len()) {
		if p.doc.AttrOr(n, "id") == id {
			return n
		}
	}
	p.t.Fatalf("no #%s", id)
	return dom.None
}

func (p page) at(id string) method.Box {
	p.t.Helper()
	return p.Box(p.node(id))
}

// has wants the box of an id; NaN is whatever.
func (p page) has(id string, x, y, w, h float64) {
	p.t.Helper()
	b := p.at(id)
	for i, v := range [...][2]float64{{b.X, x}, {b.Y, y}, {b.W, w}, {b.H, h}} {
		if !math.IsNaN(v[1]) && math.Abs(v[0]-v[1]) > 0.6 {
			p.t.Errorf("#%s is at %+v, want %s = %v", id, b, "XYWH"[i:i+1], v[1])
		}
	}
}

func (p page) is(what string, ok bool) {
	p.t.Helper()
	if !ok {
		p.t.Error("not so: ", what)
	}
}

var any = math.NaN()
