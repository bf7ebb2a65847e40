package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/internal/twopass"
	"github.com/lede-news/lede/site/store"
)

// checkLearning checks --observe and --no-learn.
func (f *batchFlags) checkLearning() error {
	switch {
	case f.noLearn && f.observe:
		return errors.New("--no-learn and --observe exclude each other; use one")
	case f.noLearn && f.twoPass:
		return errors.New("--no-learn and --two-pass exclude each other; use one")
	case f.noLearn && f.siteFlags.path == "":
		return errors.New("--no-learn requires --site-store")
	case !f.observe:
		return nil
	case f.twoPass:
		return errors.New("--observe and --two-pass exclude each other; use one")
	case f.siteFlags.path != "":
		return errors.New("--observe writes what is learned to --out; leave out --site-store")
	case f.shard != "" || f.stories != "":
		return errors.New("--observe writes no articles; leave out --shard and --stories")
	case f.isStream():
		return errors.New("--observe needs a file to keep its data beside; name one with --out")
	case lineEnding(f.out) == "":
		return fmt.Errorf("%s: --observe writes JSON lines: use .jsonl, .jsonl.gz or .jsonl.zst", f.out)
	}
	return nil
}

// lineEnding returns the ending of a file of JSON lines, or "".
func lineEnding(file string) string {
	for _, end := range []string{".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"} {
		if strings.HasSuffix(strings.ToLower(file), end) {
			return end
		}
	}
	return ""
}

// openSites opens the store of a run that is no first pass.
func (f *batchFlags) openSites(w io.Writer) (*sites.Sites, error) {
	if !f.noLearn {
		return f.siteFlags.open(w, f.pageTime)
	}
	if _, err := os.Stat(f.siteFlags.path); err != nil {
		return nil, cli.Fail(fmt.Errorf("no store to use with --no-learn: %w; create one with lede site import", err))
	}
	return f.siteFlags.openWith(w, f.pageTime, store.Options{ReadOnly: true})
}

// observe runs the first pass alone and writes what it has observed.
func (r *batchRun) observe() (stats batch.Stats, err error) {
	f := r.flags
	if done, err := r.prepareOutput(); done || err != nil {
		return stats, err
	}
	if f.overwrite {
		if err := f.removeFirstPass(); err != nil {
			return stats, cli.Fail(err)
		}
	}
	err = r.untilSound(func() (err error) {
		stats, err = r.withSample(f.mode(), func(sample *twopass.Sample) (int, error) { return f.writeObservations(r.cmd.Context(), sample) })
		return err
	})
	switch {
	case err == nil, errors.Is(err, batch.ErrNoPages):
		return stats, errors.Join(err, f.removeFirstPass())
	case errors.Is(err, batch.ErrUnfinished), errors.Is(err, batch.ErrLocked), errors.Is(err, batch.ErrChanged), errors.Is(err, batch.ErrVersion):
		return stats, f.explain(err)
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("stopped after %d pages, which are saved; run the same command with --resume to continue", stats.Done)
	default:
		err = fmt.Errorf("%w; fix this and run the same command with --resume to continue", err)
	}
	return stats, cli.Fail(err)
}

// writeObservations writes the output of --observe, which appears complete.
func (f *batchFlags) writeObservations(ctx context.Context, sample *twopass.Sample) (lost int, err error) {
	partial := f.sample() + ".lines"
	file, err := os.Create(partial)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	buffer := bufio.NewWriterSize(file, 1<<18)
	packed, err := compressTo(buffer, f.out)
	if err != nil {
		return 0, err
	}
	lost, err = sample.Each(ctx, func(o twopass.Observation) error {
		line, err := jsonLine(o)
		if err == nil {
			_, err = packed.Write(line)
		}
		return err
	})
	for _, finish := range []func() error{packed.Close, buffer.Flush, file.Sync, file.Close} {
		if err == nil {
			err = finish()
		}
	}
	if err == nil {
		err = os.Rename(partial, f.out)
	}
	if err == nil {
		err = fsync.Dir(filepath.Dir(f.out))
	}
	if err != nil {
		return lost, fmt.Errorf("writing the observations: %w", err)
	}
	return lost, nil
}

// compressTo returns a writer of lines that are compressed as the name of their file
// says.
func compressTo(w io.Writer, name string) (io.WriteCloser, error) {
	switch filepath.Ext(lineEnding(name)) {
	case ".gz":
		return gzip.NewWriterLevel(w, gzip.BestSpeed)
	case ".zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	}
	return plainWriter{w}, nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// sample returns the file of the pages that the first pass learns from.
func (f *batchFlags) sample() string { return f.out + ".learned" }

// store returns the site store that the first pass fills.
func (f *batchFlags) store() string { return cmp.Or(f.siteFlags.path, f.out+".sites") }

// removeFirstPass removes the files of the first pass.
func (f *batchFlags) removeFirstPass() error {
	errs := []error{twopass.Remove(f.sample())}
	files := []string{f.sample() + ".lines", f.sample() + ".journal", f.sample() + ".journal.inflight", f.sample() + ".journal.lock"}
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

// firstPass learns about all sites and opens the store with the result.
func (r *batchRun) firstPass() error { return r.untilSound(r.learnSites) }

// untilSound runs a first pass. If what it has written so far is damaged, it begins again.
func (r *batchRun) untilSound(pass func() error) error {
	err := pass()
	if !errors.Is(err, twopass.ErrDamaged) {
		return err
	}
	aside, bad := twopass.SetAside(r.flags.sample())
	if bad == nil {
		bad = os.Remove(r.flags.sample() + ".journal")
	}
	if bad != nil && !errors.Is(bad, os.ErrNotExist) {
		return errors.Join(err, bad)
	}
	r.bar.Clear()
	fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s; it is kept as %s; starting again from the first page\n", cli.OneLine(err), aside)
	return pass()
}

// withSample runs the first pass and calls use with what it has observed.
func (r *batchRun) withSample(mode batch.Mode, use func(*twopass.Sample) (lost int, err error)) (stats batch.Stats, err error) {
	f := r.flags
	sample, err := twopass.Open(f.sample())
	if err != nil {
		return stats, err
	}
	defer sample.Close()
	journal, err := batch.OpenJournal(f.sample()+".journal", r.in, r.settings(), mode)
	if err != nil {
		return stats, err
	}
	defer journal.Close()
	if bad := journal.State().Damaged; bad != nil {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(bad))
	}
	// The sites are looked up only for their names; nothing is known yet.
	empty, err := store.Open("", store.Options{})
	if err != nil {
		return stats, err
	}
	r.bar.what = "learning"
	defer func() { r.bar.what = "" }()
	r.bar.resumed(journal.State().Stats)
	opts := r.options()
	opts.Quarantine = "" // the second pass will quarantine the page
	extract := learning(r.ex, &sites.Sites{Store: empty, Name: f.siteFlags.name}, sample)
	if stats, err = journal.Run(r.cmd.Context(), extract, sampleSink{sample}, opts); err != nil {
		return stats, err
	}
	lost, err := use(sample)
	if lost > 0 {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %d pages of %s are damaged and were not learned\n", lost, f.sample())
	}
	return stats, err
}

// learnSites learns about all sites and opens the store.
func (r *batchRun) learnSites() error {
	f := r.flags
	_, err := r.withSample(batch.Resume, func(sample *twopass.Sample) (lost int, err error) {
		open := siteFlags{path: f.store(), name: f.siteFlags.name}
		if r.known, err = open.open(r.cmd.ErrOrStderr(), f.pageTime); err != nil {
			return 0, err
		}
		if lost, err = sample.Fold(r.cmd.Context(), r.known.Store); err != nil {
			err = fmt.Errorf("learning the sites: %w", err)
		}
		return lost, err
	})
	if err != nil {
		err = r.closeSites(err)
		r.known = nil
	}
	return err
}

// learning extracts pages to learn about their sites.
func learning(ex *lede.Extractor, empty *sites.Sites, sample *twopass.Sample) batch.ExtractFunc {
	return func(ctx context.Context, p batch.Input, rd io.Reader) (*article.Article, error) {
		page := empty.Page(ctx, p.URL, p.Site)
		x, err := ex.Explain(ctx, rd, lede.WithReasons(false), lede.WithURL(p.URL), lede.WithHeaderCharset(p.Charset), lede.WithLinkText(p.LinkText), lede.WithSite(page))
		name := page.SiteName()
		switch {
		case err != nil && name != "":
			// The second pass, which knows more, may succeed.
			if bad := sample.AddName(name); bad != nil {
				err = fmt.Errorf("saving the name of a site: %w", bad)
			}
		case err == nil && name != "":
			if err = sample.Add(name, x.Observe()); err != nil {
				err = fmt.Errorf("saving an observation: %w", err)
			}
		}
		if err != nil {
			return nil, err
		}
		return &article.Article{}, nil // the sink discards it
	}
}

// sampleSink commits the sample with the journal of the first pass. The workers
// have added the pages already; adding a page twice has no effect.
type sampleSink struct{ sample *twopass.Sample }

func (sampleSink) Write(*batch.Result) error { return nil }
func (sampleSink) Finish() error             { return nil }

func (s sampleSink) Commit() (map[string]int64, error) { return nil, s.sample.Commit() }
