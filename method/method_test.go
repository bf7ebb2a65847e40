package method

import (
	"context"
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestMask(t *testing.T) {
	d, err := dom.Parse(context.Background(), []byte(`<div>one <p>two <b>three</b></p><p>four</p></div><div>five</div>`), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	div, p, b := d.First(dom.Div), d.First(dom.P), d.First(dom.B)
	tests := []struct {
		name string
		s    Selection
		want string
	}{
		{"nothing", Selection{}, ""},
		{"all", Selection{Keep: []dom.Node{d.Root()}}, "one\ntwo three\nfour\nfive"},
		{"one part", Selection{Keep: []dom.Node{div}}, "one\ntwo three\nfour"},
		{"the innermost counts", Selection{Keep: []dom.Node{div, b}, Drop: []dom.Node{p}}, "one\nthree\nfour"},
		{"dropping counts on the same node", Selection{Keep: []dom.Node{div, p}, Drop: []dom.Node{p}}, "one\nfour"},
		{"in any order", Selection{Keep: []dom.Node{b, div}, Drop: []dom.Node{p}}, "one\nthree\nfour"},
		{"dropping outside of what is kept", Selection{Keep: []dom.Node{b}, Drop: []dom.Node{div}}, "three"},
	}
	for _, tc := range tests {
		if got := tc.s.Text(d); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
