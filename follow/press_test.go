package follow

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/feed"
	"github.com/lede-news/lede/internal/lab/newsroom"
)

// pressStart is when the sites of tests begin to publish.
var pressStart = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// world is a press on a loopback server, whose clock is that of a synctest bubble.
type world struct {
	press  *newsroom.Press
	server *httptest.Server
	clock  atomic.Int64
	client *fetch.Client

	mu     sync.Mutex
	flying map[string]int // requests, by host
	most   int            // concurrent requests to a host

	sources map[string]bool // that were read, by address
}

// newWorld starts the server. It must be called outside the bubble.
func newWorld(t *testing.T, seed uint64, opts newsroom.PressOptions) *world {
	t.Helper()
	opts.Start = pressStart
	w := &world{press: newsroom.NewPress(seed, opts), flying: map[string]int{}, sources: map[string]bool{}}
	w.clock.Store(pressStart.UnixNano())
	w.server = httptest.NewServer(w.press.Handler(func() time.Time { return time.Unix(0, w.clock.Load()).UTC() }))
	t.Cleanup(w.server.Close)
	w.client = newClient(t, w.server)
	return w
}

// newClient returns a client for which all names lead to a server. Addresses are
// guarded.
func newClient(t *testing.T, server *httptest.Server) *fetch.Client {
	for _, name := range []string{"HTTP_PROXY", "http_proxy"} {
		t.Setenv(name, "")
	}
	return fetch.New(fetch.Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if _, err := netip.ParseAddrPort(address); err == nil {
			if err := fetch.Control(network, address, nil); err != nil {
				return nil, err
			}
		}
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}})
}

// begin counts the requests in flight, as the client sees them: the server may still
// be busy with one whose response has arrived.
func (w *world) begin(host string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flying[host] += n
	w.most = max(w.most, w.flying[host])
}

// sites returns the addresses of all sites.
func (w *world) sites() (list []string) {
	for _, s := range w.press.Sites() {
		list = append(list, s.Address())
	}
	return list
}

// bubble runs a test in a bubble whose clock starts when the press does.
func (w *world) bubble(t *testing.T, test func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(pressStart))
		test(t)
	})
}

// newFollower returns a Follower that sees the press at the time of the bubble.
func (w *world) newFollower(t *testing.T, opts Options, handle Handler) *Follower {
	t.Helper()
	f, err := New(opts, handle)
	if err != nil {
		t.Fatal(err)
	}
	f.send = func(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
		w.clock.Store(time.Now().UnixNano())
		w.begin(hostOf(r.URL), 1)
		defer w.begin(hostOf(r.URL), -1)
		defer w.client.CloseIdleConnections() // what waits for the network holds the clock
		return w.client.Do(ctx, r)
	}
	return f
}

// collector is a Handler that keeps stories in memory.
type collector struct{ stories []*Story }

func (c *collector) Story(_ context.Context, s *Story) error {
	s.Response.Body = nil
	c.stories = append(c.stories, s)
	return nil
}

func (c *collector) Commit() ([]byte, error) { return nil, nil }

// figures are what a run over a press is judged by.
type figures struct {
	published, found  int // stories that could be found, and those that were
	pages, storyPages int // pages fetched that are no sources, and stories among them
	late, lateFetched int // new stories after the first day, and pages fetched for them
	twice             int
	missed            []string
}

func (f figures) share() float64     { return float64(f.found) / float64(f.published) }
func (f figures) precision() float64 { return float64(f.storyPages) / float64(f.pages) }
func (f figures) fetches() float64   { return float64(f.lateFetched) / float64(f.late) }

func (f figures) String() string {
	return fmt.Sprintf("%d of %d stories found (%.4f), %d of %d pages were stories (%.4f), %.3f fetches for each story after the first day, %d twice",
		f.found, f.published, f.share(), f.storyPages, f.pages, f.precision(), f.fetches(), f.twice)
}

// judge compares what was found with what was published until an hour before the end,
// so that there was time to find it.
func (w *world) judge(stories []*Story, end time.Time) (f figures) {
	grace, day := end.Add(-6*time.Hour), pressStart.Add(24*time.Hour)
	found := map[string]bool{}
	for _, s := range stories {
		for _, site := range w.press.Sites() {
			if id, ok := site.Lookup(s.URL); ok {
				key := fmt.Sprintf("%s/%d", site.Name, id)
				if found[key] && !s.Changed {
					f.twice++
					f.missed = append(f.missed, "twice: "+s.URL+" fetched from "+s.Response.URL)
				}
				found[key] = true
			}
		}
	}
	for _, site := range w.press.Sites() {
		for _, s := range site.Published(end) {
			if s.Published.After(day) && !s.Forbidden {
				f.late++
			}
			if s.Forbidden || s.Published.Before(pressStart) || s.Published.After(grace) {
				continue
			}
			f.published++
			if found[fmt.Sprintf("%s/%d", site.Name, s.ID)] {
				f.found++
			} else if len(f.missed) < 20 {
				f.missed = append(f.missed, s.URL+" "+s.Published.Format(time.DateTime))
			}
		}
	}
	guesses := append(feed.Paths(), sitemapPaths...)
	fetched := map[string]time.Time{} // when a story was fetched last
	for _, r := range w.press.Log() {
		if slices.Contains([]newsroom.PageKind{newsroom.RobotsPage, newsroom.FeedPage, newsroom.SitemapPage}, r.Kind) || w.sources["http://"+r.Host+r.Path] || slices.Contains(guesses, r.Path) || r.Status >= 300 && r.Status < 400 {
			continue
		}
		f.pages++
		if r.Kind == newsroom.StoryPage {
			f.storyPages++
		}
		key := fmt.Sprintf("%s/%d", r.Host, r.Story)
		if r.Time.After(day) && !w.changed(r, fetched[key]) {
			f.lateFetched++
		}
		if r.Story >= 0 {
			fetched[key] = r.Time
		}
	}
	return f
}

// changed reports whether the story of a request has changed since it was fetched.
func (w *world) changed(r newsroom.PressRequest, since time.Time) bool {
	if r.Story < 0 || since.IsZero() {
		return false
	}
	for _, site := range w.press.Sites() {
		if "www."+site.Name+".example" != r.Host {
			continue
		}
		for _, s := range site.Published(r.Time) {
			if s.ID == r.Story {
				return slices.ContainsFunc(s.Changed, func(t time.Time) bool { return t.After(since) })
			}
		}
	}
	return false
}

// The size of the proof. make follow runs the one of the promise: 100 sites for 14 days.
var (
	pressSites = flag.Int("press.sites", 6, "number of sites")
	pressDays  = flag.Int("press.days", 2, "number of days")
)

// TestPress follows made-up sites for days, by all ways and by each alone.
func TestPress(t *testing.T) {
	for _, test := range []struct {
		name             string
		ways             newsroom.Ways
		found, precision float64
	}{
		{"all", 0, .998, .97},
		{"home", newsroom.HomePages, .96, .96},
		{"feed", newsroom.Feeds, .96, .96},
		{"sitemap", newsroom.Sitemaps, .96, .96},
	} {
		t.Run(test.name, func(t *testing.T) {
			sites := *pressSites
			if testing.Short() {
				if sites = 3; test.ways != 0 {
					t.Skip("all ways together show the short form")
				}
			}
			w := newWorld(t, 1, newsroom.PressOptions{Sites: sites, Ways: test.ways})
			w.bubble(t, func(t *testing.T) {
				end := pressStart.Add(time.Duration(*pressDays) * 24 * time.Hour)
				c := w.follow(t, Options{Sites: w.sites(), Every: 30 * time.Minute}, end)
				x := w.judge(c.stories, end)
				t.Log(x)
				for _, m := range x.missed {
					t.Log("missed", m)
				}
				if x.share() < test.found || x.precision() < test.precision || x.fetches() > 1.1 || x.twice > 0 {
					t.Errorf("want %v of the stories, %v of the pages, 1.1 fetches and none twice", test.found, test.precision)
				}
				w.checkManners(t)
			})
		})
	}
}

// follow follows sites until a time and returns what was found.
func (w *world) follow(t *testing.T, opts Options, end time.Time) *collector {
	t.Helper()
	c := &collector{}
	opts.Report = func(site string, err error) { t.Log(site, err) }
	f := w.newFollower(t, opts, c)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	if err := f.Run(ctx); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	for _, r := range f.sites {
		list, err := f.state.sources(r.id)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			w.sources[s.url] = true
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", f.Stats())
	return c
}

// checkManners checks the log of the servers.
func (w *world) checkManners(t *testing.T) {
	t.Helper()
	for _, rude := range w.rude() {
		t.Error(rude)
	}
}

// rude returns what a crawler should not have done.
func (w *world) rude() (list []string) {
	if w.most > 1 {
		list = append(list, fmt.Sprintf("concurrent: %d requests to a host", w.most))
	}
	delays := map[string]time.Duration{}
	for _, s := range w.press.Sites() {
		delays["www."+s.Name+".example"] = time.Duration(s.CrawlDelay()) * time.Second
	}
	for _, r := range w.press.Log() {
		if r.Forbidden {
			list = append(list, "forbidden: "+r.Host+r.Path)
		}
		if r.Possible && !r.Conditional {
			list = append(list, "unconditional: "+r.Host+r.Path)
		}
		if r.SinceBegan >= 0 && r.SinceBegan < time.Second {
			list = append(list, fmt.Sprintf("delay: %s%s after %v", r.Host, r.Path, r.SinceBegan))
		}
		if r.SinceBegan >= 0 && r.SinceBegan < delays[r.Host] && r.Kind != newsroom.RobotsPage {
			list = append(list, fmt.Sprintf("crawl-delay: %s%s after %v, but robots.txt asks for %v", r.Host, r.Path, r.SinceBegan, delays[r.Host]))
		}
	}
	return list[:min(len(list), 20)]
}
