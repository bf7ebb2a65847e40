package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/twopass"
	"github.com/lede-news/lede/site/store"
)

// The files of the first pass, beside the output until the run is done: the
// pages that sites are learned from, and the profiles where no store was named.
func (f *batchFlags) sample() string { return f.out + ".learned" }
func (f *batchFlags) store() string  { return cmp.Or(f.siteFlags.path, f.out+".sites") }

// forgetLearned removes them.
func (f *batchFlags) forgetLearned() error {
	errs := []error{twopass.Remove(f.sample())}
	files := []string{f.sample() + ".journal", f.sample() + ".journal.inflight"}
	if f.siteFlags.path == "" {
		for _, end := range []string{"", "-wal", "-shm", "-lock"} {
			files = append(files, f.store()+end)
		}
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// firstPass learns all sites, and opens the store with what was learned.
func (r *batchRun) firstPass() error {
	f := r.flags
	sample, err := twopass.Open(f.sample())
	if err != nil {
		return err
	}
	defer sample.Close()
	journal, err := batch.OpenJournal(f.sample()+".journal", r.setup(), batch.Resume)
	if err != nil {
		return err
	}
	defer journal.Close()
	// The page says which site it is of; nothing is known of any.
	nobody, err := store.Open("", store.Options{})
	if err != nil {
		return err
	}
	r.bar.what = "learning"
	r.bar.resumed(journal.State().Stats)
	opts := r.options()
	opts.Quarantine = "" // the second pass will meet the page again
	job := batch.Job{
		Inputs: r.in, Journal: journal, Options: opts, Sink: sampleSink{sample},
		Extract: learning(r.ex, &sites{store: nobody, name: f.siteFlags.name, out: io.Discard}, sample),
		Probe:   r.probe, CommitTime: f.checkpoint,
	}
	if _, err := job.Run(r.cmd.Context()); err != nil {
		return err
	}
	open := siteFlags{path: f.store(), name: f.siteFlags.name}
	if r.known, err = open.open(r.cmd.ErrOrStderr()); err != nil {
		return err
	}
	if err := sample.Fold(r.cmd.Context(), r.known.store); err != nil {
		return errors.Join(fmt.Errorf("learning the sites: %w", err), r.known.close())
	}
	r.bar.what = ""
	return nil
}

// learning extracts a page for what it says of its site.
func learning(ex *lede.Extractor, nobody *sites, sample *twopass.Sample) batch.Extract {
	return func(ctx context.Context, p batch.Page, rd io.Reader) (*article.Article, error) {
		page := nobody.page(ctx, p.URL, p.Site)
		x, err := ex.Explain(ctx, rd, lede.WithReasons(false), lede.WithURL(p.URL), lede.WithHeaderCharset(p.Charset), lede.WithSite(page))
		if err != nil {
			return nil, err
		}
		if page.name != "" {
			if err := sample.Add(page.name, x.Observe()); err != nil {
				return nil, fmt.Errorf("keeping what was learned: %w", err)
			}
		}
		return &article.Article{}, nil // nobody reads it
	}
}

// sampleSink commits the sample with the journal of the first pass. The pages
// themselves were added by the workers; to add them again does no harm.
type sampleSink struct{ sample *twopass.Sample }

func (sampleSink) Write(*batch.Result) error { return nil }
func (sampleSink) Finish() error             { return nil }
func (sampleSink) Close() error              { return nil }

func (s sampleSink) Commit() (map[string]int64, error) { return nil, s.sample.Commit() }
