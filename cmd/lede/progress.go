package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/lede-news/lede/batch"
)

// progress is a live line on a terminal; elsewhere it is silent.
type progress struct {
	w     io.Writer
	total int
	live  bool
	last  time.Duration
}

func newProgress(w io.Writer, total int, quiet bool) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, total: total, live: ok && !quiet && term.IsTerminal(int(f.Fd()))}
}

func (p *progress) update(s batch.Stats) {
	const often = 100 * time.Millisecond
	if !p.live || s.Elapsed-p.last < often && s.Done < p.total {
		return
	}
	p.last = s.Elapsed
	fmt.Fprintf(p.w, "\r\x1b[K%s", p.line(s))
}

func (p *progress) line(s batch.Stats) string {
	rate := float64(s.Done) / max(s.Elapsed.Seconds(), 0.001)
	left := time.Duration(float64(p.total-s.Done) / max(rate, 0.001) * float64(time.Second))
	text := fmt.Sprintf("%d/%d pages  %3d%%  %.0f pages/s  %s left", s.Done, p.total, 100*s.Done/max(p.total, 1), rate, left.Round(time.Second))
	if s.Failed > 0 {
		text += fmt.Sprintf("  %d failed", s.Failed)
	}
	return text
}

func (p *progress) clear() {
	if p.live {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
