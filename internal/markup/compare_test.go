package markup_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/markup"
)

// check parses a page with x/net and with markup, and tells the first difference.
func check(page []byte, scripting bool) error {
	want, wantErr := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(scripting))
	got, err := markup.Parse(context.Background(), page, scripting)
	if (err != nil) != (wantErr != nil) {
		return fmt.Errorf("error %v, want %v", err, wantErr)
	}
	if err != nil {
		return nil
	}
	return sameTree(got, want)
}

// checkBoth does so with scripts on and off.
func checkBoth(t testing.TB, page string) bool {
	t.Helper()
	for _, scripting := range []bool{true, false} {
		if err := check([]byte(page), scripting); err != nil {
			t.Errorf("scripting %v: %v\nin %q\ngot\n%s\nwant\n%s", scripting, err, page, sketch(page, scripting, true), sketch(page, scripting, false))
			return false
		}
	}
	return true
}

// sameTree walks two trees side by side.
func sameTree(got, want *html.Node) error {
	for {
		if err := sameNode(got, want); err != nil {
			return err
		}
		if want.FirstChild != nil {
			got, want = got.FirstChild, want.FirstChild
			continue
		}
		for want.NextSibling == nil {
			if want = want.Parent; want == nil {
				return nil
			}
			got = got.Parent
		}
		got, want = got.NextSibling, want.NextSibling
	}
}

func sameNode(got, want *html.Node) error {
	switch {
	case got.Type != want.Type || got.DataAtom != want.DataAtom || got.Data != want.Data || got.Namespace != want.Namespace:
		return fmt.Errorf("%s %q, want %s %q", got.Type, got.Data, want.Type, want.Data)
	case !slices.Equal(got.Attr, want.Attr):
		return fmt.Errorf("%q has %q, want %q", got.Data, got.Attr, want.Attr)
	}
	for _, link := range []struct {
		name      string
		got, want *html.Node
	}{
		{"parent", got.Parent, want.Parent},
		{"first child", got.FirstChild, want.FirstChild},
		{"last child", got.LastChild, want.LastChild},
		{"sibling before", got.PrevSibling, want.PrevSibling},
		{"sibling after", got.NextSibling, want.NextSibling},
	} {
		switch {
		case (link.got == nil) != (link.want == nil):
			return fmt.Errorf("%q: %s is %q, want %q", got.Data, link.name, name(link.got), name(link.want))
		case link.got != nil && (link.got.Type != link.want.Type || link.got.Data != link.want.Data):
			return fmt.Errorf("%q: %s is %q, want %q", got.Data, link.name, link.got.Data, link.want.Data)
		}
	}
	return nil
}

func name(n *html.Node) string {
	if n == nil {
		return "nothing"
	}
	return n.Data
}

// sketch draws the tree of a page, ours or that of x/net.
func sketch(page string, scripting, ours bool) string {
	var root *html.Node
	var err error
	if ours {
		root, err = markup.Parse(context.Background(), []byte(page), scripting)
	} else {
		root, err = html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(scripting))
	}
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for n := range root.Descendants() {
		depth := 0
		for range n.Ancestors() {
			depth++
		}
		fmt.Fprintf(&b, "%s%s %s %q %v\n", strings.Repeat("  ", depth), n.Type, n.Namespace, n.Data, n.Attr)
	}
	return b.String()
}
