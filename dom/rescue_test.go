package dom

import (
	"strings"
	"testing"
)

// A <title> that never ends takes the whole page with it in browsers.
func TestTitleNeverEnded(t *testing.T) {
	d := mustParse(t, `<html><head><title>Pier opens <script>x()</script><body><p>The pier opened on Monday.</p><p>It is long.</p>`)
	if got, want := d.Text(0), "The pier opened on Monday.\nIt is long."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got := strings.TrimSpace(d.Raw(d.First(Title))); got != "Pier opens" {
		t.Errorf("title %q", got)
	}
}

// A million wrappers are past the limit of nodes, but they are nothing: what
// stands in them is kept.
func TestMillionWrappersKeepTheStory(t *testing.T) {
	if testing.Short() {
		t.Skip("parses a page of 5 MB; scripts/test.sh runs it without -short")
	}
	d := mustParse(t, "<body>"+strings.Repeat("<div>", 1_000_000)+"<p>Deep down it says so.</p>")
	if got, want := d.Text(0), "Deep down it says so."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if !d.Flattened() || d.Truncated() {
		t.Errorf("flattened %v, truncated %v; want true, false", d.Flattened(), d.Truncated())
	}
}
