package sink

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/lede-news/lede/internal/lab/testkit"
)

func open(t *testing.T, path string, opts Options) Sink {
	t.Helper()
	s, err := Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s Sink, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := s.Write(result(t, n)); err != nil {
			t.Fatal(err)
		}
	}
}

// commit commits and adds the marks to those of earlier commits.
func commit(t *testing.T, s Sink, marks map[string]int64) {
	t.Helper()
	more, err := s.Commit()
	if err != nil {
		t.Fatal(err)
	}
	for name, mark := range more {
		marks[name] = mark
	}
}

// TestCrashes writes more than is committed, crashes and continues, several times, and
// calls Finish twice.
func TestCrashes(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), f.name)
			marks := map[string]int64{}
			var want []string
			for round := range 4 {
				s := open(t, path, Options{Marks: marks})
				put(t, s, 30*round, 30*round+30)
				commit(t, s, marks)
				put(t, s, 30*round+30, 30*round+45) // lost in the crash
				if files, ok := s.(*files); ok {
					for name, o := range files.outputs { // although they were written to the file
						if err := files.flush(name, o, false); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			for n := range 120 {
				want = append(want, fmt.Sprintf("id%d", n))
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("the output has its final name before it is complete")
			}
			s := open(t, path, Options{Marks: marks})
			if err := s.Finish(); err != nil {
				t.Fatal(err)
			}
			if got := f.ids(t, path); !slices.Equal(got, want) {
				t.Errorf("%d lines: %v", len(got), got)
			}
			again := open(t, path, Options{Marks: marks, Finished: true})
			if err := again.Finish(); err != nil {
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
				marks := map[string]int64{}
				s := open(t, path, Options{})
				put(t, s, 0, n)
				commit(t, s, marks)
				for range 2 {
					if err := errors.Join(s.Finish(), s.Close()); err != nil {
						t.Fatal(err)
					}
					if got := f.ids(t, path); len(got) != n {
						t.Errorf("%d results, want %d", len(got), n)
					}
					s = open(t, path, Options{Marks: marks, Finished: true})
				}
			}
		})
	}
}

func TestDamage(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), f.name)
			marks := map[string]int64{}
			s := open(t, path, Options{})
			put(t, s, 0, 10)
			commit(t, s, marks)
			s.Close()
			if err := os.Remove(Partial(path)); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path, Options{Marks: marks}); !errors.Is(err, ErrDamaged) {
				t.Errorf("without the partial output: %v", err)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "short.jsonl")
	if err := os.WriteFile(Partial(path), []byte("short"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{Marks: map[string]int64{"short.jsonl": 100}}); !errors.Is(err, ErrDamaged) {
		t.Errorf("with a shorter partial output: %v", err)
	}
}

func TestShards(t *testing.T) {
	for _, c := range []struct {
		shard, name string
		files       []string
	}{
		{"site", "out.jsonl.gz", []string{"out-paper0.example.jsonl.gz", "out-paper1.example.jsonl.gz", "out-paper2.example.jsonl.gz"}},
		{"hash:3", "out.parquet", []string{"out-0.parquet", "out-1.parquet", "out-2.parquet"}},
		{"hash:12", "out.jsonl", nil},
	} {
		t.Run(c.shard, func(t *testing.T) {
			dir := t.TempDir()
			shard, err := ParseShard(c.shard)
			if err != nil {
				t.Fatal(err)
			}
			marks := map[string]int64{}
			for round := range 2 {
				s := open(t, filepath.Join(dir, c.name), Options{Shard: shard, Marks: marks})
				put(t, s, 50*round, 50*round+50)
				commit(t, s, marks)
				put(t, s, 50*round+50, 50*round+60)
				s.Close()
			}
			if err := open(t, filepath.Join(dir, c.name), Options{Shard: shard, Marks: marks}).Finish(); err != nil {
				t.Fatal(err)
			}
			var names []string
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				names = append(names, e.Name())
			}
			if c.files != nil && !slices.Equal(names, c.files) {
				t.Errorf("files %v", names)
			}
			if c.name == "out.jsonl" {
				var ids []string
				for _, name := range names {
					ids = append(ids, formats[0].ids(t, filepath.Join(dir, name))...)
				}
				if slices.Sort(ids); len(ids) != 100 || len(slices.Compact(ids)) != 100 {
					t.Errorf("%d lines in %v", len(ids), names)
				}
			}
		})
	}
}

func TestParseShard(t *testing.T) {
	for _, s := range []string{"host", "hash", "hash:0", "hash:-1", "hash:1001", "hash:x"} {
		if _, err := ParseShard(s); err == nil {
			t.Errorf("no error for %q", s)
		}
	}
	s, err := ParseShard("site")
	if _, openErr := Open(filepath.Join(t.TempDir(), "a.db"), Options{Shard: s}); err != nil || openErr == nil {
		t.Errorf("shards of a database: %v, %v", err, openErr)
	}
}

func TestShardName(t *testing.T) {
	for base, want := range map[string]string{
		"a.jsonl": "a-7.jsonl", "a.jsonl.gz": "a-7.jsonl.gz", "a": "a-7", "CC-NEWS-2024.parquet": "CC-NEWS-2024-7.parquet",
		".hidden": ".hidden-7", "a.verylongending": "a.verylongending-7",
	} {
		if got := shardName(base, "7"); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}

// TestDiscard checks that the partial outputs of a run are removed, and no others.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl.partial", "a-1.jsonl.partial", "b.jsonl.partial"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Discard(filepath.Join(dir, "a.jsonl"), []string{"a-1.jsonl"}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 || filepath.Base(left[0]) != "b.jsonl.partial" {
		t.Errorf("left: %v", left)
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
	return &batch.Result{Line: l, JSON: append(b, '\n'), Number: int64(n)}
}

// formats are the formats of outputs, and functions that read the IDs from them.
var formats = []struct {
	name string
	ids  func(*testing.T, string) []string
}{
	{"out.jsonl", func(t *testing.T, f string) []string {
		return idsOf(t, f, noDecompression)
	}},
	{"out.jsonl.gz", func(t *testing.T, f string) []string {
		return idsOf(t, f, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	}},
	{"out.jsonl.zst", func(t *testing.T, f string) []string {
		return idsOf(t, f, func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) })
	}},
	{"out.csv", func(t *testing.T, f string) []string {
		return idsOfCSV(t, f, noDecompression)
	}},
	{"out.csv.gz", func(t *testing.T, f string) []string {
		return idsOfCSV(t, f, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	}},
	{"out.csv.zst", func(t *testing.T, f string) []string {
		return idsOfCSV(t, f, func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) })
	}},
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

// TestDamaged damages outputs that are read again: after that a run continues them, or
// keeps them and begins again.
func TestDamaged(t *testing.T) {
	for _, f := range formats {
		if ext := filepath.Ext(f.name); ext != ".sqlite" && ext != ".parquet" {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), f.name)
			marks := map[string]int64{}
			s := open(t, path, Options{})
			for n := range 20 {
				put(t, s, 10*n, 10*n+10)
				commit(t, s, marks)
			}
			s.Close()
			testkit.Damaged(t, Partial(path), func(t *testing.T, partial string) {
				path := strings.TrimSuffix(partial, ".partial")
				finish := func(opts Options, from int) error {
					s, err := Open(path, opts)
					if err != nil {
						return err
					}
					defer s.Close()
					put(t, s, from, 210)
					if _, err = s.Commit(); err == nil {
						err = s.Finish()
					}
					return err
				}
				err := finish(Options{Marks: maps.Clone(marks)}, 200)
				if err != nil {
					if !errors.Is(err, ErrDamaged) {
						t.Error(err)
					}
					if asides, err := SetAside(path, nil); err != nil || !slices.Equal(asides, []string{partial + ".corrupt-1"}) {
						t.Fatal(asides, err)
					}
					err = finish(Options{}, 0)
				}
				if err != nil {
					t.Error(err)
				}
				if got := f.ids(t, path); len(got) != 210 {
					t.Errorf("%d lines", len(got))
				}
			})
		})
	}
}

// TestChecksums checks that rows have the checksum with which they were written,
// whatever their values are.
func TestChecksums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.sqlite")
	s := open(t, path, Options{})
	for n, text := range []string{"", "a\x00b", "\xff\xfe", "\ufeff\u2028", "12", "1e3", strings.Repeat("long ", 1e5)} {
		r := result(t, n)
		r.Line.Title, r.Line.Text, r.Line.Confidence, r.Line.Partial = text, text, float64(n)/3, n%2 == 0
		if err := s.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	marks := map[string]int64{}
	commit(t, s, marks)
	s.Close()
	open(t, path, Options{Marks: marks}).Close()
	db, err := sql.Open("sqlite", Partial(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE articles SET title = 'another' WHERE record = 3"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, err := Open(path, Options{Marks: marks}); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "row 3") {
		t.Errorf("the error is %v", err)
	}
}
