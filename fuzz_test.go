package lede_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lede-news/lede"
)

// FuzzExtract checks that any bytes give an article or an error other than
// ErrInternal, that texts are valid UTF-8 with all options, and that pictures do
// not change the text.
func FuzzExtract(f *testing.F) {
	for _, p := range goldenPages(f) {
		f.Add(p.source)
	}
	f.Add([]byte("<p>a<b>b<p>c</b>d<table>e<tr><td>f<ul><ul>g<pre>h<br>i"))
	f.Add([]byte("\xff\xfe<\x00p\x00>\x00x\x00"))
	e := newExtractor(f, lede.WithURL("https://paper.example/x"))
	f.Fuzz(func(t *testing.T, page []byte) {
		a, err := e.Extract(t.Context(), bytes.NewReader(page))
		if err != nil {
			if errors.Is(err, lede.ErrInternal) {
				t.Fatal(err)
			}
			return
		}
		text := a.Text()
		if !utf8.ValidString(text) || !utf8.ValidString(a.Title) {
			t.Fatalf("not UTF-8: %q %q", a.Title, text)
		}
		if _, err := json.Marshal(a); err != nil {
			t.Fatal(err)
		}
		more, err := e.Extract(t.Context(), bytes.NewReader(page), lede.WithCaptions(true), lede.WithTables(true), lede.WithComments(true), lede.WithFavor(lede.FavorRecall))
		switch {
		case errors.Is(err, lede.ErrInternal):
			t.Fatal(err)
		case err == nil && more.WordCount() > 0 && !utf8.ValidString(more.Text()+strings.Join(more.Comments, "")):
			t.Fatalf("not UTF-8: %q %q", more.Text(), more.Comments)
		}
		plain, err := e.Extract(t.Context(), bytes.NewReader(page), lede.WithPictures(false))
		switch {
		case err != nil && text != "":
			t.Fatalf("without pictures: %v", err)
		case err == nil && plain.Text() != text:
			t.Fatalf("the text depends on pictures:\n%q\nwithout\n%q", text, plain.Text())
		}
	})
}
