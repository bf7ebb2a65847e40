package article

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

func paragraph(s string) Block { return Block{Kind: Paragraph, Spans: []Span{{Text: s}}} }

func picture(url, caption string) Block {
	return Block{Kind: Picture, Image: &Image{URL: url, Caption: caption}}
}

func TestImages(t *testing.T) {
	for name, c := range map[string]struct {
		in   Article
		want []Image
	}{
		"none":           {Article{Body: []Block{paragraph("a"), {Kind: Picture}}}, nil},
		"lead first":     {Article{Lead: &Image{URL: "l"}, Body: []Block{picture("a", "")}}, []Image{{URL: "l"}, {URL: "a"}}},
		"each once":      {Article{Body: []Block{picture("a", "x"), picture("b", ""), picture("a", "y")}}, []Image{{URL: "a", Caption: "x"}, {URL: "b"}}},
		"without a URL":  {Article{Lead: &Image{Alt: "x"}, Body: []Block{picture("", "y")}}, nil},
		"inside a quote": {Article{Body: []Block{{Kind: Quote, Blocks: []Block{picture("a", "")}}}}, []Image{{URL: "a"}}},
		"caption only in the body": {
			Article{Lead: &Image{URL: "l", Alt: "x"}, Body: []Block{picture("a", ""), picture("l", "c")}},
			[]Image{{URL: "l", Caption: "c"}, {URL: "a"}},
		},
		"body image without caption": {
			Article{Lead: &Image{URL: "l", Alt: "x", Width: 2}, Body: []Block{picture("l", "")}},
			[]Image{{URL: "l", Alt: "x", Width: 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.in.Images(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestByline(t *testing.T) {
	a := Article{Authors: []Author{{Name: "Ann"}, {Name: "Ben", URL: "/ben"}}}
	if got := a.Byline(); got != "Ann, Ben" {
		t.Errorf("got %q", got)
	}
	if got := (&Article{}).Byline(); got != "" {
		t.Errorf("got %q for no authors", got)
	}
}

func TestArticleRoundTrip(t *testing.T) {
	a := Article{
		URL: "u", Canonical: "c", Title: "t", Standfirst: "s", Authors: []Author{{Name: "n", URL: "p"}},
		Published: Date{Time: time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)},
		Modified:  Date{Time: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), DayOnly: true},
		Lang:      "en", Site: "x", Section: "y", Tags: []string{"z"}, Lead: &Image{URL: "l"},
		Body: []Block{
			{Kind: Heading, Level: 2, Spans: []Span{{Text: "h", Mark: Strong | Strike, Href: "/"}}},
			{Kind: List, Ordered: true, Start: 3, Items: [][]Block{{paragraph("a")}}},
			{Kind: Table, Rows: [][]Cell{{{Header: true, ColSpan: 2, RowSpan: 3, Blocks: []Block{paragraph("b")}}}}},
			{Kind: Code, Code: "x", Lang: "go"},
			{Kind: Video, Video: &Media{URL: "v"}},
			{Kind: Rule},
			{Kind: Embed, Embed: &Post{URL: "p", Author: "a", Date: Date{Time: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), DayOnly: true}, Text: "t"}},
		},
		Comments: []string{"c"}, Type: TypeArticle, Confidence: 0.5, Method: "m", Partial: true,
	}
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var back Article
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, a) {
		t.Errorf("got %+v\nwant %+v", back, a)
	}
}

func TestZeroDatesAreOmitted(t *testing.T) {
	data, err := json.Marshal(Article{Type: TypeOther})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"title":"","body":null,"type":"other","confidence":0,"method":""}`; string(data) != want {
		t.Errorf("got %s, want %s", data, want)
	}
}

func TestWordCount(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "Gulls don't read 2 maps.": 5, "海鸥 read": 3, "one-two\tthree": 3,
	} {
		a := Article{Body: []Block{{Kind: Paragraph, Spans: []Span{{Text: text}}}}}
		if got := a.WordCount(); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

func TestDateRoundTrip(t *testing.T) {
	for _, s := range []string{
		"", "2024-05-01", "1999-12-31", "2024-02-29", "2024-05-01T09:30:00Z", "2024-05-01T23:59:59+05:30", "2024-05-01T00:00:00-04:00",
	} {
		var d Date
		if err := d.UnmarshalText([]byte(s)); err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if d.String() != s {
			t.Errorf("%q came back as %q", s, d)
		}
		if d.IsZero() != (s == "") || d.DayOnly != (len(s) == 10) {
			t.Errorf("%q: zero %v, day only %v", s, d.IsZero(), d.DayOnly)
		}
		text, err := d.MarshalText()
		if err != nil || string(text) != s {
			t.Errorf("%q is written as %q (%v)", s, text, err)
		}
	}
}

func TestDateFractions(t *testing.T) {
	var d Date
	if err := d.UnmarshalText([]byte("2024-05-01T09:30:00.25Z")); err != nil {
		t.Fatal(err)
	}
	if got := d.String(); got != "2024-05-01T09:30:00Z" {
		t.Errorf("got %q", got)
	}
}

func TestDayInZoneOfPage(t *testing.T) {
	d := Date{Time: time.Date(2024, 5, 1, 1, 0, 0, 0, time.FixedZone("", 7200)), DayOnly: true}
	if got := d.String(); got != "2024-05-01" {
		t.Errorf("got %q", got)
	}
}

func TestDateErrors(t *testing.T) {
	for _, s := range []string{"yesterday", "2024-13-01", "2024-02-30", "01.05.2024", "2024-05-01T09:30", " 2024-05-01"} {
		d := Date{DayOnly: true}
		if err := d.UnmarshalText([]byte(s)); err == nil {
			t.Errorf("%q is parsed as %v", s, d)
		}
		if !d.DayOnly {
			t.Errorf("%q: the date changed on an error", s)
		}
	}
}
