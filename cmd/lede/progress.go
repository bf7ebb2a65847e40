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
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/lede-news/lede/batch"
)

// progress is a live line on a terminal; elsewhere it is silent, or now and then
// a line of a log.
type progress struct {
	w      io.Writer
	total  int // pages; 0 when nobody knows
	live   bool
	log    *slog.Logger // nil for none
	what   string       // is being done, if not extracting
	last   time.Time
	began  time.Time
	logged time.Time
	served bool         // to Prometheus
	base   batch.Stats  // what was done before this process
	bytes  atomic.Int64 // of the inputs; 0 while nobody knows

	mu     sync.Mutex
	latest batch.Stats // a copy, for the metrics
}

func newProgress(w io.Writer, total int, quiet bool) *progress {
	f, ok := w.(*os.File)
	now := time.Now()
	return &progress{w: w, total: total, live: ok && !quiet && term.IsTerminal(int(f.Fd())), began: now, last: now, logged: now}
}

// progressLog is the log where there is no terminal.
func progressLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// measure finds out how large the inputs are while the first pages are done.
func (p *progress) measure(in *batch.Inputs) {
	if p.live || p.log != nil {
		go func() { p.bytes.Store(in.Bytes()) }()
	}
}

// resumed begins anew, with what was done before.
func (p *progress) resumed(s batch.Stats) {
	p.base = batch.Stats{Done: s.Done, Bytes: s.Bytes, Input: s.Input}
	p.began = time.Now()
}

func (p *progress) update(s batch.Stats) {
	often := 100 * time.Millisecond
	if !p.live {
		often = 10 * time.Second
		if p.metrics() {
			often = time.Second
		}
	}
	now := time.Now()
	if now.Sub(p.last) < often && (p.total == 0 || s.Done < p.total) {
		return
	}
	p.last = now
	if p.metrics() {
		p.mu.Lock()
		p.latest = s.Clone()
		p.mu.Unlock()
	}
	switch {
	case p.live:
		fmt.Fprintf(p.w, "\r\x1b[K%s", p.line(s))
	case p.log != nil && now.Sub(p.logged) >= 10*time.Second:
		p.logged = now
		p.tell(s)
	}
}

// speed is pages and bytes a second of this process, and what is left; less than
// 0 when nobody knows.
func (p *progress) speed(s batch.Stats) (pages, bytes float64, share float64, left time.Duration) {
	took := max(time.Since(p.began).Seconds(), 0.001)
	pages, bytes = float64(s.Done-p.base.Done)/took, float64(s.Bytes-p.base.Bytes)/took
	done, all, before := float64(s.Input), float64(p.bytes.Load()), float64(p.base.Input)
	if p.total > 0 {
		done, all, before = float64(s.Done), float64(p.total), 0
	}
	if all <= 0 || done <= before || done > all {
		return pages, bytes, -1, -1
	}
	left = time.Duration((all - done) / ((done - before) / took) * float64(time.Second))
	return pages, bytes, done / all, left.Round(time.Second)
}

func (p *progress) line(s batch.Stats) string {
	pages, bytes, share, left := p.speed(s)
	text := fmt.Sprintf("%d pages", s.Done)
	if p.total > 0 {
		text = fmt.Sprintf("%d/%d pages", s.Done, p.total)
	}
	if p.what != "" {
		text = p.what + "  " + text
	}
	if share >= 0 {
		text += fmt.Sprintf("  %3.0f%%", 100*share)
	}
	text += fmt.Sprintf("  %.0f pages/s  %.1f MB/s", pages, bytes/1e6)
	if left >= 0 {
		text += fmt.Sprintf("  %s left", left)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf("  %d failed (%s)", s.Failed, most(s.Errors, 3))
	}
	return text
}

// tell writes a line of the log.
func (p *progress) tell(s batch.Stats) {
	pages, bytes, share, left := p.speed(s)
	args := []any{
		slog.String("doing", cmp.Or(p.what, "extracting")), slog.Int("pages", s.Done), slog.Int("failed", s.Failed),
		slog.Float64("pages_per_second", math.Round(pages)), slog.Float64("mb_per_second", math.Round(bytes/1e5)/10),
	}
	if share >= 0 {
		args = append(args, slog.Int("percent", int(100*share)), slog.Duration("left", left))
	}
	if len(s.Errors) > 0 {
		args = append(args, slog.String("errors", most(s.Errors, 5)))
	}
	p.log.Info("progress", args...)
}

// most lists the largest counts: "3 timeout, 1 empty".
func most(counts map[string]int, n int) string {
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

func (p *progress) clear() {
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// summary is a run in one line.
func summary(s batch.Stats) string {
	seconds := max(s.Elapsed.Seconds(), 0.001)
	text := fmt.Sprintf("%d pages in %v, %.0f pages/s, %.1f MB/s", s.Done, s.Elapsed.Round(10*time.Millisecond),
		float64(s.Done)/seconds, float64(s.Bytes)/1e6/seconds)
	if s.Failed > 0 {
		text += fmt.Sprintf("; %d failed, see the lines with \"error\"", s.Failed)
	}
	return text
}

// details is what the pages were, in a few lines.
func details(w io.Writer, s batch.Stats) {
	const few = 8
	say := func(what, text string) {
		if text != "" {
			fmt.Fprintf(w, "lede:   %-12s %s\n", what, text)
		}
	}
	say("errors", most(s.Errors, few))
	say("types", most(s.Types, few))
	say("languages", most(s.Langs, few))
	var confidence []string
	for _, from := range slices.Sorted(maps.Keys(s.Confidence)) {
		confidence = append(confidence, fmt.Sprintf("%d from %s", s.Confidence[from], from))
	}
	say("confidence", strings.Join(confidence, ", "))
	say(fmt.Sprintf("%d sites", len(s.Sites)), most(s.Sites, few))
	count := func(n int, text string) {
		if n > 0 {
			say("", fmt.Sprintf(text, n))
		}
	}
	count(int(s.Lost), "%d bytes of archives are broken and were passed over; lines of the kind \"source\" say where")
	count(s.Partial, "%d pages were cut off by a limit; their lines say \"partial\"")
	count(s.Repeated, "about %d ids came more than once; each page has its own line")
	count(s.Quarantined, "%d pages crashed lede or hang, and are in quarantine; please report them")
}

// metrics tells whether anybody wants them.
func (p *progress) metrics() bool { return p.served }

// serveMetrics answers Prometheus until stop is called. An address without a
// host is of this machine only.
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
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		p.mu.Lock()
		defer p.mu.Unlock()
		writeMetrics(w, p.latest, max(p.bytes.Load(), 0))
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(l) }() // it ends when it is closed
	return func() { srv.Close() }, nil
}

// writeMetrics writes numbers in Prometheus' text form.
func writeMetrics(w io.Writer, s batch.Stats, total int64) {
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP lede_batch_%s %s\n# TYPE lede_batch_%s %s\nlede_batch_%s %v\n", name, help, name, kind, name, value)
	}
	one("pages_total", "counter", "Pages that have their outcome.", s.Done)
	one("pages_failed_total", "counter", "Pages whose outcome is an error.", s.Failed)
	one("pages_partial_total", "counter", "Pages that a limit cut off.", s.Partial)
	one("pages_quarantined_total", "counter", "Pages that crashed lede or hang.", s.Quarantined)
	one("page_bytes_total", "counter", "Bytes of pages, unpacked.", s.Bytes)
	one("input_bytes_total", "counter", "Bytes of the inputs that were read, as they lie on the disk.", s.Input)
	one("input_bytes_lost_total", "counter", "Bytes of broken archives that were passed over.", s.Lost)
	one("input_bytes", "gauge", "Bytes of all inputs; 0 when nobody knows.", total)
	one("seconds_total", "counter", "Time spent.", s.Elapsed.Seconds())
	many := func(name, label, help string, counts map[string]int) {
		fmt.Fprintf(w, "# HELP lede_batch_%s %s\n# TYPE lede_batch_%s counter\n", name, help, name)
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(w, "lede_batch_%s{%s=%q} %d\n", name, label, key, counts[key])
		}
	}
	many("errors_total", "kind", "Pages that failed, by the kind of the error.", s.Errors)
	many("articles_total", "type", "Pages that gave something, by type.", s.Types)
	many("languages_total", "lang", "Pages that gave something, by language.", s.Langs)
}
