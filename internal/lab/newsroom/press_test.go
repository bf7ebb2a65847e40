package newsroom

import (
	"context"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/crawl/feed"
	"github.com/lede-news/lede/internal/crawl/robots"
	"github.com/lede-news/lede/internal/crawl/sitemap"
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

// TestPressStories checks that no two stories of a site share title, text or URL, and
// that the same seed gives the same stories.
func TestPressStories(t *testing.T) {
	t.Parallel()
	testkit.SkipRace(t)
	until := pressStart.AddDate(0, 0, 14)
	again := NewPress(1, PressOptions{Sites: 46}).Sites()
	for i, s := range NewPress(1, PressOptions{Sites: 46}).Sites() {
		again[i].Published(pressStart) // what was asked before does not matter
		same := again[i].Published(until)
		seen := map[string]int{}
		for _, x := range s.Published(until) {
			keys := []string{"title " + x.Title, "URL " + x.URL}
			if i%6 == 0 {
				keys = append(keys, s.storyPage(x.ID, until, "", "").Gold.Text)
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
			if same[x.ID].URL != x.URL || same[x.ID].Title != x.Title {
				t.Errorf("%s: another story with the same seed", x.URL)
			}
		}
	}
}

// TestPressLists checks that every story is listed on the home page, in the feed and in
// the sitemaps while it is new, as a crawler reads them, and that no list is ahead of
// the clock.
func TestPressLists(t *testing.T) {
	t.Parallel()
	p := NewPress(3, PressOptions{Sites: 46, Ways: HomePages | Feeds | Sitemaps})
	c := newPressClient(t, p)
	kinds := map[string]bool{}
	for _, s := range p.Sites() {
		kinds[s.feed], kinds[s.sitemap] = true, true
		s.Published(pressStart.AddDate(0, 0, 6)) // so that Lookup knows those not yet published
		home, inFeed, inMap := storiesOn(s, c.get(s.Address())), c.readFeed(s), c.readSitemaps(s)
		for _, x := range s.Published(c.at) {
			if age := c.at.Sub(x.Published); age < 8*time.Hour && (!home[x.ID] || !inFeed[x.ID] || !inMap[x.ID]) {
				t.Errorf("%s: story %d after %v: home page %v, feed %v, sitemap %v", s.Name, x.ID, age, home[x.ID], inFeed[x.ID], inMap[x.ID])
			}
		}
		for _, list := range []map[int]bool{home, inFeed, inMap} {
			for k := range list {
				if s.entry(k).time.After(c.at) {
					t.Errorf("%s: story %d is listed before it is published", s.Name, k)
				}
			}
		}
		if n := len(home); n < 15 || n > 60 {
			t.Errorf("%s: %d stories on the home page", s.Name, n)
		}
	}
	for _, kind := range []string{"rss", "atom", "one", "index", "gz"} {
		if !kinds[kind] {
			t.Errorf("no site has a feed or sitemap of kind %s", kind)
		}
	}
}

func (c *pressClient) readFeed(s *PressSite) map[int]bool {
	c.t.Helper()
	address := strings.TrimSuffix(s.Address(), "/") + s.feedPath
	r := c.do(address)
	body, _ := io.ReadAll(r.Body)
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	f, err := feed.Parse(body, params["charset"], address)
	if err != nil {
		c.t.Fatalf("%s (%s): %v", address, s.feed, err)
	}
	seen := map[int]bool{}
	for _, item := range f.Items {
		k, ok := s.Lookup(item.URL)
		if !ok {
			c.t.Errorf("%s: unknown URL %s", address, item.URL)
		}
		seen[k] = true
	}
	return seen
}

func (c *pressClient) readSitemaps(s *PressSite) map[int]bool {
	c.t.Helper()
	root := strings.TrimSuffix(s.Address(), "/")
	list := []string{root + "/sitemap.xml"}
	if s.sitemapDeclared {
		list = robots.Parse([]byte(c.get(root+"/robots.txt")), "lede").Sitemaps()
	}
	seen := map[int]bool{}
	for i := 0; i < len(list); i++ {
		r := c.do(list[i])
		err := sitemap.Read(r.Body, list[i], func(e sitemap.Entry) bool {
			if e.Index {
				list = append(list, e.URL)
			} else if k, ok := s.Lookup(e.URL); ok {
				seen[k] = true
			}
			return true
		})
		if err != nil {
			c.t.Errorf("%s: %s: %v", list[i], r.Status, err)
		}
	}
	return seen
}

// TestPressRobots compares the press's own rule with the parser, which must
// agree about all that pages link to.
func TestPressRobots(t *testing.T) {
	t.Parallel()
	p := NewPress(1, PressOptions{Sites: 60})
	c := newPressClient(t, p)
	forbidden, missing := 0, 0
	for _, s := range p.Sites() {
		r := c.do(s.Address() + "robots.txt")
		if r.StatusCode == 404 {
			missing++
			continue
		}
		body, _ := io.ReadAll(r.Body)
		rules := robots.Parse(body, "lede")
		if got := rules.CrawlDelay(); got.Seconds() != float64(s.CrawlDelay()) {
			t.Errorf("%s: crawl delay %v, want %d", s.Name, got, s.CrawlDelay())
		}
		paths := []string{"/", "/search?q=a", "/login", "/login/", "/tag/x/", "/newsletter/", "/subscribe/", "/archive/?page=2"}
		for _, x := range s.Published(c.at) {
			if x.Forbidden {
				forbidden++
			}
			paths = append(paths, strings.TrimPrefix(x.URL, "http://"+s.site.Host))
		}
		for _, path := range paths {
			if rules.Allowed(path) == s.forbids(path) {
				t.Errorf("%s: %s is forbidden: %v", s.Name, path, s.forbids(path))
			}
		}
	}
	if forbidden == 0 || missing == 0 {
		t.Errorf("%d stories are forbidden, %d sites have no robots.txt", forbidden, missing)
	}
}

// TestPressLog checks that the log shows what a rude client does.
func TestPressLog(t *testing.T) {
	t.Parallel()
	p := NewPress(1, PressOptions{Sites: 100})
	c := newPressClient(t, p)
	i := slices.IndexFunc(p.sites, func(s *PressSite) bool {
		return s.validators == "both" && slices.Contains(s.disallow, "/tag/")
	})
	s := p.sites[i]
	c.do(s.Address() + "robots.txt")
	c.at = c.at.Add(5 * time.Second)
	home := c.do(s.Address())
	c.at = c.at.Add(5 * time.Second)
	if r := c.do(s.Address(), "If-None-Match", home.Header.Get("ETag")); r.StatusCode != http.StatusNotModified {
		t.Errorf("a page that did not change: %s", r.Status)
	}
	for i, r := range p.Log() {
		if r.Forbidden || r.Possible && !r.Conditional || i > 0 && r.SinceBegan != 5*time.Second {
			t.Errorf("a polite client: %+v", r)
		}
	}
	p.ResetLog()
	c.do(s.Address())            // not conditional
	c.do(s.Address() + "tag/x/") // forbidden
	c.at = c.at.Add(time.Minute)
	c.do(s.Published(c.at)[7].URL)
	log := p.Log()
	if len(log) != 3 || !log[0].Possible || log[0].Conditional || log[0].Kind != HomePage || log[0].Status != 200 || log[0].Story != -1 {
		t.Errorf("a request that is not conditional: %+v", log)
	}
	if !log[1].Forbidden || log[1].SinceBegan != 0 || log[2].Kind != StoryPage || log[2].Story != 7 || log[2].SinceBegan != time.Minute {
		t.Errorf("a forbidden request and a story: %+v", log[1:])
	}
}

// TestPressChanges checks that changes change the text, and that a page is 304 until then
// and not after.
func TestPressChanges(t *testing.T) {
	t.Parallel()
	p := NewPress(1, PressOptions{Sites: 40})
	c := newPressClient(t, p)
	end, changed := c.at, 0
	for _, s := range p.Sites() {
		for _, x := range s.Published(end) {
			if len(x.Changed) == 0 || x.Changed[0].Before(pressStart.Add(time.Hour)) {
				continue
			}
			changed++
			before, after := s.storyPage(x.ID, x.Changed[0].Add(-time.Second), "", "").Gold, s.storyPage(x.ID, x.Changed[0], "", "").Gold
			if before.Text == after.Text || before.Title != after.Title {
				t.Errorf("%s: a change did not change the text", x.URL)
			}
			c.at = x.Changed[0].Add(-time.Minute)
			h := c.do(x.URL).Header
			again := []string{"If-None-Match", h.Get("ETag"), "If-Modified-Since", h.Get("Last-Modified")}
			unchanged := c.do(x.URL, again...).StatusCode
			c.at = end
			if now := c.do(x.URL, again...).StatusCode; now != 200 || (unchanged == 304) != !slices.Contains([]string{"none", "dynamic"}, s.validators) {
				t.Errorf("%s (%s): %d before and %d after the change", x.URL, s.validators, unchanged, now)
			}
		}
	}
	if changed < 10 {
		t.Errorf("%d stories were changed", changed)
	}
}

// TestPressTypes checks that pages are what they are meant to be: lede takes
// nearly all stories for articles, nearly all fronts for lists, and no front for an article.
func TestPressTypes(t *testing.T) {
	t.Parallel()
	testkit.SkipRace(t)
	p := NewPress(1, PressOptions{Sites: 46})
	c := newPressClient(t, p)
	var stories, articles, titles, fronts, lists int
	extract := func(address string) *lede.Article {
		a, err := lede.Extract(context.Background(), strings.NewReader(c.get(address)), lede.WithURL(address))
		if err != nil {
			return &lede.Article{}
		}
		return a
	}
	for _, s := range p.Sites() {
		published := s.Published(c.at)
		for n := 1; n <= 4; n++ {
			x := published[len(published)-n*5]
			stories++
			a := extract(x.URL)
			if a.Type == article.TypeArticle {
				articles++
			}
			if a.Title == strings.ReplaceAll(x.Title, "\u3000", " ") {
				titles++
			}
		}
		for _, path := range []string{"", "archive/", s.site.sections[0].Slug + "/"} {
			fronts++
			switch extract(s.Address() + path).Type {
			case article.TypeIndex:
				lists++
			case article.TypeArticle:
				t.Errorf("%s%s is an article", s.Address(), path)
			}
		}
	}
	if articles*100 < stories*98 || lists*100 < fronts*94 || titles*100 < stories*97 {
		t.Errorf("%d of %d stories are articles, %d have their title; %d of %d fronts are lists", articles, stories, titles, lists, fronts)
	}
}
