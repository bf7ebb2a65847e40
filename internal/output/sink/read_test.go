package sink

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/page/lines"
)

// read returns all records, and how many could not be read.
func read(t *testing.T, path string) (records []Record, bad int) {
	t.Helper()
	for r, err := range Read(t.Context(), path, nil) {
		switch {
		case errors.As(err, new(*LineError)):
			bad++
		case err != nil:
			t.Fatal(err)
		default:
			records = append(records, *r)
		}
	}
	return records, bad
}

func TestReadWhatWasWritten(t *testing.T) {
	for _, f := range formats {
		if Readable(f.name) != nil {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), f.name)
			s := open(t, path, 0, false)
			put(t, s, 0, 150)
			commit(t, s)
			if err := errors.Join(s.Finish(), s.Close()); err != nil {
				t.Fatal(err)
			}
			records, bad := read(t, path)
			if len(records) != 150 || bad != 0 {
				t.Fatalf("%d records, %d bad", len(records), bad)
			}
			for n, r := range records {
				l := result(t, n).Line
				want := Record{ID: Text(l.ID), URL: l.URL, Site: l.Site, Title: l.Title, Text: l.Text, Lang: l.Lang, Date: Text(l.Date), FirstSeen: Text(l.FirstSeen), Type: string(l.Type), Error: l.Error, Kind: l.Kind}
				if r != want {
					t.Fatalf("record %d is %+v, want %+v", n, r, want)
				}
			}
			for range Read(t.Context(), path, nil) {
				break // which must end it
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for r, err := range Read(ctx, path, nil) {
				if err == nil {
					t.Errorf("after it was cancelled: %+v", r)
				}
			}
		})
	}
}

func TestReadLinesOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.jsonl")
	text := "\ufeff{\"id\":1483747000,\"text\":\"A\",\"more\":[1]}\n\n{broken\n[1]\n{\"id\":12345678901234567890.50,\"date\":20200101}\n{\"id\":null,\"text\":\"\xff\"}\n{\"id\":{}}\n{\"id\":\"last\"}"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	records, bad := read(t, path)
	var ids []string
	for _, r := range records {
		ids = append(ids, string(r.ID))
	}
	if want := []string{"1483747000", "12345678901234567890.50", "", "last"}; !slices.Equal(ids, want) || bad != 3 {
		t.Errorf("%q, %d bad", ids, bad)
	}
	for _, err := range Read(t.Context(), "-", strings.NewReader("{\"id\":\"a\"}\n{")) {
		if err != nil && err.Error() != "standard input, line 2: unexpected end of JSON input" {
			t.Error(err)
		}
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a.txt": "", "a.parquet": "PAR1", "a.db": "not a database, but long enough to be taken for one, if it had the right words at its beginning.", "a.csv": "",
		"a.jsonl.gz": "\x1f\x8b no archive", "a.jsonl.zst": "\x28\xb5\x2f\xfd no archive",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"a.txt": "ending of the name", "a.parquet": "a.parquet", "a.db": "a.db", "a.csv": "only written", "a.jsonl.gz": "corrupt", "a.jsonl.zst": "corrupt",
		"missing.jsonl": "missing.jsonl", "missing.db": "missing.db", "missing.parquet": "missing.parquet",
	} {
		count := 0
		for _, err := range Read(t.Context(), filepath.Join(dir, name), nil) {
			if count++; err == nil || !strings.Contains(err.Error(), want) || errors.As(err, new(*LineError)) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if count != 1 {
			t.Errorf("%s: %d results", name, count)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "missing.db")); err == nil {
		t.Error("reading a database has created it")
	}
	if !errors.Is(&LineError{"x", 1, lines.ErrTooLong}, lines.ErrTooLong) {
		t.Error("a LineError does not have its cause")
	}
}
