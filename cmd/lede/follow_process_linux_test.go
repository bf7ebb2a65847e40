package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// hold makes requests from the nth on wait until release is called.
func (w *followWorld) hold(t *testing.T, nth int) (held <-chan struct{}, release func()) {
	reached, released := make(chan struct{}), make(chan struct{})
	var once, end sync.Once
	release = func() { end.Do(func() { close(released) }) }
	t.Cleanup(release)
	w.expect(func(n int) {
		if n >= nth {
			once.Do(func() { close(reached) })
			<-released
		}
	})
	return reached, release
}

// TestFollowInterrupt interrupts lede follow while a server does not answer. Another
// process with the same state is refused meanwhile. The next run goes on.
func TestFollowInterrupt(t *testing.T) {
	w := newFollowWorld(t, 2)
	ref := &reference{w: w, dir: t.TempDir()}
	requests, want := ref.at(t, 0)
	d := newFollowDirs(t.TempDir())
	held, release := w.hold(t, requests/2)
	cmd := w.tool(t, w.follow(d.args()...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-held
	for _, other := range [][]string{d.args(), {"--state", d.state, "--out", filepath.Join(t.TempDir(), "other.jsonl")}} {
		second := w.tool(t, w.follow(other...)...)
		b, _ := second.CombinedOutput()
		if second.ProcessState.ExitCode() != cli.ExitAborted || !strings.Contains(string(b), "another process uses the state file; wait until it ends, or use another file") {
			t.Errorf("two processes with one state: %d: %s", second.ProcessState.ExitCode(), b)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if cmd.ProcessState.ExitCode() != cli.ExitAborted || !strings.Contains(said.String(), "stopped; what was written is saved, and the next run goes on") {
		t.Errorf("%v: %s", err, said.String())
	}
	release()
	w.run(t, w.follow(d.args()...)...)
	d.check(t, w, want)
}

// TestFollowTerminate stops a process that repeats its visits.
func TestFollowTerminate(t *testing.T) {
	w := newFollowWorld(t, 2)
	ref := &reference{w: w, dir: t.TempDir()}
	_, want := ref.at(t, 0)
	d := newFollowDirs(t.TempDir())
	w.expect(nil)
	cmd := w.tool(t, w.follow(append(d.args(), "--every", "1s")...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testkit.WaitFor(t, "all stories", func() bool {
		b, err := os.ReadFile(d.out)
		return err == nil && bytes.Count(b, []byte("\n")) >= len(want)
	})
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || said.Len() > 0 {
		t.Errorf("%v: %s", err, said.String())
	}
	w.run(t, w.follow(d.args()...)...) // it may have been stopped in its second visit
	d.check(t, w, want)
}

// mountSmall mounts a small disk, or skips the test.
func mountSmall(t *testing.T, size int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if b, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "lede-test", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small disk; run as root: %v: %s", err, b)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFollowDiskFull fills the disk of the output, of the archive, or of the state. The
// error is clear, and the next run goes on.
func TestFollowDiskFull(t *testing.T) {
	testkit.SkipRace(t)
	w := newFollowWorld(t, 2)
	ref := &reference{w: w, dir: t.TempDir()}
	_, want := ref.at(t, 0)
	const size = 4 << 20
	for _, part := range []string{"out.jsonl", "archive", "follow.db"} {
		t.Run(part, func(t *testing.T) {
			disk, dir := mountSmall(t, size), t.TempDir()
			if err := os.Mkdir(filepath.Join(disk, "on"), 0o755); err != nil {
				t.Fatal(err)
			}
			d := newFollowDirs(dir)
			switch part {
			case "out.jsonl":
				d.out = filepath.Join(disk, "on", part)
			case "archive":
				if err := os.Symlink(filepath.Join(disk, "on"), d.archive); err != nil {
					t.Fatal(err)
				}
			default:
				d = newFollowDirs(disk)
			}
			ballast := filepath.Join(disk, "ballast")
			if err := os.WriteFile(ballast, make([]byte, size-100<<10), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := w.tool(t, w.follow(d.args()...)...)
			b, err := cmd.CombinedOutput()
			t.Logf("%s", b)
			if cmd.ProcessState.ExitCode() != cli.ExitAborted || !strings.Contains(string(b), "no space left on device") && !strings.Contains(string(b), "disk is full") {
				t.Errorf("%v: %s", err, b)
			}
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
			w.run(t, w.follow(d.args()...)...)
			d.check(t, w, want)
		})
	}
}
