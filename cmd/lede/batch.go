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
	"github.com/lede-news/lede/internal/sink"
)

type batchFlags struct {
	pageFlags
	siteFlags
	out        string
	shard      string
	quarantine string
	metrics    string
	checkpoint time.Duration
	workers    int
	maxMemory  int
	resume     bool
	overwrite  bool
	twoPass    bool
	quiet      bool
	apart      bool
	extract    extractWith
}

// extractWith makes of an extractor, and of the sites that it knows, what a
// batch does with a page. learn says whether the sites learn from it.
type extractWith func(ex *lede.Extractor, known *sites, learn bool) batch.Extract

// batchTime is how long a page may take in a batch: one page in a million must
// not hold up the others.
const batchTime = 2 * time.Second

func newBatch() *cobra.Command { return newBatchOf(pageExtract) }

func newBatchOf(extract extractWith) *cobra.Command {
	f := batchFlags{extract: extract}
	cmd := &cobra.Command{
		Use:   "batch IN… --out FILE",
		Short: "Extract many pages into files of JSON lines, Parquet or SQLite",
		Long: `Extract many pages, one outcome for each, in the order of the input.

IN is a page, a folder, an archive, or - for standard input. Archives are WARC
(.warc), tar (.tar), zip (.zip) and JSON lines with the fields html and url
(.jsonl); all but zip also packed with gzip or zstd. In folders, and in tar and
zip archives, every file is read that ends in .html or .htm, also with .gz; in
folders WARC files too. A folder with pages/ and gold.jsonl is a corpus: the
addresses of its pages are taken from there.

The end of FILE says what is written: .parquet, .sqlite or .db, and JSON lines
for all others, packed where it ends in .gz or .zst; - is standard output.
--shard spreads JSON lines and Parquet over several files: site for one each
site, hash:8 for eight by the hash of the id.

A line has id, url, title, text, authors, date, modified, lang, site, images,
comments, type, confidence and method, and partial where a limit cut the page
off; a page that failed has id, url, error and kind. Pages that crash lede or
hang are kept in --quarantine, with the reason, and the run goes on.

A page may cost so much and no more: --max-bytes of size, 500,000 nodes, of which
the rest is cut off, 512 elements within each other, deeper ones being taken out
of their boxes, --page-time, and --max-memory, which all pages in work share.
Usual pages need 100 to 300 MB all together. The largest page that the other
limits let pass needs up to 1 GB; those over 2 MiB are done one at a time. When
more is in use than --max-memory, the page that is longest in work is given up,
and its line says so.

FILE is in place only when it is whole; until then it is FILE.partial, with
FILE.journal beside it. A run that was stopped, killed or found no room on the
disk goes on where it was with --resume; no page is lost and none is done twice.
Where a page has killed lede itself, --resume tries it apart, puts it into
quarantine and goes on.

With --site-store sites are learned as their pages pass. With --two-pass all
pages are read twice, first to learn and then to extract, so that the result
does not depend on the order of the pages.`,
		Example: `  lede batch pages/ --out articles.jsonl
  lede batch news1.html news2.html.gz --out - | jq -r .title
  lede batch CC-NEWS-*.warc.gz --out articles.parquet --metrics :9090
  lede batch CC-NEWS-*.warc.gz --out articles.parquet --resume
  zcat crawl.jsonl.gz | lede batch - --out articles.jsonl.zst
  lede batch crawl.tar.gz --shard site --out by-site/articles.jsonl.gz
  lede batch archive/ --site-store sites.db --two-pass --out articles.sqlite`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.pageFlags.add(cmd)
	f.siteFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` to write, or - for standard output (required)")
	fl.StringVar(&f.shard, "shard", "", "spread the output over several files: by `site`, or hash:N")
	fl.BoolVar(&f.resume, "resume", false, "go on with the run that was broken off")
	fl.BoolVar(&f.overwrite, "overwrite", false, "forget a run that was broken off, and begin anew")
	fl.BoolVar(&f.twoPass, "two-pass", false, "read all pages twice: first to learn their sites, then to extract")
	fl.StringVar(&f.quarantine, "quarantine", "", "`FOLDER` for pages that crash lede or hang (default FILE.quarantine)")
	fl.DurationVar(&f.checkpoint, "checkpoint", time.Second, "how much work a crash may cost")
	fl.StringVar(&f.metrics, "metrics", "", "serve metrics for Prometheus on this `ADDRESS`, such as :9090; of this machine only, unless it names a host")
	fl.IntVarP(&f.workers, "workers", "w", 0, "pages in work at once; 0 is one for each core")
	fl.IntVar(&f.maxMemory, "max-memory", 0, "most memory for the whole run, in `MB`; 0 is 1024, or 32 for each worker if that is more")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no progress and no summary")
	fl.BoolVar(&f.apart, "apart", false, "extract one page from standard input, for a batch that died of it")
	_ = fl.MarkHidden("apart")
	fl.Lookup("page-time").DefValue = batchTime.String()
	f.pageTime = batchTime
	return cmd
}

func (f *batchFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("which pages? Name files, folders or archives, or - for standard input")
	case f.out == "":
		return errors.New("where to? Name a file with --out FILE.jsonl, or --out - for standard output")
	case f.workers < 0:
		return errors.New("--workers is a number of pages, 0 or more")
	case f.maxMemory < 0:
		return errors.New("--max-memory is a number of MB, 0 or more")
	case f.checkpoint <= 0:
		return errors.New("--checkpoint is a time, such as 1s")
	case f.resume && f.overwrite:
		return errors.New("--resume goes on and --overwrite begins anew; choose one")
	case f.out == "-" && f.resume:
		return errors.New("standard output cannot be taken up again; name a file with --out")
	case f.out == "-" && f.shard != "":
		return errors.New("--shard needs files; name one with --out")
	case f.twoPass && f.out == "-":
		return errors.New("--two-pass needs a file beside which it can keep what it learns; name one with --out")
	}
	for i, arg := range args {
		switch {
		case arg == "-" && i > 0:
			return errors.New("- for standard input goes first, and once")
		case arg == "-" && f.twoPass:
			return errors.New("--two-pass reads all pages twice, and standard input can be read once; save it to a file")
		}
	}
	return nil
}

func (f *batchFlags) run(cmd *cobra.Command, args []string) error {
	if f.apart {
		return f.runApart(cmd)
	}
	if err := f.check(args); err != nil {
		return err
	}
	shard, err := sink.ParseShard(f.shard)
	if err != nil {
		return err
	}
	ex, err := f.extractor(f.logger(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	readers := 1 + cmp.Or(f.workers, runtime.GOMAXPROCS(0))/4 // one feeds eight workers or so
	in := batch.Find(args).WithStdin(cmd.InOrStdin()).WithMaxBytes(f.maxBytes).WithReaders(readers)
	run := &batchRun{flags: f, cmd: cmd, ex: ex, in: in, args: args, shard: shard}
	stats, err := run.all()
	switch {
	case errors.Is(err, batch.ErrNoPages):
		return failure{fmt.Errorf("no pages found in %s: folders are searched for .html and .htm, also with .gz, and for .warc", strings.Join(args, ", "))}
	case err != nil:
		return err
	case stats.Failed > 0:
		return failure{}
	}
	return nil
}

// isStream tells whether the output is no file that could be taken up again.
func (f *batchFlags) isStream() bool {
	if f.out == "-" {
		return true
	}
	fi, err := os.Stat(f.out)
	return err == nil && !fi.Mode().IsRegular() && !fi.IsDir()
}

// pageExtract is how a page becomes an article.
func pageExtract(ex *lede.Extractor, known *sites, learn bool) batch.Extract {
	return func(ctx context.Context, p batch.Page, r io.Reader) (*article.Article, error) {
		header := lede.WithHeaderCharset(p.Charset)
		if known == nil || !learn {
			opts := []lede.Option{header, lede.WithURL(p.URL)}
			if known != nil {
				opts = append(opts, lede.WithSite(known.page(ctx, p.URL, p.Site)))
			}
			return ex.Extract(ctx, r, opts...)
		}
		x, err := known.extract(ctx, ex, r, p.URL, p.Site, header, lede.WithReasons(false))
		if err != nil {
			return nil, err
		}
		return x.Article, nil
	}
}

// errorKind gives the errors of lede their short names.
func errorKind(err error) string {
	for _, k := range []struct {
		err  error
		name string
	}{
		{lede.ErrEmpty, "empty"}, {lede.ErrTooLarge, batch.KindTooLarge}, {lede.ErrNotHTML, "not-html"},
		{lede.ErrCharset, "charset"}, {lede.ErrMalformed, "malformed"}, {lede.ErrNoContent, "no-content"},
		{lede.ErrNotArticle, "not-article"}, {lede.ErrTimeout, "timeout"}, {lede.ErrInternal, batch.KindCrash},
	} {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return ""
}

func (f *batchFlags) journal() string { return f.out + ".journal" }

func (f *batchFlags) mode() batch.Mode {
	switch {
	case f.resume:
		return batch.Resume
	case f.overwrite:
		return batch.Overwrite
	}
	return batch.Begin
}

// before looks at what is there already. It says whether all is done.
func (f *batchFlags) before() (done bool, err error) {
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if exists(f.journal()) {
		return false, nil
	}
	if f.resume && exists(f.out) {
		return true, nil
	}
	if partial := sink.Partial(f.out); !f.overwrite && exists(partial) {
		return false, failure{fmt.Errorf("%s is there, but no journal to go on with: --overwrite to begin anew", partial)}
	}
	return false, nil
}

// explain says what to do about a journal that cannot be used.
func (f *batchFlags) explain(err error) error {
	switch {
	case errors.Is(err, batch.ErrUnfinished):
		err = fmt.Errorf("%s: %w: --resume to go on, --overwrite to begin anew", f.out, err)
	case errors.Is(err, batch.ErrLocked):
		err = fmt.Errorf("%s: %w: wait for it, or write to another file", f.out, err)
	case errors.Is(err, batch.ErrChanged):
		err = fmt.Errorf("%s: %w: resume with the same command line, or begin anew with --overwrite", f.out, err)
	}
	return failure{err}
}

// resultFlags are the flags that make a difference to what is written.
var resultFlags = []string{
	"method", "set", "model", "charset", "max-bytes", "page-time", "only-articles", "favor", "with", "site-store", "site", "shard", "two-pass",
}

// setup describes the run for its journal.
func (r *batchRun) setup() batch.Setup {
	var settings []string
	r.cmd.Flags().VisitAll(func(fl *pflag.Flag) {
		if slices.Contains(resultFlags, fl.Name) {
			settings = append(settings, fmt.Sprintf("--%s=%s", fl.Name, fl.Value))
		}
	})
	return batch.NewSetup(r.in, settings)
}
