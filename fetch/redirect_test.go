package fetch

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// turn redirects by path: /301/where goes to where with status 301.
func turn(w http.ResponseWriter, r *http.Request) {
	code := 0
	where := ""
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &code); err == nil {
		_, where, _ = strings.Cut(r.URL.Path[1:], "/")
		w.Header().Set("Location", where)
		w.WriteHeader(code)
		return
	}
	page(w, r)
}

func TestRedirects(t *testing.T) {
	srv := serve(t, turn)
	c := newClient(t, Options{})
	for _, code := range []int{301, 302, 303, 307, 308} {
		for where, want := range map[string]string{
			"/story":           "/story",
			"/301//story":      "/story",
			"../../story":      "/story",
			"?q=1":             "", // back to itself: a loop
			srv.URL + "/story": "/story",
			"/story 100%-ig":   "/story%20100%25-ig",
			"/störy":           "/st%C3%B6ry",
			"//" + srv.Listener.Addr().String() + "/s": "/s",
		} {
			u := fmt.Sprintf("%s/%d/%s", srv.URL, code, strings.NewReplacer("%", "%25", "?", "%3F").Replace(where))
			resp, err := c.Get(t.Context(), u)
			if want == "" {
				if !errors.Is(err, ErrTooManyRedirects) {
					t.Errorf("%s: %v, want %v", u, err, ErrTooManyRedirects)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", u, err)
			} else if resp.URL != srv.URL+want {
				t.Errorf("%s: ends at %s, want %s", u, resp.URL, want)
			}
		}
	}
}

func TestRedirectKeepsFragment(t *testing.T) {
	srv := serve(t, turn)
	c := newClient(t, Options{})
	resp, err := c.Get(t.Context(), srv.URL+"/301//story#part")
	if err != nil || resp.URL != srv.URL+"/story#part" {
		t.Fatal(resp, err)
	}
}

func TestMaxRedirects(t *testing.T) {
	var served atomic.Int32
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	for max, want := range map[int]int32{0: 11, 1: 2, 3: 4, -1: 1} {
		served.Store(0)
		_, err := newClient(t, Options{MaxRedirects: max}).Get(t.Context(), srv.URL)
		if !errors.Is(err, ErrTooManyRedirects) {
			t.Errorf("MaxRedirects %d: %v", max, err)
		}
		if n := served.Load(); n != want {
			t.Errorf("MaxRedirects %d: %d requests, want %d", max, n, want)
		}
	}
}

func TestRedirectToPrivate(t *testing.T) {
	srv := serve(t, turn)
	c := newGuarded(t, srv, Options{Resolver: hosts{
		"news.example":   {publicIP},
		"inside.example": {"192.168.0.7"},
	}})
	if _, err := c.Get(t.Context(), "http://news.example/301//story"); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{
		srv.URL, "http://inside.example/", "http://2130706433/", "http://[::1]/", "//169.254.169.254/latest",
	} {
		_, err := c.Get(t.Context(), "http://news.example/302/"+where)
		if !errors.Is(err, ErrPrivateAddress) {
			t.Errorf("%s: %v, want %v", where, err, ErrPrivateAddress)
		} else if !strings.Contains(err.Error(), "(redirected from http://news.example/302/") {
			t.Errorf("%s: %v does not say where it came from", where, err)
		}
	}
}

func TestRedirectToOtherScheme(t *testing.T) {
	srv := serve(t, turn)
	c := newClient(t, Options{})
	for where, want := range map[string]error{
		"file:///etc/passwd":    ErrScheme,
		"ftp://news.example/":   ErrScheme,
		"javascript:void(0)":    ErrScheme,
		"gopher://127.0.0.1/":   ErrScheme,
		"http://":               ErrURL,
		"http://a b.example/":   ErrURL,
		"http://news.example:0": ErrURL,
	} {
		if _, err := c.Get(t.Context(), srv.URL+"/302/"+where); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", where, err, want)
		}
	}
}

func TestRedirectLeaksNothing(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, h := range []string{"Referer", "Cookie", "Authorization"} {
			if v := r.Header.Get(h); v != "" {
				t.Errorf("%s: sent %s %s", r.URL, h, v)
			}
		}
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			w.Header().Set("Location", "http://user:secret@"+r.Host+"/story")
			w.WriteHeader(http.StatusFound)
			return
		}
		page(w, r)
	})
	resp, err := newClient(t, Options{}).Get(t.Context(), srv.URL+"/?private=1")
	if err != nil || resp.URL != srv.URL+"/story" {
		t.Fatal(resp, err)
	}
}

func TestRedirectDowngrade(t *testing.T) {
	plain := serve(t, page)
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL+"/story", http.StatusFound))
	defer secure.Close()
	var log bytes.Buffer
	c := newClient(t, Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	c.transport.TLSClientConfig.RootCAs = secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs

	resp, err := c.Get(t.Context(), secure.URL)
	if err != nil || resp.URL != plain.URL+"/story" {
		t.Fatal(resp, err)
	}
	if !strings.Contains(log.String(), "downgrade=true") {
		t.Errorf("log has no downgrade: %s", &log)
	}
}

func TestRedirectReusesConnection(t *testing.T) {
	srv := serve(t, turn)
	var opened atomic.Int32
	c := newClient(t, Options{})
	c.dialer.connect = counting(c.dialer.connect, &opened)
	for range 3 {
		if _, err := c.Get(t.Context(), srv.URL+"/301//302//story"); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}
