package lede_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/lab/hostile"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// Bounds of what a page may cost, whatever it is: bytes of output and of memory, allocated
// one after another, for each of its bytes. A page of news has about 1 and 60.
const (
	maxOutput = 160
	maxMemory = 12_000
	// maxExponent is how fast a cost may grow with the size; 1 is linear.
	maxExponent = 1.4
)

// hostileWays are what becomes of a page: every format, every method, explanations, links.
func hostileWays() (ways []hostileWay) {
	const address = "https://paper.example/news/story.html"
	extract := func(opts render.Options, with ...lede.Option) func(context.Context, io.Writer, []byte) error {
		with = append(with, lede.WithURL(address), lede.WithComments(true), lede.WithLimits(lede.Limits{Time: 10 * time.Minute}))
		return func(ctx context.Context, w io.Writer, page []byte) error {
			e, err := lede.New(with...)
			if err != nil {
				return err
			}
			x, err := e.Explain(ctx, bytes.NewReader(page))
			if err != nil {
				return err
			}
			return render.Write(ctx, w, x, opts)
		}
	}
	for _, f := range render.Formats() {
		ways = append(ways, hostileWay{f, extract(render.Options{Format: f, Indent: true, Links: true}, lede.WithReasons(false))})
	}
	for _, f := range []string{"text", "json"} {
		ways = append(ways, hostileWay{"explain " + f, extract(render.Options{Format: f, Explain: true})})
	}
	for _, m := range lede.Methods() {
		if m.Name != lede.DefaultMethod {
			ways = append(ways, hostileWay{m.Name, extract(render.Options{Format: "json"}, lede.WithReasons(false), lede.WithMethod(m.Name))})
		}
	}
	return append(ways, hostileWay{"links", func(ctx context.Context, w io.Writer, page []byte) error {
		d, err := dom.Parse(ctx, page, dom.Options{})
		if err != nil {
			return err
		}
		return render.Lines(w, storylinks.Elements(d, address)...)
	}})
}

type hostileWay struct {
	name string
	run  func(context.Context, io.Writer, []byte) error
}

// cost is what one page cost.
type cost struct {
	size, output, memory float64 // bytes
	time                 time.Duration
}

func (w hostileWay) cost(t *testing.T, page []byte) cost {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := testkit.ProcessTime()
	var out counter
	if err := w.run(t.Context(), &out, page); errors.Is(err, lede.ErrInternal) || errors.Is(err, lede.ErrTimeout) {
		t.Error(err)
	}
	took := testkit.ProcessTime() - start
	runtime.ReadMemStats(&after)
	return cost{float64(len(page)), float64(out), float64(after.TotalAlloc - before.TotalAlloc), took}
}

// TestHostileGrowth makes every kind of hostile page in two sizes, lets all of lede work on
// it, and compares what comes out and what memory it takes with the size of the page. With
// -hostile.large the pages are larger and the processor time counts, too.
func TestHostileGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory on one goroutine")
	}
	small, large := 16<<10, 128<<10
	if *hostileLarge > 0 {
		small, large = *hostileLarge/10, *hostileLarge
	}
	var report []string
	for i, r := range hostile.Kinds() {
		for k, w := range hostileWays() {
			// Every kind in every format takes a night; every day each kind has one, and each format some.
			if *hostileLarge == 0 && (i+k)%11 != 0 {
				continue
			}
			a, b := w.cost(t, r.Page(small)), w.cost(t, r.Page(large))
			name := fmt.Sprintf("%-36s %-12s", r.Name, w.name)
			exponent := func(x, y float64) float64 { return math.Log(max(y, 1)/max(x, 1)) / math.Log(b.size/a.size) }
			output, memory, work := exponent(a.output, b.output), exponent(a.memory, b.memory), exponent(float64(a.time), float64(b.time))
			line := fmt.Sprintf("%s output %5.1f × ^%.2f  memory %6.0f × ^%.2f  %8.1f ms ^%.2f", name,
				b.output/b.size, output, b.memory/b.size, memory, float64(b.time)/1e6, work)
			if b.output > maxOutput*b.size || b.memory > maxMemory*b.size ||
				output > maxExponent && b.output > 16*b.size || memory > maxExponent && b.memory > 200*b.size {
				t.Error(line)
			}
			if work > maxExponent && b.time > time.Second || testing.Verbose() && *hostileLarge > 0 {
				report = append(report, line)
			}
		}
	}
	if *hostileLarge > 0 {
		slices.SortFunc(report, func(a, b string) int {
			return cmp.Compare(a[strings.LastIndex(a, "^"):], b[strings.LastIndex(b, "^"):])
		})
		t.Log("\n" + strings.Join(report, "\n"))
	}
}
