package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
