package corpus

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func TestShared(t *testing.T) {
	c := mustOpen(t, "shared", map[string]string{
		"gold.jsonl": "\ufeff" + `{"id":"a","url":"https://www.quay.example/a","lang":"en","type":"article","title":"Gulls","text":"They flew.","title_in_text":true,"authors":["Ann"]}` +
			"\n\n" + `{"id":"b.c","site":"pier.example","title":null,"with":["Ice"]}`,
		"pages/a.html.gz": gzipped("<p>They flew."), "pages/a.html": "<p>An older one.",
		"pages/b.c.html": "<p>Ice.",
	})
	checkGold(t, c, []Gold{
		{ID: "a", URL: "https://www.quay.example/a", Lang: "en", Type: "article", Title: "Gulls", Text: "They flew.", TitleInText: true, Authors: []string{"Ann"}},
		{ID: "b.c", Site: "pier.example", With: []string{"Ice"}},
	})
	checkPages(t, c, "<p>They flew.", "<p>Ice.")
	if c.Charset != "utf-8" {
		t.Errorf("charset %q", c.Charset)
	}
	for want, g := range map[string]*Gold{"www.quay.example": &c.Gold[0], "pier.example": &c.Gold[1], "x": {ID: "x"}} {
		if g.SiteName() != want {
			t.Errorf("site %q, want %q", g.SiteName(), want)
		}
	}
}

// TestFieldTypes parses fields of all types that occur in corpora.
func TestFieldTypes(t *testing.T) {
	for line, want := range map[string]Gold{
		`{"author":"Ann Lee and Bob"}`:                            {Authors: []string{"Ann Lee and Bob"}},
		`{"author":["Ann","Bob"]}`:                                {Authors: []string{"Ann", "Bob"}},
		`{"authors":["Ann","Bob"],"author":"Eve"}`:                {Authors: []string{"Ann", "Bob"}},
		`{"authors":[],"author":"Eve"}`:                           {Authors: []string{"Eve"}},
		`{"authors":"","author":null}`:                            {},
		`{"authors":[{"name":"Ann"},null]}`:                       {Authors: []string{"Ann"}},
		`{"date":2024}`:                                           {Date: "2024"},
		`{"images":["a.jpg",{"url":"b.jpg","caption":"A gull"}]}`: {Images: []Image{{URL: "a.jpg"}, {"b.jpg", "A gull"}}},
		`{"summary":"Fog.","sections":[{"headline":["Fog"],"paragraphs":["One.","Two."]},{"paragraphs":[]}]}`: {
			Summary: []string{"Fog."}, Sections: []Section{{Headline: []string{"Fog"}, Paragraphs: []string{"One.", "Two."}}, {}},
		},
		`{"sections":[]}`: {Sections: []Section{}},
		`{"pictures":[{"urls":["a.jpg","a.webp"],"cover":true,"caption":"A gull"},{"urls":"b.jpg"}]}`: {
			Pictures: []Picture{{[]string{"a.jpg", "a.webp"}, true, "A gull"}, {URLs: []string{"b.jpg"}}},
		},
		`{"images":{"src":"a.jpg"}}`: {Images: []Image{{URL: "a.jpg"}}},
		`{"comments":"Good riddance","extra":"By Ann","related":["Boats stay"]}`: {
			Comments: []string{"Good riddance"}, Extra: []string{"By Ann"}, Related: []string{"Boats stay"}},
		`{"comments":[{"author":"Eve","text":"Good riddance"},"Indeed"],"related":[{"title":"Boats stay","url":"/b"}]}`: {
			Comments: []string{"Good riddance", "Indeed"}, Related: []string{"Boats stay"}},
		`{"topics":["birds"],"country":"at","with":["a",""],"without":"b","standfirst":"Known to others"}`: {
			Topics: []string{"birds"}, Country: "at", With: []string{"a", ""}, Without: []string{"b"}},
	} {
		got, wrong, err := parseGold([]byte(line))
		if err != nil || len(wrong) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, %v", line, got, wrong, err)
		}
	}
	for line, want := range map[string]string{
		`{"text":["a"]}`:             "text is a list, want a string",
		`{"with":[["a"]]}`:           "with is a list, want strings",
		`{"comments":[{"likes":3}]}`: "comments is an object, want strings",
		`{"images":[3]}`:             "images is a number, want URLs",
		`{"title_in_text":1}`:        "title_in_text is a number, want a boolean",
		`{"title":true}`:             "title is a boolean, want a string",
	} {
		got, wrong, err := parseGold([]byte(line))
		if err != nil || len(wrong) != 1 || !strings.Contains(wrong[0].Error(), want) || !reflect.DeepEqual(got, Gold{}) {
			t.Errorf("%s: got %+v, %v, %v, want %s", line, got, wrong, err, want)
		}
	}
}

func TestYear(t *testing.T) {
	for _, c := range []struct {
		date, url, id, want string
	}{
		{"2024-05-14T10:00:00Z", "https://quay.example/2019/03/a", "", "2024"},
		{"2005-5-7 21:23:57", "", "", "2005"},
		{"14.05.2007", "", "", "2007"},
		{"20190507", "", "", "2019"},
		{"20190507213000", "", "", "2019"},
		{"yesterday", "https://quay.example/2019/03/gulls", "", "2019"},
		{"", "https://quay.example/news/20110914-gulls", "", "2011"},
		{"", "https://quay.example/2008-01-12-gulls.html", "", "2008"},
		{"", "https://quay.example/a20110914b?x", "20081203_quay", "2011"},
		{"", "https://quay.example/story/3000201812345", "at-Quay_2024_05_03", "2024"},
		{"", "https://quay.example/20111399", "main20201", ""},
		{"", "https://quay.example/2077/1", "a", ""},
		{"", "", "", ""},
	} {
		if got := (&Gold{Date: c.date, URL: c.url, ID: c.id}).Year(); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

// TestEachLine reads long lines, one of them too long.
func TestEachLine(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	type line struct {
		n   int
		row string
		bad bool
	}
	want := []line{{1, "a", false}, {3, long, false}, {4, "", true}, {5, "b", false}}
	in := "a\n \r\n" + long + "\r\n" + long + "xxx\nb"
	var got []line
	err := eachLine(iotest.HalfReader(strings.NewReader(in)), int64(len(long)+2), func(n int, row []byte, err error) error {
		if err != nil {
			row = nil
		}
		got = append(got, line{n, string(row), err != nil})
		return nil
	})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d lines, %v", len(got), err)
	}
	if err := eachLine(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(in))), 99, func(int, []byte, error) error { return nil }); err == nil {
		t.Error("no error from the reader")
	}
	if err := eachLine(bytes.NewReader([]byte("a\nb")), 99, func(int, []byte, error) error { return ErrNoText }); err != ErrNoText {
		t.Errorf("got %v", err)
	}
}

// FuzzGold checks that only valid IDs are accepted.
func FuzzGold(f *testing.F) {
	for _, s := range []string{
		`{"id":"a","text":"They flew.","authors":["Ann"],"images":[{"url":"x"}]}`, `{"id":1}`, `{"authors":{"name":[]}}`, `[`, `null`, "{\"id\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, row []byte) {
		g, _, err := parseGold(row)
		if err != nil {
			return
		}
		g.page = "x"
		r := &reader{corpus: &Corpus{}, seen: map[string]Gold{}}
		if err := r.add(g); err != nil {
			t.Errorf("%q: %v", row, err)
		}
		if len(r.corpus.Gold) == 1 && strings.ContainsAny(g.ID, "/\\") {
			t.Errorf("%q is an id", g.ID)
		}
		_, _ = g.SiteName(), g.Year()
	})
}
