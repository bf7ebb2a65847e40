package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sink"
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
	counts := func(what string, counts map[string]int) {
		if len(counts) > 0 {
			fmt.Fprintf(w, "lede:   %-12s %s\n", what, largest(counts, 8))
		}
	}
	counts("errors", s.Errors)
	counts("types", s.Types)
	counts("languages", s.Langs)
	note := func(n int64, text string) {
		if n > 0 {
			fmt.Fprintf(w, "lede:   %-12s %d %s\n", "", n, text)
		}
	}
	note(s.Lost, "bytes of archives are damaged and were skipped; see the records of kind \"source\"")
	note(int64(s.Partial), "pages were incomplete; see the records with \"partial\"")
	note(int64(s.LeftOut), "articles are copies or belong to a story that is written, and were left out")
	note(int64(s.Quarantined), "pages crashed or hung lede and are in quarantine; please report them")
}

// batchSummary is what --summary writes.
type batchSummary struct {
	Complete    bool           `json:"complete"`
	Error       string         `json:"error,omitempty"`
	Archive     string         `json:"archive,omitempty"` // with --part
	Pages       int            `json:"pages"`
	Failed      int            `json:"failed"`
	Partial     int            `json:"partial"`
	LeftOut     int            `json:"left_out"`
	Quarantined int            `json:"quarantined"`
	LostBytes   int64          `json:"lost_bytes"`
	Seconds     float64        `json:"seconds"`
	Errors      map[string]int `json:"errors"`
	Types       map[string]int `json:"types"`
	Langs       map[string]int `json:"langs"`
}

// readSummary reads a summary. It returns nil if there is none.
func readSummary(file string) *batchSummary {
	s := new(batchSummary)
	if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, s) != nil {
		return nil
	}
	return s
}

// writeSummary writes the summary of a run, which may have failed.
func (r *batchRun) writeSummary(stats batch.Stats, failed error) error {
	if r.summary == "" {
		return nil
	}
	out := batchSummary{
		Complete: failed == nil, Pages: stats.Done, Failed: stats.Failed, Partial: stats.Partial, LeftOut: stats.LeftOut,
		Quarantined: stats.Quarantined, LostBytes: stats.Lost, Seconds: stats.Elapsed.Seconds(),
		Errors: stats.Errors, Types: stats.Types, Langs: stats.Langs,
	}
	for _, counts := range []*map[string]int{&out.Errors, &out.Types, &out.Langs} {
		if *counts == nil {
			*counts = map[string]int{}
		}
	}
	if r.in.Name != "" {
		out.Archive = r.in.Paths[0]
	}
	if failed != nil {
		out.Error = cli.OneLine(failed)
	}
	text, err := json.Marshal(out)
	if err == nil {
		err = fsync.WriteFile(r.summary, append(text, '\n'))
	}
	if err != nil {
		return cli.Fail(fmt.Errorf("cannot write the summary: %w", err))
	}
	return nil
}

// restoreSummary keeps the summary of a run that is complete. If there is none, it is
// counted from the records.
func (r *batchRun) restoreSummary() error {
	if r.summary == "" {
		return nil
	}
	if s := readSummary(r.summary); s != nil && s.Complete {
		return nil
	}
	var stats batch.Stats
	for rec, err := range sink.Read(r.cmd.Context(), r.out, nil) {
		if err != nil {
			return cli.Fail(err)
		}
		line := batch.Line{URL: rec.URL, Lang: rec.Lang, Type: article.PageType(rec.Type), Error: rec.Error, Kind: rec.Kind}
		stats.Add(&batch.Result{Line: line})
	}
	return r.writeSummary(stats, nil)
}
