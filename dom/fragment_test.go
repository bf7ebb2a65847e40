package dom_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestParseFragment(t *testing.T) {
	for _, c := range []struct{ fragment, element, want string }{
		{"<p>One.<p>Two.", "", "One.\nTwo."},
		{"<p>One.<p>Two.", "BODY", "One.\nTwo."},
		{"One <b>two</b>.", "p", "One two."},
		{"<li>One<li>Two", "ul", "One\nTwo"},
		{"<tr><td>One<td>Two", "tbody", "One\nTwo"},
		{"<td>One<td>Two", "div", "OneTwo"},
		{"Caf\xe9 au lait, d\xe9j\xe0 vu", "div", "Café au lait, déjà vu"},
		{strings.Repeat("<div>", 1000) + "deep", "section", "deep"},
	} {
		d, err := dom.ParseFragment(context.Background(), []byte(c.fragment), c.element, dom.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(d.Text(0), "\t", "\n"); got != c.want {
			t.Errorf("%.40q in %q: %q, want %q", c.fragment, c.element, got, c.want)
		}
		if d.First(dom.Body) == dom.None {
			t.Errorf("%.40q in %q has no body", c.fragment, c.element)
		}
	}
}

func TestParseFragmentErrors(t *testing.T) {
	for _, element := range []string{"svg", "<p>", "a b", "1", "é"} {
		if _, err := dom.ParseFragment(context.Background(), []byte("x"), element, dom.Options{}); err == nil {
			t.Errorf("%q is an element", element)
		}
	}
	if _, err := dom.ParseFragment(context.Background(), nil, "p", dom.Options{}); !errors.Is(err, dom.ErrEmpty) {
		t.Errorf("got %v", err)
	}
	small := dom.Options{Limits: dom.Limits{Bytes: 1}}
	if _, err := dom.ParseFragment(context.Background(), []byte("xy"), "p", small); !errors.Is(err, dom.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := dom.ParseFragment(ctx, []byte("xy"), "p", dom.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
