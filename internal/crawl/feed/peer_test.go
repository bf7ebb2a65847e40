package feed

import (
	"encoding/json"
	"os"
	"testing"
)

// TestFeedparser compares with another implementation: testdata/feedparser.jsonl has
// random feeds with what feedparser 6.0.14 reads, titles without their markup.
func TestFeedparser(t *testing.T) {
	file, err := os.Open("testdata/feedparser.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	items := 0
	for rows := json.NewDecoder(file); rows.More(); {
		var row struct {
			Feed  []byte
			Items []struct {
				URL, Title string
				Date       int64
			}
		}
		if err := rows.Decode(&row); err != nil {
			t.Fatal(err)
		}
		f, err := Parse(row.Feed, "", base)
		if err != nil {
			t.Errorf("%v\n%q", err, row.Feed)
			continue
		}
		if len(f.Items) != len(row.Items) || f.Partial {
			t.Errorf("%d items, partial %v; want %d\n%q", len(f.Items), f.Partial, len(row.Items), row.Feed)
			continue
		}
		for i, want := range row.Items {
			items++
			if it := f.Items[i]; it.URL != want.URL || it.Title != want.Title || it.Published.Unix() != want.Date {
				t.Errorf("%+v, want %+v\n%q", it, want, row.Feed)
			}
		}
	}
	if items < 100 {
		t.Errorf("%d items compared", items)
	}
}
