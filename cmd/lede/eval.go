package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/eval/report"
)

// usualMeasures are those that need no choice: what a user of an article asks.
var usualMeasures = []string{"bag", "shingle", "snippet", "title", "author", "date", "type"}

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
	form, charset        string
	workers              int
	strict, quiet        bool
	floors               string
	raise                bool
}

func newEval() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval CORPUS…",
		Short: "Measure methods and rivals on pages whose story is known",
		Long: `Measure methods and rivals on corpora: folders of pages whose story is known.
Every system gets the same pages. The table has the best first; ± is one
standard error, found by resampling the pages.

Forms of corpora, told by what is in the folder unless --form says it:
` + corpusForms() + `
Measures:
` + measureNames() + `
A system is a method of lede (--methods), a file of predictions such as lede
batch writes (--pred), or a program that answers pages over a pipe (--rival):
it reads a line of JSON a page, {"id","url","charset","html"}, and answers each
with {"id","title","text","authors","date","error","parse_ms","time_ms"}; its first
line says {"name","version","language"}.

What is wrong in a corpus is told with file and line, and the run goes on;
with --strict it ends there.`,
		Example: `  lede eval corpora/daniel
  lede eval corpora/* --methods blend,nce --by site --report report.html
  lede eval corpora/wcxb --type article --measure all --json figures.json
  lede eval pages/ --pred mine=out.jsonl --rival theirs='python3 theirs.py'
  lede eval corpora/daniel --min-site 10 --neighbours 0,10
  lede eval corpora/* --floors floors.json --sample`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	f.add(cmd)
	return cmd
}

func (f *evalFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringSliceVarP(&f.methods, "methods", "m", nil, "`METHODS` of lede to measure; the default is the default method and one of each paper, none is none")
	fl.StringSliceVar(&f.measures, "measure", nil, "`MEASURES` to take, with all their figures; all is all of them (default "+strings.Join(usualMeasures, ",")+", with the main figures)")
	fl.StringVar(&f.by, "by", "", "also the main figure by "+strings.Join(eval.Groupings(), ", "))
	fl.StringVar(&f.report, "report", "", "write a page to look at, with every page's gold beside the outputs, to this HTML `FILE`")
	fl.StringVar(&f.json, "json", "", "write all figures, of corpora and of pages, to this JSON `FILE`")
	fl.StringVar(&f.save, "save", "", "write what each system gave to FOLDER/CORPUS/SYSTEM.jsonl in this `FOLDER`")
	fl.StringArrayVar(&f.preds, "pred", nil, "measure predictions too: `NAME=FILE` with lines of JSON; a name may come twice")
	fl.StringArrayVar(&f.rivals, "rival", nil, "measure a program too: `NAME=COMMAND`")
	fl.StringVar(&f.pageType, "type", "", "only pages whose gold says this `TYPE`, such as article")
	fl.StringVar(&f.lang, "lang", "", "only pages in this `LANGUAGE`")
	fl.StringVar(&f.site, "site", "", "only pages of this `SITE`")
	fl.BoolVar(&f.devOnly, "dev-only", false, "leave out the fifth of the sites that is held out for judging, chosen by a hash of their names")
	fl.BoolVar(&f.heldOut, "held-out", false, "only the sites that --dev-only leaves out")
	fl.IntVar(&f.minSite, "min-site", 0, "only sites with at least `N` pages in their corpus")
	fl.StringSliceVar(&f.neighbours, "neighbours", nil, "measure methods with what so many other pages of the site teach, such as `0,1,5,all`; 0 is nothing")
	fl.BoolVar(&f.sample, "sample", false, "only the fixed sample of a fifth of the pages")
	fl.IntVar(&f.limit, "limit", 0, "only the first `N` pages of each corpus")
	fl.StringVar(&f.form, "form", "", "`FORM` of the corpora; told by the folder if empty")
	fl.StringVar(&f.charset, "charset", "", "read pages in this `CHARSET`; the default is what the corpus says")
	fl.IntVarP(&f.workers, "workers", "j", 0, "pages in work at once; 0 is one a core; 1 makes times comparable")
	fl.BoolVar(&f.strict, "strict", false, "end at the first problem in a corpus or prediction")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, and problems only as a number")
	fl.StringVar(&f.floors, "floors", "", "hold the figures against those pinned in this JSON `FILE`; exit 1 when one fell by more than "+fmt.Sprint(eval.Tolerance))
	fl.BoolVar(&f.raise, "raise", false, "raise the floors to the figures that are higher")
	complete := func(flag string, values ...string) {
		_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return values, cobra.ShellCompDirectiveNoFileComp
		})
	}
	complete("methods", methodNames()...)
	complete("by", eval.Groupings()...)
	var names []string
	for _, m := range measure.All() {
		names = append(names, m.Name)
	}
	complete("measure", append(names, "all")...)
}

func corpusForms() string {
	var b strings.Builder
	for _, f := range corpus.Forms() {
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

// check refuses what cannot be meant, before anything is read.
func (f *evalFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("on which corpora? Name folders of pages whose story is known")
	case f.devOnly && f.heldOut:
		return errors.New("--dev-only and --held-out leave no site")
	case f.raise && f.floors == "":
		return errors.New("--raise which floors? Name the file with --floors")
	case f.by != "" && !slices.Contains(eval.Groupings(), f.by):
		return fmt.Errorf("--by is %s", strings.Join(eval.Groupings(), ", "))
	case f.limit < 0:
		return errors.New("--limit is a number of pages")
	}
	return dom.CheckCharset(f.charset)
}

func (f *evalFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	measures, err := f.chooseMeasures()
	if err != nil {
		return err
	}
	job := &evaluation{flags: f, measures: measures, out: cmd.OutOrStdout(), err: cmd.ErrOrStderr(), bar: newStatus(cmd.ErrOrStderr())}
	if f.quiet {
		job.bar.live = false
	}
	defer job.close()
	if err := job.open(args); err != nil {
		return failure{err}
	}
	if err := job.chooseSystems(cmd.Context()); err != nil {
		return err
	}
	err = job.run(cmd.Context())
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before all pages were measured")
	}
	if err != nil {
		return failure{err}
	}
	return nil
}

func (f *evalFlags) chooseMeasures() ([]measure.Measure, error) {
	switch {
	case len(f.measures) == 0:
		return measure.Find(usualMeasures...)
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
	problems int
	out, err io.Writer
	bar      *status
}

func (e *evaluation) close() {
	for _, p := range e.pipes {
		p.Close()
	}
}

// problem tells what is wrong, and counts it.
func (e *evaluation) problem(p corpus.Problem) {
	e.problems++
	if !e.flags.quiet {
		e.bar.clear()
		fmt.Fprintf(e.err, "lede: %s\n", oneLine(p))
	}
}

// open reads the gold of the corpora and leaves in them what was asked for.
func (e *evaluation) open(dirs []string) error {
	f := e.flags
	seen := map[string]string{}
	for _, dir := range dirs {
		c, err := corpus.Open(dir, corpus.Options{Form: f.form, Strict: f.strict, Problem: e.problem})
		if err != nil {
			return err
		}
		if first, twice := seen[c.Name]; twice {
			return fmt.Errorf("%s and %s are both called %s; evaluate them apart", first, dir, c.Name)
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
		return errors.New("none of the pages is asked for")
	}
	return nil
}

// run measures, and prints and writes what was asked for.
func (e *evaluation) run(ctx context.Context) error {
	f := e.flags
	outs, err := e.openOuts()
	if err != nil {
		return err
	}
	began := time.Now()
	res, err := eval.Run(ctx, e.corpora, e.systems, e.measures, eval.Options{
		Workers: f.workers, Charset: f.charset, Strict: f.strict, Problem: e.problem,
		Progress: func(done, total int) {
			rate := float64(done) / max(time.Since(began).Seconds(), 0.001)
			left := time.Duration(float64(total-done) / rate * float64(time.Second))
			e.bar.say("%d/%d pages  %3d%%  %.0f pages/s  %s left", done, total, 100*done/total, rate, left.Round(time.Second))
		},
		Each: outs.page,
	})
	e.bar.clear()
	if err == nil {
		err = res.Table(e.out, eval.TableOptions{By: f.by, All: len(f.measures) > 0})
	}
	if err = outs.finish(res, f.by, err); err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(e.err, "lede: %d pages, %d systems, %v\n", len(res.Rows), len(res.Systems), time.Since(began).Round(100*time.Millisecond))
	}
	if e.problems > 0 {
		fmt.Fprintf(e.err, "lede: %d problems in the corpora and predictions\n", e.problems)
	}
	if f.floors != "" {
		return e.gate(res)
	}
	return nil
}

// evalOuts are the files of a run.
type evalOuts struct {
	json, html *outFile
	report     *report.Report
	saved      *eval.Saver
	lock       sync.Mutex
	err        error // the first of saving a page
}

func (e *evaluation) openOuts() (o *evalOuts, err error) {
	f := e.flags
	o = &evalOuts{}
	if f.json != "" {
		if o.json, err = openOut(f.json, e.out); err != nil {
			return nil, err
		}
	}
	if f.report != "" {
		if o.html, err = openOut(f.report, e.out); err != nil {
			return nil, err
		}
		o.report = report.New(report.Options{})
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

func (o *evalOuts) page(p *eval.Page) {
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

// finish writes the files, unless there was an error: then there are none.
func (o *evalOuts) finish(res *eval.Result, by string, err error) error {
	err = errors.Join(err, o.err)
	if o.saved != nil {
		err = errors.Join(err, o.saved.Close())
	}
	end := func(out *outFile, write func(io.Writer) error) {
		if out == nil {
			return
		}
		if err == nil {
			err = write(out)
		}
		if err = out.finish(err); err != nil && out.file != nil {
			_ = os.Remove(out.partial())
		}
	}
	end(o.json, func(w io.Writer) error { return res.WriteJSON(w, by) })
	end(o.html, func(w io.Writer) error { return o.report.Write(w, res) })
	return err
}

// gate holds a result against the floors, and raises them when that is asked.
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
	now, err := res.Pins()
	if err != nil {
		return err
	}
	pins := floors.Full
	if e.flags.sample {
		pins = floors.Sample
	}
	changes := pins.Compare(now)
	lost := 0
	for _, c := range changes {
		if c.Lost() {
			lost++
			e.tellLoss(c, before, res)
		}
	}
	if e.flags.raise {
		raised := pins.Raise(now)
		if !e.flags.sample { // the sample is a part of what the file knows
			before.Update(res)
		}
		if err := errors.Join(floors.Write(file), before.Write(pagesFile(file))); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%d floors raised in %s\n", raised, file)
	}
	switch {
	case lost > 0:
		return fmt.Errorf("%d of %d figures fell by more than %g below their floors", lost, len(changes), eval.Tolerance)
	case len(changes) == 0 && !e.flags.raise:
		return fmt.Errorf("%s has no floor for any of these figures; pin them with --raise", file)
	}
	if len(changes) > 0 {
		fmt.Fprintf(e.out, "all %d figures stand at or above their floors\n", len(changes))
	}
	return nil
}

// tellLoss names a figure that fell, and the pages that moved the most.
func (e *evaluation) tellLoss(c eval.Change, before *eval.Baseline, res *eval.Result) {
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

// pagesFile stands beside the floors.
func pagesFile(floors string) string {
	return strings.TrimSuffix(floors, filepath.Ext(floors)) + "-pages.tsv"
}
