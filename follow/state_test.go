package follow

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
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
	for i := range 4 {
		r, err := s.addSite(fmt.Sprintf("https://paper%d.example/", i), now)
		if err != nil {
			t.Fatal(err)
		}
		r.visited = now
		err = s.write(func(s *state) error {
			for n := range 500 {
				key := fmt.Sprintf("paper%d.example/2026/03/02/story-%d", i, n)
				p := &page{key: key, url: "https://" + key, site: r.id, state: story, ways: byFeed, linkText: "A headline of some length", seen: now, fetched: now, hash: []byte(key)}
				if err := s.savePage(p); err != nil {
					return err
				}
			}
			return s.Exec("INSERT INTO sources (site, key, url, way, etag, read) VALUES (?, 'feed', ?, 1, 'tag', 1)", r.id, r.url+"feed")
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.saveSite(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// countStories returns the number of pages of a state that were written.
func countStories(t *testing.T, s *state) (n int) {
	t.Helper()
	err := s.write(func(s *state) error {
		_, err := s.Get("SELECT count(*) FROM pages WHERE hash IS NOT NULL", nil, &n)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

// TestDamaged damages state files in many ways. They are used as far as they can be
// read, the damaged ones are kept, and the new ones are sound.
func TestDamaged(t *testing.T) {
	kept, marks, aside := 0, 0, 0
	testkit.Damaged(t, newSoundState(t), func(t *testing.T, path string) {
		for again := range 2 {
			s, old, err := openState(path, func() ([]byte, error) { return nil, nil })
			if err != nil {
				t.Fatal(err)
			}
			if old != "" {
				aside++
				if _, err := os.Stat(old); err != nil || again > 0 {
					t.Errorf("kept as %s: %v; opened %d times before", old, err, again)
				}
			}
			n := countStories(t, s)
			if again > 0 && n < 4 {
				t.Errorf("%d stories are known", n)
			}
			kept += n * (1 - again)
			mark, err := s.mark()
			if err != nil {
				t.Error(err)
			}
			if again == 0 && strings.HasPrefix(string(mark), "{") {
				marks++
			}
			for i := range 4 {
				r, err := s.addSite(fmt.Sprintf("https://paper%d.example/", i), time.Now())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.sources(r.id); err != nil {
					t.Error(err)
				}
				if _, err := s.nextPage(r.id, time.Now()); err != nil {
					t.Error(err)
				}
				err = s.write(func(s *state) error {
					return s.savePage(&page{key: fmt.Sprintf("new%d", i), url: "https://new.example/", site: r.id, state: story, hash: []byte{1}})
				})
				if err != nil {
					t.Error(err)
				}
			}
			if err := s.close(); err != nil {
				t.Error(err)
			}
		}
	})
	seeds, _ := testkit.DamagedSeeds(t)
	t.Logf("of %d files, %d were replaced; %d stories of %d and %d marks were kept", seeds, aside, kept, 2000*seeds, marks)
}
