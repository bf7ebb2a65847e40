package polite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
)

// all fetches addresses concurrently and returns their errors.
func all(ctx context.Context, f *Fetcher, addresses ...string) []error {
	errs := make([]error, len(addresses))
	var wg sync.WaitGroup
	for i, a := range addresses {
		wg.Go(func() { _, errs[i] = f.Get(ctx, a) })
		synctest.Wait() // so that they are in order
	}
	wg.Wait()
	return errs
}

func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now(), robots: map[string]string{"b.example": "User-agent: *\nCrawl-delay: 3"}}
		f := New(Options{Do: w.do, Delay: time.Second})
		for _, err := range all(t.Context(), f, "https://a.example/1", "https://a.example/2", "https://b.example/1", "https://b.example/2", "https://A.example/3") {
			if err != nil {
				t.Error(err)
			}
		}
		slices.Sort(w.log)
		want := []string{
			"0s a.example/robots.txt", "0s b.example/robots.txt", "1s a.example/1", "2s a.example/2", "3s A.example/3", "3s b.example/1", "6s b.example/2",
		}
		if !slices.Equal(w.log, want) {
			t.Errorf("requests %q\nwant %q", w.log, want)
		}
	})
}

func TestSecondAttempt(t *testing.T) {
	status := func(code int) error { return &fetch.StatusError{Code: code} }
	for name, c := range map[string]struct {
		errs     []error
		requests int
		waits    time.Duration // before the second
		ok       bool
	}{
		"none":            {nil, 1, 0, true},
		"connection":      {[]error{&fetch.Error{Kind: fetch.ErrConnect}}, 2, 5 * time.Second, true},
		"timeout twice":   {[]error{&fetch.Error{Kind: fetch.ErrTimeout}, &fetch.Error{Kind: fetch.ErrTimeout}}, 2, 5 * time.Second, false},
		"unavailable":     {[]error{&fetch.StatusError{Code: 503, RetryAfter: 20 * time.Second}}, 2, 20 * time.Second, true},
		"asks for more":   {[]error{&fetch.StatusError{Code: 429, RetryAfter: time.Hour}}, 1, 0, false},
		"certificate":     {[]error{&fetch.Error{Kind: fetch.ErrTLS}}, 1, 0, false},
		"not found":       {[]error{status(404)}, 1, 0, false},
		"private address": {[]error{&fetch.Error{Kind: fetch.ErrPrivateAddress}}, 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const page = "https://a.example/1"
				w := &web{began: time.Now(), fail: map[string][]error{page: c.errs}}
				f := New(Options{Do: w.do, Delay: time.Second})
				_, err := f.Get(t.Context(), page)
				if (err == nil) != c.ok || len(w.log) != 1+c.requests { // and robots.txt
					t.Errorf("%v after %q", err, w.log)
				}
				if took := time.Since(w.began); took != time.Second+c.waits {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

func TestConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now(), took: time.Minute}
		f := New(Options{Do: w.do, Connections: 3})
		var addresses []string
		for n := range 12 {
			addresses = append(addresses, fmt.Sprintf("https://h%d.example/1", n))
		}
		all(t.Context(), f, addresses...)
		if w.max != 3 {
			t.Errorf("%d concurrent requests", w.max)
		}
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		w := &web{began: time.Now()}
		errs := all(ctx, New(Options{Do: w.do}), "https://a.example/1", "https://a.example/2", "https://a.example/3")
		if errs[0] != nil || !errors.Is(errs[1], context.DeadlineExceeded) || !errors.Is(errs[2], context.DeadlineExceeded) {
			t.Errorf("%v", errs)
		}
	})
}

func TestFetched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{began: time.Now()}
		f := New(Options{Do: w.do})
		f.Fetched(t.Context(), "https://a.example/0")
		_, err := f.Get(t.Context(), "https://a.example/1")
		if want := []string{"1s a.example/robots.txt", "2s a.example/1"}; err != nil || !slices.Equal(w.log, want) {
			t.Errorf("%v, %q", err, w.log)
		}
	})
}

func TestHostsAreForgotten(t *testing.T) {
	f := New(Options{})
	for n := range maxHosts + 5 {
		f.Fetched(t.Context(), fmt.Sprintf("https://h%d.example/", n))
	}
	if len(f.hosts.entries) > maxHosts {
		t.Errorf("%d hosts", len(f.hosts.entries))
	}
}
