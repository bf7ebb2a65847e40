package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

func isThere(path string) bool { _, err := os.Stat(path); return err == nil }

// TestInterrupt interrupts a batch while it waits for input. The message says how
// to resume, and resuming works.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	archive, out := filepath.Join(dir, "pages.warc.gz"), filepath.Join(dir, "out.jsonl")
	runTool(t, "newsroom", "write", "--pages", "4", archive)
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
	testkit.WaitFor(t, "the first page", func() bool { return isThere(out + ".partial") })

	second, err := tool(t, "batch", archive, "--out", out, "--resume").CombinedOutput()
	if err == nil || !strings.Contains(string(second), "another process is writing this output") {
		t.Errorf("two runs on one output: %v: %s", err, second)
	}

	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(said.String(), "pages, which are saved; run the same command with --resume to continue") {
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
		t.Error("the output differs from that of an uninterrupted run")
	}
}

// maxMemory is the memory limit of a batch, whatever its input.
const maxMemory = 300 << 10 // KB

// TestMemory pipes archives of made-up pages into batches and checks their peak
// memory, with four workers on any machine. LEDE_BATCH_PAGES lists the numbers of pages.
func TestMemory(t *testing.T) {
	testkit.SkipRace(t)
	sizes := os.Getenv("LEDE_BATCH_PAGES")
	if sizes == "" {
		sizes = "600"
	}
	type run struct{ pages, peak int }
	var runs []run
	for _, size := range strings.Fields(sizes) {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		peak := batchMemory(t, n)
		runs = append(runs, run{n, peak})
		t.Logf("%9d pages: peak %6.1f MB, %5.0f pages/s", n, float64(peak)/1024, float64(n)/time.Since(start).Seconds())
		if peak == 0 || peak > maxMemory {
			t.Errorf("%d KB of memory, want at most %d", peak, maxMemory)
		}
	}
	if first, last := runs[0], runs[len(runs)-1]; last.pages > first.pages {
		t.Logf("slope from %d to %d pages: %.2f bytes per page", first.pages, last.pages,
			float64(last.peak-first.peak)*1024/float64(last.pages-first.pages))
	}
}

// TestMemoryOfOnePage extracts a page as large as the limits allow. It takes as
// much memory as the help says. With a lower limit it fails, and other pages do
// not.
func TestMemoryOfOnePage(t *testing.T) {
	if testing.Short() {
		t.Skip("a page of 20 MiB is slow with the race detector")
	}
	dir := t.TempDir()
	large := filepath.Join(dir, "large.html")
	text := strings.Repeat("<p>Too much of it. ", 20<<20/19)
	if err := os.WriteFile(large, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	small := filepath.Join(dir, "small.html")
	if err := os.WriteFile(small, []byte("<p>The bridge stays closed, the council said on Monday.</p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limit string
		most  int // KB
		says  string
	}{
		{"0", 2 << 20, `"partial":true`},
		{"150", 150 << 10, `"kind":"memory"`},
	} {
		out := filepath.Join(dir, "out"+c.limit+".jsonl")
		cmd, peakOf := measured(t, "batch", small, large, small, "--out", out, "--max-memory", c.limit, "--page-time", "1h", "--quiet")
		said, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(c.says, "memory") {
			t.Fatalf("%v: %s", err, said)
		}
		peak := peakOf()
		lines := string(readFile(t, out))
		if !strings.Contains(lines, c.says) || strings.Count(lines, `"id":"small"`) != 2 || strings.Count(lines, "\n") != 3 || strings.Count(lines, `"title"`) < 2 {
			t.Errorf("--max-memory %s: %.300q", c.limit, lines)
		}
		t.Logf("--max-memory %s: peak %d MB", c.limit, peak>>10)
		if peak > c.most {
			t.Errorf("--max-memory %s: %d KB of memory, want at most %d", c.limit, peak, c.most)
		}
	}
}

// batchMemory returns the peak memory of a batch of n pages, in KB.
func batchMemory(t *testing.T, n int) (peak int) {
	t.Helper()
	write := tool(t, "newsroom", "write", "--sites", "marston-gazette", "--pages", strconv.Itoa(n), "-")
	read, peakOf := measured(t, "batch", "-", "--quiet", "--workers", "4", "--page-time", "1h", "--out", filepath.Join(t.TempDir(), "out.jsonl.zst"))
	pipe, err := write.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Stdin = pipe
	var said, wrote bytes.Buffer
	read.Stderr, write.Stderr = &said, &wrote
	for _, cmd := range []interface{ Start() error }{write, read} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	pipe.Close() // the reader has its own
	err = read.Wait()
	if bad := write.Wait(); err != nil || bad != nil {
		t.Fatalf("%v, %v: %s%s", bad, err, wrote.String(), said.String())
	}
	return peakOf()
}
