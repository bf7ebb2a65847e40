package label

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, s *Store, l Label) Label {
	t.Helper()
	_, version, err := s.Get(l.Page)
	if err != nil {
		t.Fatal(err)
	}
	l, err = s.Put(l, version)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestStore(t *testing.T) {
	s := openStore(t)
	if list, err := s.All(); err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	put(t, s, Label{Page: "b", Title: newTestMark("/html[1]/body[1]/h1[1]")})
	put(t, s, Label{Page: "a", Skipped: true})
	put(t, s, Label{Page: "b", Title: newTestMark("/html[1]/body[1]/h1[1]"), Body: newTestMark("/html[1]/body[1]"), Done: true})

	again, err := OpenStore(s.File())
	if err != nil {
		t.Fatal(err)
	}
	list, err := again.All()
	if err != nil || len(list) != 2 || list[0].Page != "a" || !list[1].Done || list[1].Saved.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.File()), ".*")); len(left) > 0 {
		t.Errorf("remaining files: %v", left)
	}
}

func TestConflict(t *testing.T) {
	s := openStore(t)
	_, old, _ := s.Get("a")
	first := Label{Page: "a", Title: newTestMark("/html[1]/body[1]/h1[1]")}
	if _, err := s.Put(first, old); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Put(Label{Page: "a", Skipped: true}, old); !errors.Is(err, ErrConflict) || now.Title == nil {
		t.Errorf("%+v, %v", now, err)
	}
	if _, err := s.Put(first, old); err != nil {
		t.Errorf("repeated change: %v", err)
	}
	if got := len(s.History("a")); got != 1 {
		t.Errorf("%d changes, want 1", got)
	}
}

func TestUndo(t *testing.T) {
	s := openStore(t)
	states := []Label{
		{Page: "a"},
		{Page: "a", Title: newTestMark("/html[1]/body[1]/h1[1]")},
		{Page: "a", Title: newTestMark("/html[1]/body[1]/h1[1]"), Body: newTestMark("/html[1]/body[1]"), Done: true},
		{Page: "a", Skipped: true},
	}
	for _, l := range states[1:] {
		put(t, s, l)
	}
	if got := s.History("a"); len(got) != 3 || !got[0].Done {
		t.Errorf("%+v", got)
	}
	for i := len(states) - 2; i >= 0; i-- {
		_, version, _ := s.Get("a")
		l, err := s.Undo("a", version)
		if err != nil || l.content() != states[i].content() {
			t.Errorf("back at %d: %+v, %v", i, l, err)
		}
	}
	l, version, _ := s.Get("a")
	if _, err := s.Undo("a", version); !errors.Is(err, ErrNoHistory) {
		t.Error(err)
	}
	if _, err := s.Undo("a", "x"); !errors.Is(err, ErrConflict) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(s.File()); len(text) > 0 || !l.empty() {
		t.Errorf("an empty label is in the file: %s", text)
	}
}

// TestExternalChange changes the file of an open store.
func TestExternalChange(t *testing.T) {
	s := openStore(t)
	put(t, s, Label{Page: "a", Skipped: true})
	other, err := OpenStore(s.File())
	if err != nil {
		t.Fatal(err)
	}
	put(t, other, Label{Page: "b", Skipped: true})
	put(t, s, Label{Page: "c", Skipped: true})
	if list, err := other.All(); err != nil || len(list) != 3 {
		t.Errorf("%+v, %v", list, err)
	}

	// An invalid file is an error and is not overwritten.
	const broken = `{"page":"a","skipped":true` + "\n"
	if err := os.WriteFile(s.File(), []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(Label{Page: "d", Skipped: true}, ""); !errors.Is(err, ErrBadLabels) || !strings.Contains(err.Error(), "labels.jsonl:1:") {
		t.Error(err)
	}
	if _, err := OpenStore(s.File()); !errors.Is(err, ErrBadLabels) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(s.File()); string(text) != broken {
		t.Errorf("overwritten: %s", text)
	}
}

// TestFailedWrite checks that a failed write changes nothing.
func TestFailedWrite(t *testing.T) {
	s := openStore(t)
	put(t, s, Label{Page: "a", Skipped: true})
	dir := filepath.Dir(s.File())
	s.file = filepath.Join(dir, "labels.jsonl", "below") // a file in a file
	s.written = stamp{}
	s.labels = map[string]Label{"a": {Page: "a", Skipped: true}}
	if _, err := s.set(Label{Page: "a", Done: true}); err == nil {
		t.Fatal("no error")
	}
	if !s.labels["a"].Skipped || len(s.history["a"]) != 1 {
		t.Errorf("%+v", s.labels)
	}
}
