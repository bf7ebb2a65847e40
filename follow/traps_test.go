package follow

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// trapLimits say how a Follower has to get out of each trap within a day: the
// number of requests that it may need, the stories that there are, and what a person
// is reported, once.
var trapLimits = map[string]struct {
	requests int
	stories  int
	want     string // regular expression; "" is no message
}{
	"trap-calendar":    {60, 0, `^no story among 18 pages: no article text found`},
	"trap-session":     {60, 10, `^stories have new addresses at every visit`},
	"trap-redirects":   {180, 0, `^none of 3 pages could be fetched: .*redirect loop`},
	"trap-soft404":     {50, 0, `^no story among 10 pages: the page says that there is none`},
	"trap-gzip":        {35, 0, `^none of 2 pages could be fetched: .*larger than 20971520 bytes`},
	"trap-bigmap":      {35, 0, `^all \d+ addresses are of stories older than .*/sitemap\.xml: only a part was read: .* more than 50000 entries$`},
	"trap-mapcircle":   {100, 0, `^no stories were found in 8 sources`},
	"trap-scripts":     {35, 0, `^no stories were found in 1 source.*; the page has no links without scripts; try --render$`},
	"trap-403":         {12, 0, ` answered 403 Forbidden$`},
	"trap-429":         {12, 0, ` answered 429 Too Many Requests$`},
	"trap-forbids":     {4, 0, `^not allowed by robots\.txt$`},
	"trap-robots500":   {80, 0, `^robots\.txt cannot be fetched: .*/robots\.txt answered 500 `},
	"trap-empty":       {35, 0, `^no stories were found in 1 source: feeds, sitemaps and pages$`},
	"trap-redirectout": {35, 0, `^none of 1 page could be fetched: redirected to http://127\.0\.0\.1:9/secret: .* loopback address, which is not allowed$`},
}

// trapName returns the name of the trap at an address.
func trapName(address string) string {
	return strings.TrimSuffix(strings.TrimPrefix(hostOf(address), "www."), ".example")
}

// traps returns the addresses of the traps.
func (w *world) traps(t *testing.T) []string {
	t.Helper()
	for _, address := range w.press.Traps() {
		if _, ok := trapLimits[trapName(address)]; !ok {
			t.Errorf("nothing is known about %s", address)
		}
	}
	return w.press.Traps()
}

// trapRun is what came of a run over traps.
type trapRun struct {
	reports  map[string][]string // by site
	stories  map[string][]*Story // by host
	requests map[string]int      // by host
	reasons  map[string]string   // by site
}

// trap follows sites for a day and collects what came of it.
func (w *world) trap(t *testing.T, sites []string) *trapRun {
	t.Helper()
	x := &trapRun{map[string][]string{}, map[string][]*Story{}, map[string]int{}, map[string]string{}}
	w.press.ResetLog()
	state := filepath.Join(t.TempDir(), "state.db")
	w.bubble(t, func(t *testing.T) {
		c := &collector{}
		f := w.newFollower(t, Options{Sites: sites, State: state, Every: 3 * time.Hour, Report: func(site string, err error) {
			x.reports[site] = append(x.reports[site], err.Error())
		}}, c)
		ctx, cancel := context.WithDeadline(t.Context(), pressStart.Add(24*time.Hour))
		defer cancel()
		if err := f.Run(ctx); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		for _, s := range c.stories {
			x.stories[hostOf(s.URL)] = append(x.stories[hostOf(s.URL)], s)
		}
	})
	for _, r := range w.press.Log() {
		x.requests[r.Host]++
	}
	list, err := Status(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		x.reasons[s.URL] = s.Reason
	}
	return x
}

// check compares what came of a trap with its limits.
func (x *trapRun) check(t *testing.T, address string) {
	t.Helper()
	want, reports := trapLimits[trapName(address)], x.reports[address]
	if n := x.requests[hostOf(address)]; n > want.requests || n == 0 {
		t.Errorf("%s: %d requests, want at most %d", address, n, want.requests)
	}
	if n := len(x.stories[hostOf(address)]); n != want.stories {
		t.Errorf("%s: %d stories, want %d", address, n, want.stories)
	}
	switch {
	case want.want == "" && len(reports) > 0, want.want != "" && len(reports) != 1:
		t.Errorf("%s: %d reports: %q", address, len(reports), reports)
	case want.want != "" && !regexp.MustCompile(want.want).MatchString(reports[0]):
		t.Errorf("%s: %q, want %s", address, reports[0], want.want)
	}
	if reason := x.reasons[address]; want.stories == 0 && !slices.Equal(reports, []string{reason}) || want.stories > 0 && reason != "" {
		t.Errorf("%s: the state says %q, and the reports were %q", address, reason, reports)
	}
}

// TestTraps follows all traps together with an ordinary site for a day. Requests are
// bounded, each trap has one line that says what is wrong, and all stories of the
// ordinary site are found.
func TestTraps(t *testing.T) {
	if testkit.Race && testing.Short() {
		t.Skip("a day of fake time is slow with the race detector")
	}
	w := newWorld(t, 3, newsroom.PressOptions{Sites: 1, Traps: true})
	traps := w.traps(t)
	x := w.trap(t, append(w.sites(), traps...))
	for _, address := range traps {
		x.check(t, address)
	}
	if f := w.judge(x.stories[hostOf(w.sites()[0])], pressStart.Add(24*time.Hour)); f.published == 0 || f.found < f.published {
		t.Errorf("%d of %d stories of the ordinary site: %q", f.found, f.published, f.missed)
	}
}

// TestMissingPages follows sites that answer addresses that do not exist with status
// 200 and a page that looks like a story. None is written as one.
func TestMissingPages(t *testing.T) {
	paragraphs := func(text string) string {
		return strings.Repeat("<p>"+text+", and whoever has come this far may want to read what others have written about it in the past.</p>", 6)
	}
	page := func(title, body string) string {
		return `<!DOCTYPE html><html lang="en"><head><title>` + title + ` | The Quay</title><meta property="og:site_name" content="The Quay"></head><body><article><h1>` + title + `</h1>` + body + `</article></body></html>`
	}
	stories := map[string]string{
		"/news/harbour-wall-to-be-raised-by-two-metres-101.html":    "Harbour wall to be raised by two metres",
		"/news/ferry-returns-after-a-winter-in-the-dock-102.html":   "Ferry returns after a winter in the dock",
		"/news/library-opens-on-sundays-for-the-first-103.html":     "Library opens on Sundays for the first time",
		"/news/council-votes-against-the-new-tram-line-104.html":    "Council votes against the new tram line",
		"/news/bakery-on-castle-street-closes-for-good-105.html":    "Bakery on Castle Street closes for good",
		"/news/school-choir-wins-prize-in-the-capital-106.html":     "School choir wins prize in the capital",
		"/news/two-hundred-at-the-opening-of-the-bridge-107.html":   "Two hundred at the opening of the bridge",
		"/news/storm-takes-roof-off-the-old-cannery-again-108.html": "Storm takes roof off the old cannery again",
	}
	var home strings.Builder
	for _, path := range slices.Sorted(maps.Keys(stories)) {
		home.WriteString(`<h3><a href="` + path + `">` + stories[path] + `</a></h3>`)
	}
	for name, test := range map[string]struct {
		missing string
		exists  int // stories that there are
	}{
		"title of the site":  {page("The Quay", paragraphs("The Quay is the newspaper of the harbour, the town and the villages around it")), 4},
		"words of its own":   {page("Gone with the tide", paragraphs("What you are looking for has drifted out to sea")), 4},
		"one page only":      {page("Welcome to the Quay", home.String()+paragraphs("The harbour has been the heart of the town for as long as anybody remembers")), 0},
		"nothing but errors": {page("Welcome to the waterfront", paragraphs("The harbour has been the heart of the town for as long as anybody remembers")), 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked := map[string]int{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked[path.Base(r.URL.Path)]++
				title, ok := stories[r.URL.Path]
				switch {
				case r.URL.Path == "/robots.txt":
					http.NotFound(w, r)
					return
				case r.URL.Path == "/" && name != "one page only":
					io.WriteString(w, "<title>The Quay</title><h1>The Quay</h1>"+home.String())
				case ok && r.URL.Path[len(r.URL.Path)-6]-'0' <= byte(test.exists):
					io.WriteString(w, page(title, paragraphs("The story of how this came about is long: "+title)))
				default:
					io.WriteString(w, test.missing)
				}
			}))
			defer server.Close()
			w := &world{client: newClient(t, server), flying: map[string]int{}, sources: map[string]bool{}}
			w.bubble(t, func(t *testing.T) {
				c := w.follow(t, Options{Sites: []string{"http://quay.example/"}, Every: time.Hour}, pressStart.Add(24*time.Hour))
				if len(c.stories) != test.exists {
					for _, s := range c.stories {
						t.Logf("%s: %s", s.URL, s.Article.Title)
					}
					t.Errorf("%d stories, want %d", len(c.stories), test.exists)
				}
			})
			if n := asked[noSuchPage+".html"]; n > 1 {
				t.Errorf("%d requests for a page that does not exist", n)
			}
		})
	}
}
