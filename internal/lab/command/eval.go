package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/eval/report"
	"github.com/lede-news/lede/internal/page/charset"
)

// defaultMeasures are the default of --measure.
var defaultMeasures = []string{"bag", "shingle", "snippet", "title", "own-title", "author", "authors", "date", "type",
	"headings", "blocks", "standfirst", "lead", "pictures", "once"}

type evalFlags struct {
	methods, measures    []string
	by                   string
	report, json, save   string
	preds, rivals        []string
	pageType, lang, site string
	devOnly, heldOut     bool
	minSite              int
	neighbours           []string
	sample               bool
	limit                int
	format, charset      string
	workers              int
	strict, quiet        bool
	floors               string
	raise                bool
	cli.ChromiumFlags
	cli.LinkFlags
}

func newEval() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval CORPUS…",
		Short: "Measure methods and rivals on pages with known articles",
		Long: `Measure methods and rivals on corpora: folders of pages with known articles (the
gold). Every system gets the same pages. The table lists the best system first;
± is one standard error, estimated by resampling the pages.

Formats of corpora, detected from the contents of the folder unless --format is given:
` + corpusFormats() + `
Measures:
` + measureNames() + `
A system is a method of lede (--methods), a file of predictions as written by
lede batch (--pred), or a program that is connected by pipes (--rival). The
program prints {"name","version","language"}, then reads one JSON object per
line, {"id","url","charset","html"}, and answers each with one line,
{"id","title","text","authors","date","error","parse_ms","time_ms"}. It may
add "blocks", a list of {"kind","text","items","url"} with kinds such as heading,
paragraph and picture, "lead", the address of the lead picture, and "standfirst".

--anchors gives the texts of the links to the pages, for twcem: in each line the
address of a page in its gold, a tab and the text, or a JSON object with the
fields url and text.

Problems in a corpus are reported with file and line, and the run continues
unless --strict is set.`,
		Example: `  lede-lab eval corpora/daniel
  lede-lab eval corpora/* --methods blend,nce --by site --report report.html
  lede-lab eval corpora/wcxb --type article --measure all --json figures.json
  lede-lab eval pages/ --pred mine=out.jsonl --rival theirs='python3 theirs.py'
  lede-lab eval corpora/daniel --min-site 10 --neighbours 0,10
  lede-lab eval corpora/* --floors floors.json --sample`,
		RunE:              f.run,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	f.add(cmd)
	return cmd
}

func (f *evalFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringSliceVarP(&f.methods, "methods", "m", nil, "`METHODS` of lede to measure, or none (default: all but variants)")
	fl.StringSliceVar(&f.measures, "measure", nil, "`MEASURES` to compute, or all (default: the main figures of "+strings.Join(defaultMeasures, ",")+")")
	fl.StringVar(&f.by, "by", "", "also group the main figure by "+strings.Join(eval.Groupings(), ", "))
	fl.StringVar(&f.report, "report", "", "write a report that shows every page's gold beside the outputs to this HTML `FILE`")
	fl.StringVar(&f.json, "json", "", "write the figures of all corpora and pages to this JSON `FILE`")
	fl.StringVar(&f.save, "save", "", "write the output of each system to `FOLDER`/CORPUS/SYSTEM.jsonl")
	fl.StringArrayVar(&f.preds, "pred", nil, "also measure predictions: `NAME=FILE` of JSON lines; repeatable, also with the same name")
	fl.StringArrayVar(&f.rivals, "rival", nil, "also measure a program: `NAME=COMMAND`; repeatable")
	fl.StringVar(&f.pageType, "type", "", "only pages of this `TYPE`, such as article")
	fl.StringVar(&f.lang, "lang", "", "only pages in this `LANGUAGE`")
	fl.StringVar(&f.site, "site", "", "only pages of this `SITE`")
	fl.BoolVar(&f.devOnly, "dev-only", false, "leave out the held-out sites: a fifth, chosen by a hash of their names")
	fl.BoolVar(&f.heldOut, "held-out", false, "only the held-out sites")
	fl.IntVar(&f.minSite, "min-site", 0, "only sites with at least `N` pages in their corpus")
	fl.StringSliceVar(&f.neighbours, "neighbours", nil, "measure methods that have learned from this many other pages of the site, such as `0,1,5,all`")
	fl.BoolVar(&f.sample, "sample", false, "only a fixed sample of a fifth of the pages")
	fl.IntVar(&f.limit, "limit", 0, "only the first `N` pages of each corpus")
	fl.StringVar(&f.format, "format", "", "`FORMAT` of the corpora (default: detected)")
	fl.StringVar(&f.charset, "charset", "", "`CHARSET` of the pages (default: as the corpus declares)")
	fl.IntVarP(&f.workers, "workers", "j", 0, "number of concurrent workers; use 1 to compare times (default: GOMAXPROCS)")
	fl.BoolVar(&f.strict, "strict", false, "stop at the first problem in a corpus or prediction")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress, and only the number of problems")
	f.ChromiumFlags.Add(cmd, ", for the method wrapper")
	f.LinkFlags.AddAnchors(cmd)
	fl.StringVar(&f.floors, "floors", "", "compare the figures with those in this JSON `FILE`; exit 1 if one is lower by more than "+fmt.Sprint(eval.Tolerance))
	fl.BoolVar(&f.raise, "raise", false, "raise the floors to the new figures where these are higher")
	cli.Complete(cmd, "methods", cli.MethodNames()...)
	cli.Complete(cmd, "by", eval.Groupings()...)
	measures := []string{"all"}
	for _, m := range measure.All() {
		measures = append(measures, m.Name)
	}
	cli.Complete(cmd, "measure", measures...)
}

func corpusFormats() string {
	var b strings.Builder
	for _, f := range corpus.Formats() {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.About)
	}
	return b.String()
}

func measureNames() string {
	var b strings.Builder
	for _, m := range measure.All() {
		fmt.Fprintf(&b, "  %-10s %s\n", m.Name, m.About)
	}
	return b.String()
}

// check validates the flags.
func (f *evalFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no corpora: name folders of pages with known articles")
	case f.devOnly && f.heldOut:
		return errors.New("--dev-only and --held-out exclude each other; use one")
	case f.raise && f.floors == "":
		return errors.New("--raise requires --floors")
	case f.by != "" && !slices.Contains(eval.Groupings(), f.by):
		return fmt.Errorf("--by must be one of %s", strings.Join(eval.Groupings(), ", "))
	case f.Network && !f.Browser:
		return errors.New("--network requires --browser")
	case f.limit < 0:
		return errors.New("--limit must not be negative")
	}
	return charset.Check(f.charset)
}

func (f *evalFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	measures, err := f.chooseMeasures()
	if err != nil {
		return err
	}
	job := &evaluation{flags: f, measures: measures, out: cli.NewConsole(cmd.OutOrStdout()), err: cmd.ErrOrStderr(), bar: cli.NewStatus(cmd.ErrOrStderr())}
	if f.quiet {
		job.bar.Live = false
	}
	defer job.close()
	job.web = f.Chromium(cmd.ErrOrStderr(), 0, false, nil)
	if f.Browser {
		if _, err := job.web.Start(cmd.Context()); err != nil {
			return cli.Fail(err)
		}
	}
	if job.links, err = f.LinkFlags.Read(cmd.Context(), cli.LinkReader{Stderr: cmd.ErrOrStderr()}); err != nil {
		return err
	}
	if err := job.open(args); err != nil {
		return cli.Fail(err)
	}
	if err := job.chooseSystems(cmd.Context()); err != nil {
		return err
	}
	err = job.run(cmd.Context())
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before all pages were measured")
	}
	return cli.Fail(err)
}

func (f *evalFlags) chooseMeasures() ([]measure.Measure, error) {
	switch {
	case len(f.measures) == 0:
		return measure.Find(defaultMeasures...)
	case slices.Equal(f.measures, []string{"all"}):
		return measure.All(), nil
	}
	return measure.Find(f.measures...)
}

// evaluation is one run of the command.
type evaluation struct {
	flags    *evalFlags
	measures []measure.Measure
	corpora  []*corpus.Corpus
	systems  []eval.System
	pipes    []*eval.PipeSystem
	web      *cli.Chromium
	links    *cli.LinkTexts // nil without --anchors
	problems int
	out, err io.Writer
	bar      *cli.Status
}

func (e *evaluation) close() {
	for _, p := range e.pipes {
		p.Close()
	}
	if e.web != nil {
		e.web.Close()
	}
}

// problem reports and counts a problem.
func (e *evaluation) problem(p corpus.Problem) {
	e.problems++
	if !e.flags.quiet {
		e.bar.Clear()
		fmt.Fprintf(e.err, "lede-lab: %s\n", cli.OneLine(p))
	}
}

// open reads the gold of the corpora and keeps the pages that the flags select.
func (e *evaluation) open(dirs []string) error {
	f := e.flags
	seen := map[string]string{}
	for _, dir := range dirs {
		c, err := corpus.Open(dir, corpus.Options{Format: f.format, Strict: f.strict, Problem: e.problem})
		if err != nil {
			return err
		}
		if first, twice := seen[c.Name]; twice {
			return fmt.Errorf("%s and %s are both called %s; evaluate them separately", first, dir, c.Name)
		}
		seen[c.Name] = dir
		pages := map[string]int{} // of the site
		for i := range c.Gold {
			pages[c.Gold[i].SiteName()]++
		}
		left := 0
		c = c.Only(func(g *corpus.Gold) bool {
			keep := (f.pageType == "" || g.Type == f.pageType) && (f.lang == "" || g.Lang == f.lang) &&
				(f.site == "" || g.SiteName() == f.site) && pages[g.SiteName()] >= f.minSite &&
				!(f.devOnly && corpus.HeldOut(g.SiteName())) && !(f.heldOut && !corpus.HeldOut(g.SiteName())) &&
				(!f.sample || eval.InSample(c.Name, g.ID)) && (f.limit == 0 || left < f.limit)
			if keep {
				left++
			}
			return keep
		})
		if left > 0 {
			e.corpora = append(e.corpora, c)
		}
	}
	if len(e.corpora) == 0 {
		return errors.New("no page matches the flags")
	}
	return nil
}

// run measures, and prints and writes the results.
func (e *evaluation) run(ctx context.Context) error {
	f := e.flags
	files, err := e.openFiles()
	if err != nil {
		return err
	}
	began := time.Now()
	res, err := eval.Run(ctx, e.corpora, e.systems, e.measures, eval.Options{
		Workers: f.workers, Charset: f.charset, Strict: f.strict, Problem: e.problem,
		Progress: func(done, total int) { e.bar.Step("measuring", done, total, "pages") },
		Each: func(p *eval.Page) {
			e.web.Forget(p.Doc)
			files.page(p)
		},
	})
	e.bar.Clear()
	if err == nil {
		err = res.Table(e.out, eval.TableOptions{By: f.by, All: len(f.measures) > 0})
	}
	if err = files.finish(res, f.by, err); err != nil {
		return err
	}
	if !f.quiet && e.links != nil {
		fmt.Fprintf(e.err, "lede-lab: %d of %d pages have a link text\n", e.linked(), len(res.Rows))
	}
	if !f.quiet {
		fmt.Fprintf(e.err, "lede-lab: %d pages, %d systems, %v\n", len(res.Rows), len(res.Systems), time.Since(began).Round(100*time.Millisecond))
	}
	if e.problems > 0 {
		fmt.Fprintf(e.err, "lede-lab: %d problems in the corpora and predictions\n", e.problems)
	}
	if f.floors != "" {
		return e.gate(res)
	}
	return nil
}

// linked returns the number of pages whose link text is known.
func (e *evaluation) linked() (n int) {
	for _, c := range e.corpora {
		for i := range c.Gold {
			if e.links.Find(c.Gold[i].URL) != "" {
				n++
			}
		}
	}
	return n
}

// evalFiles are the output files of a run.
type evalFiles struct {
	json, html *cli.OutFile
	report     *report.Report
	saved      *eval.Saver
	lock       sync.Mutex
	err        error // of saving a page; the first one
}

func (e *evaluation) openFiles() (o *evalFiles, err error) {
	f := e.flags
	o = &evalFiles{}
	if f.json != "" {
		if o.json, err = cli.OpenOut(f.json, e.out); err != nil {
			return nil, err
		}
	}
	if f.report != "" {
		if o.html, err = cli.OpenOut(f.report, e.out); err != nil {
			return nil, err
		}
		o.report = report.New("Evaluation of article extraction")
	}
	if f.save != "" {
		names := make([]string, len(e.systems))
		for i, s := range e.systems {
			names[i] = s.Name()
		}
		if o.saved, err = eval.NewSaver(f.save, names); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (o *evalFiles) page(p *eval.Page) {
	if o.report != nil {
		o.report.Add(p)
	}
	if o.saved != nil {
		if err := o.saved.Add(p); err != nil {
			o.lock.Lock()
			defer o.lock.Unlock()
			o.err = cmp.Or(o.err, err)
		}
	}
}

// finish writes the files, or removes them if there was an error.
func (o *evalFiles) finish(res *eval.Result, by string, err error) error {
	err = errors.Join(err, o.err)
	if o.saved != nil {
		err = errors.Join(err, o.saved.Close())
	}
	end := func(out *cli.OutFile, write func(io.Writer) error) {
		if out == nil {
			return
		}
		if err == nil {
			err = write(out)
		}
		err = out.Finish(err)
	}
	end(o.json, func(w io.Writer) error { return res.WriteJSON(w, by) })
	end(o.html, func(w io.Writer) error { return o.report.Write(w, res) })
	return err
}

// gate compares a result with the floors and, with --raise, raises them.
func (e *evaluation) gate(res *eval.Result) error {
	file := e.flags.floors
	floors, err := eval.ReadFloors(file)
	if err != nil {
		return err
	}
	before, err := eval.ReadBaseline(pagesFile(file))
	if err != nil {
		return err
	}
	now := res.Pins()
	pins := floors.Full
	if e.flags.sample {
		pins = floors.Sample
	}
	changes := pins.Compare(now)
	lost := 0
	for _, c := range changes {
		if c.Lost() {
			lost++
			e.printLoss(c, before, res)
		}
	}
	if e.flags.raise {
		raised := pins.Raise(now)
		if !e.flags.sample { // the file covers all pages
			before.Update(res)
		}
		if err := errors.Join(floors.Write(file), before.Write(pagesFile(file))); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%d floors raised in %s\n", raised, file)
	}
	switch {
	case lost > 0:
		fmt.Fprintf(e.err, "lede-lab: %d of %d figures are more than %g below their floors\n", lost, len(changes), eval.Tolerance)
		return cli.ErrSomeFailed
	case len(changes) == 0 && !e.flags.raise:
		return fmt.Errorf("%s has no floor for any of these figures; add them with --raise", file)
	}
	if len(changes) > 0 {
		fmt.Fprintf(e.out, "all %d figures are at or above their floors\n", len(changes))
	}
	return nil
}

// printLoss prints a figure that fell and the pages that changed most.
func (e *evaluation) printLoss(c eval.Change, before *eval.Baseline, res *eval.Result) {
	const most = 10
	fmt.Fprintf(e.out, "%s, %s: %s fell from %.4f to %.4f\n", c.Corpus, c.System, c.Measure, c.Floor, c.Now)
	moved := before.Moved(res, strings.TrimSuffix(c.Corpus, ", articles"), c.System)
	for i, m := range moved {
		if i == most || m.Now > m.Before {
			break
		}
		fmt.Fprintf(e.out, "  %.3f → %.3f  %s  %s\n", m.Before, m.Now, m.ID, m.Site)
	}
}

// pagesFile returns the file of the pages' figures, beside the floors.
func pagesFile(floors string) string {
	return strings.TrimSuffix(floors, filepath.Ext(floors)) + "-pages.tsv"
}
