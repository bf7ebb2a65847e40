package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func isThere(path string) bool { _, err := os.Stat(path); return err == nil }

// TestInterrupt stops a batch with Ctrl-C while it waits for more. It says how to
// go on, and the same command with --resume does.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	archive, out := filepath.Join(dir, "pages.warc"), filepath.Join(dir, "out.jsonl")
	runTool(t, "newsroom", "write", "--warc", "-n", "60", archive)
	pages := readFile(t, archive)
	cmd := tool(t, "batch", "-", "--out", out, "--checkpoint", "1ms")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(pages[:len(pages)/2]); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "a page is done", func() bool { return isThere(out + ".partial") })

	second, err := tool(t, "batch", archive, "--out", out, "--resume").CombinedOutput()
	if err == nil || !strings.Contains(string(second), "another run is writing it at this moment") {
		t.Errorf("two runs on one output: %v: %s", err, second)
	}

	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(said.String(), "pages, and all of them are safe; the same command with --resume goes on") {
		t.Errorf("%v: %s", err, said.String())
	}
	again := tool(t, "batch", "-", "--out", out, "--resume", "--quiet")
	again.Stdin = bytes.NewReader(pages)
	if b, err := again.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	whole := filepath.Join(dir, "whole.jsonl")
	runTool(t, "batch", archive, "--out", whole, "--quiet")
	if !bytes.Equal(readFile(t, out), readFile(t, whole)) {
		t.Error("it differs from a run that was not stopped")
	}
}

// TestDiskFull runs on a small disk until that is full, makes room, and goes on.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	archive, whole := filepath.Join(dir, "pages.warc.gz"), filepath.Join(dir, "whole.jsonl")
	runTool(t, "newsroom", "write", "--warc", "-n", "400", archive)
	runTool(t, "batch", archive, "--out", whole, "--quiet")
	want := idsOfLines(t, whole, nil)
	for name, ids := range map[string]func(*testing.T, string) []string{
		"out.jsonl":   func(t *testing.T, f string) []string { return idsOfLines(t, f, nil) },
		"out.sqlite":  idsOfDatabase,
		"out.parquet": idsOfParquet,
	} {
		t.Run(name, func(t *testing.T) {
			disk := t.TempDir()
			if b, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=12m", "lede-test", disk).CombinedOutput(); err != nil {
				t.Skipf("needs the right to mount a small disk, as root has: %v: %s", err, b)
			}
			t.Cleanup(func() {
				if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
					t.Error(err)
				}
			})
			ballast, out := filepath.Join(disk, "ballast"), filepath.Join(disk, name)
			if err := os.WriteFile(ballast, make([]byte, 12<<20-200<<10), 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"batch", archive, "--out", out, "--quiet", "--checkpoint", "10ms"}
			b, err := tool(t, args...).CombinedOutput()
			if err == nil || !strings.Contains(string(b), "the same command with --resume goes on") {
				t.Fatalf("%v: %s", err, b)
			}
			t.Logf("%s", b)
			if isThere(out) {
				t.Error("it has its name, and is not whole")
			}
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
			runTool(t, append(args, "--resume")...)
			if got := ids(t, out); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%d lines of %d", len(got), len(want))
			}
		})
	}
}

// TestInputVanishes takes an archive away while it is read.
func TestInputVanishes(t *testing.T) {
	dir := t.TempDir()
	archive, out := filepath.Join(dir, "pages.warc"), filepath.Join(dir, "out.jsonl")
	runTool(t, "newsroom", "write", "--warc", "-n", "300", archive)
	page := filepath.Join(dir, "last.html")
	if err := os.WriteFile(page, []byte("<p>The last page is still there, with its one sentence.</p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(archive, int64(len(readFile(t, archive))/2)); err != nil { // as far as the reader can tell
		t.Fatal(err)
	}
	b, err := tool(t, "batch", archive, filepath.Join(dir, "gone.warc.gz"), page, "--out", out).CombinedOutput()
	if err == nil || !strings.Contains(string(b), "bytes of archives are broken and were passed over") {
		t.Errorf("%v: %s", err, b)
	}
	lines := string(readFile(t, out))
	for _, want := range []string{`"id":"last"`, `gone.warc.gz: no such file or folder`, `"kind":"source"`} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %s in the result", want)
		}
	}
	if n := strings.Count(lines, `"title"`); n < 100 {
		t.Errorf("only %d pages of half an archive", n)
	}
}
