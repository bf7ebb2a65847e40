package browser

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestRender(t *testing.T) {
	t.Parallel()
	w := newWeb(t)
	w.page("/story", `<!doctype html><title>A story</title><div id=root></div><script src="/story.js"></script>`)
	w.mux.HandleFunc("/story.js", func(rw http.ResponseWriter, _ *http.Request) {
		// The text comes after the page has loaded.
		fmt.Fprint(rw, `onload = () => fetch("/loaded"); fetch("/text").then(r => r.text()).then(s => {
			root.innerHTML = "<p>" + s;
			root.attachShadow({mode: "open"}).innerHTML = "<p>inside a component";
		})`)
	})
	loaded := make(chan struct{}, 3)
	w.mux.HandleFunc("/loaded", func(http.ResponseWriter, *http.Request) { loaded <- struct{}{} })
	w.mux.HandleFunc("/text", func(rw http.ResponseWriter, r *http.Request) {
		select {
		case <-loaded:
			fmt.Fprint(rw, "Herring is back.")
		case <-r.Context().Done():
		}
	})
	w.mux.Handle("/moved", http.RedirectHandler("http://www.gazette.example/story", http.StatusFound))
	w.page("/refresh", `<meta http-equiv=refresh content="0;url=/story">`)
	b := open(t, Options{Dial: w.dial})
	for _, path := range []string{"/story", "/moved", "/refresh"} {
		r, err := b.Render(t.Context(), "http://gazette.example"+path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !strings.HasPrefix(string(r.HTML), "<!DOCTYPE html>") || !strings.Contains(string(r.HTML), "<p>Herring is back.</p>") ||
			!strings.Contains(string(r.HTML), "inside a component") {
			t.Errorf("%s: %s", path, r.HTML)
		}
		if !strings.HasSuffix(r.URL, "gazette.example/story") {
			t.Errorf("%s ended at %s", path, r.URL)
		}
	}
}

// TestBadPages renders pages that cause trouble. Each ends within its time limit,
// and the next page works.
func TestBadPages(t *testing.T) {
	t.Parallel()
	// Pages that never end do not take the time of the others.
	const shortLimit = 2 * time.Second
	w := newWeb(t)
	w.page("/good", `<p>good`)
	w.mux.HandleFunc("/redirects", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, fmt.Sprint("/redirects?", time.Now().UnixNano()), http.StatusFound)
	})
	w.page("/refreshes", `<meta http-equiv=refresh content="0">`)
	w.page("/leaves", `<script>location.href = "/leaves?" + Math.random()</script>`)
	w.page("/script", `<p>words<script>for (;;);</script>`)
	w.page("/late-script", `<p>words<script>onload = () => { for (;;); }</script>`)
	w.page("/alerts", `<script>for (;;) alert("again")</script>`)
	w.page("/alert", `<p>words<script>alert(1); confirm(2); prompt(3); onbeforeunload = () => "stay"</script>`)
	w.page("/popups", `<p>words<script>for (let i = 0; i < 5; i++) open("/good")</script>`)
	w.page("/print", `<p>words<script>print()</script>`)
	w.page("/tall", `<p>words<div style="height:50000px;width:50000px">`)
	w.page("/nothing", ``)
	w.page("/zero", `<html style="display:none"><body>words`)
	w.mux.HandleFunc("/download", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Disposition", `attachment; filename="a.html"`)
		fmt.Fprint(rw, "<p>words")
	})
	w.mux.HandleFunc("/archive", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/zip")
		fmt.Fprint(rw, "PK")
	})
	w.page("/downloads", `<p>words<a id=x href=/download download>x</a><script>x.click()</script>`)
	w.mux.HandleFunc("/endless", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for r.Context().Err() == nil {
			fmt.Fprint(rw, "<p>words ", strings.Repeat("and words ", 50))
			http.NewResponseController(rw).Flush()
			select {
			case <-tick.C:
			case <-r.Context().Done():
			}
		}
	})
	w.mux.HandleFunc("/silence", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	w.page("/waits", `<p>words<img src=/silence>`)
	w.page("/polls", `<p>words<script>setInterval(() => fetch("/good"), 100)</script>`)
	w.mux.HandleFunc("/gone", http.NotFound)

	b := open(t, Options{PageTime: restless, Dial: w.dial})
	hasty := open(t, Options{PageTime: shortLimit, Dial: w.dial})
	t.Run("pages", func(t *testing.T) {
		for _, test := range []struct {
			path string
			want error // nil if the page contains "words"
		}{
			{"/redirects", ErrRedirects}, {"/refreshes", ErrRedirects}, {"/leaves", ErrRedirects},
			{"/script", ErrTimeout}, {"/late-script", ErrTimeout}, {"/alerts", ErrTimeout}, {"/silence", ErrTimeout},
			{"/alert", nil}, {"/popups", nil}, {"/print", nil}, {"/tall", nil}, {"/zero", nil}, {"/endless", nil}, {"/waits", nil}, {"/polls", nil},
			{"/downloads", nil}, {"/download", ErrDownload}, {"/archive", ErrDownload}, {"/gone", ErrStatus},
		} {
			if testing.Short() && !slices.Contains([]string{"/leaves", "/script", "/download"}, test.path) {
				continue
			}
			t.Run(test.path[1:], func(t *testing.T) {
				t.Parallel()
				b := b
				if test.want == ErrTimeout {
					b = hasty
				}
				r, err := b.Render(t.Context(), "http://gazette.example"+test.path)
				switch {
				case !errors.Is(err, test.want) || test.want == nil && err != nil:
					t.Errorf("%v, want %v", err, test.want)
				case err == nil && !strings.Contains(string(r.HTML), "words"):
					t.Errorf("%s", r.HTML)
				}
				if b != hasty {
					layOut(t, b, `<p>next page`)
				}
			})
		}
	})
	if r, err := b.Render(t.Context(), "http://gazette.example/good"); err != nil || !strings.Contains(string(r.HTML), "good") {
		t.Errorf("the next page: %v", err)
	}
	testkit.WaitFor(t, "a page after those that never end", func() bool {
		r, err := hasty.Render(t.Context(), "http://gazette.example/good")
		return err == nil && strings.Contains(string(r.HTML), "good")
	})
	b.closing.Wait()
	infos, err := chromedp.Targets(b.proc.ctx)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, info := range infos {
		if info.Type == "page" {
			pages++
		}
	}
	if idle := len(b.idle) + 1; pages > idle { // Chromium itself opens one
		t.Errorf("%d open tabs, want at most %d", pages, idle)
	}
}

// TestPrivateAddresses renders pages of private addresses.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	w := newWeb(t)
	w.page("/", "<p>secret")
	b := open(t, Options{})
	hosts := []string{w.Listener.Addr().String(), "[::1]:80", "localhost:80", "169.254.169.254", "0x7f.1", "10.0.0.1"}
	if testing.Short() {
		hosts = hosts[:1]
	}
	for _, host := range hosts {
		for _, scheme := range []string{"http", "https"} {
			r, err := b.Render(t.Context(), scheme+"://"+host+"/")
			if !errors.Is(err, fetch.ErrPrivateAddress) || !errors.Is(err, ErrLoad) {
				t.Errorf("%s %s: %v %v", scheme, host, r, err)
			}
		}
	}
}

// TestFiles tries to read a file in many ways.
func TestFiles(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(secret, []byte("<p>TOP SECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	style := filepath.Join(t.TempDir(), "style.css")
	if err := os.WriteFile(style, []byte("#x { width: 123px }"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWeb(t)
	file := "file://" + filepath.ToSlash(secret)
	w.mux.HandleFunc("/redirect", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Location", file)
		rw.WriteHeader(http.StatusFound)
	})
	w.page("/location", fmt.Sprintf(`<p>words<script>location.href = %q</script>`, file))
	w.page("/refresh", fmt.Sprintf(`<p>words<meta http-equiv=refresh content="0;url=%s">`, file))
	w.page("/frame", fmt.Sprintf(`<p>words<iframe id=f src=%q></iframe><object data=%[1]q></object><script>
		onload = () => { try { document.body.append(f.contentDocument.body.textContent) } catch {} }</script>`, file))
	w.page("/fetch", fmt.Sprintf(`<p>words<script>
		fetch(%q).then(r => r.text()).then(s => document.body.append(s));
		let x = new XMLHttpRequest(); x.open("GET", %[1]q, false); try { x.send(); document.body.append(x.responseText) } catch {}
		open(%[1]q)</script>`, file))
	b := open(t, Options{Dial: w.dial, Network: true, PageTime: restless})
	paths := []string{"/fetch", "/location", "/redirect", "/refresh", "/frame"}
	if testing.Short() {
		paths = paths[:1]
	}
	for _, path := range paths {
		r, err := b.Render(t.Context(), "http://gazette.example"+path)
		if err == nil && strings.Contains(string(r.HTML), "SECRET") {
			t.Errorf("%s reads the file: %s", path, r.HTML)
		}
		if path != "/redirect" && (err != nil || !strings.Contains(string(r.HTML), "words")) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := b.Render(t.Context(), file); !errors.Is(err, fetch.ErrScheme) {
		t.Errorf("file URL: %v", err)
	}
	for _, url := range []string{"", "http://gazette.example/", file} {
		if url != file && testing.Short() {
			continue
		}
		page := fmt.Sprintf(`<link rel=stylesheet href="file://%s"><div id=x>words</div><script>fetch(%q).then(r => r.text()).then(s => document.body.append(s))</script>`, filepath.ToSlash(style), file)
		p, err := layOutScripts(t, b, page, url)
		if err != nil {
			t.Fatal(err)
		}
		if p.Layout.Box(find(t, p.Doc, "x")).W == 123 || strings.Contains(p.Doc.AllText(), "SECRET") {
			t.Errorf("page at %q reads files", url)
		}
	}
}
