package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/internal/placing"
)

// The test binary runs itself again as a child: childEnv is the path of the index.
const (
	childEnv      = "LEDE_STORIES_KILLED"
	childArticles = 300
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		os.Exit(child(path))
	}
	os.Exit(m.Run())
}

// child adds the articles that are missing and prints how many are committed.
func child(path string) int {
	limitFileSize()
	s, err := Open(path, Options{flushAt: 700, commitAt: 50, countAt: 60})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	for i, a := range newWriter(3).press(childArticles) {
		if _, err := s.Add(context.Background(), s.Prepare(&a)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		if i%7 == 6 {
			if err := s.Commit(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 4
			}
			fmt.Println(i + 1)
			err := os.WriteFile(path+".new", []byte(strconv.Itoa(i+1)), 0o644)
			if err == nil {
				err = os.Rename(path+".new", path+".acked")
			}
			if err != nil {
				return 5
			}
		}
	}
	if err := s.Close(); err != nil {
		return 6
	}
	return 0
}

// acked returns how many articles a child has committed.
func acked(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path + ".acked")
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	n, err2 := strconv.Atoi(string(b))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return n
}

// TestKill kills writers at random moments: what was committed is there, the file is
// sound, and in the end the result is that of a run that was not killed.
func TestKill(t *testing.T) {
	list := newWriter(3).press(childArticles)
	whole := newStore(t)
	for _, a := range list {
		add(t, whole, a)
	}
	rnd := rand.New(rand.NewPCG(3, 3))
	path := filepath.Join(t.TempDir(), "s.db")
	for range testkit.Kills(6, 2) {
		ended := testkit.RunKilled(t, 1+rnd.IntN(12), childEnv+"="+path)
		s := open(t, path, Options{})
		checkIntegrity(t, s)
		checkFile(t, s)
		for _, a := range list[:acked(t, path)] {
			if _, err := s.Find(t.Context(), a.ID); err != nil {
				t.Fatalf("%s was committed: %v", a.ID, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if ended {
			os.Remove(path)
			os.Remove(path + ".acked")
		}
	}
	s := open(t, path, Options{})
	for _, a := range list {
		add(t, s, a)
	}
	for i, a := range list {
		if got, want := add(t, s, a), add(t, whole, a); got != want {
			t.Fatalf("article %d: %+v, want %+v", i, got, want)
		}
	}
}

func checkIntegrity(t *testing.T, s *Store) {
	t.Helper()
	if err := sqlite.Check(t.Context(), s.db.conn); err != nil {
		t.Error(err)
	}
}

// TestDamaged uses damaged files. Each works or is reported as damaged.
func TestDamaged(t *testing.T) {
	sound := filepath.Join(t.TempDir(), "s.db")
	s := open(t, sound, Options{})
	list := newWriter(4).press(120)
	for _, a := range list {
		add(t, s, a)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	more := newWriter(5).press(10)
	expected := func(t *testing.T, err error) bool {
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotStore) && !errors.Is(err, ErrNotFound) {
			t.Errorf("unexpected error: %v", err)
		}
		if errors.Is(err, ErrDamaged) && !strings.Contains(err.Error(), "remove it") {
			t.Errorf("the error does not say what to do: %v", err)
		}
		return err == nil
	}
	testkit.Damaged(t, sound, func(t *testing.T, path string) {
		s, err := Open(path, Options{})
		if !expected(t, err) {
			return
		}
		defer s.Close()
		for _, a := range more {
			if _, err := s.Add(t.Context(), s.Prepare(&a)); !expected(t, err) {
				break
			}
		}
		n := 0
		for st, err := range s.Stories(t.Context()) {
			if n++; !expected(t, err) || n > len(list)+len(more) {
				break
			}
			_, err = s.Text(t.Context(), st.Members[0].Number)
			expected(t, err)
		}
		if err := s.Close(); err != nil {
			expected(t, err)
		}
	})
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("This is not a database but a text."), 0o644); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign.db")
	db, err := sqlite.Open(foreign)
	if err == nil {
		_, err = db.Exec("CREATE TABLE t (x)")
	}
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	newer := filepath.Join(dir, "newer.db")
	s := open(t, newer, Options{})
	if err := s.db.Exec("PRAGMA user_version = 3"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	older := filepath.Join(dir, "older.db")
	s = open(t, older, Options{})
	if err := s.db.Exec("PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for path, want := range map[string]string{text: "not an index of stories: name another file", foreign: "of another program", newer: "use a newer one", older: "add the articles to a new one"} {
		for _, readOnly := range []bool{false, true} {
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Open(path, Options{ReadOnly: readOnly})
			if !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", path, err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("%s was changed (%v)", path, err)
			}
		}
	}
	for _, path := range []string{text, foreign} {
		if _, err := os.Stat(path + lockSuffix); err == nil {
			t.Errorf("a lock beside %s, which is not ours", path)
		}
	}
	if _, err := Open(filepath.Join(dir, "none.db"), Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(dir, "w.db"), Options{Window: -1}); err == nil {
		t.Error("a negative window")
	}
}

// TestReaders reads while another store writes.
func TestReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	w := open(t, path, Options{})
	if _, err := Open(path, Options{}); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "wait until it ends") {
		t.Errorf("two writers: %v", err)
	}
	list := newWriter(8).press(60)
	for i, a := range list[:40] {
		add(t, w, a)
		if i == 19 {
			if err := w.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	}
	r1, r2 := open(t, path, Options{ReadOnly: true}), open(t, path, Options{ReadOnly: true})
	count := func(s *Store) (n int) {
		for st, err := range s.Stories(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			n += len(st.Members)
		}
		return n
	}
	if count(r1) != 20 || count(r2) != 20 || count(w) != 40 {
		t.Errorf("%d, %d, %d", count(r1), count(r2), count(w))
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if count(r1) != 40 || count(r2) != 40 {
		t.Errorf("%d, %d after the commit", count(r1), count(r2))
	}
	for _, a := range list[:40] {
		x, err1 := w.Find(t.Context(), a.ID)
		y, err2 := r1.Find(t.Context(), a.ID)
		if err1 != nil || err2 != nil || x.Headline != y.Headline || len(x.Members) != len(y.Members) || x.Members[0].Membership != y.Members[0].Membership {
			t.Errorf("%v %v\n%+v\n%+v", err1, err2, x, y)
		}
	}
	if _, err := r1.Add(t.Context(), r1.Prepare(&list[50])); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(t.Context(), w.Prepare(&list[50])); err == nil {
		t.Error("added to a closed index")
	}
	open(t, path, Options{})
}

// FuzzLog opens files with any log of entries.
func FuzzLog(f *testing.F) {
	f.Add([]byte{})
	f.Add(entry{5, 1}.append([]byte{inBuckets}))
	f.Add(entry{placing.KeyMask, 1 << 27}.append([]byte{inPostings}))
	dir := f.TempDir()
	path := filepath.Join(dir, "s.db")
	s := open(f, path, Options{})
	for _, a := range newWriter(1).press(3) {
		add(f, s, a)
	}
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		db, err := sql.Open("sqlite", path)
		if err == nil {
			_, err = db.Exec("DELETE FROM pending; INSERT INTO pending (generation, entries) VALUES (0, ?)", log)
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		s, err := Open(path, Options{})
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Error(err)
			}
			return
		}
		for _, key := range s.buckets.active.Sorted() {
			for _, listed := range s.buckets.active.Append(nil, key, 1<<30) {
				if n := int64(listed & maxNodes); n > s.counters.node {
					t.Errorf("node %d", n)
				}
			}
		}
		s.db.rollback()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
