package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// article returns a page that every library can extract.
func article(t *testing.T) page {
	t.Helper()
	data, err := os.ReadFile("testdata/page.html")
	if err != nil {
		t.Fatal(err)
	}
	return page{ID: "lighthouse", URL: "https://courier.example/lighthouse", HTML: string(data)}
}

// checkArticle checks the answer of a library for article.
func checkArticle(t *testing.T, a answer) {
	t.Helper()
	if a.Error != "" || a.ID != "lighthouse" {
		t.Fatal(a.ID, a.Error)
	}
	for _, part := range []string{"before a crowd of some four hundred people", "who asked for nothing but his train fare"} {
		if !strings.Contains(strings.Join(strings.Fields(a.Text), " "), part) {
			t.Errorf("%q is missing in %q", part, a.Text)
		}
	}
	if a.TimeMS <= 0 || a.ParseMS < 0 || a.ParseMS > a.TimeMS {
		t.Errorf("time %v, parsing %v", a.TimeMS, a.ParseMS)
	}
	if a.Date != "" && !strings.HasPrefix(a.Date, "2024-03-09") {
		t.Errorf("date is %q", a.Date)
	}
}

func TestLibraries(t *testing.T) {
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			out := l.answer(article(t))
			checkArticle(t, out)
			if out.ParseMS == 0 {
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
	for _, l := range libraries {
		for name, in := range map[string]page{
			"empty":       {},
			"no text":     {HTML: "<html><body><img src=a></body></html>"},
			"too deep":    {HTML: strings.Repeat("<div>", 2000)},
			"invalid URL": {HTML: "<p>", URL: "://x"},
			"not UTF-8":   {HTML: "<p>\xff\xfe</p><table><tr>"},
		} {
			t.Run(l.name+"/"+name, func(t *testing.T) {
				if out := l.answer(in); out.Text == "" && out.Error == "" {
					t.Error("neither a text nor an error")
				}
			})
		}
	}
}

func TestLibraryFails(t *testing.T) {
	crash := library{extract: func(_ page, parsed func()) (func(*answer) error, error) { parsed(); panic("oh no") }}
	if out := crash.answer(article(t)); out.Error != "panic: oh no" || out.TimeMS <= 0 || out.ParseMS <= 0 {
		t.Errorf("got %+v", out)
	}
	late := library{extract: func(page, func()) (func(*answer) error, error) {
		return func(*answer) error { return errors.New("no paper") }, nil
	}}
	if out := late.answer(article(t)); out.Error != "no paper" {
		t.Errorf("got %+v", out)
	}
}
