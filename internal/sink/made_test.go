package sink

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
)

// result is made-up result n; every fifth is a page that failed.
func result(t *testing.T, n int) *batch.Result {
	t.Helper()
	l := batch.Line{
		ID: fmt.Sprintf("id%d", n), URL: fmt.Sprintf("https://www.paper%d.example/%d", n%3, n), Title: "T", Text: strings.Repeat("Words of a story. ", 20+n),
		Authors: []string{"Ann Lee", "Ben Özil"}, Images: []batch.Image{{URL: "https://paper.example/p.jpg", Caption: "A pier"}}, Comments: []string{},
		Lang: "en", Site: "Paper", Type: "article", Confidence: 0.75, Method: "m", Date: "2024-05-01",
	}
	if n%5 == 4 {
		l = batch.Line{ID: l.ID, URL: l.URL, Error: "the page is empty", Kind: "empty"}
	}
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return &batch.Result{Line: l, JSON: append(b, '\n'), Number: int64(n)}
}

// formats are the outputs, and how to get the ids out of them.
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
	{"out.parquet", idsOfParquet},
	{"out.sqlite", idsOfDatabase},
}

func idsOf(t *testing.T, file string, unpack func(io.Reader) (io.Reader, error)) (ids []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := unpack(bytes.NewReader(b))
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
	rows, err := parquet.ReadFile[row](file)
	if err != nil {
		t.Fatal(err)
	}
	for n, r := range rows {
		want := rowOf(&result(t, n).Line)
		if fmt.Sprint(r) != fmt.Sprint(want) {
			t.Errorf("row %d:\ngot  %+v\nwant %+v", n, r, want)
		}
		ids = append(ids, r.ID)
	}
	return ids
}

func idsOfDatabase(t *testing.T, file string) (ids []string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT id, host, (SELECT count(*) FROM json_each(authors)), error FROM articles ORDER BY record")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		var id, host, bad string
		var authors int
		if err := rows.Scan(&id, &host, &authors, &bad); err != nil {
			t.Fatal(err)
		}
		if l := result(t, n).Line; host != fmt.Sprintf("paper%d.example", n%3) || authors != len(l.Authors) || bad != l.Error {
			t.Errorf("row %d: host %s, %d authors, error %q", n, host, authors, bad)
		}
		ids = append(ids, id)
	}
	return ids
}
