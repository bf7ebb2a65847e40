package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/sink"
)

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
	Sites       map[string]int `json:"sites"`
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
		Errors: stats.Errors, Types: stats.Types, Langs: stats.Langs, Sites: stats.Sites,
	}
	for _, counts := range []*map[string]int{&out.Errors, &out.Types, &out.Langs, &out.Sites} {
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
