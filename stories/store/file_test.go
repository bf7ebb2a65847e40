package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/stories"
)

// The test binary runs itself again as a child: childEnv is the path of the index.
const (
	childEnv      = "LEDE_STORIES_KILLED"
	childArticles = 300
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child adds articles, and prints and saves how many are committed.
func child(path string) error {
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	for i, a := range newWriter(3).press(childArticles) {
		_, err := s.Add(context.Background(), s.Prepare(&a))
		if err == nil && i%7 == 6 {
			if err = s.Commit(); err == nil {
				fmt.Println(i + 1)
				err = os.WriteFile(path+".new", []byte(strconv.Itoa(i+1)), 0o644)
			}
			if err == nil {
				err = os.Rename(path+".new", path+".acked")
			}
		}
		if err != nil {
			return err
		}
	}
	return s.Close()
}

// TestKill kills writers at random moments: what was committed is there, the file is
// sound, and in the end the result is that of a run that was not killed.
func TestKill(t *testing.T) {
	t.Parallel()
	list := newWriter(3).press(childArticles)
	whole := newStore(t)
	for _, a := range list {
		add(t, whole, a)
	}
	rnd := rand.New(rand.NewPCG(3, 3))
	path := filepath.Join(t.TempDir(), "s.db")
	for range testkit.Kills(t, 6) {
		ended := testkit.RunKilled(t, 1+rnd.IntN(12), childEnv+"="+path)
		s := open(t, path, Options{})
		if err := sqlite.Check(t.Context(), s.db.conn); err != nil {
			t.Error(err)
		}
		checkFile(t, s)
		b, err := os.ReadFile(path + ".acked")
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		acked, _ := strconv.Atoi(string(b)) // 0 if there is no file
		for _, a := range list[:acked] {
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

// TestDamaged uses damaged files. Each works, or is reported as damaged.
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
	whole, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for n := range 12 {
		b := slices.Clone(whole)
		at := rnd.IntN(len(b))
		switch n % 3 {
		case 0:
			for range 20 {
				b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
			}
		case 1:
			clear(b[at:min(len(b), at+20000)])
		case 2:
			b = b[:at]
		}
		t.Run(strconv.Itoa(n), func(t *testing.T) { useDamaged(t, b, more) })
	}
}

// useDamaged uses a damaged file.
func useDamaged(t *testing.T, file []byte, more []stories.Article) {
	path := filepath.Join(t.TempDir(), "s.db")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	ok := func(err error) bool {
		switch {
		case err == nil:
			return true
		case errors.Is(err, ErrDamaged):
			if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "add the articles again") {
				t.Error(err)
			}
		case !errors.Is(err, ErrNotStore) && !errors.Is(err, ErrNotFound) && !errors.Is(err, errClosed):
			t.Errorf("unexpected error: %v", err)
		}
		return false
	}
	s, err := Open(path, Options{})
	if !ok(err) {
		return
	}
	defer s.Close()
	for _, a := range more {
		if _, err := s.Add(t.Context(), s.Prepare(&a)); !ok(err) {
			break
		}
	}
	for st, err := range s.Stories(t.Context()) {
		if !ok(err) {
			break
		}
		_, err = s.Text(t.Context(), st.Members[0].Number)
		ok(err)
	}
	ok(s.Close())
}

func TestOtherFiles(t *testing.T) {
	t.Parallel()
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
	older := filepath.Join(dir, "older.db")
	s := open(t, older, Options{})
	if err := s.db.Exec("PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for path, want := range map[string]string{text: "not an index of stories", foreign: "of another program", older: "add the articles to a new one"} {
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
		if _, err := os.Stat(path + ".lock"); err == nil {
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
	t.Parallel()
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
	r := open(t, path, Options{ReadOnly: true})
	count := func(s *Store) (n int) {
		for st, err := range s.Stories(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			n += len(st.Members)
		}
		return n
	}
	if count(r) != 20 || count(w) != 40 {
		t.Errorf("%d, %d", count(r), count(w))
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if count(r) != 40 {
		t.Errorf("%d after the commit", count(r))
	}
	if _, err := r.Add(t.Context(), r.Prepare(&list[50])); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(t.Context(), w.Prepare(&list[50])); err == nil {
		t.Error("added to a closed index")
	}
}
