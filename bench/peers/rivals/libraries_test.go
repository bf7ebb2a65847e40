package rivals

import (
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// article returns a page that every rival can extract.
func article(t *testing.T) *eval.Input {
	t.Helper()
	page, err := os.ReadFile("testdata/page.html")
	if err != nil {
		t.Fatal(err)
	}
	return &eval.Input{ID: "lighthouse", URL: "https://courier.example/lighthouse", Charset: "utf-8", HTML: page}
}

// checkArticle checks the output of a rival for article.
func checkArticle(t *testing.T, out *measure.Output) {
	t.Helper()
	if out.Error != "" {
		t.Fatal(out.Error)
	}
	for _, part := range []string{"before a crowd of some four hundred people", "who asked for nothing but his train fare"} {
		if !strings.Contains(strings.Join(strings.Fields(out.Text), " "), part) {
			t.Errorf("%q is missing in %q", part, out.Text)
		}
	}
	if out.Time <= 0 || out.Parse < 0 || out.Parse > out.Time {
		t.Errorf("time %v, parsing %v", out.Time, out.Parse)
	}
	if out.Date != "" && !strings.HasPrefix(out.Date, "2024-03-09") {
		t.Errorf("date is %q", out.Date)
	}
}

func TestLibraries(t *testing.T) {
	for _, r := range compiled() {
		t.Run(r.Name, func(t *testing.T) {
			s, err := r.Open("")
			if err != nil {
				t.Fatal(err)
			}
			out := s.Extract(t.Context(), article(t))
			checkArticle(t, out)
			if out.Parse == 0 {
				t.Error("no time for parsing")
			}
			if !strings.Contains(out.Title, "Lighthouse at Corrie Head is lit again") {
				t.Errorf("title is %q", out.Title)
			}
			if len(out.Authors) != 1 || out.Authors[0] != "Morag Tennant" {
				t.Errorf("authors are %q", out.Authors)
			}
			if strings.Contains(out.Text, "Tide tables") {
				t.Error("the text contains the navigation")
			}
		})
	}
}

// TestLibrariesOnBadPages checks that bad pages are errors, not panics.
func TestLibrariesOnBadPages(t *testing.T) {
	for _, r := range compiled() {
		for name, in := range map[string]*eval.Input{
			"empty":       {},
			"no text":     {HTML: []byte("<html><body><img src=a></body></html>")},
			"too deep":    {HTML: []byte(strings.Repeat("<div>", 2000))},
			"invalid URL": {HTML: []byte("<p>"), URL: "://x"},
			"not UTF-8":   {HTML: []byte("<p>\xff\xfe</p><table><tr>")},
		} {
			t.Run(r.Name+"/"+name, func(t *testing.T) {
				s, err := r.Open("")
				if err != nil {
					t.Fatal(err)
				}
				if out := s.Extract(t.Context(), in); out.Text == "" && out.Error == "" {
					t.Error("neither a text nor an error")
				}
			})
		}
	}
}

func TestLibraryFails(t *testing.T) {
	crash := library{name: "x", extract: func(*html.Node, *url.URL) (func(*measure.Output) error, error) { panic("oh no") }}
	if out := crash.Extract(t.Context(), article(t)); out.Error != "panic: oh no" || out.Time <= 0 || out.Parse <= 0 {
		t.Errorf("got %+v", out)
	}
	late := library{name: "x", extract: func(*html.Node, *url.URL) (func(*measure.Output) error, error) {
		return func(*measure.Output) error { return errors.New("no paper") }, nil
	}}
	if out := late.Extract(t.Context(), article(t)); out.Error != "no paper" {
		t.Errorf("got %+v", out)
	}
}
