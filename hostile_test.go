package lede_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/hostile"
	"github.com/lede-news/lede/internal/lab/testkit"
)

var (
	hostileTime = flag.Duration("hostile.time", 0, "how long TestHostileSearch searches")
	hostileSeed = flag.Uint64("hostile.seed", 1, "seed of TestHostileSearch")
	hostileTags = flag.Int("hostile.tags", 0, "bytes that each tag counts for besides its own, to find pages that are expensive for other reasons than many tags")
)

// hostileGoal is how much a byte of a hostile page should cost at most, relative to a byte
// of a normal one.
const hostileGoal = 5

// hostileExtractor has an address, so that links are resolved.
func hostileExtractor(tb testing.TB) *lede.Extractor {
	return newExtractor(tb, lede.WithURL("https://paper.example/story.html"), lede.WithLimits(lede.Limits{Time: time.Minute}))
}

// byteCost returns the processor time of an extraction for each byte, in nanoseconds: the
// least of several runs. It stops early if a run takes less than enough.
func byteCost(tb testing.TB, e *lede.Extractor, pages [][]byte, runs int, enough float64) float64 {
	least, units := math.Inf(1), size(pages)
	for _, page := range pages {
		units += int64(*hostileTags * bytes.Count(page, []byte("<")))
	}
	for range runs {
		runtime.GC() // no page pays for the garbage of another
		start := testkit.ProcessTime()
		for _, page := range pages {
			_, _ = e.Extract(tb.Context(), bytes.NewReader(page)) // pages without an article count too
		}
		least = min(least, float64(testkit.ProcessTime()-start)/float64(units))
		if least < enough {
			break
		}
	}
	return least
}

// normalCost returns the cost for each byte of real pages or, if there are none, of made-up
// ones.
func normalCost(tb testing.TB, e *lede.Extractor) float64 {
	pages := newsroomPages()
	if files, _ := filepath.Glob(testkit.Shared("corpora", "*", "pages", "*.html.gz")); len(files) > 0 {
		pages = testkit.CorpusPages(tb, 53, "*")
	}
	return byteCost(tb, e, pages, 3, 0)
}

// TestHostileKinds checks that every known kind of hostile page is extracted, or refused
// with an error that says why.
func TestHostileKinds(t *testing.T) {
	t.Parallel()
	e := hostileExtractor(t)
	for _, r := range hostile.Kinds() {
		_, err := e.Extract(t.Context(), bytes.NewReader(r.Page(16<<10)))
		if errors.Is(err, lede.ErrInternal) || errors.Is(err, lede.ErrTimeout) {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// TestHostileSearch searches for pages that cost the most for each byte, relative to normal
// ones, for the time of -hostile.time; make hostile runs it. It writes the worst to
// bin/hostile and fails if one is beyond the goal.
func TestHostileSearch(t *testing.T) {
	if *hostileTime == 0 {
		t.Skip("run make hostile to search for hostile pages")
	}
	dir := filepath.Join("bin", "hostile")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	e := hostileExtractor(t)
	warmUp(t, e)
	normal := normalCost(t, e)
	t.Logf("a byte of a normal page costs %.1f ns", normal)
	var worst float64
	s := hostile.NewSearch(*hostileSeed, hostile.Kinds(), func(r hostile.Recipe, size int) float64 {
		// Most pages are no candidates after one run.
		cost := byteCost(t, e, [][]byte{r.Page(size)}, 2, worst/2*normal) / normal
		worst = max(worst, cost)
		return cost
	})
	for i, f := range s.Best() {
		if i < 10 || f.Cost > hostileGoal {
			t.Logf("kind %5.1f  %s", f.Cost, f.Name)
		}
	}
	tried := 0
	for end := time.Now().Add(*hostileTime); time.Now().Before(end); tried++ {
		if s.Step() {
			f := s.Best()[0]
			t.Logf("after %d pages %5.1f  %d KB of %s", tried, f.Cost, f.Size>>10, f)
		}
	}
	t.Logf("%d pages tried; the worst of each kind:", tried)
	reported := map[string]bool{}
	for _, f := range s.Best() {
		if reported[f.Name] || len(reported) == 10 {
			continue
		}
		reported[f.Name] = true
		// Of many pages some were measured too high: they are measured again.
		f.Cost = byteCost(t, e, [][]byte{f.Page()}, 7, 0) / normal
		name := filepath.Join(dir, fmt.Sprintf("%02d.html", len(reported)))
		if err := os.WriteFile(name, f.Page(), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("%5.1f  %s, %d KB of %s", f.Cost, name, f.Size>>10, f)
		if f.Cost > hostileGoal {
			t.Errorf("%s: a byte costs %.1f times that of a normal page; the goal is %d", name, f.Cost, hostileGoal)
		}
	}
}
