package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
)

// batchSummary is what --summary writes.
type batchSummary struct {
	Complete    bool   `json:"complete"`
	Error       string `json:"error,omitempty"`
	Pages       int    `json:"pages"`
	Failed      int    `json:"failed"`
	Partial     int    `json:"partial"`
	LeftOut     int    `json:"left_out"`
	Quarantined int    `json:"quarantined"`
	RepeatedIDs int    `json:"repeated_ids"`
	LostBytes   int64  `json:"lost_bytes"`
	Records     int    `json:"records"`
	Skipped     int    `json:"skipped"`
	Damaged     int    `json:"damaged"`
	Unreadable  int    `json:"unreadable"`
	// UnreadableError is why the first of these could not be read.
	UnreadableError string         `json:"unreadable_error,omitempty"`
	Begin           int64          `json:"begin"`
	Next            int64          `json:"next"`
	Seconds         float64        `json:"seconds"`
	Errors          map[string]int `json:"errors"`
	Types           map[string]int `json:"types"`
	Langs           map[string]int `json:"langs"`
	Sites           map[string]int `json:"sites"`
}

// summaryFile is the file of --summary, or nil.
type summaryFile struct{ *os.File }

// openSummary creates the file of --summary before the work is done, so that it is not done in
// vain if the file cannot be written.
func (f *batchFlags) openSummary() (*summaryFile, error) {
	if f.summary == "" {
		return nil, nil
	}
	file, err := os.Create(f.summary)
	if err != nil {
		return nil, cli.Fail(fmt.Errorf("cannot write the summary: %w", err))
	}
	return &summaryFile{file}, nil
}

// write writes the summary of a run, which may have failed, and closes the file.
func (s *summaryFile) write(stats batch.Stats, failed error) error {
	if s == nil {
		return nil
	}
	count := func(counts map[string]int) map[string]int {
		if counts == nil {
			return map[string]int{}
		}
		return counts
	}
	out := batchSummary{
		Complete: failed == nil, Pages: stats.Done, Failed: stats.Failed, Partial: stats.Partial, LeftOut: stats.LeftOut,
		Quarantined: stats.Quarantined, RepeatedIDs: stats.Repeated, LostBytes: stats.Lost,
		Records: stats.Records, Skipped: stats.Skipped, Damaged: stats.Damaged, Unreadable: stats.Unreadable, UnreadableError: stats.UnreadableError, Begin: stats.Begin, Next: stats.Next, Seconds: stats.Elapsed.Seconds(),
		Errors: count(stats.Errors), Types: count(stats.Types), Langs: count(stats.Langs), Sites: count(stats.Sites),
	}
	if failed != nil {
		out.Error = cli.OneLine(failed)
	}
	enc := json.NewEncoder(s)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	if bad := s.Close(); err == nil {
		err = bad
	}
	if err != nil {
		return cli.Fail(fmt.Errorf("cannot write the summary: %w", err))
	}
	return nil
}
