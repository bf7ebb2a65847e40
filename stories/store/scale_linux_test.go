package store

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/stories"
)

const (
	// maxScaleMemory is the memory of a process that adds a million articles, in MB.
	maxScaleMemory = 1000
	// scaleEvents are the events of a day, with about five articles each, so that a
	// million articles are those of six weeks.
	scaleEvents = 4800
)

// TestScale adds made-up articles in a process of its own, and measures time, memory
// and the size of the file. make stories-scale has the numbers of the promise.
func TestScale(t *testing.T) {
	if os.Getenv("LEDE_STORIES_CHILD") != "" {
		scaleInChild(t)
		return
	}
	if testkit.Race {
		t.Skip("the race detector takes memory of its own")
	}
	sizes := os.Getenv("LEDE_STORIES_SCALE")
	if sizes == "" {
		sizes = "3000"
	}
	for _, size := range strings.Fields(sizes) {
		t.Run(size, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestScale$", "-test.timeout=0")
			cmd.Env = append(os.Environ(), "LEDE_STORIES_CHILD="+size)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var r scaled
			for line := range strings.Lines(string(out)) {
				if text, ok := strings.CutPrefix(line, "scaled "); ok {
					fmt.Sscan(text, &r.articles, &r.seconds, &r.peak, &r.file, &r.median, &r.slowest, &r.stories, &r.copies, &r.open, &r.cpu)
				} else if strings.HasPrefix(line, "at ") {
					t.Log(strings.TrimSpace(line))
				}
			}
			t.Logf("%d articles: %.0f s (%.0f µs each; %.0f s of processor time), peak %d MB, file %d MB; adding one more: %.2f ms at the median, %.1f ms at most; %d stories, %d copies; opened in %.2f s",
				r.articles, r.seconds, r.seconds/float64(r.articles)*1e6, r.cpu, r.peak>>20, r.file>>20, r.median, r.slowest, r.stories, r.copies, r.open)
			if fmt.Sprint(r.articles) != size || r.peak > maxScaleMemory<<20 || r.copies < r.articles/10 || r.stories > r.articles/2 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// scaled is what adding articles has cost.
type scaled struct {
	articles        int
	seconds         float64
	peak, file      int64
	median, slowest float64 // ms
	stories, copies int
	open            float64 // seconds
	cpu             float64 // likewise
}

// scaleMore is how many articles are added one by one at the end.
const scaleMore = 500

func scaleInChild(t *testing.T) {
	var r scaled
	n, err := strconv.Atoi(os.Getenv("LEDE_STORIES_CHILD"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stories.db")
	s := open(t, path, Options{})
	start := time.Now()
	add := func(p *Prepared) {
		m, err := s.Add(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if m.First {
			r.stories++
		}
		if m.CopyOf != "" {
			r.copies++
		}
		if r.articles++; r.articles%50_000 == 0 {
			fmt.Printf("at %d: %.0f s, %.0f s of processor time, %d MB\n", r.articles, time.Since(start).Seconds(), testkit.ProcessTime().Seconds(), peakMemory(t)>>20)
		}
	}
	wire := newsroom.NewWire(18, newsroom.WireOptions{Articles: n, PerDay: scaleEvents})
	var last []*Prepared
	prepareAll(t.Context(), s, wire, func(p *Prepared) {
		if n-r.articles-len(last) <= scaleMore {
			last = append(last, p)
			return
		}
		add(p)
	})
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	var times []float64
	for _, p := range last {
		start := time.Now()
		add(p)
		times = append(times, float64(time.Since(start).Microseconds())/1000)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r.seconds = time.Since(start).Seconds()
	slices.Sort(times)
	r.median, r.slowest = times[len(times)/2], times[len(times)-1]
	start = time.Now()
	open(t, path, Options{})
	r.open = time.Since(start).Seconds()
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("scaled", r.articles, r.seconds, peakMemory(t), fi.Size(), r.median, r.slowest, r.stories, r.copies, r.open, testkit.ProcessTime().Seconds())
}

// prepareAll prepares articles in two workers and passes them on in order.
func prepareAll(ctx context.Context, s *Store, wire *newsroom.Wire, do func(*Prepared)) {
	type job struct {
		article stories.Article
		done    chan *Prepared
	}
	queue, work := make(chan job, 64), make(chan job, 64)
	for range 2 {
		go func() {
			for j := range work {
				j.done <- s.Prepare(&j.article)
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(work)
		for a := range wire.Articles() {
			j := job{toArticle(&a), make(chan *Prepared, 1)}
			work <- j
			queue <- j
		}
	}()
	for j := range queue {
		do(<-j.done)
	}
}

func peakMemory(t *testing.T) int64 {
	peak, err := testkit.PeakMemory()
	if err != nil {
		t.Fatal(err)
	}
	return peak
}
