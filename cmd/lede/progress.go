package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
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
