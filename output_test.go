package lede_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/format"
)

// TestOutputIsBounded extracts pages that repeat a little of themselves very often. Whatever
// the format, what comes out is bounded by the size of the page.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many large pages, on one goroutine each")
	}
	const most = 64 // bytes of output for each byte of a page
	url := "https://paper.example/" + strings.Repeat("long/", 1500)
	for _, tt := range []struct {
		name, open, repeated string
		err                  error
	}{
		{"unclosed link", `<a href="` + url + `">`, "<p>Rain is expected in the north tomorrow.</p>", lede.ErrOutput},
		{"long base", `<base href="` + url + `">`, `<p>Rain is <a href="x">expected</a> in the north tomorrow.</p>`, lede.ErrOutput},
		{"link that is too long", `<a href="` + strings.Repeat(url, 10) + `">`, "<p>Rain is expected in the north tomorrow.</p>", nil},
		{"base that is too long", `<base href="` + strings.Repeat(url, 10) + `">`, `<p>Rain is <a href="x">expected</a> in the north tomorrow.</p>`, nil},
		{"deep quotes", strings.Repeat("<blockquote>", 60), "<p>Rain, rain, rain.</p>", lede.ErrOutput},
		{"deep lists", strings.Repeat("<ul><li>Rain.<li>", 60), "<p>Rain, rain, rain.</p>", lede.ErrOutput},
		{"escapes", "", `<p>It rains, \\\\\\\\"""""""" and rains.</p>`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page := "<body><article><h1>Rain in the north</h1>" + tt.open + strings.Repeat(tt.repeated, 20_000)
			a, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithURL("https://paper.example/rain"))
			if !errors.Is(err, tt.err) {
				t.Fatalf("the error is %v, want %v", err, tt.err)
			}
			if err != nil {
				return
			}
			for _, f := range format.Names() {
				var out counter
				if err := format.Write(&out, a, f, format.Options{Indent: true}); err != nil {
					t.Fatal(err)
				}
				if int(out) > most*len(page) {
					t.Errorf("%s has %d bytes, of a page of %d", f, out, len(page))
				}
			}
		})
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
