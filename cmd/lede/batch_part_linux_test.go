package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestPartsDiskFull fills a small disk, frees space, and runs the part again.
func TestPartsDiskFull(t *testing.T) {
	testkit.SkipRace(t)
	list, _ := partArchives(t, 60)
	want := wholeRun(t, list)
	disk := t.TempDir()
	if b, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=12m", "lede-test", disk).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small disk; run as root: %v: %s", err, b)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	ballast, out := filepath.Join(disk, "ballast"), filepath.Join(disk, "out")
	if err := os.WriteFile(ballast, make([]byte, 12<<20-400<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"batch", "--archives", list, "--part", "1/1", "--out", out, "--quiet", "--split", "100KB"}
	said, err := tool(t, args...).CombinedOutput()
	if exitCode(err) != 3 || !strings.Contains(string(said), "no space left on device") || !strings.Contains(string(said), "run the same command again to continue") || strings.Contains(string(said), "--resume") {
		t.Fatalf("%v: %s", err, said)
	}
	t.Logf("%s", said)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	done := len(partFiles(t, out))
	if said, err := tool(t, args...).CombinedOutput(); exitCode(err) > cli.ExitFailed {
		t.Fatalf("%v: %s", err, said)
	}
	if done == 0 || done == len(partFiles(t, out)) {
		t.Errorf("%d parts were done when the disk was full: the test is too easy", done)
	}
	checkParts(t, out, want)
}
