package newsroom

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// pressStart is when the presses of the tests begin to publish.
var pressStart = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)

// A pressClient requests pages of a press at a time.
type pressClient struct {
	t  testing.TB
	h  http.Handler
	at time.Time
}

func newPressClient(t testing.TB, p *Press) *pressClient {
	c := &pressClient{t: t, at: pressStart.Add(60 * time.Hour)}
	c.h = p.Handler(func() time.Time { return c.at })
	return c
}

func (c *pressClient) do(address string, header ...string) *http.Response {
	c.t.Helper()
	address, _, _ = strings.Cut(address, "#")
	r := httptest.NewRequest("GET", address, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	return w.Result()
}

// get returns the body of a page, which must have status 200.
func (c *pressClient) get(address string) string {
	c.t.Helper()
	r := c.do(address)
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		c.t.Fatalf("%s: %s %v", address, r.Status, err)
	}
	return string(body)
}

var hrefs = regexp.MustCompile(`(?i)href="([^"]*)"`)

// storiesOn returns the stories that a page links to.
func storiesOn(s *PressSite, page string) map[int]bool {
	list := map[int]bool{}
	for _, m := range hrefs.FindAllStringSubmatch(page, -1) {
		if k, ok := s.Lookup(strings.ReplaceAll(m[1], "&amp;", "&")); ok {
			list[k] = true
		}
	}
	return list
}

func TestPressIsDeterministic(t *testing.T) {
	a, b, c := NewPress(1, PressOptions{Sites: 30}), NewPress(1, PressOptions{Sites: 30}), NewPress(2, PressOptions{Sites: 30})
	until := pressStart.Add(50 * time.Hour)
	b.Sites()[3].Published(until.AddDate(0, 0, 40)) // what was asked before does not matter
	differ := 0
	for i, s := range a.Sites() {
		x, y, z := s.Published(until), b.Sites()[i].Published(until), c.Sites()[i].Published(until)
		if len(x) != len(y) || x[len(x)-1].URL != y[len(y)-1].URL || x[len(x)-1].Title != y[len(y)-1].Title {
			t.Errorf("%s: other stories with the same seed", s.Name)
		}
		if x[len(x)-1].Title != z[len(z)-1].Title {
			differ++
		}
		if s.traits.sessions {
			continue
		}
		for _, address := range []string{s.Address(), x[len(x)-1].URL, s.Address() + "archive/"} {
			if newPressClient(t, a).get(address) != newPressClient(t, b).get(address) {
				t.Errorf("%s differs with the same seed", address)
			}
		}
	}
	if differ < 25 {
		t.Errorf("only %d of 30 sites differ with another seed", differ)
	}
}

// TestPressStoriesDiffer checks that no two stories of a site share title, text or address.
func TestPressStoriesDiffer(t *testing.T) {
	testkit.SkipRace(t)
	until := pressStart.AddDate(0, 0, 14)
	for i, s := range NewPress(1, PressOptions{Sites: 46}).Sites() {
		seen := map[string]int{}
		for _, x := range s.Published(until) {
			keys := []string{"title " + x.Title, "address " + x.URL}
			if i%6 == 0 {
				keys = append(keys, s.Gold(x.ID, until).Text)
			}
			for _, key := range keys {
				if other, ok := seen[key]; ok {
					t.Errorf("%s: stories %d and %d share %q", s.Name, other, x.ID, key)
				}
				seen[key] = x.ID
			}
			if k, ok := s.Lookup(x.URL); !ok || k != x.ID {
				t.Errorf("Lookup(%q) = %d, %v, want %d", x.URL, k, ok, x.ID)
			}
		}
	}
}

// TestPressLists checks that every story is listed on the home page, in the feed
// and in the sitemap while it is new, and that no list is ahead of the clock.
func TestPressLists(t *testing.T) {
	p := NewPress(3, PressOptions{Sites: 46, Ways: HomePages | Feeds | Sitemaps})
	c := newPressClient(t, p)
	for _, s := range p.Sites() {
		s.Published(pressStart.AddDate(0, 0, 6)) // so that Lookup knows those not yet published
		for _, hours := range []int{30, 36, 44} {
			c.at = pressStart.Add(time.Duration(hours) * time.Hour)
			home := storiesOn(s, c.get(s.Address()))
			feed := c.get(strings.TrimSuffix(s.Address(), "/") + s.traits.feedPath)
			for _, x := range s.Published(c.at) {
				age := c.at.Sub(x.Published)
				if age > 8*time.Hour || !x.Deleted.IsZero() {
					continue
				}
				if !home[x.ID] {
					t.Errorf("%s: story %d is missing on the home page after %v", s.Name, x.ID, age)
				}
				path := strings.TrimPrefix(x.URL, "http://"+s.site.Host)
				if feed := strings.ReplaceAll(feed, "&amp;", "&"); !strings.Contains(feed, path) {
					t.Errorf("%s: story %d is missing in the feed after %v", s.Name, x.ID, age)
				}
			}
			for k := range home {
				if e, _ := s.entry(k); e.time().After(c.at) {
					t.Errorf("%s: the home page has story %d before it is published", s.Name, k)
				}
			}
			if n := len(home); n < 15 || n > 60 {
				t.Errorf("%s: %d stories on the home page", s.Name, n)
			}
		}
	}
}
