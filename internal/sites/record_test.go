package sites

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

func storyPage(n int) string {
	return fmt.Sprintf(`<html><head><title>Story %d | The Paper</title></head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
		<article><h1>Story %d of the day</h1>%s<p>Follow us everywhere and sign up for our letter.</p></article><footer>All rights reserved by The Paper</footer></body></html>`,
		n, n, strings.Repeat(fmt.Sprintf("<p>The council said on day %d that bridge %d stays closed, and nobody objected to it.</p>", n, n*7), 5))
}

// TestRecord checks that a page with the record of its site is extracted as with its
// site, and that records that do not belong to a page are ignored.
func TestRecord(t *testing.T) {
	known, err := store.Open("", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Sites{Store: known, Record: true}
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	var record, text string
	for n := range 20 {
		k := s.Page(t.Context(), fmt.Sprintf("https://paper.example/%d", n), "")
		x, err := k.Extract(t.Context(), ex, strings.NewReader(storyPage(n)))
		if err != nil {
			t.Fatal(err)
		}
		record, text = k.Record(), x.Article.Text()
	}
	d, err := dom.Parse(context.Background(), []byte(storyPage(19)), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := site.NewFingerprint(d)
	got := Recorded(record).Match(f)
	if got == nil || len(got.Rows) == 0 || got.Static == nil || encode(f, got) != record {
		t.Fatalf("record %s: %+v", record, got)
	}
	a, err := ex.Extract(t.Context(), strings.NewReader(storyPage(19)), lede.WithURL("https://paper.example/19"), lede.WithSite(Recorded(record)))
	if err != nil || a.Text() != text {
		t.Errorf("%v: %s\nwant %s", err, a.Text(), text)
	}
	other, _ := dom.Parse(context.Background(), []byte(storyPage(5)), dom.Options{})
	if Recorded(record).Match(site.NewFingerprint(other)) != nil {
		t.Error("the record of another page is used")
	}
	for _, change := range []func(r *siteRecord){
		func(r *siteRecord) { r.Headline = 1 << 20 },
		func(r *siteRecord) { r.Body = -7 },
		func(r *siteRecord) { r.Rows[0][0] = -1 },
		func(r *siteRecord) { r.Rows[1][1] = 1e9 },
		func(r *siteRecord) { r.Rows[0][2] = 1e300 },
		func(r *siteRecord) { r.Rows[1][0] = r.Rows[0][0] },
		func(r *siteRecord) { r.Rows[1][0] += 0.5 },
		func(r *siteRecord) { r.Pages = -1 },
	} {
		var r siteRecord
		if err := json.Unmarshal([]byte(record), &r); err != nil {
			t.Fatal(err)
		}
		change(&r)
		b, _ := json.Marshal(r)
		if s := Recorded(string(b)).Match(f); s != nil {
			t.Errorf("%s is used", b)
		}
	}
	for _, text := range []string{"", "{}", "null", "[", record[:len(record)-1]} {
		if Recorded(text).Match(f) != nil {
			t.Errorf("%q is used", text)
		}
	}
}

type siteRecord = record // whose name is that of a variable

func TestRuns(t *testing.T) {
	for _, m := range [][]bool{nil, {}, {true}, {false}, {false, true, true, false, true}, {true, false, false}} {
		if got := marks(runs(m), len(m)); !reflect.DeepEqual(got, m) {
			t.Errorf("%v became %v", m, got)
		}
	}
	if got := marks([]int{-5, 2, 3, 1 << 40, 7}, 4); !reflect.DeepEqual(got, []bool{true, true, false, true}) {
		t.Errorf("%v", got)
	}
	if (recorded)("").Match(nil) != (*method.Site)(nil) {
		t.Error("an empty record is used")
	}
}
