package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
)

// progress shows how far a batch is: in a live line on a terminal, or in a line every ten
// seconds elsewhere.
type progress struct {
	*cli.Status
	what    string        // what is being done, if not extracting
	every   time.Duration // between two lines; 0 for none
	began   time.Time
	printed time.Time
	base    batch.Stats  // of earlier processes
	bytes   atomic.Int64 // of the inputs; 0 while unknown
}

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{Status: cli.NewStatus(w), began: time.Now(), printed: time.Now()}
	switch {
	case quiet:
		p.Live = false
	case p.Live:
		p.every = cli.StatusInterval
	default:
		p.every = 10 * time.Second
	}
	return p
}

// measure computes the size of the inputs in the background.
func (p *progress) measure(in *batch.Source) {
	if p.every > 0 {
		go func() { p.bytes.Store(in.Size()) }()
	}
}

// resumed restarts the clock, with the counts of earlier processes.
func (p *progress) resumed(s batch.Stats) {
	p.base = batch.Stats{Done: s.Done, Bytes: s.Bytes, Input: s.Input}
	p.began = time.Now()
}

func (p *progress) update(s batch.Stats) {
	if p.every == 0 || time.Since(p.printed) < p.every {
		return
	}
	p.printed = time.Now()
	if p.Live {
		p.W.Live(p.line(s))
		return
	}
	fmt.Fprintf(p.W, "lede: %s\n", p.line(s))
}

// line returns "learning  50 pages  25%  5 pages/s  0.5 MB/s  30s left  3 failed (3 empty)".
func (p *progress) line(s batch.Stats) string {
	took := max(time.Since(p.began).Seconds(), 0.001)
	parts := []string{fmt.Sprintf("%d pages", s.Done)}
	if p.what != "" {
		parts = []string{p.what, parts[0]}
	}
	done, all, before := float64(s.Input), float64(p.bytes.Load()), float64(p.base.Input)
	left := ""
	if done > before && done <= all { // and the size of the inputs is known
		seconds := (all - done) / (done - before) * took
		parts = append(parts, fmt.Sprintf("%.0f%%", 100*done/all))
		left = fmt.Sprintf("%s left", time.Duration(seconds*float64(time.Second)).Round(time.Second))
	}
	parts = append(parts, fmt.Sprintf("%.0f pages/s", float64(s.Done-p.base.Done)/took), fmt.Sprintf("%.1f MB/s", float64(s.Bytes-p.base.Bytes)/1e6/took))
	if left != "" {
		parts = append(parts, left)
	}
	if s.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed (%s)", s.Failed, largest(s.Errors, 3)))
	}
	return strings.Join(parts, "  ")
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
	}{{"errors", s.Errors}, {"types", s.Types}, {"languages", s.Langs}, {fmt.Sprintf("%d sites", len(s.Sites)), s.Sites}} {
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
