package sitemap

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// TestUSP compares with another implementation: testdata/usp.jsonl has random sitemaps
// with what ultimate-sitemap-parser 1.8.1 reads.
func TestUSP(t *testing.T) {
	file, err := os.Open("testdata/usp.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	entries := 0
	for rows := json.NewDecoder(file); rows.More(); {
		var row struct {
			Sitemap string
			Entries []struct {
				URL, Title     string
				Mod, Published int64
				News, Index    bool
			}
		}
		if err := rows.Decode(&row); err != nil {
			t.Fatal(err)
		}
		var got []Entry
		if err := Read(strings.NewReader(row.Sitemap), base, func(e Entry) bool { got = append(got, e); return true }); err != nil || len(got) != len(row.Entries) {
			t.Errorf("%d entries, %v; want %d\n%s", len(got), err, len(row.Entries), row.Sitemap)
			continue
		}
		for i, want := range row.Entries {
			entries++
			e := got[i]
			if e.URL != want.URL || e.Title != want.Title || e.News != want.News || e.Index != want.Index ||
				!want.Index && unix(e.LastMod) != want.Mod || unix(e.Published) != want.Published { // it gives no dates of sitemaps
				t.Errorf("%+v, want %+v\n%s", e, want, row.Sitemap)
			}
		}
	}
	if entries < 100 {
		t.Errorf("%d entries compared", entries)
	}
}

// unix returns a time in seconds, 0 for the zero time.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
