package metadata

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

func FuzzJSONLD(f *testing.F) {
	for _, s := range []string{
		`{"@type":"NewsArticle","headline":"a","author":[{"@id":"#x"}],"image":{"url":"/a"}}`,
		`{"@graph":[{"@id":"#x","name":"b"},{"@type":["Article"],"author":{"@id":"#x"}}]}`,
		`<!-- [{"a":"b "c" d",}, /* x */ {b:1}] -->`, `{"a":"\ud83d\ude00\u12`, `[[[[{"@graph":[`, "{\"a\":\"b\"\n\"c\":\"d\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := &page{d: parse(t, "<p>x"), headline: dom.None}
		p.readJSONLD([]string{s, s})
	})
}

func FuzzRead(f *testing.F) {
	f.Add(story(f), "https://www.quaycourier.example/2024/05/03/x")
	f.Add(`<title>a | b</title><h1>a</h1><p class=byline>By A B, C and D | 3/4/2012 10:00 -0500`, "http://a.co.uk/")
	f.Add(`<h1><a href=/>a</a></h1><time datetime=2024-05-03T>x</time><b itemprop=author><i itemprop=name>`, "::")
	f.Fuzz(func(t *testing.T, page, url string) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
		if err != nil {
			return
		}
		now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		facts := Read(d, Options{URL: url, Title: dom.None, Body: dom.None, Now: now})
		if strings.ContainsAny(facts.Title, "\n\t") || facts.Title != strings.TrimSpace(facts.Title) {
			t.Errorf("title %q is not folded", facts.Title)
		}
		if !utf8.ValidString(facts.Title) {
			t.Errorf("title %q is not UTF-8", facts.Title)
		}
		if !facts.Published.IsZero() && (facts.Published.Time.Year() < firstYear || facts.Published.Time.After(now.AddDate(0, 0, 3))) {
			t.Errorf("published %v", facts.Published)
		}
		if facts.Lead != nil && !strings.HasPrefix(facts.Lead.URL, "http") {
			t.Errorf("lead %q", facts.Lead.URL)
		}
	})
}
