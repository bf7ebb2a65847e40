package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// maxMemory is what a batch may take, whatever its input.
const maxMemory = 300 << 10 // KB

// TestMemory pipes archives of made-up pages into batches and looks at the most
// memory that each took. LEDE_BATCH_PAGES are the numbers of pages.
func TestMemory(t *testing.T) {
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
		t.Logf("%9d pages: %6.1f MB at most, %5.0f pages/s", n, float64(peak)/1024, float64(n)/time.Since(start).Seconds())
		if peak == 0 || peak > maxMemory {
			t.Errorf("%d KB of memory, and %d are allowed", peak, maxMemory)
		}
	}
	if first, last := runs[0], runs[len(runs)-1]; last.pages > first.pages {
		t.Logf("slope from %d to %d pages: %.2f bytes a page", first.pages, last.pages,
			float64(last.peak-first.peak)*1024/float64(last.pages-first.pages))
	}
}

// TestMemoryOfOnePage has a page as large as the limits allow, with as many nodes.
// It takes what the help says. With less memory it is given up, and the pages
// beside it are done.
func TestMemoryOfOnePage(t *testing.T) {
	if testing.Short() {
		t.Skip("a page of 20 MiB takes its time with the race detector")
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
		{"0", 1 << 20, `"partial":true`},
		{"150", 700 << 10, `"kind":"memory"`},
	} {
		out := filepath.Join(dir, "out"+c.limit+".jsonl")
		cmd := tool(t, "batch", small, large, small, "--out", out, "--max-memory", c.limit, "--page-time", "1m", "--quiet")
		said, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(c.says, "memory") {
			t.Fatalf("%v: %s", err, said)
		}
		peak := int(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
		lines := string(readFile(t, out))
		if !strings.Contains(lines, c.says) || strings.Count(lines, `"id":"small"`) != 2 || strings.Count(lines, "\n") != 3 || strings.Count(lines, `"title"`) < 2 {
			t.Errorf("--max-memory %s: %.300q", c.limit, lines)
		}
		t.Logf("--max-memory %s: %d MB at most", c.limit, peak>>10)
		if peak > c.most {
			t.Errorf("--max-memory %s: %d KB of memory, and %d are allowed", c.limit, peak, c.most)
		}
	}
}

// batchMemory is the most KB that a batch of n pages takes.
func batchMemory(t *testing.T, n int) (peak int) {
	t.Helper()
	write := tool(t, "newsroom", "write", "--warc", "-n", strconv.Itoa(n), "-")
	read := tool(t, "batch", "-", "--quiet", "--out", filepath.Join(t.TempDir(), "out.jsonl.zst"))
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
	done := make(chan error, 1)
	go func() { done <- read.Wait() }()
	for {
		peak = max(peak, highWater(read.Process.Pid))
		select {
		case err := <-done:
			if bad := write.Wait(); err != nil || bad != nil {
				t.Fatalf("%v, %v: %s%s", bad, err, wrote.String(), said.String())
			}
			return peak
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// highWater is the most KB that a process has had; 0 when it is gone.
func highWater(pid int) (kb int) {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
		}
	}
	return kb
}
