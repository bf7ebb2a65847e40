package metadata

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func TestRead(t *testing.T) {
	f := read(t, story(t))
	for _, c := range []struct{ what, got, want string }{
		{"title", f.Title, "Harbour cranes stand still as crews vote on pay"},
		{"standfirst", f.Standfirst, ""},
		{"description", f.Description, "Dockers at the east basin put down their work for a day."},
		{"lang", f.Lang, "en-GB"},
		{"site", f.Site, "The Quay Courier"},
		{"section", f.Section, "Business"},
		{"canonical", f.Canonical, "https://www.quaycourier.example/news/harbour-cranes-stand-still"},
		{"authors", names(f), "Mara Ostrow; Teo Lindqvist"},
		{"author's URL", f.Authors[0].URL, "https://www.quaycourier.example/people/mara"},
		{"published", f.Published.String(), "2024-05-03T15:47:42+01:00"},
		{"modified", f.Modified.String(), "2024-05-03T18:05:00+01:00"},
		{"type", f.Type, "NewsArticle"},
	} {
		if c.got != c.want {
			t.Errorf("%s = %q, want %q", c.what, c.got, c.want)
		}
	}
	if want := []string{"harbour", "Pay"}; !slices.Equal(f.Tags, want) {
		t.Errorf("tags = %q, want %q", f.Tags, want)
	}
	lead := article.Image{URL: "https://www.quaycourier.example/img/cranes.jpg", Alt: "Four cranes at dusk", Width: 1200, Height: 630}
	if len(f.Images) == 0 || f.Images[0] != lead {
		t.Errorf("images = %+v, want %+v first", f.Images, lead)
	}
	sources := map[string]string{
		"title": "html", "description": "og", "lang": "html", "site": "og", "section": "og", "canonical": "html",
		"authors": "json-ld", "published": "json-ld", "modified": "og", "tags": "og", "lead": "og", "type": "json-ld",
	}
	if !reflect.DeepEqual(f.Sources, sources) {
		t.Errorf("sources = %v, want %v", f.Sources, sources)
	}
}

func TestReadEmptyPage(t *testing.T) {
	f := Read(parse(t, "<p>x"), Options{Title: dom.None, Body: dom.None})
	if f.Title != "" || len(f.Images) > 0 || len(f.Sources) != 0 {
		t.Errorf("empty page: got %+v", f)
	}
}

// Nodes outside of the document are ignored.
func TestReadInvalidOptions(t *testing.T) {
	d := parse(t, story(t))
	for _, o := range []Options{{}, {Title: 1 << 30, Body: 1 << 30}, {Title: -7, Body: -7}, {URL: "::"}} {
		if f := Read(d, o); f.Title != "Harbour cranes stand still as crews vote on pay" {
			t.Errorf("%+v: title %q", o, f.Title)
		}
	}
}

func parse(tb testing.TB, page string) *dom.Document {
	tb.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// read returns the metadata of a page of The Quay Courier.
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

// names returns the names of the authors, joined.
func names(f Facts) string {
	var list []string
	for _, a := range f.Authors {
		list = append(list, a.Name)
	}
	return strings.Join(list, "; ")
}

// body is two paragraphs without metadata.
const body = `<p>The cranes of the east basin did not move on that day. Some four hundred crew members met in a hall behind the
customs house to vote on an offer that the port had made the night before, and most ships waited outside the breakwater.</p>
<p>The port said that it would not change its offer before the end of the month. A speaker of the crews said that
they had heard this before, and that the hall was rented until the evening, and that there was soup for everyone.</p>`

// BenchmarkRead should take less than 0.15 of the time to parse the same page, a
// long article.
func BenchmarkRead(b *testing.B) {
	page := strings.Replace(story(b), "</article>", strings.Repeat(body, 100)+"</article>", 1)
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parse(b, page)
		}
	})
	b.Run("read", func(b *testing.B) {
		d := parse(b, page)
		b.ReportAllocs()
		for b.Loop() {
			Read(d, Options{URL: "https://www.quaycourier.example/news/cranes", Title: dom.None, Body: dom.None})
		}
	})
}
