package polite

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/robots"
)

const robotsOfA = "https://a.example/robots.txt"

// TestRobotsDay checks that a robots.txt counts for a day, also in another run, and is
// then asked for conditionally.
func TestRobotsDay(t *testing.T) {
	for _, name := range []string{"memory", "hosts"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{began: time.Now(), robots: map[string]string{"a.example": "User-agent: *\nDisallow: /x"}}
				opts := Options{Do: w.do}
				saved := newMemory()
				if name == "hosts" {
					opts.Memory = saved
				}
				f := New(opts)
				get := func(path string, want error) {
					t.Helper()
					if name == "hosts" {
						f = New(opts) // another run
					}
					if _, err := f.Get(t.Context(), "https://a.example"+path); !errors.Is(err, want) {
						t.Errorf("%s: %v", path, err)
					}
				}
				get("/1", nil)
				get("/x", ErrRobots)
				time.Sleep(day - 2*time.Second)
				get("/2", nil)
				get("/x", ErrRobots)
				time.Sleep(time.Second)
				get("/x", ErrRobots) // robots.txt is asked for again, and has not changed
				get("/3", nil)
				time.Sleep(day)
				w.robots["a.example"] = "User-agent: *\nDisallow: /3"
				get("/x", nil) // it has changed
				get("/3", ErrRobots)
				w.want(t, "0s a.example/robots.txt", "1s a.example/1", "23h59m59s a.example/2",
					"24h0m0s a.example/robots.txt", "24h0m1s a.example/3",
					"48h0m1s a.example/robots.txt", "48h0m2s a.example/x")
				for _, r := range w.requests[1:] {
					if r.URL == robotsOfA && r.ETag != "\"User-agent: *\nDisallow: /x\"" {
						t.Errorf("not conditional: %+v", r)
					}
				}
				if name == "hosts" && saved.saves != 3 {
					t.Errorf("saved %d times", saved.saves)
				}
			})
		})
	}
}

func TestRobotsStatus(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"404":       {&fetch.StatusError{Code: 404}, nil},
		"403":       {&fetch.StatusError{Code: 403}, nil},
		"401":       {&fetch.StatusError{Code: 401}, nil},
		"410":       {&fetch.StatusError{Code: 410}, nil},
		"429":       {&fetch.StatusError{Code: 429}, ErrNoRobots},
		"500":       {&fetch.StatusError{Code: 500}, ErrNoRobots},
		"503":       {&fetch.StatusError{Code: 503}, ErrNoRobots},
		"timeout":   {&fetch.Error{Kind: fetch.ErrTimeout}, ErrNoRobots},
		"no host":   {&fetch.Error{Kind: fetch.ErrDNS}, ErrNoRobots},
		"private":   {&fetch.Error{Kind: fetch.ErrPrivateAddress}, ErrNoRobots},
		"redirects": {&fetch.Error{Kind: fetch.ErrTooManyRedirects}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{began: time.Now(), fail: map[string][]error{robotsOfA: {c.err, c.err}}}
				f := New(Options{Do: w.do})
				for range 2 {
					_, err := f.Get(t.Context(), "https://a.example/1")
					if !errors.Is(err, c.want) || c.want != nil && !errors.Is(err, c.err) {
						t.Errorf("%v", err)
					}
					if errors.As(err, new(*WaitError)) != (c.want != nil && name != "private") {
						t.Errorf("%v", err)
					}
				}
			})
		})
	}
}

// TestRobotsRetry checks that a robots.txt that cannot be fetched is asked for again
// after a time that grows.
func TestRobotsRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now(), fail: map[string][]error{robotsOfA: {}}}
		for range 1000 {
			w.fail[robotsOfA] = append(w.fail[robotsOfA], &fetch.StatusError{Code: 500})
		}
		hosts := newMemory()
		f := New(Options{Do: w.do, Memory: hosts})
		for time.Since(w.began) < 10*time.Hour {
			_, err := f.Get(t.Context(), "https://a.example/1")
			time.Sleep(time.Until(waitError(t, err).Until))
		}
		if len(w.log) > 20 || strings.Contains(strings.Join(w.log, "\n"), "a.example/1") {
			t.Errorf("requests:\n%s", strings.Join(w.log, "\n"))
		}
		w.fail = nil
		if _, err := f.Get(t.Context(), "https://a.example/1"); err != nil {
			t.Error(err)
		}
		if r := hosts.robots(t, "https://a.example"); r.Err != "" || r.Status != 404 {
			t.Errorf("%+v", r)
		}
	})
}

// TestStaleRobots checks that a copy remains in force while the robots.txt cannot be
// fetched, also in another run, and that a missing file is no copy.
func TestStaleRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now(), robots: map[string]string{"a.example": "User-agent: *\nDisallow: /x"}}
		hosts := newMemory()
		f := New(Options{Do: w.do, Memory: hosts})
		for _, err := range all(t.Context(), f, "https://a.example/1", "https://b.example/1") {
			if err != nil {
				t.Error(err)
			}
		}
		time.Sleep(2 * day)
		down := &fetch.StatusError{Code: 502}
		w.fail = map[string][]error{robotsOfA: {down, down}, "https://b.example/robots.txt": {down, down}}
		for _, f := range []*Fetcher{f, New(Options{Do: w.do, Memory: hosts})} {
			errs := all(t.Context(), f, "https://a.example/1", "https://a.example/x", "https://b.example/1")
			if errs[0] != nil || !errors.Is(errs[1], ErrRobots) || !errors.Is(errs[2], ErrNoRobots) {
				t.Errorf("%v", errs)
			}
		}
		if r := hosts.robots(t, "https://a.example"); r.Err == "" || r.Status != 200 || len(r.Body) == 0 || r.ETag == "" {
			t.Errorf("%+v", r)
		}
		time.Sleep(time.Hour)
		if _, err := f.Get(t.Context(), "https://b.example/1"); err != nil {
			t.Error(err)
		}
	})
}

func TestRobotsRedirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{
			began: time.Now(), robots: map[string]string{"d.example": "User-agent: *\nDisallow: /x", "b.example": "User-agent: *\nDisallow: /"},
			redirect: map[string]string{
				robotsOfA: "https://b.example/1", "https://b.example/1": "https://b.example/2", "https://b.example/2": "https://b.example/3",
				"https://b.example/3": "https://c.example/4", "https://c.example/4": "https://c.example/5", "https://c.example/5": "https://d.example/robots.txt",
				"https://loop.example/robots.txt": "https://loop.example/robots.txt",
			},
		}
		f := New(Options{Do: w.do})
		errs := all(t.Context(), f, "https://a.example/1", "https://a.example/x", "https://loop.example/1", "https://loop.example/x")
		if errs[0] != nil || !errors.Is(errs[1], ErrRobots) || errs[2] != nil || errs[3] != nil {
			t.Errorf("%v", errs)
		}
		for _, line := range w.log {
			if strings.HasSuffix(line, "b.example/robots.txt") {
				t.Error(line)
			}
		}
	})
}

// TestRobotsOfOrigins checks that schemes and ports have a robots.txt of their own, but
// share the turn of their host and its pause.
func TestRobotsOfOrigins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now(), robots: map[string]string{"a.example:8443": "User-agent: *\nDisallow: /x\nCrawl-delay: 5"}}
		f := New(Options{Do: w.do})
		errs := all(t.Context(), f, "https://a.example/x", "https://A.example:443/y", "https://a.example:8443/x", "https://a.example:8443/y", "http://a.example:80/x")
		if errs[0] != nil || errs[1] != nil || !errors.Is(errs[2], ErrRobots) || errs[3] != nil || errs[4] != nil {
			t.Errorf("%v", errs)
		}
		if len(w.twice) > 0 || strings.Count(strings.Join(w.log, "\n"), "robots.txt") != 3 {
			t.Errorf("%q\n%q", w.log, w.twice)
		}
		rules, err := f.Robots(t.Context(), "https://a.example:8443/any")
		if err != nil || rules.Allowed("/x") || rules.CrawlDelay() != 5*time.Second {
			t.Errorf("%+v, %v", rules, err)
		}
		if _, err := f.Robots(t.Context(), "nowhere"); err == nil {
			t.Error("no error for what is not an address")
		}
	})
}

// TestUserAgent checks that the rules for the name of the program count.
func TestUserAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for agent, want := range map[string]error{"": nil, "lede/1.0 (+https://a.example)": nil, "other/2": ErrRobots} {
			w := &web{began: time.Now(), robots: map[string]string{"a.example": "User-agent: lede\nDisallow: /x\n\nUser-agent: *\nDisallow: /"}}
			if _, err := New(Options{Do: w.do, UserAgent: agent}).Get(t.Context(), "https://a.example/1"); !errors.Is(err, want) {
				t.Errorf("%q: %v", agent, err)
			}
		}
	})
}

// TestLargeRobots fetches a robots.txt of 10 MB over HTTP. It is read in part.
func TestLargeRobots(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "User-agent: *\nDisallow: /x\n")
		line := []byte(strings.Repeat("#", 99) + "\n")
		for n := 0; n < 10<<20; n += len(line) {
			if _, err := w.Write(line); err != nil {
				return // the client has enough
			}
		}
		_, _ = io.WriteString(w, "Disallow: /\n")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "<p>page</p>") })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	hosts := newMemory()
	client := fetch.New(fetch.Options{AllowPrivate: true})
	defer client.CloseIdleConnections()
	f := New(Options{Do: client.Do, Delay: time.Millisecond, Memory: hosts})
	if _, err := f.Get(t.Context(), srv.URL+"/1"); err != nil {
		t.Error(err)
	}
	if _, err := f.Get(t.Context(), srv.URL+"/x"); !errors.Is(err, ErrRobots) {
		t.Error(err)
	}
	if r := hosts.robots(t, srv.URL); len(r.Body) > robots.MaxBytes+1 || r.Status != 200 {
		t.Errorf("%d bytes are kept", len(r.Body))
	}
}
