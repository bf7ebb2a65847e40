package sink

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
)

// grower is a program that appends to an output over many runs and records its marks.
type grower struct {
	path  string
	opts  Options
	marks map[string]int64
	next  int // number of the next result
	log   bytes.Buffer
	s     Sink
}

func newGrower(path string) *grower {
	g := &grower{path: path, marks: map[string]int64{}}
	g.opts.Append, g.opts.Log = true, slog.New(slog.NewTextHandler(&g.log, nil))
	return g
}

func (g *grower) open(t *testing.T) {
	t.Helper()
	g.opts.Marks = maps.Clone(g.marks)
	g.s = open(t, g.path, g.opts)
}

func (g *grower) put(t *testing.T, n int) {
	t.Helper()
	put(t, g.s, g.next, g.next+n)
	g.next += n
}

// record commits and records the marks.
func (g *grower) record(t *testing.T) {
	t.Helper()
	marks, err := g.s.Commit()
	if err != nil {
		t.Fatal(err)
	}
	g.apply(marks)
}

func (g *grower) apply(marks map[string]int64) {
	maps.Copy(g.marks, marks)
	maps.DeleteFunc(g.marks, func(_ string, mark int64) bool { return mark < 0 })
}

func (g *grower) finish(t *testing.T) {
	t.Helper()
	if err := g.s.Finish(); err != nil {
		t.Fatal(err)
	}
}

func (g *grower) close(t *testing.T) {
	t.Helper()
	if err := g.s.Close(); err != nil {
		t.Fatal(err)
	}
}

// crash writes what is buffered and ends as a killed process does.
func (g *grower) crash(t *testing.T) {
	t.Helper()
	switch s := g.s.(type) {
	case *files:
		for name, o := range s.outputs {
			if err := s.flush(name, o, false); err != nil {
				t.Fatal(err)
			}
		}
		s.grow.claims.Close()
	case *database:
		s.closeFile()
		s.grow.claims.Close()
	}
}

func wantIDs(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("id%d", i))
	}
	return ids
}

// parquetIDs returns the ids of all files of a folder, in the order of their names.
func parquetIDs(t *testing.T, dir string) (ids []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		rows, err := parquet.ReadFile[batch.Line](file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestAppendCrashes crashes between any two steps of a program.
func TestAppendCrashes(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			g := newGrower(filepath.Join(dir, f.name))
			ids := func() []string {
				if strings.HasSuffix(f.name, ".parquet") {
					return parquetIDs(t, dir)
				}
				return f.ids(t, g.path)
			}
			for round := range 12 {
				g.open(t)
				before := g.next
				g.put(t, 5)
				switch round % 4 {
				case 0: // before Commit
					g.crash(t)
					g.next = before
				case 1: // before the marks are recorded
					if _, err := g.s.Commit(); err != nil {
						t.Fatal(err)
					}
					g.crash(t)
					g.next = before
				case 2: // before Finish, and later
					g.record(t)
					g.put(t, 3)
					g.crash(t)
					g.next -= 3
				case 3:
					g.record(t)
					g.finish(t)
					g.put(t, 7)
					g.record(t)
					g.finish(t)
					g.close(t)
					if got, want := ids(), wantIDs(g.next); !slices.Equal(got, want) {
						t.Fatalf("%d results, want %d: %v", len(got), len(want), got)
					}
				}
			}
			if g.log.Len() > 0 {
				t.Errorf("log: %s", g.log.String())
			}
			for _, name := range namesIn(t, dir) {
				if filepath.Ext(name) != filepath.Ext(f.name) {
					t.Errorf("left behind: %s", name)
				}
			}
		})
	}
}

// TestAppendOthers checks that files of others are not changed.
func TestAppendOthers(t *testing.T) {
	site, err := ParseShard("site")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, other string
		shard       Shard
	}{
		{"out.jsonl", "out.jsonl", Shard{}},
		{"out.csv.gz", "out.csv.gz", Shard{}},
		{"out.db", "out.db", Shard{}},
		{"out.jsonl", "out-paper1.example.jsonl", site},
		{"", time.Now().UTC().Format(time.DateOnly) + ".jsonl", Shard{}},
	} {
		dir := t.TempDir()
		other := filepath.Join(dir, c.other)
		if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		g := newGrower(filepath.Join(dir, c.path))
		// The marks of an output in another folder say nothing about this one.
		g.opts.Shard, g.opts.Marks = c.shard, map[string]int64{filepath.Join(dir, "x", c.other): 2}
		_, err := Open(g.path, g.opts)
		if !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "--overwrite") {
			t.Errorf("%s: %v", c.other, err)
		}
		if b, _ := os.ReadFile(other); string(b) != "mine" {
			t.Errorf("%s was changed: %q", c.other, b)
		}
		g.opts.Overwrite = true
		g.open(t)
		g.put(t, 3)
		g.record(t)
		g.finish(t)
		g.close(t)
		if b, _ := os.ReadFile(other); bytes.HasPrefix(b, []byte("mine")) {
			t.Errorf("%s was not replaced", c.other)
		}
	}
	// A shard that is begun later.
	dir := t.TempDir()
	g := newGrower(filepath.Join(dir, "out.jsonl"))
	g.opts.Shard = site
	g.open(t)
	put(t, g.s, 0, 1)
	g.record(t)
	if err := os.WriteFile(filepath.Join(dir, "out-paper1.example.jsonl"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	put(t, g.s, 1, 2)
	if _, err := g.s.Commit(); !errors.Is(err, ErrExists) {
		t.Errorf("a later shard: %v", err)
	}
	g.close(t)
}

func TestAppendLocked(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "stories"), Options{Append: true}); err == nil || !strings.Contains(err.Error(), "folder with /") {
		t.Errorf("without an ending: %v", err)
	}
	for _, name := range []string{"out.jsonl", "out.db", ""} {
		g := newGrower(filepath.Join(t.TempDir(), name))
		g.open(t)
		if _, err := Open(g.path, g.opts); !errors.Is(err, batch.ErrLocked) {
			t.Errorf("%s is opened twice: %v", name, err)
		}
		g.close(t)
	}
}

// TestAppendMoved checks that outputs can be moved away while a program runs, and
// between its runs.
func TestAppendMoved(t *testing.T) {
	for _, name := range []string{"out.jsonl", "out.csv.gz", "out.sqlite"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			g := newGrower(filepath.Join(dir, name))
			g.open(t)
			g.put(t, 5)
			g.record(t)
			g.finish(t)
			if err := os.Rename(g.path, g.path+".1"); err != nil {
				t.Fatal(err)
			}
			g.put(t, 5)
			g.crash(t)
			g.next = 5
			g.open(t)
			g.put(t, 5)
			g.record(t)
			g.finish(t)
			g.close(t)
			if err := os.Rename(g.path, g.path+".2"); err != nil {
				t.Fatal(err)
			}
			g.open(t)
			g.put(t, 5)
			g.record(t)
			g.finish(t)
			g.close(t)
			if n := strings.Count(g.log.String(), "begun anew"); n < 2 {
				t.Errorf("log: %s", g.log.String())
			}
			var got []string
			for _, end := range []string{".1", ".2", ""} {
				got = append(got, looseIDs(t, g.path+end, name)...)
			}
			if !slices.Equal(got, wantIDs(15)) {
				t.Errorf("ids %v", got)
			}
		})
	}
}

// looseIDs returns the ids of a file of results that need not begin with the first.
func looseIDs(t *testing.T, file, name string) (ids []string) {
	t.Helper()
	if strings.HasSuffix(name, ".sqlite") {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		rows, err := db.Query("SELECT id FROM articles ORDER BY record")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		return ids
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".csv.gz") {
		b = gunzip(t, b)
		if !bytes.HasPrefix(b, csvHeader()) {
			t.Errorf("%s has no header", file)
		}
		for line := range strings.Lines(string(b)) {
			if id, _, ok := strings.Cut(line, ","); ok && strings.HasPrefix(id, "id") && id != "id" {
				ids = append(ids, id)
			}
		}
		return ids
	}
	return idsOf(t, file, noDecompression)
}

// TestAppendShort checks that a file that lost its end is kept.
func TestAppendShort(t *testing.T) {
	for _, running := range []bool{false, true} {
		g := newGrower(filepath.Join(t.TempDir(), "out.jsonl"))
		g.open(t)
		g.put(t, 5)
		g.record(t)
		g.finish(t)
		if !running {
			g.close(t)
		}
		if err := os.Truncate(g.path, 100); err != nil {
			t.Fatal(err)
		}
		if !running {
			g.open(t)
		}
		g.put(t, 1)
		g.record(t)
		g.finish(t)
		g.close(t)
		if got := formats[0].ids(t, g.path); !slices.Equal(got, []string{"id5"}) {
			t.Errorf("ids %v", got)
		}
		if fi, err := os.Stat(g.path + ".corrupt-1"); err != nil || fi.Size() != 100 || !strings.Contains(g.log.String(), "kept") {
			t.Errorf("%v; log: %s", err, g.log.String())
		}
	}
}

// TestAppendDamaged checks that a damaged database is kept and another one begun.
func TestAppendDamaged(t *testing.T) {
	g := newGrower(filepath.Join(t.TempDir(), "out.db"))
	g.open(t)
	g.put(t, 5)
	g.record(t)
	g.finish(t)
	g.close(t)
	if err := os.WriteFile(g.path, bytes.Repeat([]byte("x"), 5000), 0o644); err != nil {
		t.Fatal(err)
	}
	g.open(t)
	g.put(t, 1)
	g.record(t)
	g.close(t)
	if got := looseIDs(t, g.path, "out.sqlite"); !slices.Equal(got, []string{"id5"}) {
		t.Errorf("ids %v", got)
	}
	if _, err := os.Stat(g.path + ".corrupt-1"); err != nil || !strings.Contains(g.log.String(), "kept") {
		t.Errorf("%v; log: %s", err, g.log.String())
	}
}

// TestAppendVersions checks outputs of a version with fewer columns.
func TestAppendVersions(t *testing.T) {
	dir := t.TempDir()
	g := newGrower(filepath.Join(dir, "out.db"))
	g.open(t)
	g.put(t, 2)
	g.record(t)
	g.finish(t)
	g.close(t)
	db, err := sql.Open("sqlite", g.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"found_by", "changed", "lead", "body"} {
		if _, err := db.Exec("ALTER TABLE articles DROP COLUMN " + name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("DELETE FROM articles WHERE record = 0"); err != nil { // by its owner
		t.Fatal(err)
	}
	db.Close()
	g.open(t)
	g.put(t, 2)
	g.record(t)
	g.close(t)
	if got := looseIDs(t, g.path, "out.sqlite"); !slices.Equal(got, []string{"id1", "id2", "id3"}) || g.log.Len() > 0 {
		t.Errorf("ids %v; log: %s", got, g.log.String())
	}

	for _, name := range []string{"out.csv", "out.csv.gz", "out.csv.zst"} {
		g := newGrower(filepath.Join(dir, name))
		g.open(t)
		s := g.s.(*files)
		s.lines.header = []byte("id,url\r\n")
		g.put(t, 2)
		g.record(t)
		g.close(t)
		g.opts.Marks = g.marks
		if _, err := Open(g.path, g.opts); err == nil || !strings.Contains(err.Error(), "other columns") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func noDecompression(r io.Reader) (io.Reader, error) { return r, nil }

func gunzip(t *testing.T, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}
