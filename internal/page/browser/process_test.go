package browser

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(pathVariable, "")
	if _, err := New(t.Context(), Options{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), "install") {
		t.Errorf("empty PATH: %v", err)
	}
	t.Setenv(pathVariable, filepath.Join(t.TempDir(), "chromium"))
	if _, err := New(t.Context(), Options{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), pathVariable) {
		t.Errorf("%s is not a program: %v", pathVariable, err)
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

// TestSandboxReport checks that a missing sandbox is reported.
func TestSandboxReport(t *testing.T) {
	var reported []string
	b := open(t, Options{Report: func(s string) { reported = append(reported, s) }})
	args, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(b.proc.connection().Process().Pid), "cmdline"))
	if err != nil {
		t.Skip("no /proc to read the command line from")
	}
	off := slices.Contains(strings.Split(string(args), "\x00"), "--no-sandbox")
	if off != (os.Geteuid() == 0) || off != slices.Contains(reported, noSandbox) {
		t.Errorf("without sandbox: %v; reported: %q", off, reported)
	}
}

// TestProfile checks that Close removes the profile.
func TestProfile(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	b := open(t, Options{})
	layOut(t, b, `<p>words`)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("remaining files: %v, %v", left, err)
	}
	if _, err := b.Layout(t.Context(), parse(t, "<p>late"), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestCanceled(t *testing.T) {
	b := open(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Layout(ctx, parse(t, "<p>words"), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	layOut(t, b, "<p>words")
	if _, err := New(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled start: %v", err)
	}
}

// TestKilled kills Chromium while a page loads. The next page works.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := newWeb(t)
	asked := make(chan struct{}, 1)
	w.mux.HandleFunc("/silence", func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	b := open(t, Options{Dial: w.dial, PageTime: 2 * patience})
	layOut(t, b, `<p>words`)
	failed := make(chan error, 1)
	go func() {
		_, err := b.Render(t.Context(), "http://gazette.example/silence")
		failed <- err
	}()
	<-asked
	if err := b.proc.connection().Process().Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, ErrCrashed) {
		t.Errorf("%v, want %v", err, ErrCrashed)
	}
	if p := layOut(t, b, `<p id=x>words`); !p.Layout.Shown(find(t, p.Doc, "x")) {
		t.Error("nothing is shown after the restart")
	}
}

// TestCrashedTab crashes an idle tab and a busy tab.
func TestCrashedTab(t *testing.T) {
	b := open(t, Options{})
	layOut(t, b, `<p>words`)
	crash := func(victim *tab) { _, _ = cdp.Call(victim.life, victim, page.Crash, cdp.Empty{}) }

	idle := b.idle[0]
	crash(idle)
	<-idle.life.Done()
	layOut(t, b, `<p>words`)

	busy := b.idle[0]
	ctx, cancel := busy.within(t.Context(), patience)
	defer cancel()
	go crash(busy)
	<-ctx.Done()
	if err := busy.explain(ctx, ctx.Err()); !errors.Is(err, ErrCrashed) {
		t.Errorf("%v, want %v", err, ErrCrashed)
	}
	layOut(t, b, `<p>words`)
}
