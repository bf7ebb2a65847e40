package newsroom

import (
	"context"
	"io"
	"mime"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/crawl/feed"
	"github.com/lede-news/lede/internal/crawl/robots"
	"github.com/lede-news/lede/internal/crawl/sitemap"
)

// TestPressFeeds reads the feeds of the sites as a crawler does.
func TestPressFeeds(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 100})
	c := newPressClient(t, p)
	kinds := map[string]int{}
	for _, s := range p.Sites() {
		x := &s.traits
		if x.feed == "" {
			continue
		}
		kinds[x.feed]++
		kinds[x.feedFault]++
		d, err := dom.Parse(context.Background(), []byte(c.get(s.Address())), dom.Options{})
		if err != nil {
			t.Fatal(err)
		}
		address := strings.TrimSuffix(s.Address(), "/") + x.feedPath
		declared := feed.Find(d, s.Address())
		if x.feedDeclared && !slices.Contains(declared, address) || !x.feedDeclared && len(declared) > 0 {
			t.Errorf("%s: declared feeds %q, want %s: %v", s.Name, declared, address, x.feedDeclared)
		}
		if !x.feedDeclared && !slices.Contains(feed.Paths(), x.feedPath) && !slices.Contains(feed.Paths(), strings.TrimSuffix(x.feedPath, "/")) {
			t.Errorf("%s: %s is neither declared nor a known path", s.Name, x.feedPath)
		}
		r := c.do(address)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := feed.Parse(body, params["charset"], address)
		if err != nil {
			t.Errorf("%s (%s, fault %q): %v", address, x.feed, x.feedFault, err)
			continue
		}
		if len(f.Items) != x.feedLength {
			t.Errorf("%s (%s, fault %q): %d items, want %d", address, x.feed, x.feedFault, len(f.Items), x.feedLength)
		}
		published := s.Published(c.at)
		for _, item := range f.Items {
			k, ok := s.Lookup(item.URL)
			if !ok {
				t.Errorf("%s: unknown address %s", address, item.URL)
				continue
			}
			if want := strings.ReplaceAll(published[k].Title, "\u3000", " "); item.Title != want || !item.Published.Equal(published[k].Published) {
				t.Errorf("%s (%s, fault %q): %q of %v, want %q", address, x.feed, x.feedFault, item.Title, item.Published, want)
			}
		}
	}
	for _, kind := range []string{"rss", "atom", "rdf", "json", "charset", "header", "ampersand"} {
		if kinds[kind] == 0 {
			t.Errorf("no site has a feed of kind or with fault %s", kind)
		}
	}
}

// TestPressSitemaps checks that the sitemaps list every story that is not deleted.
func TestPressSitemaps(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 60})
	c := newPressClient(t, p)
	kinds := map[string]int{}
	for _, s := range p.Sites() {
		x := &s.traits
		if x.sitemap == "" {
			continue
		}
		kinds[x.sitemap]++
		root := strings.TrimSuffix(s.Address(), "/")
		list := []string{root + "/sitemap.xml"}
		if x.sitemapDeclared {
			list = robots.Parse([]byte(c.get(root + "/robots.txt"))).Sitemaps()
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
				t.Errorf("%s: %s: %v", list[i], r.Status, err)
			}
		}
		for _, story := range s.Published(c.at) {
			if seen[story.ID] == story.Deleted.IsZero() {
				continue
			}
			t.Errorf("%s (%s): story %d listed: %v, deleted: %v", s.Name, x.sitemap, story.ID, seen[story.ID], story.Deleted)
		}
	}
	for _, kind := range []string{"one", "index", "gz", "text"} {
		if kinds[kind] == 0 {
			t.Errorf("no site has a sitemap of kind %s", kind)
		}
	}
}

// TestPressRobots compares the press's own rule with the parser, which must
// agree about all that pages link to.
func TestPressRobots(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 60})
	c := newPressClient(t, p)
	forbidden, missing := 0, 0
	for _, s := range p.Sites() {
		r := c.do(s.Address() + "robots.txt")
		if r.StatusCode == 404 {
			missing++
			continue
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		rules := robots.Parse(body)
		if got := rules.CrawlDelay("lede"); got.Seconds() != float64(s.CrawlDelay()) {
			t.Errorf("%s: crawl delay %v, want %d", s.Name, got, s.CrawlDelay())
		}
		paths := append(s.pagePaths(), "/", "/search?q=a", "/login", "/login/", "/calendar/", "/newsletter/", "/subscribe/", "/a/print", "/x?print=1")
		for _, x := range s.Published(c.at) {
			if x.Forbidden {
				forbidden++
			}
			paths = append(paths, strings.TrimPrefix(x.URL, "http://"+s.site.Host))
		}
		for _, path := range paths {
			if rules.Allowed("lede", path) == s.Forbids(path) {
				t.Errorf("%s: %s is forbidden: %v", s.Name, path, s.Forbids(path))
			}
		}
	}
	if forbidden == 0 || missing == 0 {
		t.Errorf("%d stories are forbidden, %d sites have no robots.txt", forbidden, missing)
	}
}
