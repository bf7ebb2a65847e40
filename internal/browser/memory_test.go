package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

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
