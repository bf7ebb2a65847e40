package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/internal/page/browser"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/internal/version"
)

type batchFlags struct {
	pageFlags
	siteFlags
	cli.WebFlags
	addressFlags
	storyFlags
	archives   string
	part       string
	out        string
	body       string
	summary    string
	checkpoint time.Duration
	workers    int
	maxMemory  int
	resume     bool
	overwrite  bool
	noLearn    bool
	quiet      bool
	isolated   bool
	extract    extractWith
}

// extractWith returns the function that extracts a page in a batch. If learn is
// set, the sites learn from the page.
type extractWith func(ex *lede.Extractor, known *sites.Sites, learn bool) batch.ExtractFunc

// The default of --max-memory in MB, which is enough for any page within the other
// limits, and the least, which is enough for ordinary pages one at a time.
const defaultMemory, minMemory = 2048, 128

// batchTime is the default of --page-time in a batch, shorter than elsewhere so
// that a slow page does not hold up the others.
const batchTime = 2 * time.Second

func newBatch() *cobra.Command { return newBatchOf(pageExtract) }

func newBatchOf(extract extractWith) *cobra.Command {
	f := batchFlags{extract: extract}
	cmd := &cobra.Command{
		Use:   "batch [IN…] --out FILE",
		Short: "Extract many pages into JSON lines, CSV, Parquet or SQLite",
		Long: `Extract many pages and write one record for each, in the order of the input.

IN is a page, a folder of pages, an archive, a URL, or - for standard input. Archives are
WARC, tar, zip, and JSON lines with the fields html and url; all but zip may be compressed.
The ending of FILE selects the format: .jsonl or .csv, also with .gz or .zst, .parquet or
.sqlite. A page that fails has a record with error and kind.

FILE is called FILE.partial until it is complete. --resume continues a run that was
stopped or killed; no page is lost or written twice. Pages that crash or hang lede are
copied to FILE.quarantine.

--part I/N does every Nth archive from the Ith on, each into a file of its own, for array
jobs. --set, --model, --charset, --favor and --neighbours are those of lede extract.
--body cleaned is the page's own HTML without what the method dropped.
docs/batch.md describes inputs, records, memory and summaries.`,
		Example: `  lede batch pages/ --out articles.jsonl
  lede batch news1.html news2.html.gz --out - | jq -r .title
  lede batch pages/ --body md --out articles.csv
  lede batch archive/sport/ --method stadynot --neighbours archive/sport/ --body cleaned --out clean.jsonl
  lede batch CC-NEWS-*.warc.gz --out articles.parquet
  lede batch CC-NEWS-*.warc.gz --out articles.parquet --resume
  lede batch --urls today.txt --out today.jsonl
  zcat crawl.jsonl.gz | lede batch - --out articles.jsonl.zst
  lede batch archive/ --site-store sites.db --no-learn --out articles.sqlite
  lede batch CC-NEWS-*.warc.gz --stories stories.db --one-per-story --out articles.parquet
  lede batch --part 3/100 --archives archives.txt --out /shared/articles/`,
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.siteFlags.add(cmd)
	f.siteFlags.addNeighbours(cmd)
	f.addressFlags.add(cmd)
	f.WebFlags.Add(cmd)
	f.storyFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "output `FILE`, or - for standard output; with --part a FOLDER/ (required)")
	fl.StringVar(&f.body, "body", "text", "`FORM` of the field body, beside text: "+strings.Join(batch.BodyForms()[1:], ", "))
	fl.BoolVar(&f.resume, "resume", false, "continue an interrupted run")
	fl.BoolVar(&f.overwrite, "overwrite", false, "replace the output of an earlier run, complete or interrupted")
	fl.BoolVar(&f.noLearn, "no-learn", false, "use --site-store without changing it")
	fl.StringVar(&f.archives, "archives", "", "`LIST` with the path of an input on each line, or - for standard input")
	fl.StringVar(&f.part, "part", "", "do part `I/N` of the inputs, I from 1 to N")
	fl.IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.IntVar(&f.maxMemory, "max-memory", 0, "memory of the run in `MB` (default: 2048, or 32 for each worker if that is more)")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary")
	fl.StringVar(&f.summary, "summary", "", "write the counts of the run to this `FILE`, as JSON")
	fl.DurationVar(&f.checkpoint, "checkpoint", time.Second, "how often progress is saved")
	fl.BoolVar(&f.isolated, "isolated", false, "extract one page from standard input (used by batch itself)")
	for _, name := range []string{"set", "model", "charset", "favor", "verbose", "site", "timeout", "allow-private",
		"checkpoint", "isolated"} {
		_ = fl.MarkHidden(name)
	}
	cli.Complete(cmd, "body", batch.BodyForms()...)
	fl.Lookup("page-time").DefValue = batchTime.String()
	f.pageTime = batchTime
	return cmd
}

func (f *batchFlags) check(args []string) error {
	switch {
	case len(args) == 0 && len(f.urls) == 0:
		return errors.New("no input: name files, folders, archives or URLs, - for standard input, or a list of URLs with --urls")
	case f.out == "":
		return errors.New("no output: name a file with --out FILE.jsonl, or use --out - for standard output")
	case !slices.Contains(batch.BodyForms(), f.body):
		return fmt.Errorf("--body %q: use one of %s", f.body, strings.Join(batch.BodyForms(), ", "))
	case f.workers < 0:
		return errors.New("--workers must not be negative")
	case f.maxMemory != 0 && f.maxMemory < minMemory:
		return fmt.Errorf("--max-memory %d is too little to extract any page; allow at least %d", f.maxMemory, minMemory)
	case f.resume && f.overwrite:
		return errors.New("--resume and --overwrite exclude each other; use one")
	case f.out == "-" && f.resume:
		return errors.New("--resume needs a file; name one with --out")
	case f.summary != "" && f.summary == f.out:
		return fmt.Errorf("--out and --summary are the same file, %s; name another one", f.out)
	case f.noLearn && f.siteFlags.path == "":
		return errors.New("--no-learn requires --site-store")
	case slices.Contains(args, "-") && args[0] != "-":
		return errors.New("- for standard input must be the first argument")
	}
	if least := minMemory + storyMemory>>20; f.stories != "" && f.maxMemory > 0 && f.maxMemory < least {
		return fmt.Errorf("--max-memory %d is too little for --stories; allow at least %d", f.maxMemory, least)
	}
	return cmp.Or(f.addressFlags.check(args), f.siteFlags.check(), f.storyFlags.check())
}

func (f *batchFlags) run(cmd *cobra.Command, args []string) error {
	if f.isolated {
		return f.runIsolated(cmd)
	}
	args, err := f.withArchives(cmd, args)
	if err != nil {
		return err
	}
	if err := f.check(args); err != nil {
		return err
	}
	if f.part != "" {
		return f.runPart(cmd, args)
	}
	if !isStream(f.out) {
		if err := sink.Check(f.out); err != nil {
			return err
		}
	}
	r, err := f.newRun(cmd)
	if err != nil {
		return err
	}
	r.out, r.summary, r.mode = f.out, f.summary, f.mode()
	r.in = &batch.Source{Paths: args, Stdin: cmd.InOrStdin(), MaxBytes: int64(f.maxBytes), Lists: f.urls,
		Fetch: f.fetcher(&f.WebFlags, f.maxBytes, f.logger(cmd.ErrOrStderr()))}
	stats, err := r.run()
	switch {
	case err != nil:
		return err
	case stats.Failed > 0:
		return cli.ErrSomeFailed
	}
	return nil
}

func (f *batchFlags) mode() batch.Mode {
	switch {
	case f.resume:
		return batch.Resume
	case f.overwrite:
		return batch.Overwrite
	}
	return batch.Begin
}

// withArchives returns the inputs with those of --archives.
func (f *batchFlags) withArchives(cmd *cobra.Command, args []string) ([]string, error) {
	if f.archives == "" {
		return args, nil
	}
	var text []byte
	var err error
	if f.archives == "-" {
		text, err = io.ReadAll(cmd.InOrStdin())
	} else {
		text, err = os.ReadFile(f.archives)
	}
	if err != nil {
		return nil, cli.Fail(fmt.Errorf("--archives: %w", err))
	}
	args = slices.AppendSeq(slices.Clone(args), lines.Data(strings.TrimPrefix(string(text), "\ufeff")))
	if len(args) == 0 {
		return nil, cli.Fail(fmt.Errorf("there are no archives in %s", f.archives))
	}
	return args, nil
}

// isStream reports whether an output is not a regular file, so that the run
// cannot be resumed.
func isStream(out string) bool {
	if out == "-" {
		return true
	}
	fi, err := os.Stat(out)
	return err == nil && !fi.Mode().IsRegular() && !fi.IsDir()
}

// memory returns the memory limit of the run in bytes.
func (f *batchFlags) memory() int64 {
	workers := cmp.Or(f.workers, runtime.GOMAXPROCS(0))
	return int64(cmp.Or(f.maxMemory, max(defaultMemory, 32*workers))) << 20
}

// newExtractor returns the extractor of the run.
func (f *batchFlags) newExtractor(cmd *cobra.Command) (*lede.Extractor, error) {
	near, err := f.readNeighbours(cmd.Context(), f.neighbours, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	return f.extractor(f.logger(cmd.ErrOrStderr()), lede.WithCleaned(f.body == render.Cleaned), lede.WithNeighbours(near...))
}

// pageExtract extracts pages with lede.
func pageExtract(ex *lede.Extractor, known *sites.Sites, learn bool) batch.ExtractFunc {
	return func(ctx context.Context, p batch.Input, r io.Reader) (*article.Article, error) {
		opts := []lede.Option{lede.WithHeaderCharset(p.Charset), lede.WithLinkText(p.LinkText)}
		if known == nil || !learn {
			opts = append(opts, lede.WithURL(p.URL))
			if known != nil {
				opts = append(opts, lede.WithSite(known.Page(ctx, p.URL, p.Site)))
			}
			return ex.Extract(ctx, r, opts...)
		}
		x, err := known.Extract(ctx, ex, r, p.URL, p.Site, append(opts, lede.WithReasons(false))...)
		if err != nil {
			return nil, err
		}
		return x.Article, nil
	}
}

// resultFlags are the flags that affect the output.
var resultFlags = []string{
	"method", "set", "model", "charset", "max-bytes", "page-time", "only-articles", "favor", "with", "body",
	"site-store", "site", "no-learn", "neighbours", "stories", "one-per-story",
}

// settings returns the flags that are recorded in the journal, and the version: an output
// must not have two kinds of records.
func (r *batchRun) settings() []string {
	settings := []string{"lede " + version.Get()}
	r.cmd.Flags().VisitAll(func(fl *pflag.Flag) {
		if slices.Contains(resultFlags, fl.Name) {
			settings = append(settings, fmt.Sprintf("--%s=%s", fl.Name, fl.Value))
		}
	})
	return settings
}

// errorKind returns the kind of an error in a record.
func errorKind(err error) string {
	switch {
	case errors.Is(err, browser.ErrTimeout):
		return "timeout"
	case errors.Is(err, browser.ErrCrashed), errors.Is(err, browser.ErrMapping):
		return "browser"
	}
	return render.Kind(err)
}
