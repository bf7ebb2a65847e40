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
	"github.com/lede-news/lede/internal/sites"
)

type batchFlags struct {
	pageFlags
	siteFlags
	cli.WebFlags
	cli.ChromiumFlags
	cli.LinkFlags
	addressFlags
	storyFlags
	rangeFlags
	partFlags
	out        string
	body       string
	shard      string
	quarantine string
	metrics    string
	summary    string
	checkpoint time.Duration
	workers    int
	maxMemory  int
	resume     bool
	overwrite  bool
	twoPass    bool
	observe    bool
	noLearn    bool
	quiet      bool
	live       bool
	withParent bool
	isolated   bool
	extract    extractWith
}

// extractWith returns the function that extracts a page in a batch. If learn is
// set, the sites learn from the page.
type extractWith func(ex *lede.Extractor, known *sites.Sites, learn bool) batch.ExtractFunc

// The default of --max-memory in MB, which is enough for nearly any page within the
// other limits, and the least, which is enough for ordinary pages one at a time.
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

Input. IN is a page, a folder, an archive, an address, or - for standard input. Archives are
WARC (.warc), tar (.tar), zip (.zip) and JSON lines with the fields html and url
(.jsonl), optionally id, site and link_text; all but zip may be compressed with
gzip or zstd. Folders, tar and zip archives are searched for files that end in
.html or .htm, with or without .gz, and folders also for WARC files. A folder with pages/ and gold.jsonl is a corpus,
and the addresses of its pages are read from gold.jsonl.

Addresses. --urls reads a list with an address on each line; empty lines and lines
that begin with # are skipped. Pages are fetched as robots.txt allows, one at a time
from each host and --delay apart, or more if robots.txt asks for it, and from up to
--connections hosts at once. What fails in a way that may pass, such as a timeout or
status 503, is tried once more. A host that asks to wait or keeps failing is left
alone; pages that would wait for it longer than five minutes fail with kind wait. The
id of a record is the address in the list, its url the one after redirects. kind is
address, robots, status, wait or fetch for a page that could not be fetched. --resume
fetches no page again that has a record.

Ids. The id of a page is its path within the folder or archive, without .html,
.htm and .gz: a/index for a/index.html. Pages of a folder whose names differ only
in the ending keep it. With several inputs the name of the folder or archive
comes first, as in crawl.tar/a/index; inputs of the same name have as much of
their paths before it as tells them apart. Pages of a corpus have the ids of
gold.jsonl, whatever the input, WARC records and JSON lines their own. If ids
will occur twice, lede warns before it starts where it can know, and otherwise
at the end.

Output. The ending of FILE selects the format: .jsonl or .ndjson for JSON lines,
.csv, both also compressed with .gz or .zst after it, .parquet, .sqlite, .sqlite3 or
.db. Missing folders are created. - is standard output, in JSON lines. --shard splits
JSON lines, CSV and Parquet into several files: site makes one for each site, hash:8
makes eight by a hash of the id.

A record has id, url, title, text, authors, date, modified, lang, site, images,
comments, standfirst, section, tags, canonical, lead, type, confidence and method, and
next_page if the article is split over several pages. Stories in archives of lede
follow also have found_by, link_text, first_seen and changed. --stories adds copy_of,
story and story_score.
text is the body as plain text, a paragraph a line. --body md, html or blocks adds
the field body, with the structure of the article: Markdown, an HTML article element,
or the blocks that lede extract --format json prints. A page that failed has id,
url, error and kind. kind is status for a response in an archive that is a redirect or
an error; pictures, scripts and the like have no record.

Parquet, SQLite and CSV have the same columns. In SQLite and CSV, lists and lead are
JSON, and so is a body of blocks, also in Parquet. CSV is UTF-8 and as RFC 4180 has it.
Since spreadsheets run formulas, and pages may contain them, a cell that begins with
=, +, -, @, a tab or a line break gets an apostrophe in front; cells in which such a
character follows apostrophes get one more, so that programs can undo it.

A page that was incomplete has partial and partial_reason: closed-early (the
connection ended before the page), compressed-data (the compressed page ends
early), content-length (it is shorter than its Content-Length), status-206 (the
server sent a part), warc-truncated (the crawler stored a part) or node-limit
(it has more than 500,000 nodes).

Limits. --max-bytes and --page-time limit each page, and 500,000 nodes: the rest
is cut off. Elements nested deeper than 512 levels are flattened. --max-memory
limits the memory of the process: a page begins when there is room for what it can
take at worst, by its size, tags and attributes, if need be alone. A page that can
take more than that fails with kind memory. Ordinary pages take about 10 MB each;
the largest within the other limits can take 2 GB. Chromium is not counted.

Interrupted runs. Until FILE is complete it is called FILE.partial, and
FILE.journal is kept beside it. A FILE that exists is replaced only with
--overwrite. --resume continues a run that was stopped or killed or ran out of
disk space (exit status 3); no page is lost or written twice. Pages that crash or
hang lede are saved in --quarantine with the reason, and the run continues. If a
page killed lede itself, --resume retries it in a process of its own before it is
quarantined. Of a damaged FILE.journal, --resume uses what can be read. A damaged
FILE.partial that cannot be continued is kept under another name, and the run
starts again.

Summary. --summary writes a JSON object when the run ends: complete, error if it is not,
pages (with those of the runs that it resumed), of these failed, partial, left_out (by
--one-per-story) and quarantined, repeated_ids (an estimate), lost_bytes (of damaged
archives), seconds, and the numbers of pages by errors (kinds), types, langs and sites.
records are the WARC records, files, entries of tar and zip archives, lines that are not
empty, and addresses that were read; skipped are those of them that are not about a page,
such as pictures; damaged are the pages that stand for no record, but for a damaged
stretch of an archive or an input that cannot be read further. So records + damaged =
pages + skipped. unreadable are the pages that failed because of the system, such as a
missing file: another run may succeed. begin and next are described by lede step plan.
` + partHelp + `
Titles. ` + cli.LinkTextHelp + `
link_text in a JSON line or in an archive of lede follow overrides both, and --anchors
overrides --index.

Sites. --site-store learns about sites while their pages are extracted.
--two-pass reads all pages twice, first to learn and then to extract, so that the
result does not depend on their order. Without either, the pages of an archive of lede
follow are extracted with what was known about their sites when they were fetched.
--no-learn uses --site-store, which must exist, and does not change it.

Many machines. --observe is the first pass of --two-pass alone, for a part of the pages.
It writes JSON lines to FILE: site, hash and data, at most 64 for each site, sorted by
site and hash; a site whose pages all failed has no data. lede step profiles turns the
lines of all parts into profiles, lede site import puts these into a store, and the
second pass is --site-store with --no-learn, with a copy of the store on a local disk of
each machine. The records are those of --two-pass.

Stories. --stories FILE.db finds copies and articles about the same story, in the index
of lede stories, which is created if it is missing and grows. A record has story (the
id), story_score (0 to 1: how well it fits; for a copy, how much text is shared) and,
for a copy, copy_of (the id of the original; its own id for a later version of an
article). It has what is known when it is written: the order of the input decides
which article opens a story, and an original that comes after its copies does not
change their records. lede stories show has the final state, and lede stories sorts
all articles by time first. Pages that fail, have no text or are not articles have no
story. --one-per-story writes only the article that opened each story, and the pages
without a story; the others are counted.

Layout. With --method wrapper, --browser measures the layout of every page with
Chromium, which takes some ten times as long and memory of its own beside
--max-memory. --page-time is then 10s by default. A page that Chromium cannot lay
out fails with kind browser or timeout.`,
		Example: `  lede batch pages/ --out articles.jsonl
  lede batch news1.html news2.html.gz --out - | jq -r .title
  lede batch pages/ --body md --out articles/today.csv
  lede batch CC-NEWS-*.warc.gz --out articles.parquet --metrics :9090
  lede batch CC-NEWS-*.warc.gz --out articles.parquet --resume
  lede batch --urls today.txt --out today.jsonl
  lede batch https://paper.example/a.html https://paper.example/b.html --out two.csv
  zcat crawl.jsonl.gz | lede batch - --out articles.jsonl.zst
  lede batch crawl.tar.gz --shard site --out by-site/articles.jsonl.gz
  lede batch crawl.warc.gz --method twcem --index home.html=https://paper.example/ --out articles.jsonl
  lede batch archive/ --site-store sites.db --two-pass --out articles.sqlite
  lede batch CC-NEWS-*.warc.gz --stories stories.db --one-per-story --out articles.parquet
  lede batch --part 3/100 --archives archives.txt --out /shared/articles/`,
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.siteFlags.add(cmd)
	f.addressFlags.add(cmd)
	f.WebFlags.Add(cmd)
	f.ChromiumFlags.Add(cmd, ", for --method wrapper")
	f.LinkFlags.Add(cmd, "a FILE or FILE=URL")
	f.storyFlags.add(cmd)
	f.rangeFlags.add(cmd)
	f.partFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "output `FILE`, or - for standard output (required)")
	fl.StringVar(&f.body, "body", "text", "`FORM` of the body: "+strings.Join(batch.BodyForms(), ", ")+"; the others are added to text, as the field body")
	fl.StringVar(&f.shard, "shard", "", "split the output into several files: `site` or hash:N")
	fl.BoolVar(&f.resume, "resume", false, "continue an interrupted run")
	fl.BoolVar(&f.overwrite, "overwrite", false, "replace the output of an earlier run, complete or interrupted")
	fl.BoolVar(&f.twoPass, "two-pass", false, "read all pages twice: first to learn about sites, then to extract")
	fl.BoolVar(&f.observe, "observe", false, "only learn about sites: write what lede step profiles reads, not articles")
	fl.BoolVar(&f.noLearn, "no-learn", false, "use --site-store without changing it")
	fl.StringVar(&f.quarantine, "quarantine", "", "`FOLDER` for pages that crash or hang lede (default: FILE.quarantine)")
	fl.DurationVar(&f.checkpoint, "checkpoint", time.Second, "how often progress is saved")
	fl.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics on this `ADDRESS`; without a host, such as :9090, on loopback only")
	fl.IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.IntVar(&f.maxMemory, "max-memory", 0, "memory limit of the whole run in `MB` (default: 2048, or 32 for each worker if that is more)")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary")
	fl.StringVar(&f.summary, "summary", "", "write the counts of the run to this `FILE`, as JSON")
	fl.BoolVar(&f.live, "live", false, "show the live line of a terminal (used by the Python package)")
	_ = fl.MarkHidden("live")
	fl.BoolVar(&f.withParent, "with-parent", false, "end when the process that started this one does (used by the Python package)")
	_ = fl.MarkHidden("with-parent")
	fl.BoolVar(&f.isolated, "isolated", false, "extract one page from standard input (used by batch itself)")
	_ = fl.MarkHidden("isolated")
	cli.Complete(cmd, "body", batch.BodyForms()...)
	fl.Lookup("page-time").DefValue = batchTime.String()
	f.pageTime = batchTime
	return cmd
}

func (f *batchFlags) check(args []string) error {
	switch {
	case len(args) == 0 && len(f.urls) == 0:
		return errors.New("no input: name files, folders, archives or addresses, - for standard input, or a list of addresses with --urls")
	case f.out == "":
		return errors.New("no output: name a file with --out FILE.jsonl, or use --out - for standard output")
	case !slices.Contains(batch.BodyForms(), f.body):
		return fmt.Errorf("--body %q: use one of %s", f.body, strings.Join(batch.BodyForms(), ", "))
	case f.workers < 0:
		return errors.New("--workers must not be negative")
	case f.maxMemory < 0:
		return errors.New("--max-memory must not be negative")
	case f.maxMemory > 0 && f.maxMemory < minMemory:
		return fmt.Errorf("--max-memory %d is too little to extract any page; allow at least %d", f.maxMemory, minMemory)
	case f.Browser && !cli.UsesLayout(f.method):
		return errors.New("--browser requires --method wrapper: no other method uses the layout")
	case f.Network && !f.Browser:
		return errors.New("--network requires --browser")
	case f.checkpoint <= 0:
		return errors.New("--checkpoint must be a positive duration, such as 1s")
	case f.resume && f.overwrite:
		return errors.New("--resume and --overwrite exclude each other; use one")
	case f.out == "-" && f.resume:
		return errors.New("--resume needs a file; name one with --out")
	case f.out == "-" && f.shard != "":
		return errors.New("--shard needs a file; name one with --out")
	case f.summary != "" && f.summary == f.out:
		return fmt.Errorf("--out and --summary are the same file, %s; name another one", f.out)
	case f.twoPass && f.out == "-":
		return errors.New("--two-pass needs a file to keep its data beside; name one with --out")
	}
	if err := f.checkLearning(); err != nil {
		return err
	}
	for i, arg := range args {
		switch {
		case arg == "-" && i > 0:
			return errors.New("- for standard input must be the first argument")
		case arg == "-" && f.twoPass:
			return errors.New("--two-pass cannot read standard input twice; save it to a file first")
		}
	}
	if err := f.addressFlags.check(args, f.twoPass); err != nil {
		return err
	}
	if err := f.storyFlags.check(); err != nil {
		return err
	}
	if err := f.rangeFlags.check(len(args) + len(f.urls)); err != nil {
		return err
	}
	if least := minMemory + storyMemory>>20; f.stories != "" && f.maxMemory > 0 && f.maxMemory < least {
		return fmt.Errorf("--max-memory %d is too little for --stories; allow at least %d", f.maxMemory, least)
	}
	return f.LinkFlags.Check(f.method)
}

func (f *batchFlags) run(cmd *cobra.Command, args []string) error {
	if f.isolated {
		return f.runIsolated(cmd)
	}
	args, err := f.withArchives(cmd, args)
	if err != nil {
		return err
	}
	if err := errors.Join(f.check(args), f.checkPart(cmd.Flags(), args)); err != nil {
		return err
	}
	if f.part != "" {
		return f.runPart(cmd, args)
	}
	shard, err := sink.ParseShard(f.shard)
	if err != nil {
		return err
	}
	if !f.isStream() {
		if err := sink.Check(f.out, shard); err != nil {
			return err
		}
	}
	if f.withParent {
		defer exitWithParent()()
	}
	file, err := f.openSummary()
	if err != nil {
		return err
	}
	stats, err := f.runChecked(cmd, args, shard)
	if err := errors.Join(err, file.write(stats, err)); err != nil {
		return err
	}
	if stats.Failed > 0 {
		return cli.ErrSomeFailed
	}
	return nil
}

// runChecked runs the batch after its flags have been checked.
func (f *batchFlags) runChecked(cmd *cobra.Command, args []string, shard sink.Shard) (stats batch.Stats, err error) {
	ex, stop, err := f.withBrowser(cmd)
	if err != nil {
		return stats, err
	}
	defer stop()
	texts, err := f.LinkFlags.Read(cmd.Context(), cli.LinkReader{Charset: f.charset, Stderr: cmd.ErrOrStderr()})
	if err != nil {
		return stats, err
	}
	readers := 1 + cmp.Or(f.workers, runtime.GOMAXPROCS(0))/4 // one reader feeds about eight workers
	in := &batch.Source{Paths: args, Stdin: cmd.InOrStdin(), MaxBytes: int64(f.maxBytes), Readers: readers,
		Lists: f.urls, Fetch: f.fetcher(&f.WebFlags, f.maxBytes, f.logger(cmd.ErrOrStderr()))}
	f.rangeFlags.apply(in)
	run := &batchRun{flags: f, cmd: cmd, ex: ex, links: texts, in: in, shard: shard}
	stats, err = run.run()
	switch {
	case errors.Is(err, batch.ErrNoPages) && len(args) == 0:
		err = cli.Fail(fmt.Errorf("no addresses in %s", strings.Join(f.urls, ", ")))
	case errors.Is(err, batch.ErrNoPages):
		err = cli.Fail(fmt.Errorf("no pages found in %s: folders are searched for .html, .htm, .html.gz, .htm.gz and .warc", strings.Join(slices.Concat(args, f.urls), ", ")))
	}
	return stats, err
}

// withBrowser returns the extractor. With --browser it starts Chromium, which stop
// ends.
func (f *batchFlags) withBrowser(cmd *cobra.Command) (ex *lede.Extractor, stop func(), err error) {
	log := f.logger(cmd.ErrOrStderr())
	if !f.Browser {
		ex, err = f.extractor(log)
		return ex, func() {}, err
	}
	if !cmd.Flags().Changed("page-time") {
		f.pageTime = lede.DefaultTime // Chromium needs longer than an estimate
	}
	web := f.Chromium(cmd.ErrOrStderr(), f.pageTime, false, log)
	if ex, err = f.extractor(log, lede.WithLayout(web.LayoutOnce)); err != nil {
		return nil, nil, err
	}
	if _, err = web.Start(cmd.Context()); err != nil { // now, not once for every page
		return nil, nil, cli.Fail(err)
	}
	return ex, web.Close, nil
}

// isStream reports whether the output is not a regular file, so that the run
// cannot be resumed.
func (f *batchFlags) isStream() bool {
	if f.out == "-" {
		return true
	}
	fi, err := os.Stat(f.out)
	return err == nil && !fi.Mode().IsRegular() && !fi.IsDir()
}

// pageExtract extracts pages with lede.
func pageExtract(ex *lede.Extractor, known *sites.Sites, learn bool) batch.ExtractFunc {
	return func(ctx context.Context, p batch.Input, r io.Reader) (*article.Article, error) {
		opts := []lede.Option{lede.WithHeaderCharset(p.Charset), lede.WithLinkText(p.LinkText)}
		if known == nil || !learn {
			opts = append(opts, lede.WithURL(p.URL))
			switch {
			case known != nil:
				opts = append(opts, lede.WithSite(known.Page(ctx, p.URL, p.Site)))
			case p.KnownSite != "":
				opts = append(opts, lede.WithSite(sites.Recorded(p.KnownSite)))
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

// errorKind returns the kind of an error in a batch record.
func errorKind(err error) string {
	switch {
	case errors.Is(err, browser.ErrTimeout):
		return "timeout"
	case errors.Is(err, browser.ErrCrashed), errors.Is(err, browser.ErrMapping):
		return "browser"
	}
	return render.Kind(err)
}

// resultFlags are the flags that affect the output.
var resultFlags = []string{
	"method", "set", "model", "browser", "network", "charset", "max-bytes", "page-time", "only-articles", "favor", "with", "body", "site-store", "site", "shard", "two-pass", "stories", "one-per-story",
}

// addedFlags are such flags that are younger than the journals of runs that may be resumed.
var addedFlags = []string{"observe", "no-learn"}

// settings returns the flags that are recorded in the journal.
func (r *batchRun) settings() (settings []string) {
	r.cmd.Flags().VisitAll(func(fl *pflag.Flag) {
		if slices.Contains(resultFlags, fl.Name) || fl.Changed && slices.Contains(addedFlags, fl.Name) {
			settings = append(settings, fmt.Sprintf("--%s=%s", fl.Name, fl.Value))
		}
	})
	if r.links != nil {
		settings = append(settings, r.links.Setting())
	}
	return settings
}
