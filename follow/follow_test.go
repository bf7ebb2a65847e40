package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/output/sqlite"
)

// web is a made-up web: what is at each address, or a function that answers.
type web struct {
	pages map[string]any
	log   []string
}

const paper = "https://paper.example/"

// send answers a request as a server would.
func (w *web) send(_ context.Context, r fetch.Request) (*fetch.Response, error) {
	w.log = append(w.log, strings.TrimPrefix(r.URL, "https://"))
	var body, location string
	switch x := w.pages[r.URL].(type) {
	case string:
		body = x
	case func() string:
		body = x()
	case *fetch.StatusError:
		return nil, x
	case redirect:
		location = string(x)
	default:
		return nil, &fetch.StatusError{URL: r.URL, Code: http.StatusNotFound}
	}
	resp := &fetch.Response{URL: r.URL, Status: http.StatusOK, Header: http.Header{}, ContentType: "text/html", Charset: "utf-8"}
	switch {
	case location != "":
		resp.Status, resp.Location = http.StatusMovedPermanently, location
	case r.Read != nil:
		return resp, r.Read(resp, strings.NewReader(body))
	default:
		resp.Body = []byte(body)
	}
	return resp, nil
}

type redirect string

// visit visits sites once, in a bubble, and returns the stories.
func (w *web) visit(t *testing.T, opts Options) []*Story {
	t.Helper()
	c := &collector{}
	if opts.Sites == nil {
		opts.Sites = []string{paper}
	}
	f, err := New(opts, c)
	if err != nil {
		t.Fatal(err)
	}
	f.send = w.send
	if err := errors.Join(f.Run(t.Context()), f.Close()); err != nil {
		t.Fatal(err)
	}
	return c.stories
}

// newsPage returns a page with an article about something. head is added to its head.
func newsPage(about, head string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><head><title>%s</title>%s</head><body><article><h1>%s</h1>", about, head, about)
	for i := range 6 {
		fmt.Fprintf(&b, "<p>The harbour master said on day %d that %s had kept the town busy, and that nobody on the quay had seen anything like it since the last great storm.</p>", i+1, strings.ToLower(about))
	}
	return b.String() + "</article></body></html>"
}

// front returns a page of links.
func front(list ...string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>The Paper</title><h1>The Paper</h1><main>")
	for i := 0; i < len(list); i += 2 {
		fmt.Fprintf(&b, "<article><h2><a href=%q>%s</a></h2><p>More about it.</p></article>", list[i], list[i+1])
	}
	return b.String() + "</main>"
}

const (
	cranes = "The cranes of the old harbour are back"
	ferry  = "Ferry runs aground in the morning fog"
	swans  = "Seven swans found on the frozen canal"
)

// urls returns the addresses of stories.
func urls(stories []*Story) (list []string) {
	for _, s := range stories {
		list = append(list, s.URL)
	}
	slices.Sort(list)
	return list
}

func TestOneStoryManyAddresses(t *testing.T) {
	const address = paper + "2000/01/01/the-cranes-are-back.html"
	canonical := func(to string) string { return `<link rel="canonical" href="` + to + `">` }
	same, other := newsPage(cranes, canonical(address)), newsPage(ferry, "")
	for name, test := range map[string]struct {
		pages map[string]any
		want  []string
	}{
		"tracking and scheme": {map[string]any{
			paper:   front("/2000/01/01/the-cranes-are-back.html?utm_source=home", cranes, "http://paper.example/2000/01/01/the-cranes-are-back.html#top", cranes),
			address: same, address + "?utm_source=home": same,
		}, []string{address}},
		"AMP": {map[string]any{
			paper:   front(address, cranes, "/amp/2000/01/01/the-cranes-are-back.html", cranes),
			address: newsPage(cranes, ""), paper + "amp/2000/01/01/the-cranes-are-back.html": newsPage(cranes, ""),
		}, []string{address}},
		"two sections, canonical": {map[string]any{
			paper: front("/harbour/2000/01/01/the-cranes-are-back-1234.html", cranes, "/town/2000/01/01/the-cranes-are-back-1234.html", cranes),
			paper + "harbour/2000/01/01/the-cranes-are-back-1234.html": same, paper + "town/2000/01/01/the-cranes-are-back-1234.html": same,
		}, []string{address}},
		"two sections, same text": {map[string]any{
			paper: front("/harbour/2000/01/01/the-cranes-are-back-1234.html", cranes, "/town/2000/01/01/the-cranes-are-back-1234.html", cranes),
			paper + "harbour/2000/01/01/the-cranes-are-back-1234.html": newsPage(cranes, ""), paper + "town/2000/01/01/the-cranes-are-back-1234.html": newsPage(cranes, ""),
		}, []string{paper + "harbour/2000/01/01/the-cranes-are-back-1234.html"}},
		"the canonical address of another story": {map[string]any{
			paper:   front(address, cranes, "/2000/01/01/ferry-runs-aground.html", ferry),
			address: same, paper + "2000/01/01/ferry-runs-aground.html": newsPage(ferry, canonical(address)),
		}, []string{paper + "2000/01/01/ferry-runs-aground.html", address}},
		"the home page as canonical address": {map[string]any{
			paper:   front(address, cranes, "/2000/01/01/ferry-runs-aground.html", ferry),
			address: newsPage(cranes, canonical(paper)), paper + "2000/01/01/ferry-runs-aground.html": newsPage(ferry, canonical(paper)),
		}, []string{paper + "2000/01/01/ferry-runs-aground.html", address}},
		"the canonical address of another site": {map[string]any{
			paper: front(address, cranes), address: newsPage(cranes, canonical("https://wire.example/cranes")),
		}, []string{address}},
		"redirect": {map[string]any{
			paper: front("/2000/01/01/old-cranes-story-address.html", cranes), paper + "2000/01/01/old-cranes-story-address.html": redirect(address), address: same,
		}, []string{address}},
		"redirect to a known story": {map[string]any{
			paper: front("/2000/01/01/old-cranes-story-address.html", cranes, address, cranes), paper + "2000/01/01/old-cranes-story-address.html": redirect(address), address: same,
		}, []string{address}},
		"redirect to the home page": {map[string]any{
			paper: front("/2000/01/01/the-story-that-was-removed.html", swans), paper + "2000/01/01/the-story-that-was-removed.html": redirect(paper),
		}, nil},
		"removed": {map[string]any{
			paper: front("/2000/01/01/the-story-that-was-removed.html", swans, address, cranes), address: same,
			paper + "2000/01/01/the-story-that-was-removed.html": &fetch.StatusError{URL: paper, Code: http.StatusGone},
		}, []string{address}},
		"soft 404": {map[string]any{
			paper: front("/2000/01/01/the-story-that-was-removed.html", swans), paper + "2000/01/01/the-story-that-was-removed.html": newsPage("Page not found", ""),
		}, nil},
		"another site's story": {map[string]any{
			paper: front(address, cranes, "https://other.example/2000/01/01/ferry-runs-aground.html", ferry), address: same,
			"https://other.example/2000/01/01/ferry-runs-aground.html": other,
		}, []string{address}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{pages: test.pages}
				if got := urls(w.visit(t, Options{})); !slices.Equal(got, test.want) {
					t.Errorf("got %q\nwant %q\nrequests %q", got, test.want, w.log)
				}
				slices.Sort(w.log)
				if len(slices.Compact(slices.Clone(w.log))) < len(w.log) && !strings.HasPrefix(name, "redirect to ") {
					t.Errorf("fetched twice: %q", w.log)
				}
			})
		})
	}
}

// TestChanged checks that a story is fetched again when its feed says that it has
// changed, and returned again if it has.
func TestChanged(t *testing.T) {
	const address = paper + "cranes"
	item := func(updated, title string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>Paper</title><id>x</id><updated>` + updated + `</updated><entry><id>1</id><title>` + title +
			`</title><link href="` + address + `"/><published>2000-01-01T00:00:00Z</published><updated>` + updated + `</updated></entry></feed>`
	}
	synctest.Test(t, func(t *testing.T) {
		state := filepath.Join(t.TempDir(), "follow.db")
		w := &web{pages: map[string]any{paper + "feed.xml": item("2000-01-01T00:00:00Z", cranes), address: newsPage(cranes, "")}}
		opts := Options{Sites: []string{paper + "feed.xml"}, State: state}
		step := func(want int, changed bool, fetches int) {
			t.Helper()
			time.Sleep(time.Hour)
			w.log = nil
			got := w.visit(t, opts)
			if len(got) != want || want > 0 && got[0].Changed != changed {
				t.Errorf("%d stories: %+v", len(got), got)
			}
			if n := strings.Count(strings.Join(w.log, " "), "/cranes"); n != fetches {
				t.Errorf("%d requests for the story, want %d: %q", n, fetches, w.log)
			}
		}
		step(1, false, 1)
		step(0, false, 0)
		w.pages[paper+"feed.xml"] = item("2000-01-01T02:30:00Z", cranes)
		step(0, false, 1) // the feed is wrong
		w.pages[paper+"feed.xml"] = item("2000-01-01T04:30:00Z", cranes)
		w.pages[address] = newsPage(cranes+", all of them", "")
		step(1, true, 1)
		step(0, false, 0)
	})
}

// TestReason checks that an empty result has a reason.
func TestReason(t *testing.T) {
	for name, test := range map[string]struct {
		pages map[string]any
		want  string
	}{
		"nothing":   {map[string]any{paper: front()}, "no stories were found in 1 source"},
		"forbidden": {map[string]any{paper + "robots.txt": "User-agent: *\nDisallow: /", paper: front("/2000/01/01/a-b-c.html", cranes)}, "robots.txt"},
		"status":    {map[string]any{paper: &fetch.StatusError{URL: paper, Code: 403}}, "403"},
		"scripts":   {map[string]any{paper: "<title>Paper</title><div id=app></div><script src=/app.js></script>"}, "--render"},
		"old": {map[string]any{paper: front("/1999/05/01/the-cranes-are-back.html", cranes), paper + "1999/05/01/the-cranes-are-back.html": newsPage(cranes, "")},
			"older than 168h"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				state := filepath.Join(t.TempDir(), "follow.db")
				w := &web{pages: test.pages}
				var reported []string
				f, err := New(Options{Sites: []string{paper}, State: state, Every: time.Hour, Report: func(_ string, err error) { reported = append(reported, err.Error()) }}, &collector{})
				if err != nil {
					t.Fatal(err)
				}
				f.send = w.send
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Hour)
				defer cancel()
				if err := errors.Join(ignoreEnd(ctx, f.Run(ctx)), f.Close()); err != nil {
					t.Fatal(err)
				}
				list, err := Status(t.Context(), state)
				if err != nil || len(list) != 1 || !strings.Contains(list[0].Reason, test.want) {
					t.Errorf("status %+v, %v; want %q", list, err, test.want)
				}
				if len(reported) != 1 || !strings.Contains(reported[0], test.want) {
					t.Errorf("reported %q", reported)
				}
			})
		})
	}
}

// TestNewAddresses checks that new addresses of known stories are reported if they are what
// a site mostly has, and not if some stories have a second address.
func TestNewAddresses(t *testing.T) {
	for _, test := range []struct {
		skipped, found int
		want           bool
	}{{10, 0, true}, {3, 22, false}} {
		var reported []error
		f := &Follower{log: slog.New(slog.DiscardHandler), opts: Options{Report: func(_ string, err error) { reported = append(reported, err) }}}
		v := visit{f: f, site: &siteRecord{}, skipped: test.skipped, found: test.found}
		v.tell()
		if (len(reported) > 0) != test.want {
			t.Errorf("%+v: %v", test, reported)
		}
	}
}

func TestOptions(t *testing.T) {
	for name, opts := range map[string]Options{
		"no sites":     {},
		"no address":   {Sites: []string{"paper.example"}},
		"unknown way":  {Sites: []string{paper}, Ways: []string{"mail"}},
		"negative":     {Sites: []string{paper}, Every: -1},
		"not a state":  {Sites: []string{paper}, State: notState(t)},
		"not a folder": {Sites: []string{paper}, State: filepath.Join(notState(t), "follow.db")},
	} {
		if f, err := New(opts, &collector{}); err == nil {
			t.Errorf("%s: no error", name)
			f.Close()
		}
	}
	state := filepath.Join(t.TempDir(), "follow.db")
	f, err := New(Options{Sites: []string{paper}, State: state}, &collector{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := New(Options{Sites: []string{paper}, State: state}, &collector{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a second process: %v", err)
	}
}

// notState returns the name of a database that is not a state file.
func notState(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE recipes (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	return path
}

// marker is a Handler with marks that fails when told to.
type marker struct {
	collector
	mark string
	fail error
}

func (m *marker) Story(ctx context.Context, s *Story) error {
	if m.fail != nil {
		return m.fail
	}
	return m.collector.Story(ctx, s)
}

func (m *marker) Commit() ([]byte, error) { return fmt.Append(nil, m.mark, len(m.stories)), nil }

// TestHandlerFails checks that a story that the handler did not take is returned
// again, and that marks are kept.
func TestHandlerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const address = paper + "2000/01/01/the-cranes-are-back.html"
		w := &web{pages: map[string]any{paper: front(address, cranes), address: newsPage(cranes, "")}}
		opts := Options{Sites: []string{paper}, State: filepath.Join(t.TempDir(), "follow.db")}
		full := errors.New("disk full")
		for _, fail := range []error{full, nil} {
			m := &marker{mark: "m", fail: fail}
			f, err := New(opts, m)
			if err != nil {
				t.Fatal(err)
			}
			f.send = w.send
			if err := f.Run(t.Context()); !errors.Is(err, fail) {
				t.Errorf("Run: %v, want %v", err, fail)
			}
			if err := f.Close(); err != nil && fail == nil {
				t.Error(err)
			}
			if fail == nil && len(m.stories) != 1 {
				t.Errorf("%d stories", len(m.stories))
			}
		}
		f, err := New(opts, &marker{mark: "x"})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if mark, err := f.Mark(); err != nil || string(mark) != "m1" {
			t.Errorf("mark %q, %v", mark, err)
		}
	})
}

// TestDamagedState checks that a damaged state file is kept and replaced.
func TestDamagedState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const address = paper + "2000/01/01/the-cranes-are-back.html"
		w := &web{pages: map[string]any{paper: front(address, cranes), address: newsPage(cranes, "")}}
		state := filepath.Join(t.TempDir(), "follow.db")
		w.visit(t, Options{State: state})
		if err := os.WriteFile(state, []byte(strings.Repeat("damage ", 2000)), 0o644); err != nil {
			t.Fatal(err)
		}
		var reported string
		got := w.visit(t, Options{State: state, Report: func(_ string, err error) { reported += err.Error() }})
		if len(got) != 1 || !strings.Contains(reported, "damaged") || !strings.Contains(reported, "kept as") {
			t.Errorf("%d stories, reported %q", len(got), reported)
		}
	})
}

// TestRender checks that a browser is used for pages that are empty without.
func TestRender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const address = paper + "2000/01/01/the-cranes-are-back.html"
		empty := "<title>Paper</title><div id=app></div><script src=/app.js></script>"
		w := &web{pages: map[string]any{paper: empty, address: empty}}
		full := map[string]string{paper: front(address, cranes), address: newsPage(cranes, "")}
		got := w.visit(t, Options{Render: func(_ context.Context, a string) (*fetch.Response, error) {
			return &fetch.Response{URL: a, Status: 200, Header: http.Header{}, Charset: "utf-8", Body: []byte(full[a])}, nil
		}})
		if !slices.Equal(urls(got), []string{address}) {
			t.Errorf("got %q", urls(got))
		}
	})
}

// TestRelativeSitemap checks that robots.txt may name a sitemap by its path.
func TestRelativeSitemap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const address = paper + "2000/01/01/the-cranes-are-back.html"
		w := &web{pages: map[string]any{
			paper: front(), paper + "robots.txt": "Sitemap: /map.xml", paper + "map.xml": "<urlset><url><loc>" + address + "</loc></url></urlset>", address: newsPage(cranes, ""),
		}}
		if got := urls(w.visit(t, Options{})); !slices.Equal(got, []string{address}) {
			t.Errorf("got %q; requests %q", got, w.log)
		}
	})
}

// TestGuesses checks that feeds and sitemaps that nothing names are found once.
func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const address = paper + "cranes"
		feed := `<rss version="2.0"><channel><title>Paper</title><link>` + paper + `</link><item><title>` + cranes + `</title><link>` + address + `</link></item></channel></rss>`
		w := &web{pages: map[string]any{paper: front(), paper + "rss.xml": feed, address: newsPage(cranes, "")}}
		state := filepath.Join(t.TempDir(), "follow.db")
		if got := urls(w.visit(t, Options{State: state})); !slices.Equal(got, []string{address}) {
			t.Errorf("got %q; requests %q", got, w.log)
		}
		time.Sleep(48 * time.Hour)
		w.log = nil
		w.visit(t, Options{State: state})
		if want := []string{"paper.example/robots.txt", "paper.example/", "paper.example/rss.xml"}; !slices.Equal(w.log, want) {
			t.Errorf("requests of the second run: %q", w.log)
		}
	})
}

func TestAddressForms(t *testing.T) {
	for address, want := range map[string]string{
		paper + "2024/05/31/the-cranes-are-back": "/number/number/number/headline",
		paper + "news/story7.html":               "/news/numbered.html",
		paper + "tag/harbour/":                   "/tag/word/",
		paper + "?id=7&utm_source=x":             "/?id",
		paper:                                    "/",
	} {
		if got := formOf(address); got != want {
			t.Errorf("form of %s: %q, want %q", address, got, want)
		}
	}
	now := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	day := time.Date(2024, 5, 31, 0, 0, 0, 0, time.UTC)
	for address, want := range map[string]time.Time{
		paper + "2024/05/31/a": day, paper + "a-20240531.html": day, paper + "2024-05-31-a": day,
		paper + "2024/05/a": {}, paper + "2025/05/31/a": {}, paper + "2024/13/31/a": {}, paper + "a/12345678": {}, paper + "?d=20240531": {},
	} {
		if got := dateInAddress(address, now); !got.Equal(want) {
			t.Errorf("date of %s: %v, want %v", address, got, want)
		}
	}
}

func TestSourceWay(t *testing.T) {
	for head, want := range map[string]ways{
		"<?xml version='1.0'?><rss version='2.0'>": byFeed, "junk\n<feed xmlns='http://www.w3.org/2005/Atom'>": byFeed,
		`{"version": "https://jsonfeed.org/version/1.1", "items": []}`: byFeed,
		"<urlset><url>": bySitemap, "<sitemapindex>": bySitemap, "\x1f\x8b\x08": bySitemap, "https://paper.example/a\nhttps://paper.example/b": bySitemap,
		"<!doctype html><p>": byHome, "": byHome, "https://paper.example/ is our address": byHome,
	} {
		if got := sourceWay([]byte(head)); got != want {
			t.Errorf("%q: %v, want %v", head, got.names(), want.names())
		}
	}
}

// ignoreEnd returns an error other than the end of the context.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
