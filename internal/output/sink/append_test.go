package sink

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/output/outfile"
)

func openTail(t *testing.T, path string, mark *outfile.Mark) Appender {
	t.Helper()
	s, err := Append(path, mark)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func commitTail(t *testing.T, s Appender) *outfile.Mark {
	t.Helper()
	mark, err := s.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return &mark
}

// TestAppend appends over several runs, of which each crashes after it has written more
// than is recorded.
func TestAppend(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		if strings.Contains(f.name, ".csv") || strings.Contains(f.name, ".parquet") {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "new", f.name)
			var mark *outfile.Mark
			for round := range 4 {
				s := openTail(t, path, mark)
				if _, err := Append(path, mark); !errors.Is(err, outfile.ErrLocked) {
					t.Errorf("opened twice: %v", err)
				}
				if mark == nil {
					commitTail(t, s)
				}
				put(t, s, 10*round, 10*round+10)
				mark = commitTail(t, s)
				put(t, s, 500, 510) // lost in the crash
				commitTail(t, s)    // but not recorded
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			openTail(t, path, mark).Close()
			if got := f.ids(t, path); !slices.Equal(got, wantIDs(40)) {
				t.Errorf("%d lines: %v", len(got), got)
			}
			// A program that has lost its mark keeps what there is.
			s := openTail(t, path, nil)
			put(t, s, 40, 50)
			commitTail(t, s)
			s.Close()
			if got := f.ids(t, path); !slices.Equal(got, wantIDs(50)) {
				t.Errorf("%d lines: %v", len(got), got)
			}
		})
	}
	for _, name := range []string{"a.csv", "a.parquet", "a.txt"} {
		if _, err := Append(filepath.Join(t.TempDir(), name), nil); err == nil || !strings.Contains(err.Error(), "cannot be appended to") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAppendMoved moves an output away while it is written, and between two runs.
func TestAppendMoved(t *testing.T) {
	t.Parallel()
	for _, f := range []string{"out.jsonl", "out.sqlite"} {
		path := filepath.Join(t.TempDir(), f)
		s := openTail(t, path, nil)
		var mark *outfile.Mark
		for round := range 3 {
			put(t, s, 10*round, 10*round+10)
			mark = commitTail(t, s)
			if round == 1 {
				s.Close()
			}
			if err := os.Rename(path, path+fmt.Sprint(round)); err != nil {
				t.Fatal(err)
			}
			if round == 1 {
				s = openTail(t, path, mark)
			}
		}
		s.Close()
		for round := range 3 {
			n := 0
			moved := path + fmt.Sprint(round) + filepath.Ext(f)
			if err := os.Rename(path+fmt.Sprint(round), moved); err != nil {
				t.Fatal(err)
			}
			for r, err := range Read(t.Context(), moved, nil) {
				if want := fmt.Sprintf("id%d", 10*round+n); err != nil || string(r.ID) != want {
					t.Errorf("%s: %v, %v, want %s", f, r, err, want)
				}
				n++
			}
			if n != 10 {
				t.Errorf("%s, part %d: %d records", f, round, n)
			}
		}
	}
}

// TestAppendDays checks that a folder has a file for each day, and that the file of the
// mark is completed before another one is begun.
func TestAppendDays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/days/"
	old := filepath.Join(dir, "2020-01-31.jsonl")
	s := openTail(t, dir, &outfile.Mark{File: filepath.Base(old)})
	put(t, s, 0, 10)
	mark := commitTail(t, s)
	if mark.File <= filepath.Base(old) || mark.Size != 0 {
		t.Fatalf("the next file is %+v", mark)
	}
	put(t, s, 10, 20)
	commitTail(t, s) // not recorded
	s.Close()
	s = openTail(t, dir, mark)
	put(t, s, 10, 30)
	mark = commitTail(t, s)
	s.Close()
	got := append(formats[0].ids(t, old), formats[0].ids(t, filepath.Join(dir, mark.File))...)
	if !slices.Equal(got, wantIDs(30)) {
		t.Errorf("%v", got)
	}
}
