package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/prom"
	"github.com/lede-news/lede/internal/cli"
)

// progress shows a live line on a terminal and, if log is set, logs a line every
// ten seconds elsewhere.
type progress struct {
	cli.Status
	log    *slog.Logger // may be nil
	what   string       // what is being done, if not extracting
	began  time.Time
	logged time.Time
	served bool         // as metrics
	base   batch.Stats  // of earlier processes
	bytes  atomic.Int64 // of the inputs; 0 while unknown

	mu     sync.Mutex
	latest batch.Stats // a copy, for the metrics
}

func newProgress(w io.Writer, quiet bool) *progress {
	now := time.Now()
	p := &progress{Status: cli.Status{W: cli.NewConsole(w), Live: cli.IsTerminal(w)}, began: now, logged: now}
	p.Live, p.Last = p.Live && !quiet, now
	return p
}

// progressLog returns the log used without a terminal.
func progressLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// measure computes the size of the inputs in the background.
func (p *progress) measure(in *batch.Source) {
	if p.Live || p.log != nil {
		go func() { p.bytes.Store(in.Size()) }()
	}
}

// resumed restarts the clock, with the counts of earlier processes.
func (p *progress) resumed(s batch.Stats) {
	p.base = batch.Stats{Done: s.Done, Bytes: s.Bytes, Input: s.Input}
	p.began = time.Now()
}

func (p *progress) update(s batch.Stats) {
	interval := cli.StatusInterval
	if !p.Live {
		interval = 10 * time.Second
		if p.served {
			interval = time.Second
		}
	}
	now := time.Now()
	if now.Sub(p.Last) < interval {
		return
	}
	p.Last = now
	if p.served {
		p.mu.Lock()
		p.latest = s.Clone()
		p.mu.Unlock()
	}
	switch {
	case p.Live:
		p.W.Live(p.line(s))
	case p.log != nil && now.Sub(p.logged) >= 10*time.Second:
		p.logged = now
		p.logLine(s)
	}
}

// speed returns the pages and bytes per second of this process, the share that is
// done and the time left. The last two are negative if unknown.
func (p *progress) speed(s batch.Stats) (pages, bytes float64, share float64, left time.Duration) {
	took := max(time.Since(p.began).Seconds(), 0.001)
	pages, bytes = float64(s.Done-p.base.Done)/took, float64(s.Bytes-p.base.Bytes)/took
	done, all, before := float64(s.Input), float64(p.bytes.Load()), float64(p.base.Input)
	if all <= 0 || done <= before || done > all {
		return pages, bytes, -1, -1
	}
	left = time.Duration((all - done) / ((done - before) / took) * float64(time.Second))
	return pages, bytes, done / all, left.Round(time.Second)
}

func (p *progress) line(s batch.Stats) string {
	pages, bytes, share, left := p.speed(s)
	l := cli.StatusLine{What: p.what, Done: s.Done, Unit: "pages", Share: share, Left: left}
	l.Speed = fmt.Sprintf("%.0f pages/s  %.1f MB/s", pages, bytes/1e6)
	if s.Failed > 0 {
		l.More = []string{fmt.Sprintf("%d failed (%s)", s.Failed, largest(s.Errors, 3))}
	}
	return l.String()
}

// logLine writes a line to the log.
func (p *progress) logLine(s batch.Stats) {
	pages, bytes, share, left := p.speed(s)
	args := []any{
		slog.Int("pages", s.Done), slog.Int("failed", s.Failed),
		slog.Float64("pages_per_second", math.Round(pages)), slog.Float64("mb_per_second", math.Round(bytes/1e5)/10),
	}
	if share >= 0 {
		args = append(args, slog.Int("percent", int(100*share)), slog.Duration("left", left))
	}
	if len(s.Errors) > 0 {
		args = append(args, slog.String("errors", largest(s.Errors, 5)))
	}
	p.log.Info("progress", args...)
}

// largest lists the n largest counts: "3 timeout, 1 empty".
func largest(counts map[string]int, n int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var list []string
	for i, name := range names {
		if i == n {
			list = append(list, fmt.Sprintf("and %d more", len(names)-n))
			break
		}
		list = append(list, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(list, ", ")
}

// summary describes a run in one line.
func summary(s batch.Stats) string {
	seconds := max(s.Elapsed.Seconds(), 0.001)
	text := fmt.Sprintf("%d pages in %v, %.0f pages/s, %.1f MB/s", s.Done, s.Elapsed.Round(10*time.Millisecond),
		float64(s.Done)/seconds, float64(s.Bytes)/1e6/seconds)
	if s.Failed > 0 {
		text += fmt.Sprintf("; %d failed, see the records with \"error\"", s.Failed)
	}
	return text
}

// printStats prints the counts of a run.
func printStats(w io.Writer, s batch.Stats) {
	fmt.Fprintf(w, "lede: %s\n", summary(s))
	const few = 8
	for _, c := range []struct {
		what   string
		counts map[string]int
	}{{"errors", s.Errors}, {"types", s.Types}, {"languages", s.Langs}} {
		if len(c.counts) > 0 {
			fmt.Fprintf(w, "lede:   %-12s %s\n", c.what, largest(c.counts, few))
		}
	}
	for _, c := range []struct {
		n    int64
		text string
	}{
		{s.Lost, "bytes of archives are damaged and were skipped; see the records of kind \"source\""},
		{int64(s.Partial), "pages were incomplete; see the records with \"partial\""},
		{int64(s.LeftOut), "articles are copies or belong to a story that is written, and were left out"},
		{int64(s.Quarantined), "pages crashed or hung lede and are in quarantine; please report them"},
	} {
		if c.n > 0 {
			fmt.Fprintf(w, "lede:   %-12s %d %s\n", "", c.n, c.text)
		}
	}
}

// serveMetrics serves Prometheus metrics until stop is called. An address without
// a host means loopback.
func (p *progress) serveMetrics(addr string, w io.Writer) (stop func(), err error) {
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot serve metrics on %s: %w; choose another address", addr, err)
	}
	fmt.Fprintf(w, "lede: metrics on http://%s/metrics\n", l.Addr())
	p.served = true
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", prom.ContentType)
		p.mu.Lock()
		defer p.mu.Unlock()
		writeMetrics(w, p.latest, max(p.bytes.Load(), 0))
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(l) }() // returns when closed
	return func() { srv.Close() }, nil
}

// writeMetrics writes metrics in the Prometheus text format.
func writeMetrics(w io.Writer, s batch.Stats, total int64) {
	out := prom.NewWriter(w, "lede_batch_")
	count := func(name, help string, value any) { out.Value(name, "counter", help, value) }
	count("pages_total", "Pages processed.", s.Done)
	count("pages_failed_total", "Pages that failed.", s.Failed)
	count("pages_partial_total", "Pages that were incomplete.", s.Partial)
	count("pages_quarantined_total", "Pages that crashed or hung lede.", s.Quarantined)
	count("pages_left_out_total", "Pages without a record because of --one-per-story.", s.LeftOut)
	count("page_bytes_total", "Bytes of pages, uncompressed.", s.Bytes)
	count("input_bytes_total", "Bytes of the inputs read so far, as stored.", s.Input)
	count("input_bytes_lost_total", "Bytes of damaged archives that were skipped.", s.Lost)
	out.Value("input_bytes", "gauge", "Bytes of all inputs; 0 if unknown.", total)
	count("seconds_total", "Time spent.", s.Elapsed.Seconds())
	out.Counts("errors_total", "kind", "Pages that failed, by kind of error.", s.Errors)
	out.Counts("articles_total", "type", "Pages extracted, by type.", s.Types)
	out.Counts("languages_total", "lang", "Pages extracted, by language.", s.Langs)
}
