package metadata

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func parse(tb testing.TB, page string) *dom.Document {
	tb.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// read reads a page that was found at an address of The Quay Courier.
func read(tb testing.TB, page string) Facts {
	tb.Helper()
	return Read(parse(tb, page), Options{URL: "https://www.quaycourier.example/news/cranes", Title: dom.None, Body: dom.None})
}

func story(tb testing.TB) string {
	tb.Helper()
	b, err := os.ReadFile("testdata/story.html")
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// names joins the names of authors.
func names(f Facts) string {
	var list []string
	for _, a := range f.Authors {
		list = append(list, a.Name)
	}
	return strings.Join(list, "; ")
}

// body is two paragraphs that no rule takes for anything else.
const body = `<p>The cranes of the east basin did not move on that day. Some four hundred crew members met in a hall behind the
customs house to vote on an offer that the port had made the night before, and most ships waited outside the breakwater.</p>
<p>The port said that it would not change its offer before the end of the month. A speaker of the crews said that
they had heard this before, and that the hall was rented until the evening, and that there was soup for everyone.</p>`
