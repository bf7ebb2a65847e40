package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site"
)

// observe returns the observation of page n of a synthetic site. No two pages of a
// site share their URL or their story, so that each counts.
func observe(tb testing.TB, name string, n int) *site.Observation {
	tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `<html><head><title>Story %d - %s</title></head><body><nav class="menu">`, n, name)
	for i := range 25 {
		fmt.Fprintf(&b, `<a href="/%d">Section %d of %s</a><br>`, i, i, name)
	}
	fmt.Fprintf(&b, `</nav><div class="story"><h1>Headline number %d</h1><p class="byline">By Reporter %d</p>`, n, n%7)
	for i := range 12 {
		b.WriteString("<p>")
		for w := range 24 {
			b.WriteString("word" + strconv.Itoa((n*7919+i*104729+w*31)%1000003) + " ")
		}
		b.WriteString("</p>")
	}
	b.WriteString(`</div><footer class="foot"><p>All rights reserved by the publisher of this newspaper</p></footer></body></html>`)
	d, err := dom.Parse(context.Background(), []byte(b.String()), dom.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return site.NewFingerprint(d).Observe(fmt.Sprintf("https://%s/story/%d", name, n), nil, nil)
}

// open opens a store that must not report anything, and closes it after the test.
func open(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(path, Options{Report: func(err error) { tb.Errorf("reported: %v", err) }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error("close: ", err)
		}
	})
	return s
}

func add(tb testing.TB, s *Store, name string, from, to int) {
	tb.Helper()
	for n := from; n < to; n++ {
		if learned, err := s.Add(tb.Context(), name, observe(tb, name, n)); err != nil || !learned {
			tb.Fatalf("page %d: %v, %v", n, learned, err)
		}
	}
}

func wantPages(t *testing.T, s *Store, name string, want int) {
	t.Helper()
	var got int
	if err := s.View(t.Context(), name, func(p *site.Profile) { got = p.Pages() }); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("%s has %d pages, want %d", name, got, want)
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "sites.db")} {
		t.Run(name, func(t *testing.T) {
			s, ctx := open(t, path), t.Context()
			other := s // another process
			if path != "" {
				other = open(t, path)
			}
			wantPages(t, s, "a.example", 0)
			want := site.New("a.example")
			for n := range 10 {
				o := observe(t, "a.example", n)
				to := s
				if n%3 == 1 {
					to = other
				}
				if _, err := to.Add(ctx, "a.example", o); err != nil {
					t.Fatal(err)
				}
				want.Add(o)
				wantPages(t, s, "a.example", n+1)
				wantPages(t, other, "a.example", n+1)
			}
			if e, err := other.Add(ctx, "a.example", observe(t, "a.example", 9)); err != nil || e {
				t.Errorf("the same page again: %v, %v", e, err)
			}
			if e, err := s.Add(ctx, "b.example", new(site.Observation)); err != nil || e {
				t.Errorf("an empty page: %v, %v", e, err)
			}
			p, err := s.Profile(ctx, "a.example")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := p.MarshalJSON()
			if b, _ := want.MarshalJSON(); !bytes.Equal(got, b) {
				t.Errorf("got %s\nwant %s", got, b)
			}
			add(t, s, "c.example", 0, 3)
			if list, err := s.Sites(ctx); err != nil || len(list) != 2 || list[0] != (Info{"a.example", 10, len(got)}) || list[1].Name != "c.example" {
				t.Errorf("the list is %v, %v", list, err)
			}

			p.Add(observe(t, "a.example", 20))
			wantPages(t, s, "a.example", 10) // it is a copy
			if err := other.Put(ctx, p); err != nil {
				t.Fatal(err)
			}
			wantPages(t, s, "a.example", 11)
			if err := other.Forget(ctx, "a.example"); err != nil {
				t.Fatal(err)
			}
			wantPages(t, s, "a.example", 0)
			if err := s.Forget(ctx, "a.example"); !errors.Is(err, ErrNotFound) {
				t.Errorf("forgotten twice: %v", err)
			}
			if _, err := s.Profile(ctx, "a.example"); !errors.Is(err, ErrNotFound) {
				t.Errorf("forgotten: %v", err)
			}
			add(t, s, "a.example", 0, 2)
			wantPages(t, other, "a.example", 2)

			ended, cancel := context.WithCancel(ctx)
			cancel()
			if _, err := s.Add(ended, "a.example", observe(t, "a.example", 30)); !errors.Is(err, context.Canceled) {
				t.Errorf("Add after the end: %v", err)
			}
			wantPages(t, s, "a.example", 2)
		})
	}
}

// TestConcurrent uses sites from many goroutines, of two stores of one file.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sites.db")
	stores := []*Store{open(t, path), open(t, path)}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := stores[i%2]
			for n := range 5 {
				name := fmt.Sprintf("%d.example", n%2)
				if _, err := s.Add(t.Context(), name, observe(t, name, 100*i+n)); err != nil {
					t.Error(err)
				}
				if err := s.View(t.Context(), name, func(p *site.Profile) { p.Name() }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, s := range stores {
		wantPages(t, s, "0.example", 24)
		wantPages(t, s, "1.example", 16)
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sites.db")
	if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	add(t, open(t, path), "a.example", 0, 3)
	s, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wantPages(t, s, "a.example", 3)
	if _, err := s.Add(t.Context(), "a.example", observe(t, "a.example", 3)); err == nil {
		t.Error("a page is added")
	}
}

// TestNotStore refuses files of others and leaves them as they are.
func TestNotStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, foreign := filepath.Join(dir, "text"), filepath.Join(dir, "foreign.db")
	if err := os.WriteFile(text, []byte("Once upon a time, there was a harbour that nobody had ever left."), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", foreign)
	if err == nil {
		_, err = db.Exec("CREATE TABLE sites (a)")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, foreign} {
		before, _ := os.ReadFile(path)
		if _, err := Open(path, Options{}); !errors.Is(err, ErrNotStore) {
			t.Errorf("%s: %v", path, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
			t.Errorf("%s was changed", path)
		}
	}
	if _, err := Open(dir, Options{}); err == nil {
		t.Error("a folder is opened")
	}
}

// TestDamage damages a file in use, one that is not, and a single profile. Each is
// reported and learned again.
func TestDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sites.db")
	var reported []string
	damaged := func() *Store {
		s, err := Open(path, Options{Report: func(err error) { reported = append(reported, err.Error()) }})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	wantReport := func(text string) {
		t.Helper()
		if len(reported) != 1 || !strings.Contains(reported[0], text) {
			t.Errorf("reported %q, want %q", reported, text)
		}
		reported = nil
	}
	overwrite := func(from int64) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err == nil {
			_, err = f.WriteAt(bytes.Repeat([]byte("noise"), 20000), from)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := damaged()
	other := damaged() // another process
	add(t, s, "a.example", 0, 5)
	add(t, s, "b.example", 0, 5)
	if _, err := s.file.writer.Exec("UPDATE sites SET profile = '{', version = 7 WHERE name = 'a.example'"); err != nil {
		t.Fatal(err)
	}
	wantPages(t, s, "a.example", 0)
	wantReport("a.example")
	add(t, s, "a.example", 5, 6)
	wantPages(t, s, "a.example", 1)
	wantPages(t, s, "b.example", 5)

	if _, err := s.file.writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	overwrite(4096)
	s.file.readers.SetMaxIdleConns(0) // connections have pages in memory
	wantPages(t, s, "b.example", 0)
	add(t, s, "b.example", 5, 7)
	wantPages(t, s, "b.example", 2)
	wantReport("sites.db.damaged")
	add(t, other, "b.example", 7, 8) // to the new file
	wantPages(t, s, "b.example", 3)
	if err := errors.Join(s.Close(), other.Close()); err != nil {
		t.Fatal(err)
	}

	overwrite(100)
	s = damaged()
	add(t, s, "b.example", 0, 1)
	wantPages(t, s, "b.example", 1)
	wantReport("sites.db.damaged")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

const childEnv = "LEDE_STORE_CHILD"

// TestKilled kills a process that adds pages: those that were added are stored.
func TestKilled(t *testing.T) {
	if path := os.Getenv(childEnv); path != "" {
		s := open(t, path)
		for n := range 1000 {
			add(t, s, "a.example", n, n+1)
			fmt.Println("added", n)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "sites.db")
	if testkit.RunKilled(t, 20, childEnv+"="+path) {
		t.Fatal("it ended by itself")
	}
	s := open(t, path)
	if err := s.View(t.Context(), "a.example", func(p *site.Profile) {
		if p.Pages() < 15 {
			t.Errorf("%d pages are stored", p.Pages())
		}
	}); err != nil {
		t.Error(err)
	}
	add(t, s, "a.example", 2000, 2001)
}
