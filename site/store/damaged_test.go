package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site"
)

// damagedSites is the number of sites in a store that is damaged.
const damagedSites = 6

func damagedSite(i int) (name string, pages int) { return fmt.Sprintf("%d.example", i), 1 + 7*i }

// useDamaged opens a store that was damaged and uses it: whatever is broken, it
// opens, finds sites, learns, and has no damage when it is opened again.
// It returns the number of sites that are complete.
func useDamaged(t *testing.T, path string, pages [2]map[string]*site.Observation) (kept int, reported []error) {
	t.Helper()
	s, c := openRecording(t, path)
	for i := range damagedSites {
		name, n := damagedSite(i)
		if lookup(t, s, name) == n {
			kept++
		}
		for _, pages := range pages {
			if _, err := s.Add(t.Context(), name, pages[name]); err != nil {
				t.Error(err)
			}
		}
	}
	for _, err := range s.Sites(t.Context()) {
		if err != nil {
			t.Error(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again, after := openRecording(t, path)
	for i := range damagedSites {
		name, _ := damagedSite(i)
		if n := lookup(t, again, name); n < 2 {
			t.Errorf("%s has %d pages, and two were added", name, n)
		}
	}
	after.want(t, 0)
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	return kept, c.all()
}

func lookup(t *testing.T, s Store, name string) (n int) {
	t.Helper()
	if err := s.View(t.Context(), name, func(p *site.Profile) { n = p.Pages() }); err != nil {
		t.Error(err)
	}
	return n
}

// TestDamaged damages files of both kinds of stores in many ways.
func TestDamaged(t *testing.T) {
	seeds, limit := testkit.DamagedSeeds(t)
	var pages [2]map[string]*site.Observation
	for n := range pages {
		pages[n] = map[string]*site.Observation{}
		for i := range damagedSites {
			name, _ := damagedSite(i)
			pages[n][name] = observe(t, name, 100+n)
		}
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			sound := kind.path(t.TempDir())
			s := open(t, sound)
			if kind.name == "sqlite" { // so that the files are always the same
				rawSQL(t, sound, "UPDATE sqlite_sequence SET seq = 1794802928000000")
			}
			for i := range damagedSites {
				name, n := damagedSite(i)
				add(t, s, name, 0, n)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			kept, reported := 0, 0
			var slowest time.Duration
			for seed := range seeds {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					var what string
					var errs []error
					took := testkit.Time(limit, func() func() {
						path := kind.path(t.TempDir())
						what = copyDamaged(t, rand.New(rand.NewPCG(seed, 1)), sound, path)
						return func() {
							var n int
							n, errs = useDamaged(t, path, pages)
							kept += n
						}
					})
					reported += min(1, len(errs))
					for _, err := range errs {
						if !errors.Is(err, site.ErrCorrupt) {
							t.Errorf("%v is not site.ErrCorrupt", err)
						}
					}
					slowest = max(slowest, took)
					if limit > 0 && took > limit {
						t.Errorf("%s: it took %v", what, took)
					}
					if t.Failed() {
						t.Logf("%s: %v", what, errs)
					}
				})
			}
			t.Logf("%d of %d profiles were complete after the damage, %d of %d stores reported it, the slowest took %v",
				kept, damagedSites*seeds, reported, seeds, slowest.Round(time.Millisecond))
		})
	}
}

// copyDamaged copies the files of a store and damages some, and describes how.
func copyDamaged(t *testing.T, rnd *rand.Rand, from, to string) (what string) {
	t.Helper()
	var names []string
	if strings.HasSuffix(from, "/") {
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if err := os.Mkdir(to, 0o755); err != nil {
			t.Fatal(err)
		}
	} else {
		names = []string{"", lockSuffix}
	}
	old := time.Now().Add(-time.Hour) // nobody is editing it
	for _, name := range names {
		b, err := os.ReadFile(from + name)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 0 && (name == "" || rnd.IntN(len(names)) < 4) {
			var how string
			b, how = testkit.Damage(rnd, b)
			what += name + ": " + how + " "
		}
		if err := os.WriteFile(to+name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(to+name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	return what
}

// breakFile overwrites a file with garbage, except the first page.
func breakFile(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size())-4096), 4096); err != nil {
		t.Fatal(err)
	}
}

// TestRebuildContext checks that a lookup ends with its context while the file is
// rebuilt, that the rebuild goes on, and that Close ends it.
func TestRebuildContext(t *testing.T) {
	for _, name := range []string{"wait", "close"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sites.db")
			s := open(t, path)
			add(t, s, "a.example", 0, 20)
			s.Close()
			s, c := openRecording(t, path)
			other := newLock(path + lockSuffix) // of another process, for which the rebuild waits
			if ok, err := other.TryRLock(); !ok {
				t.Fatal(err)
			}
			defer other.Close()
			breakFile(t, path)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			for range 3 {
				if err := s.View(ctx, "a.example", func(*site.Profile) {}); !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("the error is %v", err)
				}
			}
			if name == "close" {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if err := other.Unlock(); err != nil {
				t.Fatal(err)
			}
			add(t, s, "a.example", 100, 102)
			wantPages(t, s, "a.example", 2)
			c.want(t, 1)
		})
	}
}

// TestSalvageMemory checks that a rebuild keeps what was learned by this process,
// if the file has lost it.
func TestSalvageMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sites.db")
	s, c := openRecording(t, path)
	add(t, s, "a.example", 0, 20)
	add(t, s, "b.example", 0, 3)
	rawSQL(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
	breakFile(t, path)
	add(t, s, "b.example", 3, 5)
	wantPages(t, s, "a.example", 20)
	wantPages(t, s, "b.example", 5)
	c.want(t, 1)
}

// TestReadAgain checks that pages count once, however many others were read since.
func TestReadAgain(t *testing.T) {
	const name = "a.example"
	pages := make([]*site.Observation, 150)
	for n := range pages {
		pages[n] = observe(t, name, n)
	}
	all := append(kinds[:len(kinds):len(kinds)], kinds[0])
	all[len(all)-1].name, all[len(all)-1].path = "memory", func(string) string { return "" }
	for _, kind := range all {
		t.Run(kind.name, func(t *testing.T) {
			path := kind.path(t.TempDir())
			s := open(t, path)
			read := func(want site.Event) {
				t.Helper()
				for n, o := range pages {
					if e, err := s.Add(t.Context(), name, o); err != nil || (e == site.SamePage) != (want == site.SamePage) {
						t.Fatalf("page %d: %v, %v", n, e, err)
					}
				}
				wantPages(t, s, name, len(pages))
				for info, err := range s.Sites(t.Context()) {
					if err != nil || info.Pages != len(pages) {
						t.Errorf("%d pages are listed: %v", info.Pages, err)
					}
				}
			}
			read(site.Learned)
			read(site.SamePage)
			if path != "" {
				s.Close()
				s = open(t, path)
				read(site.SamePage)
			}
			p, err := s.Profile(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Merge(t.Context(), site.New(name)); err != nil {
				t.Fatal(err)
			}
			read(site.SamePage)
			if err := s.Forget(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			read(site.Learned)
			if err := s.Put(t.Context(), site.New(name)); err != nil { // which has read nothing
				t.Fatal(err)
			}
			read(site.Learned)
			if err := s.Put(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			wantPages(t, s, name, len(pages))
		})
	}
}
