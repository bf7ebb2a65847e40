package polite

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
)

// waitError returns the *WaitError in an error.
func waitError(t *testing.T, err error) *WaitError {
	t.Helper()
	var w *WaitError
	if !errors.As(err, &w) {
		t.Fatalf("%v, want a WaitError", err)
	}
	return w
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "https://a.example/1"
		w := &web{began: time.Now(), fail: map[string][]error{page: {&fetch.StatusError{Code: 429, RetryAfter: time.Hour}}}}
		hosts := newMemory()
		f := New(Options{Do: w.do, Memory: hosts})
		if _, err := f.Get(t.Context(), page); !errors.As(err, new(*fetch.StatusError)) {
			t.Fatal(err)
		}
		// All pages of the host wait, also under another scheme or port and in another run.
		for _, f := range []*Fetcher{f, New(Options{Do: w.do, Memory: hosts})} {
			for _, address := range []string{page, "https://A.example/2", "http://a.example/3", "https://a.example:8443/", "https://a.example./"} {
				_, err := f.Get(t.Context(), address)
				e := waitError(t, err)
				if e.Host != "a.example" || !e.Until.Equal(w.began.Add(time.Second+time.Hour)) || e.Reason != "it answered 429 and asked to wait" {
					t.Errorf("%s: %+v", address, e)
				}
			}
			if _, err := f.Get(t.Context(), "https://b.example/"); err != nil {
				t.Error(err)
			}
			hosts.Save("host", "b.example", nil)
		}
		time.Sleep(time.Hour)
		if _, err := f.Get(t.Context(), page); err != nil {
			t.Error(err)
		}
		if h := hosts.host(t, "a.example"); h.Failures != 0 || !h.Until.IsZero() || h.Reason != "" || h.Requests != 3 {
			t.Errorf("%+v", h)
		}
	})
}

// TestBackOff checks that a host that fails is left alone for longer each time, up to
// an hour, that a success ends it, and that another run knows.
func TestBackOff(t *testing.T) {
	for name, fail := range map[string]error{
		"500": &fetch.StatusError{Code: 500}, "timeout": &fetch.Error{Kind: fetch.ErrTimeout}, "refused": &fetch.Error{Kind: fetch.ErrConnect},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const page = "https://a.example/1"
				down := true
				w := &web{began: time.Now(), answer: func(fetch.Request) (*fetch.Response, error) {
					if down {
						return nil, fail
					}
					return &fetch.Response{Status: 200}, nil
				}}
				hosts := newMemory()
				var waits []string
				for time.Since(w.began) < 10*time.Hour {
					f := New(Options{Do: w.do, Memory: hosts}) // each time another run
					_, err := f.Get(t.Context(), page)
					if err == nil {
						t.Fatal("no error")
					}
					if e := (*WaitError)(nil); errors.As(err, &e) {
						if !strings.HasPrefix(e.Reason, "after errors: ") {
							t.Errorf("%+v", e)
						}
						waits = append(waits, time.Until(e.Until).String())
						time.Sleep(time.Until(e.Until))
					}
				}
				// Shorter waits are slept. The robots.txt is fetched once.
				want := "1m20s 2m40s 5m20s 10m40s 21m20s 42m40s 1h0m0s 1h0m0s"
				if got := strings.Join(waits, " "); !strings.HasPrefix(got, want) {
					t.Errorf("waits %s, want %s", got, want)
				}
				if len(w.log) > 20 {
					t.Errorf("%d requests", len(w.log))
				}
				down = false
				f := New(Options{Do: w.do, Memory: hosts})
				_, err := f.Get(t.Context(), page)
				if e := (*WaitError)(nil); errors.As(err, &e) {
					time.Sleep(time.Until(e.Until))
				}
				began := time.Now()
				for range 3 {
					if _, err := f.Get(t.Context(), page); err != nil {
						t.Error(err)
					}
				}
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("after a success it took %v", took)
				}
			})
		})
	}
}

// TestNoBackOff checks that errors of pages are not held against their host.
func TestNoBackOff(t *testing.T) {
	for _, err := range []error{
		&fetch.StatusError{Code: 404}, &fetch.StatusError{Code: 403}, &fetch.StatusError{Code: 501}, &fetch.Error{Kind: fetch.ErrNotHTML}, &fetch.Error{Kind: fetch.ErrTooLarge},
		&fetch.Error{Kind: fetch.ErrPrivateAddress}, &fetch.Error{Kind: fetch.ErrProxy}, errors.New("of a browser"),
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &web{began: time.Now(), answer: func(fetch.Request) (*fetch.Response, error) { return nil, err }}
			f := New(Options{Do: w.do})
			for n := range 3 {
				if _, got := f.Get(t.Context(), fmt.Sprintf("https://a.example/%d", n)); got != err {
					t.Errorf("%v, want %v", got, err)
				}
			}
			w.want(t, "0s a.example/robots.txt", "1s a.example/0", "2s a.example/1", "3s a.example/2")
		})
	}
}

// TestBudget checks the budget of a day across midnight, in UTC, and across runs.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(22 * time.Hour) // the bubble begins at midnight UTC
		w := &web{began: time.Now()}
		hosts := newMemory()
		count := func() (ok int) {
			f := New(Options{Do: w.do, Memory: hosts, Budget: 5})
			for n := range 7 {
				_, err := f.Get(t.Context(), fmt.Sprintf("https://a.example/%d", n))
				if err == nil {
					ok++
					continue
				}
				if e := waitError(t, err); !e.Until.Equal(e.Until.UTC().Truncate(day)) || time.Until(e.Until) > day || e.Reason != "the budget of 5 requests a day is used up" {
					t.Errorf("%+v", e)
				}
			}
			return ok
		}
		if n := count(); n != 4 { // and robots.txt
			t.Errorf("%d pages", n)
		}
		if n := count(); n != 0 {
			t.Errorf("%d pages in the second run", n)
		}
		f := New(Options{Do: w.do, Memory: hosts, Budget: 5})
		if _, err := f.Get(t.Context(), "https://b.example/"); err != nil {
			t.Errorf("another host: %v", err)
		}
		// Less than Patience before midnight, requests wait for it.
		time.Sleep(2*time.Hour - 30*time.Second - time.Since(w.began))
		w.log = nil
		if _, err := f.Get(t.Context(), "https://a.example/x"); err != nil {
			t.Error(err)
		}
		w.want(t, "2h0m0s a.example/x")
		if h := hosts.host(t, "a.example"); h.Requests != 1 || h.Day != dayOf(time.Now()) {
			t.Errorf("%+v", h)
		}
		if n := count(); n != 4 {
			t.Errorf("%d pages on the next day", n)
		}
	})
}

// TestCrawlDelay checks that a delay of robots.txt is slept up to Patience, and that a
// longer one is an error.
func TestCrawlDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now(), robots: map[string]string{"a.example": "User-agent: *\nCrawl-delay: 45.5", "b.example": "User-agent: *\nCrawl-delay: 90", "c.example": "User-agent: lede\nCrawl-delay: 0.2"}}
		hosts := newMemory()
		f := New(Options{Do: w.do, Memory: hosts})
		for _, err := range all(t.Context(), f, "https://a.example/1", "https://a.example/2", "https://c.example/1", "https://c.example/2") {
			if err != nil {
				t.Error(err)
			}
		}
		w.want(t, "0s a.example/robots.txt", "0s c.example/robots.txt", "1s c.example/1", "2s c.example/2", "45.5s a.example/1", "1m31s a.example/2")
		began := time.Now()
		_, err := f.Get(t.Context(), "https://b.example/1")
		if e := waitError(t, err); !e.Until.Equal(began.Add(90*time.Second)) || e.Reason != "its robots.txt asks for 1m30s between two requests" {
			t.Errorf("%+v", e)
		}
		time.Sleep(31 * time.Second)
		if _, err := f.Get(t.Context(), "https://b.example/1"); err != nil || time.Since(began) != 90*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		// Another run knows the last request and the robots.txt.
		f = New(Options{Do: w.do, Memory: hosts})
		began = time.Now()
		if _, err := f.Get(t.Context(), "https://b.example/1"); !waitError(t, err).Until.Equal(began.Add(90 * time.Second)) {
			t.Error(err)
		}
	})
}
