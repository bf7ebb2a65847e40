package follow

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newSoundState writes a state with many pages and returns its path.
func newSoundState(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "follow.db")
	s, _, err := openState(path, func() ([]byte, error) { return []byte(`{"records":500}`), nil })
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	r, err := s.addSite(paper)
	if err != nil {
		t.Fatal(err)
	}
	err = s.write(func(s *state) {
		for n := range 3000 {
			key := fmt.Sprintf("paper.example/2026/03/02/story-%d", n)
			p := &page{key: key, url: "https://" + key, site: r.id, state: story, ways: byFeed, linkText: "A headline of some length", seen: now, fetched: now, hash: []byte(key)}
			s.savePage(p)
		}
	})
	if err := errors.Join(err, s.close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDamagedLater damages a state file where opening it does not look: it is not read as
// a whole each time. The run that finds the damage sets the file aside, and the next one
// begins a new file.
func TestDamagedLater(t *testing.T) {
	t.Parallel()
	path := newSoundState(t)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fi, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(100 << 10); at < fi.Size(); at += 4096 { // all pages but those of the schema
		if _, err := f.WriteAt([]byte(strings.Repeat("damage", 100)), at); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	s, aside, err := openState(path, func() ([]byte, error) { return nil, nil })
	if err != nil || aside != "" {
		t.Fatalf("opening reads the whole file: %q, %v", aside, err)
	}
	err = s.write(func(s *state) {
		for n := range 3000 {
			s.page(fmt.Sprintf("paper.example/2026/03/02/story-%d", n))
		}
	})
	if err == nil {
		t.Fatal("no error")
	}
	if err := s.close(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "kept as") {
		t.Fatal(err)
	}
	s, aside, err = openState(path, func() ([]byte, error) { return nil, nil })
	if err != nil || aside != "" {
		t.Fatal(aside, err)
	}
	if mark, err := s.mark(); err != nil || mark != nil {
		t.Errorf("mark %q, %v", mark, err)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}
