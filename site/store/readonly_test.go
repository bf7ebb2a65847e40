package store

import (
	"errors"
	"os"
	"testing"

	"github.com/lede-news/lede/site"
)

// wantReadOnly checks that a store answers and refuses to learn.
func wantReadOnly(t *testing.T, path string, n int) {
	t.Helper()
	s, err := Open(path, Options{ReadOnly: true, Report: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wantPages(t, s, "a.example", n)
	wantPages(t, s, "unknown.example", 0)
	_, err = s.Add(t.Context(), "a.example", observe(t, "a.example", 500))
	for _, err := range []error{err, s.Put(t.Context(), site.New("a.example")), s.Merge(t.Context(), site.New("a.example")), s.Forget(t.Context(), "a.example")} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%v, want ErrReadOnly", err)
		}
	}
	sites := 0
	for _, err := range s.Sites(t.Context()) {
		if err != nil {
			t.Error(err)
		}
		sites++
	}
	if sites == 0 {
		t.Error("no sites")
	}
}

// TestReadOnly opens a store for look-ups only, on any disk.
func TestReadOnly(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			path := kind.path(t.TempDir())
			if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("there is none: %v", err)
			}
			s := open(t, path)
			add(t, s, "a.example", 0, 20)
			wantReadOnly(t, path, 20) // while it is written to
			add(t, s, "a.example", 20, 30)
			s.Close()
			wantReadOnly(t, path, 30)
		})
	}
}
