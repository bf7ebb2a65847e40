package follow

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// maxMemory is the memory of a process that follows 1,000 sites, in MB.
const maxMemory = 256

// TestMemory follows sites in a process of its own, with the press in this one, and
// measures the memory of that process. The sizes are pairs of sites and hours;
// make follow-memory has those of the promise.
func TestMemory(t *testing.T) {
	if os.Getenv("LEDE_FOLLOW_CHILD") != "" {
		followInChild(t)
		return
	}
	if testkit.Race {
		t.Skip("the race detector takes memory of its own")
	}
	sizes := os.Getenv("LEDE_FOLLOW_MEMORY")
	if sizes == "" {
		sizes = "12:4"
	}
	for _, size := range strings.Fields(sizes) {
		var sites, hours int
		if _, err := fmt.Sscanf(size, "%d:%d", &sites, &hours); err != nil {
			t.Fatalf("LEDE_FOLLOW_MEMORY: %q: use SITES:HOURS", size)
		}
		t.Run(size, func(t *testing.T) {
			r := followMemory(t, sites, hours)
			t.Logf("%d sites, %d hours, %d stories: peak %d MB, heap %.1f MB more at the end, by night %.1f MB", sites, hours, r.stories, r.peak>>20, float64(r.growth)/(1<<20), r.days)
			if r.peak > maxMemory<<20 {
				t.Errorf("%d MB of memory, want at most %d", r.peak>>20, maxMemory)
			}
			if each := (r.growth - maxFixed) / sites; each > maxPerSite {
				t.Errorf("%d bytes of heap for each site, want at most %d", each, maxPerSite)
			}
			if n := len(r.days); n >= 3 && r.days[n-1] > r.days[1]*1.1+1 {
				t.Errorf("the heap grows from day to day: %.1f MB", r.days)
			}
			if r.stories < sites {
				t.Errorf("%d stories", r.stories)
			}
		})
	}
}

// What a run may leave in the heap, in bytes: models and word lists, and what is kept
// of each site.
const (
	maxFixed   = 4 << 20
	maxPerSite = 16 << 10
)

// memory is what a process that follows sites has used.
type memory struct {
	peak    int // resident, in bytes
	growth  int // of the heap from before to after the run, without garbage
	stories int
	days    []float64 // heap in each night, in MB
}

// memoryDisk is a disk in memory. In fake time a second takes as long as its commit, which
// is mostly waiting for the disk.
const memoryDisk = "/dev/shm"

// followMemory follows sites in another process.
func followMemory(t *testing.T, sites, hours int) (m memory) {
	t.Helper()
	press := newsroom.NewPress(5, newsroom.PressOptions{Sites: sites, Start: pressStart, CountOnly: true})
	dir, err := os.MkdirTemp(memoryDisk, "lede-follow")
	if err != nil {
		dir = t.TempDir()
	}
	defer os.RemoveAll(dir)
	clock, err := os.Create(filepath.Join(dir, "clock"))
	if err != nil {
		t.Fatal(err)
	}
	defer clock.Close()
	server := httptest.NewServer(press.Handler(func() time.Time { return readClock(clock) }))
	defer server.Close()
	var list bytes.Buffer
	for _, s := range press.Sites() {
		fmt.Fprintln(&list, s.Address())
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.timeout=0")
	cmd.Stdin = &list
	cmd.Env = append(os.Environ(), "LEDE_FOLLOW_CHILD="+dir, "LEDE_FOLLOW_HOURS="+strconv.Itoa(hours), "HTTP_PROXY="+server.URL, "NO_PROXY=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var day float64
		fmt.Sscanf(line, "memory %d %d %d", &m.peak, &m.growth, &m.stories)
		if n, _ := fmt.Sscanf(line, "night %f", &day); n == 1 {
			m.days = append(m.days, day)
		}
	}
	return m
}

// The clock of the press is that of the bubble in the other process: eight bytes of a
// file.
func readClock(f *os.File) time.Time {
	var b [8]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return pressStart
	}
	return time.Unix(0, int64(binary.LittleEndian.Uint64(b[:]))).UTC()
}

func writeClock(f *os.File, now time.Time) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(now.UnixNano()))
	f.WriteAt(b[:], 0)
}

// heap returns the size of the heap without garbage.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// followInChild is the other process.
func followInChild(t *testing.T) {
	dir := os.Getenv("LEDE_FOLLOW_CHILD")
	hours, err := strconv.Atoi(os.Getenv("LEDE_FOLLOW_HOURS"))
	if err != nil {
		t.Fatal(err)
	}
	var sites []string
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		sites = append(sites, in.Text())
	}
	clock, err := os.OpenFile(filepath.Join(dir, "clock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer clock.Close()
	client := fetch.New(fetch.Options{AllowPrivate: true})
	var m memory
	before := heap()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(pressStart))
		f, err := New(Options{Sites: sites, State: filepath.Join(dir, "state.db"), Every: 30 * time.Minute, Since: 24 * time.Hour}, HandlerFunc(func(context.Context, *Story) error {
			m.stories++
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		f.send = func(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
			writeClock(clock, time.Now())
			defer client.CloseIdleConnections()
			return client.Do(ctx, r)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(hours)*time.Hour)
		defer cancel()
		var wait sync.WaitGroup
		wait.Go(func() { watchNights(ctx) })
		if err := f.Run(ctx); err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		wait.Wait()
		m.growth = heap() - before
		profileHeap(t)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	})
	_, peak, err := testkit.ResidentMemory()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("memory %d %d %d\n", peak, m.growth, m.stories)
}

// watchNights prints the heap of each night: the least of an hour, because visits are
// going on at any time.
func watchNights(ctx context.Context) {
	for ctx.Err() == nil {
		least := heap()
		for range 12 {
			time.Sleep(5*time.Minute + 7*time.Second)
			least = min(least, heap())
		}
		fmt.Printf("night %.2f\n", float64(least)/(1<<20))
		select {
		case <-time.After(23 * time.Hour):
		case <-ctx.Done():
		}
	}
}

// profileHeap writes a profile of the heap to the file that LEDE_FOLLOW_PROFILE names.
func profileHeap(t *testing.T) {
	name := os.Getenv("LEDE_FOLLOW_PROFILE")
	if name == "" {
		return
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := pprof.WriteHeapProfile(f); err != nil {
		t.Fatal(err)
	}
}
