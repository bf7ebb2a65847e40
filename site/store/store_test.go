package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lede-news/lede/site"
)

// TestStores runs the same tests on all kinds of stores.
func TestStores(t *testing.T) {
	tests := map[string]func(*testing.T, Store){
		"Add":        testAdd,
		"Profile":    testProfile,
		"Put":        testPut,
		"Merge":      testMerge,
		"Forget":     testForget,
		"Sites":      testSites,
		"Names":      testNames,
		"Concurrent": testConcurrent,
		"Cancelled":  testCancelled,
	}
	for name, test := range tests {
		t.Run("memory/"+name, func(t *testing.T) { test(t, open(t, "")) })
		for _, kind := range kinds {
			t.Run(kind.name+"/"+name, func(t *testing.T) { test(t, open(t, kind.path(t.TempDir()))) })
		}
	}
}

func testAdd(t *testing.T, s Store) {
	wantPages(t, s, "a.example", 0)
	for n := range 100 { // over several folds
		e, err := s.Add(t.Context(), "a.example", observe(t, "a.example", n))
		want := site.Learned
		if n == 0 {
			want = site.NewTemplate
		}
		if err != nil || e != want {
			t.Fatalf("page %d: %v, %v", n, e, err)
		}
		wantPages(t, s, "a.example", n+1)
	}
	e, err := s.Add(t.Context(), "a.example", observe(t, "a.example", 99))
	if err != nil || e != site.SamePage {
		t.Errorf("the same page again: %v, %v", e, err)
	}
	wantPages(t, s, "a.example", 100)
	e, err = s.Add(t.Context(), "b.example", new(site.Observation))
	if err != nil || e != site.Ignored {
		t.Errorf("an empty page: %v, %v", e, err)
	}
}

func testProfile(t *testing.T, s Store) {
	p, err := s.Profile(t.Context(), "a.example")
	if err != nil || p.Name() != "a.example" || p.Pages() != 0 {
		t.Errorf("an unknown site: %v, %v", p, err)
	}
	add(t, s, "a.example", 0, 5)
	p, err = s.Profile(t.Context(), "a.example")
	if err != nil || p.Pages() != 5 {
		t.Fatalf("%v, %v", p, err)
	}
	p.Add(observe(t, "a.example", 5))
	wantPages(t, s, "a.example", 5) // it was a copy
}

func testPut(t *testing.T, s Store) {
	var ps []*site.Profile
	for i, name := range []string{"a.example", "b.example", "c.example"} {
		add(t, s, name, 0, 3)
		p := site.New(name)
		for n := range 10 + i {
			p.Add(observe(t, name, 100+n))
		}
		ps = append(ps, p)
	}
	if err := s.Put(t.Context(), ps...); err != nil {
		t.Fatal(err)
	}
	for i, p := range ps {
		wantPages(t, s, p.Name(), 10+i)
		add(t, s, p.Name(), 0, 4)
		wantPages(t, s, p.Name(), 14+i)
	}
	if ps[0].Pages() != 10 {
		t.Error("Put changed its argument")
	}
	if err := s.Put(t.Context(), site.New("")); !errors.Is(err, ErrEmptyName) {
		t.Errorf("without a name: %v", err)
	}
	if err := s.Put(t.Context()); err != nil {
		t.Errorf("nothing: %v", err)
	}
}

func testMerge(t *testing.T, s Store) {
	add(t, s, "a.example", 0, 20)
	p := site.New("a.example")
	for n := range 7 {
		p.Add(observe(t, "a.example", 100+n))
	}
	q := site.New("new.example")
	q.Add(observe(t, "new.example", 1))
	if err := s.Merge(t.Context(), p, q); err != nil {
		t.Fatal(err)
	}
	wantPages(t, s, "a.example", 27)
	wantPages(t, s, "new.example", 1)
	add(t, s, "a.example", 20, 40)
	wantPages(t, s, "a.example", 47)
}

func testForget(t *testing.T, s Store) {
	if err := s.Forget(t.Context(), "a.example"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown site: %v", err)
	}
	for _, n := range []int{3, 40} { // in the log, and in the snapshot
		add(t, s, "a.example", 0, n)
		add(t, s, "b.example", n, n+1)
		if err := s.Forget(t.Context(), "a.example"); err != nil {
			t.Fatal(err)
		}
		wantPages(t, s, "a.example", 0)
	}
	wantPages(t, s, "b.example", 2)
	for info := range s.Sites(t.Context()) {
		if info.Name == "a.example" {
			t.Error("it is still in the list")
		}
	}
}

func testSites(t *testing.T, s Store) {
	want := map[string]int{"b.example": 1, "a.example": 33, "z.example": 17, "m.example": 2}
	for name, n := range want {
		add(t, s, name, 0, n)
	}
	var names []string
	for info, err := range s.Sites(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, info.Name)
		if info.Pages != want[info.Name] || info.Bytes <= 0 {
			t.Errorf("%+v, want %d pages", info, want[info.Name])
		}
		add(t, s, info.Name, 1000, 1001) // the store may be used
	}
	if !slices.Equal(names, []string{"a.example", "b.example", "m.example", "z.example"}) {
		t.Error(names)
	}
	for range s.Sites(t.Context()) {
		break
	}
}

func testNames(t *testing.T, s Store) {
	names := []string{"example.com", "Example.com", "example.com:8080", "[::1]:80", "../../etc/passwd", "..", ".", "a/b", `a\b`,
		"con", "con.example", "münchen.example", "a b", "x.json", "x.log", "x.json.corrupt-1", "%41", "-", "~", "a\nb", "a\x00b",
		strings.Repeat("long", 49) + "1", strings.Repeat("long", 49) + "2", strings.Repeat("Ü", 99)}
	for i, name := range names {
		add(t, s, name, 0, 1+i%4)
	}
	for i, name := range names {
		wantPages(t, s, name, 1+i%4)
	}
	var listed []string
	for info, err := range s.Sites(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, info.Name)
	}
	slices.Sort(names)
	if !slices.Equal(listed, names) {
		t.Errorf("listed %q\nwant %q", listed, names)
	}
	for _, name := range names {
		if err := s.Forget(t.Context(), name); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Add(t.Context(), "", observe(t, "x", 1)); !errors.Is(err, ErrEmptyName) {
		t.Errorf("no name: %v", err)
	}
	// Names that are stored in another form must be found.
	for _, odd := range []string{"bad\xffname", strings.Repeat("x", 5000)} {
		add(t, s, odd, 0, 20)
		wantPages(t, s, odd, 20)
	}
}

func testConcurrent(t *testing.T, s Store) {
	const writers, each = 8, 40
	obs := make([]*site.Observation, writers*each)
	for n := range obs {
		obs[n] = observe(t, "a.example", n)
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range each {
				if _, err := s.Add(t.Context(), "a.example", obs[w*each+n]); err != nil {
					t.Error(err)
					return
				}
				own := fmt.Sprintf("%d.example", w)
				if _, err := s.Add(t.Context(), own, obs[w*each+n]); err != nil {
					t.Error(err)
					return
				}
				if err := s.View(t.Context(), own, func(p *site.Profile) {
					if p.Pages() != n+1 {
						t.Errorf("%s has %d pages, want %d", own, p.Pages(), n+1)
					}
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	wantPages(t, s, "a.example", writers*each)
}

func testCancelled(t *testing.T, s Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Add(ctx, "a.example", observe(t, "a.example", 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := s.View(ctx, "a.example", func(*site.Profile) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wantPages(t, s, "a.example", 0)
}

// TestReopen checks that a store has all pages when it is opened again, also before
// it was closed.
func TestReopen(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			path := kind.path(t.TempDir())
			first := open(t, path)
			for round := range 5 {
				add(t, first, "a.example", 10*round, 10*round+10)
				second := open(t, path) // while the first is open
				wantPages(t, second, "a.example", 10*round+10)
				p, err := first.Profile(t.Context(), "a.example")
				if err != nil {
					t.Fatal(err)
				}
				q, err := second.Profile(t.Context(), "a.example")
				if err != nil {
					t.Fatal(err)
				}
				if p.Pages() != q.Pages() {
					t.Errorf("round %d: %d and %d pages", round, p.Pages(), q.Pages())
				}
				if err := first.Close(); err != nil {
					t.Fatal(err)
				}
				wantPages(t, second, "a.example", 10*round+10)
				first = second
			}
		})
	}
}

// TestTwoStores checks that two users of one store see the changes of each other
// at once.
func TestTwoStores(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			path := kind.path(t.TempDir())
			a, b := open(t, path), open(t, path)
			for n := range 150 {
				s := a
				if n%3 == 0 || n > 100 {
					s = b
				}
				add(t, s, "a.example", n, n+1)
				wantPages(t, a, "a.example", n+1)
				if n%5 == 0 {
					wantPages(t, b, "a.example", n+1)
				}
			}
			wantPages(t, b, "a.example", 150)
			p := site.New("a.example")
			p.Add(observe(t, "a.example", 1000))
			for range 3 { // the same profile again
				if err := a.Put(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				wantPages(t, b, "a.example", 1)
				add(t, b, "a.example", 1001, 1002)
				wantPages(t, a, "a.example", 2)
			}
			for range 3 {
				if err := b.Forget(t.Context(), "a.example"); err != nil {
					t.Fatal(err)
				}
				wantPages(t, a, "a.example", 0)
				add(t, a, "a.example", 0, 1)
				wantPages(t, b, "a.example", 1)
			}
		})
	}
}

// TestCopy copies profiles from store to store and back without loss.
func TestCopy(t *testing.T) {
	memory, file, folder := open(t, ""), open(t, kinds[0].path(t.TempDir())), open(t, kinds[1].path(t.TempDir()))
	for i := range 20 {
		add(t, memory, fmt.Sprintf("%d.example", i), 0, 1+i)
	}
	from := memory
	for _, to := range []Store{file, folder, open(t, ""), open(t, kinds[0].path(t.TempDir()))} {
		n := 0
		for info, err := range from.Sites(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			p, err := from.Profile(t.Context(), info.Name)
			if err != nil {
				t.Fatal(err)
			}
			if err := to.Put(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			q, err := to.Profile(t.Context(), info.Name)
			if err != nil {
				t.Fatal(err)
			}
			if inJSON(t, p) != inJSON(t, q) {
				t.Errorf("%s was changed by copying it from %T to %T", info.Name, from, to)
			}
		}
		if n != 20 {
			t.Fatalf("%T has %d sites, want 20", from, n)
		}
		from = to
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(notes, []byte("Call the printer about the paper.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := Open(notes, Options{}); !errors.Is(err, ErrNotStore) {
			t.Errorf("a text file: %v", err)
		}
		if _, err := Open(notes, Options{ReadOnly: true}); err == nil {
			t.Errorf("a text file, for reading: %v", err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if b, _ := os.ReadFile(notes); len(left) != 1 || !strings.HasPrefix(string(b), "Call") {
		t.Errorf("left behind: %v with %q", left, b)
	}
	if _, err := Open(filepath.Join(notes, "sites.db"), Options{}); err == nil {
		t.Error("a path below a file was opened")
	}
	if _, err := Open(filepath.Join(notes, "sites")+"/", Options{}); err == nil {
		t.Error("a folder below a file was opened")
	}
	if _, err := Open(os.DevNull, Options{}); !errors.Is(err, ErrNotStore) {
		t.Errorf("a device: %v", err)
	}
	empty := filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	add(t, open(t, empty), "a.example", 0, 1)
	odd := filepath.Join(dir, "50%? #1&x.db")
	add(t, open(t, odd), "a.example", 0, 1)
	if _, err := os.Stat(odd); err != nil {
		t.Error(err)
	}
	s := open(t, filepath.Join(dir, "closed.db"))
	s.Close()
	if _, err := s.Add(t.Context(), "a.example", observe(t, "a.example", 1)); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// wantReadOnly checks that a store finds sites and refuses changes.
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

// TestReadOnly opens a store for lookups only, on a writable disk.
func TestReadOnly(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			path := kind.path(t.TempDir())
			if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("no store: %v", err)
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
