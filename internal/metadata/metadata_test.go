package metadata

import (
	"reflect"
	"slices"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func TestReadStory(t *testing.T) {
	f := read(t, story(t))
	for _, c := range []struct{ what, got, want string }{
		{"title", f.Title, "Harbour cranes stand still as crews vote on pay"},
		{"standfirst", f.Standfirst, "Dockers at the east basin put down their work for a day."},
		{"lang", f.Lang, "en-GB"},
		{"site", f.Site, "The Quay Courier"},
		{"section", f.Section, "Business"},
		{"canonical", f.Canonical, "https://www.quaycourier.example/news/harbour-cranes-stand-still"},
		{"authors", names(f), "Mara Ostrow; Teo Lindqvist"},
		{"author's address", f.Authors[0].URL, "https://www.quaycourier.example/people/mara"},
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
	lead := &article.Image{URL: "https://www.quaycourier.example/img/cranes.jpg", Alt: "Four cranes at dusk", Width: 1200, Height: 630}
	if !reflect.DeepEqual(f.Lead, lead) {
		t.Errorf("lead = %+v, want %+v", f.Lead, lead)
	}
	sources := map[string]string{
		"title": "html", "standfirst": "og", "lang": "html", "site": "og", "section": "og", "canonical": "html",
		"authors": "json-ld", "published": "json-ld", "modified": "og", "tags": "og", "lead": "og", "type": "json-ld",
	}
	if !reflect.DeepEqual(f.Sources, sources) {
		t.Errorf("sources = %v, want %v", f.Sources, sources)
	}
}

func TestReadNothing(t *testing.T) {
	f := Read(parse(t, "<p>x"), Options{Title: dom.None, Body: dom.None})
	if f.Title != "" || f.Lead != nil || len(f.Sources) != 0 {
		t.Errorf("an empty page told %+v", f)
	}
}

// The zero Options and nodes that are not there must do no harm.
func TestReadOddOptions(t *testing.T) {
	d := parse(t, story(t))
	for _, o := range []Options{{}, {Title: 1 << 30, Body: 1 << 30}, {Title: -7, Body: -7}, {URL: "::"}} {
		if f := Read(d, o); f.Title != "Harbour cranes stand still as crews vote on pay" {
			t.Errorf("%+v: title %q", o, f.Title)
		}
	}
}
