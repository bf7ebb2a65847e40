package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/lede-news/lede/method"
)

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(Variable, "")
	if _, err := New(t.Context(), Options{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), "install") {
		t.Errorf("no Chromium on PATH: %v", err)
	}
	t.Setenv(Variable, filepath.Join(t.TempDir(), "chromium"))
	if _, err := New(t.Context(), Options{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), Variable) {
		t.Errorf("%s names no program: %v", Variable, err)
	}
}

// TestNotABrowser starts a program that is none.
func TestNotABrowser(t *testing.T) {
	path, err := exec.LookPath("false")
	if err != nil {
		t.Skip("no program to take for a browser: ", err)
	}
	t.Setenv(Variable, path)
	if _, err := New(t.Context(), Options{}); !errors.Is(err, ErrStart) {
		t.Errorf("%v, not %v", err, ErrStart)
	}
}

func TestSandbox(t *testing.T) {
	for _, test := range []struct {
		root, container, want bool
		err                   error
	}{
		{false, false, true, nil}, {false, true, true, nil}, {true, true, false, nil}, {true, false, false, ErrRoot},
	} {
		if got, err := sandboxed(test.root, test.container); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("root %v, container %v: %v, %v", test.root, test.container, got, err)
		}
	}
}

// TestSaidAloud checks that a missing sandbox is never kept quiet.
func TestSaidAloud(t *testing.T) {
	var said []string
	b := open(t, Options{Report: func(s string) { said = append(said, s) }})
	args, err := os.ReadFile(filepath.Join("/proc", itoa(b.proc.pid()), "cmdline"))
	if err != nil {
		t.Skip("no /proc to read the command line from")
	}
	off := slices.Contains(strings.Split(string(args), "\x00"), "--no-sandbox")
	if off != (os.Geteuid() == 0) || off != slices.Contains(said, noSandbox) {
		t.Errorf("without sandbox: %v; said: %q", off, said)
	}
}

// TestProfile checks that nothing is left after Close.
func TestProfile(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	b := open(t, Options{Screen: method.Screen{Width: 800, Height: 600}})
	if p := lay(t, b, `<div id=x>words</div>`); p.Layout.Screen.Width != 800 || p.Layout.Box(find(t, p.Doc, "x")).W != 784 {
		t.Errorf("a box of %v on a screen of %v", p.Layout.Box(find(t, p.Doc, "x")), p.Layout.Screen)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := b.Layout(t.Context(), parse(t, "<p>late"), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("a page after the end: %v", err)
	}
}

func TestCanceled(t *testing.T) {
	b := open(t, Options{Tabs: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Layout(ctx, parse(t, "<p>words"), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	lay(t, b, "<p>words")
	if _, err := New(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a start that is canceled: %v", err)
	}
}

// TestKilled kills Chromium while it waits for a page, and goes on.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := newWeb(t)
	asked := make(chan struct{}, 1)
	w.mux.HandleFunc("/silence", func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	b := open(t, Options{Tabs: 2, Dial: w.dial, PageTime: time.Minute})
	lay(t, b, `<p>a tab that will be gone`)
	times := 2
	if testing.Short() {
		times = 1
	}
	for range times {
		failed := make(chan error, 1)
		go func() {
			_, err := b.Render(t.Context(), "http://gazette.example/silence")
			failed <- err
		}()
		<-asked
		if err := syscall.Kill(b.proc.pid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-failed:
			if !errors.Is(err, ErrCrashed) {
				t.Errorf("%v, not %v", err, ErrCrashed)
			}
		case <-time.After(patience):
			t.Fatal("the page outlives its browser")
		}
		if p := lay(t, b, `<p id=x>words`); !p.Layout.Shown(find(t, p.Doc, "x")) {
			t.Error("nothing is shown after a restart")
		}
	}
}

// TestCrashedTab has one tab die, idle and with a page in it.
func TestCrashedTab(t *testing.T) {
	b := open(t, Options{Tabs: 1})
	lay(t, b, `<p>words`)
	crash := func(victim *tab) { _, _ = cdp.Call(victim.life, victim, page.Crash, cdp.Empty{}) }

	idle := b.idle[0]
	crash(idle)
	<-idle.life.Done()
	lay(t, b, `<p>words`)

	busy := b.idle[0]
	ctx, cancel := busy.within(t.Context(), patience)
	defer cancel()
	go crash(busy)
	<-ctx.Done()
	if err := busy.explain(ctx, ctx.Err()); !errors.Is(err, ErrCrashed) {
		t.Errorf("%v, not %v", err, ErrCrashed)
	}
	lay(t, b, `<p>words`)
}

func TestRestarts(t *testing.T) {
	var r restarts
	now := time.Now()
	for i := range mostRestarts {
		if err := r.allow(now.Add(time.Duration(i) * time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.allow(now.Add(restartPeriod / 2)); !errors.Is(err, ErrCrashed) {
		t.Errorf("one more within a minute: %v", err)
	}
	if err := r.allow(now.Add(restartPeriod)); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// TestMemory lays many pages out and compares what Chromium, all of its
// processes together, holds in the middle and at the end. LEDE_BROWSER_PAGES
// sets how many.
func TestMemory(t *testing.T) {
	pages := 50
	if n, err := strconv.Atoi(os.Getenv("LEDE_BROWSER_PAGES")); err == nil && n > 0 {
		pages = n
	}
	if testing.Short() {
		t.Skip("takes a while; run it without -short")
	}
	b := open(t, Options{Tabs: 1})
	if _, err := os.ReadFile("/proc/self/status"); err != nil {
		t.Skip("no /proc to read the memory of processes from")
	}
	var held []int
	for i := range pages {
		lay(t, b, madeUp(i))
		if i == min(9, pages/10) || i == pages/2 || i == pages-1 {
			held = append(held, resident(t, b.proc.pid()))
		}
	}
	t.Logf("%d pages: %d MB at the start, %d in the middle, %d at the end", pages, held[0]>>20, held[1]>>20, held[2]>>20)
	// The collector runs when it likes; a leak would add up.
	if slack := 80 << 20; held[2] > held[1]+held[1]/4+slack {
		t.Errorf("memory grows: %d MB in the middle, %d at the end", held[1]>>20, held[2]>>20)
	}
}

// madeUp is a page of some eight hundred nodes, each time another.
func madeUp(i int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "<!doctype html><title>Page %d</title><style>p{margin:%dpx} .c%d{float:left;width:300px}</style>", i, i%7, i)
	for j := range 150 {
		fmt.Fprintf(&s, "<div class=c%d><p>Herring number %d of <a href='/%d'>page %d</a> is back in the bay.</p><img width=%d height=40></div>", j%3, j, j, i, j%300)
	}
	return s.String()
}

// resident is the memory of a process and all below it, in bytes.
func resident(t *testing.T, root int) int {
	t.Helper()
	parents, sizes := make(map[int]int), make(map[int]int)
	files, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, file := range files {
		status, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		for line := range strings.Lines(string(status)) {
			name, value, _ := strings.Cut(line, ":")
			switch f := strings.Fields(value); name {
			case "PPid":
				parents[pid], _ = strconv.Atoi(f[0])
			case "VmRSS":
				kb, _ := strconv.Atoi(f[0])
				sizes[pid] = kb << 10
			}
		}
	}
	sum := 0
	for pid, size := range sizes {
		for up := pid; up > 1; up = parents[up] {
			if up == root {
				sum += size
				break
			}
		}
	}
	return sum
}
