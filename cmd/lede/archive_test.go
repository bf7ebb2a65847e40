package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/output/archive"
	"github.com/lede-news/lede/internal/output/outfile"
	"github.com/lede-news/lede/warc"
)

// TestArchiveGivesTheSame checks that a batch over an archive of lede follow gives the
// records of the pages as they were extracted when they were fetched.
func TestArchiveGivesTheSame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	a, err := archive.Open(dir, outfile.Mark{}, archive.Options{MaxBytes: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	seen := time.Date(2026, 11, 16, 6, 25, 0, 0, time.UTC)
	var pages []newsroom.Page
	var links, fetched []string
	for n, site := range newsroom.New(17).Sites()[:12] {
		for i := range 2 {
			p := site.Page(i)
			link := p.Gold.Title + " – now"
			pages, links, fetched = append(pages, p), append(links, link), append(fetched, p.Gold.URL)
			if n%3 == 0 {
				fetched[len(fetched)-1] += "?utm_source=feed"
			}
			err := a.Write(warc.Fetch{
				Response: warc.Response{URL: fetched[len(fetched)-1], Status: 200, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: p.HTML},
				Request:  http.Header{"User-Agent": {"lede"}},
			}, archive.Found{URL: p.Gold.URL, By: []string{"feed", "section"}, LinkText: link, FirstSeen: seen, Changed: n%2 == 0})
			if err == nil {
				_, err = a.Commit()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(files) < 2 {
		t.Fatalf("archives %v: %v", files, err)
	}
	for _, method := range []string{"blend", "twcem"} {
		out := filepath.Join(t.TempDir(), "out.jsonl")
		runTool(t, append([]string{"batch", "--method", method, "--quiet", "--out", out}, files...)...)
		lines := bytes.SplitAfter(bytes.TrimSuffix(readFile(t, out), []byte("\n")), []byte("\n"))
		if len(lines) != len(pages) {
			t.Fatalf("%s: %d records of %d pages", method, len(lines), len(pages))
		}
		ex, err := lede.New(lede.WithMethod(method))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range pages {
			art, err := ex.Extract(t.Context(), bytes.NewReader(p.HTML), lede.WithURL(fetched[i]), lede.WithHeaderCharset("utf-8"), lede.WithLinkText(links[i]))
			if err != nil {
				t.Fatal(err)
			}
			var got batch.Line
			if err := json.Unmarshal(lines[i], &got); err != nil {
				t.Fatal(err)
			}
			l := batch.NewLine(got.ID, p.Gold.URL, art)
			l.FoundBy, l.LinkText, l.FirstSeen, l.Changed = []string{"feed", "section"}, links[i], seen.Format(time.RFC3339), i/2%2 == 0
			want, err := batch.NewResult(l, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			if string(bytes.TrimSpace(lines[i])) != string(bytes.TrimSpace(want.JSON)) {
				t.Errorf("%s:\ngot  %s\nwant %s", method, lines[i], want.JSON)
			}
		}
	}
}
