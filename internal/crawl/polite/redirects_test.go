package polite

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
)

func TestRedirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{
			began: time.Now(), robots: map[string]string{"b.example": "User-agent: *\nCrawl-delay: 3"},
			redirect: map[string]string{"https://a.example/1": "https://a.example/2", "https://a.example/2": "https://b.example/3"},
		}
		f := New(Options{Do: w.do})
		resp, err := f.Do(t.Context(), fetch.Request{URL: "https://a.example/1", ETag: "x", LastModified: "y", AnyType: true, MaxBytes: 7})
		if err != nil || resp.URL != "https://b.example/3" {
			t.Fatalf("%+v, %v", resp, err)
		}
		w.want(t, "0s a.example/robots.txt", "1s a.example/1", "2s a.example/2", "2s b.example/robots.txt", "5s b.example/3")
		for _, r := range w.requests {
			if !strings.HasSuffix(r.URL, "/robots.txt") && (r.ETag != "x" || r.LastModified != "y" || !r.AnyType || r.MaxBytes != 7 || !r.NoRedirect) {
				t.Errorf("sent %+v", r)
			}
		}
		resp, err = f.Do(t.Context(), fetch.Request{URL: "https://a.example/1", NoRedirect: true})
		if err != nil || resp.Location != "https://a.example/2" {
			t.Errorf("%+v, %v", resp, err)
		}
	})
}

func TestRedirectErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{
			began: time.Now(), robots: map[string]string{"closed.example": "User-agent: *\nDisallow: /"},
			redirect: map[string]string{
				"https://a.example/closed": "https://closed.example/1",
				"https://a.example/self":   "https://a.example/self#top",
				"https://a.example/loop":   "https://b.example/loop",
				"https://b.example/loop":   "https://a.example/loop",
				"https://a.example/down":   "https://down.example/1",
				"https://a.example/gone":   "https://gone.example/1",
			},
			fail: map[string][]error{
				"https://down.example/robots.txt": {&fetch.StatusError{Code: 503}, &fetch.StatusError{Code: 503}},
				"https://gone.example/1":          {&fetch.Error{URL: "https://gone.example/1", Kind: fetch.ErrTLS, Reason: "no"}},
			},
		}
		for n := range 20 {
			w.redirect[fmt.Sprintf("https://a.example/long/%d", n)] = fmt.Sprintf("https://a.example/long/%d", n+1)
		}
		f := New(Options{Do: w.do})
		for path, want := range map[string]struct {
			err  error
			text string
		}{
			"closed": {ErrRobots, "redirected to https://closed.example/1: not allowed by robots.txt"},
			"self":   {fetch.ErrTooManyRedirects, "https://a.example/self#top (redirected from https://a.example/self): redirect loop: https://a.example/self leads back to it"},
			"loop":   {fetch.ErrTooManyRedirects, "https://a.example/loop (redirected from https://a.example/loop): redirect loop: https://b.example/loop leads back to it"},
			"long/0": {fetch.ErrTooManyRedirects, "https://a.example/long/11 (redirected from https://a.example/long/0): too many redirects: stopped after 10; open it in a browser to see where it leads"},
			"down":   {ErrNoRobots, "redirected to https://down.example/1: robots.txt cannot be fetched"},
			"gone":   {fetch.ErrTLS, "https://gone.example/1 (redirected from https://a.example/gone): no"},
		} {
			_, err := f.Get(t.Context(), "https://a.example/"+path)
			if !errors.Is(err, want.err) || !strings.HasPrefix(err.Error(), want.text) {
				t.Errorf("%s: %v", path, err)
			}
		}
		if s := strings.Join(w.log, "\n"); strings.Contains(s, "closed.example/1") || strings.Contains(s, "down.example/1") || strings.Contains(s, "long/11") {
			t.Errorf("requests:\n%s", s)
		}
	})
}

// TestRedirectBothWays checks that hosts that redirect to each other, also for their
// robots.txt, neither block each other nor get two requests at once.
func TestRedirectBothWays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{
			began: time.Now(), took: 700 * time.Millisecond,
			redirect: map[string]string{
				"https://a.example/robots.txt": "https://b.example/robots-of-a.txt",
				"https://b.example/robots.txt": "https://a.example/robots-of-b.txt",
			},
		}
		var addresses []string
		for n := range 20 {
			from, to := "a", "b"
			if n%2 == 1 {
				from, to = to, from
			}
			one := fmt.Sprintf("https://%s.example/%d", from, n)
			w.redirect[one] = fmt.Sprintf("https://%s.example/%d/x", to, n)
			w.redirect[w.redirect[one]] = fmt.Sprintf("https://%s.example/%d/y", from, n)
			addresses = append(addresses, one)
		}
		for i, err := range all(t.Context(), New(Options{Do: w.do}), addresses...) {
			if err != nil {
				t.Errorf("%s: %v", addresses[i], err)
			}
		}
		if len(w.log) != 3*20+4 || len(w.twice) > 0 {
			t.Errorf("%d requests, two at once: %q", len(w.log), w.twice)
		}
	})
}

// TestRead checks that a stream is read once: an error before is tried again, one after
// it is not.
func TestRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "https://a.example/1"
		w := &web{began: time.Now(), fail: map[string][]error{page: {&fetch.StatusError{Code: 503}}}}
		f := New(Options{Do: w.do})
		reads := 0
		result := error(nil)
		req := fetch.Request{URL: page, Read: func(_ *fetch.Response, r io.Reader) error {
			reads++
			if b, err := io.ReadAll(r); err != nil || string(b) != "page" {
				t.Errorf("%q, %v", b, err)
			}
			return result
		}}
		if resp, err := f.Do(t.Context(), req); err != nil || resp.Body != nil || reads != 1 {
			t.Errorf("%+v, %v, %d reads", resp, err, reads)
		}
		result = &fetch.Error{Kind: fetch.ErrTimeout}
		if _, err := f.Do(t.Context(), req); err != result || reads != 2 {
			t.Errorf("%v, %d reads", err, reads)
		}
		w.want(t, "0s a.example/robots.txt", "1s a.example/1", "6s a.example/1", "7s a.example/1")
	})
}
