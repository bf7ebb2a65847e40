package sink

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
)

func open(t *testing.T, path string, mark int64, finished bool) Sink {
	t.Helper()
	s, err := Open(path, mark, finished)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s interface{ Write(*batch.Result) error }, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := s.Write(result(t, n)); err != nil {
			t.Fatal(err)
		}
	}
}

func commit(t *testing.T, s Sink) int64 {
	t.Helper()
	mark, err := s.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return mark
}

func wantIDs(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("id%d", i))
	}
	return ids
}

// TestCrashes writes more than is committed, crashes and continues, several times, and
// calls Finish twice.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), f.name)
			var mark int64
			for round := range 4 {
				s := open(t, path, mark, false)
				put(t, s, 30*round, 30*round+30)
				mark = commit(t, s)
				put(t, s, 30*round+30, 30*round+45) // lost in the crash
				if file, ok := s.(*file); ok {      // although they were written to the file
					if err := file.flush(false); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if isThere(path) {
				t.Error("the output has its final name before it is complete")
			}
			if err := open(t, path, mark, false).Finish(); err != nil {
				t.Fatal(err)
			}
			if got := f.ids(t, path); !slices.Equal(got, wantIDs(120)) {
				t.Errorf("%d lines: %v", len(got), got)
			}
			if err := open(t, path, mark, true).Finish(); err != nil {
				t.Errorf("second Finish: %v", err)
			}
			if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// An output is complete if all results were left out, and replaces an older one.
func TestNothingWritten(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), f.name)
			for _, n := range []int{3, 0} {
				s := open(t, path, 0, false)
				put(t, s, 0, n)
				mark := commit(t, s)
				for range 2 {
					if err := errors.Join(s.Finish(), s.Close()); err != nil {
						t.Fatal(err)
					}
					if got := f.ids(t, path); len(got) != n {
						t.Errorf("%d results, want %d", len(got), n)
					}
					s = open(t, path, mark, true)
				}
			}
		})
	}
}

// TestDamage checks that an output that is missing or too short is not continued.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		path := filepath.Join(t.TempDir(), f.name)
		s := open(t, path, 0, false)
		put(t, s, 0, 10)
		mark := commit(t, s)
		s.Close()
		if _, err := Open(path, mark+1, false); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s is shorter than it was: %v", f.name, err)
		}
		if err := os.Remove(Partial(path)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, mark, false); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s without the partial output: %v", f.name, err)
		}
	}
}

// result returns test result n. Every fifth has an error, every seventh is partial.
func result(t *testing.T, n int) *batch.Result {
	t.Helper()
	l := batch.Line{
		ID: fmt.Sprintf("id%d", n), URL: fmt.Sprintf("https://www.paper%d.example/%d", n%3, n), Title: "T", Text: strings.Repeat("Words of a story. ", 20+n),
		Authors: []string{"Ann Lee", "Ben Özil"}, Images: []batch.Image{{URL: "https://paper.example/p.jpg", Caption: "A pier"}}, Comments: []string{},
		Lang: "en", Site: "Paper", Type: "article", Confidence: 0.75, Method: "m", Date: "2024-05-01",
		Standfirst: `He said "go", she said`, Section: "Sport", Tags: []string{"sea"}, Canonical: "https://paper.example/c",
		FoundBy: []string{"feed", "home"}, LinkText: "The pier", FirstSeen: "2026-11-16T06:25:00Z", Changed: n%2 == 0,
		CopyOf: "id0", Story: "k7w2", StoryScore: 0.5,
	}
	switch n % 3 {
	case 0:
		l.Lead = &batch.Image{URL: "https://paper.example/p.jpg", Caption: "A pier"}
		l.Body = json.RawMessage(`"**Words**, of\na story"`)
	case 1:
		l.Body = json.RawMessage(`[{"kind":"rule"}]`)
	}
	if n%7 == 6 {
		l.Partial, l.PartialReason = true, article.PartialClosed
	}
	if n%5 == 4 {
		l = batch.Line{ID: l.ID, URL: l.URL, Error: "the page is empty", Kind: "empty"}
	}
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return &batch.Result{Line: l, JSON: append(b, '\n')}
}

// formats are the formats of outputs, and functions that read the IDs from them.
var formats = []struct {
	name string
	ids  func(*testing.T, string) []string
}{
	{"out.jsonl", func(t *testing.T, f string) []string {
		return idsOf(t, f, func(r io.Reader) (io.Reader, error) { return r, nil })
	}},
	{"out.jsonl.gz", func(t *testing.T, f string) []string {
		return idsOf(t, f, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	}},
	{"out.jsonl.zst", func(t *testing.T, f string) []string {
		return idsOf(t, f, func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) })
	}},
	{"out.csv", idsOfCSV},
	{"out.parquet", idsOfParquet},
	{"out.sqlite", idsOfDatabase},
}

func idsOf(t *testing.T, file string, decompress func(io.Reader) (io.Reader, error)) (ids []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := decompress(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(r); ; {
		var l batch.Line
		if err := dec.Decode(&l); err == io.EOF {
			return ids
		} else if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, l.ID)
	}
}

func idsOfParquet(t *testing.T, file string) (ids []string) {
	t.Helper()
	rows, err := parquet.ReadFile[batch.Line](file)
	if err != nil {
		t.Fatal(err)
	}
	bodies, err := parquet.ReadFile[struct {
		Body string `parquet:"body"`
	}](file)
	if err != nil {
		t.Fatal(err)
	}
	for n, r := range rows {
		want := result(t, n).Line
		if body := bodyText(want.Body); bodies[n].Body != body {
			t.Errorf("row %d: body %q, want %q", n, bodies[n].Body, body)
		}
		want.Body = nil
		if got, want := asJSON(t, r), asJSON(t, want); got != want {
			t.Errorf("row %d:\ngot  %s\nwant %s", n, got, want)
		}
		ids = append(ids, r.ID)
	}
	return ids
}

// asJSON returns a line in JSON, with empty lists for nil.
func asJSON(t *testing.T, l batch.Line) string {
	t.Helper()
	l.Images = append([]batch.Image{}, l.Images...)
	for _, list := range []*[]string{&l.Authors, &l.Comments, &l.Tags} {
		*list = append([]string{}, *list...)
	}
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func idsOfDatabase(t *testing.T, file string) (ids []string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT id, host, (SELECT count(*) FROM json_each(authors)), partial, partial_reason, error, standfirst, coalesce(lead->>'url', ''), body FROM articles ORDER BY record")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		var id, host, reason, bad, standfirst, lead, body string
		var authors int
		var partial bool
		if err := rows.Scan(&id, &host, &authors, &partial, &reason, &bad, &standfirst, &lead, &body); err != nil {
			t.Fatal(err)
		}
		l := result(t, n).Line
		if standfirst != l.Standfirst || body != bodyText(l.Body) || (lead != "") != (l.Lead != nil) {
			t.Errorf("row %d: standfirst %q, body %q, lead %q", n, standfirst, body, lead)
		}
		if host != fmt.Sprintf("paper%d.example", n%3) || authors != len(l.Authors) || partial != l.Partial || reason != string(l.PartialReason) || bad != l.Error {
			t.Errorf("row %d: host %s, %d authors, partial %v, %q, error %q", n, host, authors, partial, reason, bad)
		}
		ids = append(ids, id)
	}
	return ids
}
