package hostile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/pipe"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/lab/hostile"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/serve"
)

var (
	searchTime = flag.Duration("hostile.time", 0, "how long TestGrowthSearch searches")
	searchSeed = flag.Uint64("hostile.seed", 1, "seed of TestGrowthSearch")
	largePages = flag.Int("hostile.large", 0, "size of the pages of TestGrowth in bytes")
)

// Bounds of what a page may cost, whatever it is: bytes of output and of memory, allocated
// one after another, for each of its bytes. A page of news has about 1 and 60.
const (
	maxOutput = 160
	maxMemory = 12_000
	// maxExponent is how fast a cost may grow with the size; 1 is linear.
	maxExponent = 1.4
)

// allWays are what becomes of a page: every format, every method, explanations, bodies
// of records, links, the service and the pipe.
func allWays(tb testing.TB) (ways []way) {
	const address = "https://paper.example/news/story.html"
	add := func(name string, run func(context.Context, io.Writer, []byte) error) {
		ways = append(ways, way{name, run})
	}
	options := []lede.Option{lede.WithURL(address), lede.WithComments(true), lede.WithLimits(lede.Limits{Time: 10 * time.Minute})}
	explain := func(do func(context.Context, io.Writer, *lede.Explanation) error, with ...lede.Option) func(context.Context, io.Writer, []byte) error {
		e := extractor(tb, append(with, options...)...)
		return func(ctx context.Context, w io.Writer, page []byte) error {
			x, err := e.Explain(ctx, bytes.NewReader(page))
			if err != nil {
				return err
			}
			return do(ctx, w, x)
		}
	}
	extract := func(opts render.Options, with ...lede.Option) func(context.Context, io.Writer, []byte) error {
		return explain(func(ctx context.Context, w io.Writer, x *lede.Explanation) error {
			return render.Write(ctx, w, x, opts)
		}, with...)
	}
	for _, f := range render.Formats() {
		add(f, extract(render.Options{Format: f, Indent: true, Links: true}, lede.WithReasons(false)))
	}
	for _, f := range []string{"text", "json"} {
		add("explain "+f, extract(render.Options{Format: f, Explain: true}))
	}
	for _, m := range lede.Methods() {
		if m.Name != lede.DefaultMethod {
			add(m.Name, extract(render.Options{Format: "json"}, lede.WithReasons(false), lede.WithMethod(m.Name)))
		}
	}
	for _, form := range batch.BodyForms() {
		add("body "+form, explain(func(_ context.Context, w io.Writer, x *lede.Explanation) error {
			r, err := batch.NewResult(batch.NewLine("1", address, x.Article), x.Article, form)
			if err == nil {
				_, err = w.Write(r.JSON)
			}
			return err
		}, lede.WithReasons(false)))
	}
	add("links", func(ctx context.Context, w io.Writer, page []byte) error {
		d, err := dom.Parse(ctx, page, dom.Options{})
		if err != nil {
			return err
		}
		return render.Lines(w, storylinks.Elements(d, address)...)
	})
	ex := extractor(tb, options...)
	service := serve.Handler(ex, serve.Options{Workers: 1})
	for _, path := range []string{"/v1/extract", "/v1/links", "/v1/compare", "/ui/page"} {
		add(path, func(ctx context.Context, w io.Writer, page []byte) error {
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1"+path+"?url="+url.QueryEscape(address), bytes.NewReader(page))
			r.Header.Set("Content-Type", "text/html")
			answer := httptest.NewRecorder()
			service.ServeHTTP(answer, r)
			if answer.Code == http.StatusInternalServerError {
				return fmt.Errorf("%w: %s", lede.ErrInternal, answer.Body)
			}
			_, err := answer.Body.WriteTo(w)
			return err
		})
	}
	add("pipe", func(ctx context.Context, w io.Writer, page []byte) error {
		head := []byte(`{"id":1,"do":"extract","url":"` + address + `","format":"html"}`)
		frame := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(head))), uint32(len(page)))
		return pipe.Serve(ctx, bytes.NewReader(slices.Concat(frame, head, page)), w,
			pipe.Options{Extractor: ex, Workers: 1, MaxBytes: dom.DefaultBytes, PageTime: time.Minute, Log: slog.New(slog.DiscardHandler)})
	})
	return ways
}

func extractor(tb testing.TB, with ...lede.Option) *lede.Extractor {
	e, err := lede.New(with...)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

type way struct {
	name string
	run  func(context.Context, io.Writer, []byte) error
}

// cost is what one page cost.
type cost struct {
	size, output, memory float64 // bytes
	time                 time.Duration
}

func (w way) cost(t *testing.T, page []byte) cost {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := testkit.ProcessTime()
	var out counter
	if err := w.run(t.Context(), &out, page); errors.Is(err, lede.ErrInternal) || errors.Is(err, lede.ErrTimeout) {
		t.Errorf("%s: %v", w.name, err)
	}
	took := testkit.ProcessTime() - start
	runtime.ReadMemStats(&after)
	return cost{float64(len(page)), float64(out), float64(after.TotalAlloc - before.TotalAlloc), took}
}

// growth is how costs grow with the size of a page.
type growth struct {
	small, large         cost
	output, memory, time float64 // exponents; 1 is linear
}

func (w way) growth(t *testing.T, r hostile.Recipe, small, large int) growth {
	t.Helper()
	a, b := w.cost(t, r.Page(small)), w.cost(t, r.Page(large))
	exponent := func(x, y float64) float64 { return math.Log(max(y, 1)/max(x, 1)) / math.Log(b.size/a.size) }
	return growth{a, b, exponent(a.output, b.output), exponent(a.memory, b.memory), exponent(float64(a.time), float64(b.time))}
}

func (g growth) String() string {
	b := g.large
	return fmt.Sprintf("output %5.1f × ^%.2f  memory %6.0f × ^%.2f  %8.1f ms ^%.2f",
		b.output/b.size, g.output, b.memory/b.size, g.memory, float64(b.time)/1e6, g.time)
}

// bad reports whether a page costs too much, or costs that matter grow faster than its size.
// The time does not count for pages that take little of it, where it is noise.
func (g growth) bad() bool {
	b := g.large
	return b.output > maxOutput*b.size || b.memory > maxMemory*b.size ||
		g.output > maxExponent && b.output > 16*b.size || g.memory > maxExponent && b.memory > 200*b.size ||
		g.time > maxExponent && b.time > 2*time.Second
}

// TestGrowth makes every kind of hostile page in two sizes, lets all of lede work on
// it, and compares what comes out and what it takes with the size of the page. Every day
// each kind meets some of the ways; with -hostile.large the pages are larger and meet all.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory on one goroutine")
	}
	small, large := 16<<10, 128<<10
	if *largePages > 0 {
		small, large = *largePages/10, *largePages
	}
	ways := allWays(t)
	for i, r := range hostile.Kinds() {
		for k, w := range ways {
			if *largePages == 0 && (i+k)%13 != 0 {
				continue
			}
			g := w.growth(t, r, small, large)
			line := fmt.Sprintf("%-36s %-12s %v", r.Name, w.name, g)
			if g.bad() {
				t.Error(line)
			} else if *largePages > 0 {
				t.Log(line)
			}
		}
	}
}

// TestGrowthSearch searches, for the time of -hostile.time, for pages whose costs grow faster
// than they do: each random page, in a random way, from 100 KB to 1 MB, and to 10 MB where
// that looks suspicious. make hostile runs it. The last lines have the worst exponents of
// each way.
func TestGrowthSearch(t *testing.T) {
	if *searchTime == 0 {
		t.Skip("run make hostile to search for pages whose costs grow too fast")
	}
	const small, middle, large = 100 << 10, 1 << 20, 10 << 20
	ways := allWays(t)
	random := rand.New(rand.NewPCG(*searchSeed, 35))
	type worst struct {
		growth
		tried, suspicious int
		page              hostile.Recipe
	}
	found := make([]worst, len(ways))
	s := hostile.NewSearch(*searchSeed, hostile.Kinds(), func(r hostile.Recipe, _ int) float64 {
		i := random.IntN(len(ways))
		w, f := ways[i], &found[i]
		g := w.growth(t, r, small, middle)
		f.tried++
		if g.time > maxExponent && g.large.time > 500*time.Millisecond || g.bad() {
			f.suspicious++
			if g = w.growth(t, r, middle, large); g.bad() {
				t.Errorf("%-12s %v\n\t%v", w.name, g, r)
			}
		}
		// Costs that are small are noise, and no reason to go on from a page.
		rank := max(g.output*min(1, g.large.output/(4*g.large.size)), g.memory*min(1, g.large.memory/(100*g.large.size)), g.time*min(1, float64(g.large.time)/2e8))
		if f.tried == 1 || max(g.output, g.memory, g.time) > max(f.output, f.memory, f.time) {
			f.growth, f.page = g, r
		}
		return rank
	})
	tried := len(hostile.Kinds())
	for end := time.Now().Add(*searchTime); time.Now().Before(end); tried++ {
		s.Step()
	}
	t.Logf("%d pages", tried)
	for i, f := range found {
		if f.tried > 0 {
			t.Logf("%-12s %4d pages, %d to 10 MB; the worst: %v  %s", ways[i].name, f.tried, f.suspicious, f.growth, f.page.Name)
		}
	}
}
