package browser

import (
	"errors"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

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
