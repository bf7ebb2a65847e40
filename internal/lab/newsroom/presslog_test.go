package newsroom

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// siteWith returns a site of the press for which ok returns true.
func siteWith(t *testing.T, p *Press, ok func(*traits) bool) *PressSite {
	t.Helper()
	for _, s := range p.Sites() {
		if ok(&s.traits) {
			return s
		}
	}
	t.Fatal("no such site")
	return nil
}

// TestPressLog checks that the log shows what a rude client does.
func TestPressLog(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 100})
	c := newPressClient(t, p)
	s := siteWith(t, p, func(x *traits) bool { return x.validators == "both" && x.forbids("/tag/") })
	c.do(s.Address()+"robots.txt", "User-Agent", "polite")
	c.at = c.at.Add(5 * time.Second)
	home := c.do(s.Address(), "User-Agent", "polite")
	c.at = c.at.Add(5 * time.Second)
	c.do(s.Address(), "User-Agent", "polite", "If-None-Match", home.Header.Get("ETag"))
	if n := p.Counts(); n.Forbidden+n.Concurrent+n.Unconditional != 0 || n.Requests != 3 || n.Statuses[304] != 1 || n.MinDelay != 5*time.Second {
		t.Errorf("a polite client: %+v", n)
	}
	p.ResetLog()

	c.do(s.Address(), "User-Agent", "polite")          // not conditional
	c.do(s.Address(), "User-Agent", "another")         // could not be
	c.do(s.Address()+"tag/x/", "User-Agent", "polite") // forbidden
	if same, ok := p.Site(s.site.Host + ":80"); !ok || same != s {
		t.Errorf("Site(%q) = %v, %v", s.site.Host, same, ok)
	}
	story := s.Published(c.at)[7]
	if x, ok := s.Story(7, c.at); !ok || x.URL != story.URL {
		t.Errorf("Story(7) = %+v, %v", x, ok)
	}
	if _, ok := s.Story(1<<20, c.at); ok {
		t.Error("a story that is not published")
	}
	c.at = c.at.Add(time.Minute)
	c.do(strings.Replace(story.URL, ".example", ".example:8080", 1), "User-Agent", "polite")
	log := p.Log()
	if len(log) != 4 {
		t.Fatalf("%d entries in the log", len(log))
	}
	if x := log[0]; !x.Possible || x.Conditional || x.Kind != HomePage || x.Status != 200 || x.Host != s.site.Host || x.Path != "/" || x.Story != -1 || x.UserAgent != "polite" {
		t.Errorf("a request that is not conditional: %+v", x)
	}
	if x := log[1]; x.Possible || x.SinceBegan != 0 || x.SinceEnded != 0 {
		t.Errorf("a request of another client: %+v", x)
	}
	if x := log[2]; !x.Forbidden || x.Kind != OtherPage {
		t.Errorf("a forbidden request: %+v", x)
	}
	if x := log[3]; x.Kind != StoryPage || x.Story != 7 || x.SinceBegan != time.Minute || x.Forbidden != story.Forbidden {
		t.Errorf("a story: %+v", x)
	}
	if n := p.Counts(); n.Forbidden < 1 || n.Unconditional != 1 || n.MinDelay != 0 || n.Kinds[HomePage] != 2 {
		t.Errorf("a rude client: %+v", n)
	}
}

func (t *traits) forbids(rule string) bool {
	for _, x := range t.disallow {
		if x == rule {
			return !t.noRobots
		}
	}
	return false
}

// TestPressLogConcurrency holds one request and sends another.
func TestPressLogConcurrency(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 1, Traps: true})
	h := p.Handler(func() time.Time { return pressStart })
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	go func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://www.trap-hangs.example/", nil).WithContext(ctx))
		close(done)
	}()
	inFlight := func() int {
		p.log.mu.Lock()
		defer p.log.mu.Unlock()
		if x := p.log.hosts["www.trap-hangs.example"]; x != nil {
			return x.inFlight
		}
		return 0
	}
	for inFlight() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://www.trap-hangs.example/", nil).WithContext(cancelled))
	cancel()
	<-done
	if n := p.Counts(); n.Concurrent != 1 || n.Kinds[TrapPage] != 2 {
		t.Errorf("two requests at once: %+v", n)
	}
	if log := p.Log(); log[0].InFlight != 2 || log[1].InFlight != 1 {
		t.Errorf("two requests at once: %+v", log)
	}
}

func TestPressCountOnly(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 1, CountOnly: true})
	newPressClient(t, p).get(p.Sites()[0].Address())
	if n := p.Counts(); n.Requests != 1 || len(p.Log()) != 0 {
		t.Errorf("%+v, %d entries in the log", n, len(p.Log()))
	}
}

// TestPressValidators checks that a page is 304 until it changes, and not after.
func TestPressValidators(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 100, Ways: HomePages | Feeds | Sitemaps})
	c := newPressClient(t, p)
	seen := map[string]bool{}
	for _, s := range p.Sites() {
		kind := s.traits.validators
		if seen[kind] {
			continue
		}
		seen[kind] = true
		start := c.at
		root := strings.TrimSuffix(s.Address(), "/")
		for _, path := range []string{"/", s.traits.feedPath, s.traits.sitemapPath, "/robots.txt"} {
			if path == "/robots.txt" && s.traits.noRobots {
				continue
			}
			c.at = start
			r := c.do(root + path)
			var header []string
			if tag := r.Header.Get("ETag"); tag != "" {
				header = append(header, "If-None-Match", tag)
			}
			if since := r.Header.Get("Last-Modified"); since != "" {
				header = append(header, "If-Modified-Since", since)
			}
			want := http.StatusNotModified
			if kind == "none" || kind == "dynamic" {
				want = http.StatusOK
			}
			if (len(header) == 0) != (kind == "none") {
				t.Errorf("%s%s (%s): validators %q", root, path, kind, header)
			}
			if got := c.do(root+path, header...); got.StatusCode != want {
				t.Errorf("%s%s (%s) again: %s, want %d", root, path, kind, got.Status, want)
			}
			c.at = start.AddDate(0, 0, 1)
			if path == "/robots.txt" {
				continue
			}
			if got := c.do(root+path, header...); got.StatusCode != http.StatusOK {
				t.Errorf("%s%s (%s) after a day: %s", root, path, kind, got.Status)
			}
		}
		c.at = start
	}
	if len(seen) < 6 {
		t.Errorf("only these kinds of validators: %v", seen)
	}
}

// TestPressChanges checks that a changed story has another text and later
// validators, and that a deleted one is gone.
func TestPressChanges(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 40})
	c := newPressClient(t, p)
	stories, changed, deleted := 0, 0, 0
	statuses := map[int]bool{}
	for _, s := range p.Sites() {
		for _, x := range s.Published(c.at) {
			stories++
			if len(x.Changed) > 0 {
				if changed++; changed%10 == 0 {
					before, after := s.Gold(x.ID, x.Changed[0].Add(-time.Second)), s.Gold(x.ID, x.Changed[0])
					if before.Text == after.Text || !strings.HasPrefix(after.Text, before.Text[:20]) || before.Title != after.Title {
						t.Errorf("%s: a change did not change the text", x.URL)
					}
				}
			}
			if x.Deleted.IsZero() {
				continue
			}
			deleted++
			r := c.do(x.URL)
			statuses[r.StatusCode] = true
			if r.StatusCode != s.traits.gone {
				t.Errorf("%s is deleted: %s", x.URL, r.Status)
			}
			c.at = x.Deleted.Add(-time.Minute)
			if !c.at.Before(pressStart) {
				if body := c.get(x.URL); !strings.Contains(squeeze(body), squeeze("<title>")) {
					t.Errorf("%s before it is deleted: %q", x.URL, body[:100])
				}
			}
			c.at = pressStart.Add(60 * time.Hour)
		}
	}
	if share := float64(changed) / float64(stories); share < .03 || share > .07 {
		t.Errorf("%d of %d stories were changed", changed, stories)
	}
	if deleted == 0 || len(statuses) < 3 {
		t.Errorf("%d stories were deleted, with statuses %v", deleted, statuses)
	}
}

// TestPressAddresses requests a story in all forms and looks them up.
func TestPressAddresses(t *testing.T) {
	testkit.SkipRace(t)
	p := NewPress(1, PressOptions{Sites: 100})
	c := newPressClient(t, p)
	forms := map[string]int{}
	for _, s := range p.Sites() {
		published := s.Published(c.at)
		for _, x := range published[len(published)-3:] {
			if !x.Deleted.IsZero() {
				continue
			}
			st := s.story(x.ID)
			root := strings.TrimSuffix(s.Address(), "/")
			sep := "?"
			if strings.Contains(x.URL, "?") {
				sep = "&"
			}
			list := map[string]string{"canonical": x.URL, "tracking": x.URL + sep + "utm_source=x&sid=12", "fragment": x.URL + "#comments", "https": strings.Replace(x.URL, "http:", "https:", 1), "port": strings.Replace(x.URL, ".example", ".example:8080", 1), "bare": strings.Replace(x.URL, "www.", "", 1)}
			if s.traits.amp {
				list["amp"] = root + s.form(st, "amp")
			}
			if s.traits.print {
				list["print"] = root + s.form(st, "print")
			}
			if s.traits.mobile {
				list["mobile"] = strings.Replace(x.URL, "www.", "m.", 1)
			}
			if s.traits.oldAddresses {
				list["old"] = root + s.form(st, "old")
			}
			if second, ok := s.secondSection(x.ID); ok {
				list["second"] = root + s.path(st, second)
			}
			for form, address := range list {
				forms[form]++
				if k, ok := s.Lookup(address); !ok || k != x.ID {
					t.Errorf("Lookup(%q) = %d, %v, want %d (%s)", address, k, ok, x.ID, form)
				}
				r := c.do(address)
				if r.StatusCode == http.StatusMovedPermanently {
					r = c.do(r.Header.Get("Location"))
				}
				if r.StatusCode != http.StatusOK {
					t.Errorf("%s: %s (%s)", address, r.Status, form)
				}
				u, err := url.Parse(address)
				if err != nil || u.Host == "" {
					t.Errorf("%s: %v", address, err)
				}
			}
		}
		for _, address := range []string{s.Address(), s.Address() + "archive/", s.Address() + "about/", "http://elsewhere.example/", "ftp://" + s.site.Host + "/", "http://[", s.Address() + s.Sections()[0] + "/"} {
			if k, ok := s.Lookup(address); ok {
				t.Errorf("Lookup(%q) = %d", address, k)
			}
		}
	}
	for _, form := range []string{"amp", "print", "mobile", "old", "second"} {
		if forms[form] == 0 {
			t.Errorf("no site has the form %s", form)
		}
	}
}

// TestPressLinks requests every link of the fronts inside the site.
func TestPressLinks(t *testing.T) {
	testkit.SkipRace(t)
	p := NewPress(1, PressOptions{Sites: 24})
	c := newPressClient(t, p)
	for _, s := range p.Sites() {
		home, err := url.Parse(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		published := s.Published(c.at)
		story := strings.TrimPrefix(published[len(published)-9].URL, s.Address())
		for _, path := range []string{"", "archive/?page=2", s.Sections()[1] + "/", story} {
			if k, ok := s.Lookup(s.Address() + path); ok && s.isDeleted(k, c.at) {
				continue
			}
			page := c.get(s.Address() + path)
			for _, m := range hrefs.FindAllStringSubmatch(page, -1) {
				u, err := home.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasSuffix(u.Host, s.Name+".example") || seen[u.String()] {
					continue
				}
				seen[u.String()] = true
				k, isStory := s.Lookup(u.String())
				if r := c.do(u.String()); r.StatusCode >= 400 && !(isStory && s.isDeleted(k, c.at)) {
					t.Errorf("%s links to %s: %s", s.Address()+path, u, r.Status)
				}
			}
		}
	}
}

// TestPressWays checks that what is switched off lists no stories.
func TestPressWays(t *testing.T) {
	for _, ways := range []Ways{HomePages, Feeds, Sitemaps} {
		p := NewPress(1, PressOptions{Sites: 20, Ways: ways})
		c := newPressClient(t, p)
		for _, s := range p.Sites() {
			stories := len(storiesOn(s, c.get(s.Address()))) + len(storiesOn(s, c.get(s.Address()+"archive/")))
			if (stories > 0) != (ways == HomePages) {
				t.Errorf("%s: %d stories on fronts, ways %b", s.Name, stories, ways)
			}
			if (s.traits.feed != "") != (ways == Feeds) || (s.traits.sitemap != "") != (ways == Sitemaps) {
				t.Errorf("%s: feed %q, sitemap %q, ways %b", s.Name, s.traits.feed, s.traits.sitemap, ways)
			}
		}
	}
}

// TestPressProxy requests pages from a server as from a proxy.
func TestPressProxy(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 3, Traps: true})
	clock := NewClock(pressStart, 0)
	server := httptest.NewServer(p.ClockHandler(clock))
	defer server.Close()
	proxy, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(proxy)}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	s := p.Sites()[1]
	read := func(client *http.Client, address string) string {
		t.Helper()
		r, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", address, r.Status, err)
		}
		return string(body)
	}
	before := storiesOn(s, read(client, s.Address()))
	if x := p.Log()[0]; x.Path != "/" || x.Host != s.site.Host || x.Kind != HomePage {
		t.Errorf("log of a request to a proxy: %+v", x)
	}
	if now := read(http.DefaultClient, server.URL+"/clock?add=48h"); now != "2026-03-04T00:00:00Z\n" {
		t.Errorf("clock: %q", now)
	}
	after := storiesOn(s, read(client, s.Address()))
	if len(before) == 0 || len(after) == 0 || mapsEqual(before, after) {
		t.Errorf("the home page after two days has %d stories, %d before", len(after), len(before))
	}
	if front := read(http.DefaultClient, server.URL+"/"); !strings.Contains(front, s.Address()) || !strings.Contains(front, "www.trap-gzip.example") {
		t.Errorf("front page: %s", front)
	}
	if r, err := http.Get(server.URL + "/clock?add=soon"); err != nil || r.StatusCode != http.StatusBadRequest {
		t.Errorf("add=soon: %v %v", r, err)
	}
}

func mapsEqual(a, b map[int]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

// TestTraps checks that the traps are what they say.
func TestTraps(t *testing.T) {
	p := NewPress(1, PressOptions{Sites: 1, Traps: true})
	if len(p.Traps()) < 16 {
		t.Errorf("%d traps", len(p.Traps()))
	}
	server := httptest.NewServer(p.Handler(func() time.Time { return pressStart }))
	t.Cleanup(server.Close) // after the bodies are closed
	proxy, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyURL(proxy), DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	open := func(address string) *http.Response {
		t.Helper()
		r, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Body.Close() })
		return r
	}
	z, err := gzip.NewReader(open("http://www.trap-gzip.example/news/x.html").Body)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.CopyN(io.Discard, z, 100<<20); err != nil {
		t.Errorf("gzip bomb ends after %d bytes: %v", n, err)
	}
	big := bufio.NewReader(open("http://www.trap-bigmap.example/sitemap.xml").Body)
	if n, err := io.CopyN(io.Discard, big, 20<<20); err != nil {
		t.Errorf("sitemap ends after %d bytes: %v", n, err)
	}
	if n, err := io.Copy(io.Discard, open("http://www.trap-bigrobots.example/robots.txt").Body); n < 10_000_000 || err != nil {
		t.Errorf("robots.txt of %d bytes: %v", n, err)
	}
	for address, want := range map[string]int{
		"http://www.trap-403.example/":                       403,
		"http://www.trap-429.example/":                       429,
		"http://www.trap-403.example/robots.txt":             200,
		"http://www.trap-robots500.example/robots.txt":       500,
		"http://www.trap-redirects.example/":                 200,
		"http://www.trap-redirects.example/news/back.html":   302,
		"http://www.trap-calendar.example/2031/12/31/":       200,
		"http://www.trap-session.example/":                   200,
		"http://www.trap-soft404.example/anything":           200,
		"http://www.trap-mapcircle.example/sitemap-b.xml":    200,
		"http://www.trap-charset.example/d.xml":              200,
		"http://www.trap-empty.example/":                     200,
		"http://www.trap-scripts.example/":                   200,
		"http://www.trap-forbids.example/robots.txt":         200,
		"http://www.trap-redirectout.example/news/door.html": 302,
	} {
		if r := open(address); r.StatusCode != want {
			t.Errorf("%s: %s, want %d", address, r.Status, want)
		}
	}
	open("http://www.trap-forbids.example/")
	if p.Counts().Forbidden != 1 {
		t.Errorf("%d forbidden requests, want 1", p.Counts().Forbidden)
	}
}

func BenchmarkPressStory(b *testing.B) {
	p := NewPress(1, PressOptions{Sites: 46, CountOnly: true})
	c := newPressClient(b, p)
	var urls []string
	for _, s := range p.Sites() {
		list := s.Published(c.at)
		urls = append(urls, list[len(list)-3].URL)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.do(urls[i%len(urls)])
	}
}

func BenchmarkPressHome(b *testing.B) {
	p := NewPress(1, PressOptions{Sites: 46, CountOnly: true})
	c := newPressClient(b, p)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.do(p.sites[i%len(p.sites)].Address())
	}
}
