package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

type evalFlags struct {
	methods, measures []string
	by                string
	report, json      string
	preds, rivals     []string
	pageType, lang    string
	sample            bool
	limit, workers    int
	quiet, raise      bool
	floors            string
}

func newEval() *cobra.Command {
	var f evalFlags
	var about strings.Builder
	for _, m := range measure.All() {
		fmt.Fprintf(&about, "  %-10s %s\n", m.Name, m.About)
	}
	cmd := &cobra.Command{
		Use:   "eval CORPUS…",
		Short: "Measure methods and rivals on pages with known articles",
		Long: `Measure methods and rivals on corpora: folders with gold.jsonl, the known articles, one
JSON object a line (id, url, title, text, …), and pages/ID.html or pages/ID.html.gz,
all in UTF-8. The table lists the best system first; ± is one standard error,
estimated by resampling the pages.

Measures:
` + about.String() + `
A system is a method of lede (--methods), a file of predictions as written by
lede batch (--pred), or a program that is connected by pipes (--rival). The
program prints {"name","version","language"}, then reads one JSON object per
line, {"id","url","charset","html"}, and answers each with one line,
{"id","title","text","authors","date","error","parse_ms","time_ms"}. It may
add "blocks", a list of {"kind","text","items","url"} with kinds such as heading,
paragraph and picture, "lead", the URL of the lead picture, and "standfirst".`,
		Example: `  lede-lab eval corpora/daniel
  lede-lab eval corpora/* --methods blend,nce --by site --report report.html
  lede-lab eval corpora/wcxb --type article --measure all --json figures.json
  lede-lab eval pages/ --pred mine=out.jsonl --rival theirs='python3 theirs.py'
  lede-lab eval corpora/* --floors floors.json --sample`,
		RunE:              f.run,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	fl := cmd.Flags()
	fl.StringSliceVarP(&f.methods, "methods", "m", nil, "`METHODS` of lede to measure, or none (default: all but variants)")
	fl.StringSliceVar(&f.measures, "measure", nil, "`MEASURES` to print with all figures, or all (default: the main figures of all but time)")
	fl.StringVar(&f.by, "by", "", "also group the main figure by "+strings.Join(eval.Groupings(), ", "))
	fl.StringVar(&f.report, "report", "", "write the tables and the worst pages, gold beside output, to this HTML `FILE`")
	fl.StringVar(&f.json, "json", "", "write the figures of all corpora and pages to this JSON `FILE`")
	fl.StringArrayVar(&f.preds, "pred", nil, "also measure predictions: `NAME=FILE` of JSON lines; repeatable, also with the same name")
	fl.StringArrayVar(&f.rivals, "rival", nil, "also measure a program: `NAME=COMMAND`; repeatable")
	fl.StringVar(&f.pageType, "type", "", "only pages of this `TYPE`, such as article")
	fl.StringVar(&f.lang, "lang", "", "only pages in this `LANGUAGE`")
	fl.BoolVar(&f.sample, "sample", false, "only a fixed sample of a fifth of the pages")
	fl.IntVar(&f.limit, "limit", 0, "only the first `N` pages of each corpus")
	fl.IntVarP(&f.workers, "workers", "j", 0, "number of concurrent workers; use 1 to compare times (default: GOMAXPROCS)")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress, and only the number of problems")
	fl.StringVar(&f.floors, "floors", "", "compare the figures with those in this JSON `FILE`; exit 1 if one is lower by more than "+fmt.Sprint(eval.Tolerance))
	fl.BoolVar(&f.raise, "raise", false, "raise the floors to the new figures where these are higher")
	cli.Complete(cmd, "methods", cli.MethodNames()...)
	cli.Complete(cmd, "by", eval.Groupings()...)
	cli.Complete(cmd, "measure", append([]string{"all"}, measure.Names()...)...)
	return cmd
}

// check validates the flags.
func (f *evalFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no corpora: name folders of pages with known articles")
	case f.raise && f.floors == "":
		return errors.New("--raise requires --floors")
	case f.by != "" && !slices.Contains(eval.Groupings(), f.by):
		return fmt.Errorf("--by must be one of %s", strings.Join(eval.Groupings(), ", "))
	case f.limit < 0:
		return errors.New("--limit must not be negative")
	}
	return nil
}

func (f *evalFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	names := f.measures
	switch {
	case len(names) == 0:
		names = slices.DeleteFunc(measure.Names(), func(name string) bool { return name == "time" })
	case slices.Equal(names, []string{"all"}):
		names = measure.Names()
	}
	measures, err := measure.Find(names...)
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	e := &evaluation{evalFlags: f, measures: measures, out: cli.NewConsole(cmd.OutOrStdout()), err: stderr, bar: cli.NewStatus(stderr)}
	e.bar.Live = e.bar.Live && !f.quiet
	defer e.close()
	if err := e.open(args); err != nil {
		return cli.Fail(err)
	}
	if err := e.chooseSystems(); err != nil {
		return err
	}
	err = e.measure(cmd.Context())
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before all pages were measured")
	}
	return cli.Fail(err)
}

// evaluation is one run of the command.
type evaluation struct {
	*evalFlags
	measures []measure.Measure
	corpora  []*corpus.Corpus
	systems  []eval.System
	problems int
	out, err io.Writer
	bar      *cli.Status
}

func (e *evaluation) close() {
	for _, s := range e.systems {
		if p, ok := s.(*eval.PipeSystem); ok {
			p.Close()
		}
	}
}

// problem reports and counts a problem.
func (e *evaluation) problem(err error) {
	e.problems++
	if !e.quiet {
		e.bar.Clear()
		fmt.Fprintf(e.err, "lede-lab: %s\n", cli.OneLine(err))
	}
}

// open reads the gold of the corpora and keeps the pages that the flags select.
func (e *evaluation) open(dirs []string) error {
	seen := map[string]string{}
	for _, dir := range dirs {
		c, err := corpus.Open(dir, corpus.Options{Problem: func(p corpus.Problem) { e.problem(p) }})
		if err != nil {
			return err
		}
		if first, twice := seen[c.Name]; twice {
			return fmt.Errorf("%s and %s are both called %s; evaluate them separately", first, dir, c.Name)
		}
		seen[c.Name] = dir
		c = c.Only(func(g *corpus.Gold) bool {
			return (e.pageType == "" || g.Type == e.pageType) && (e.lang == "" || g.Lang == e.lang) &&
				(!e.sample || eval.InSample(c.Name, g.ID))
		})
		if e.limit > 0 {
			c.Gold = c.Gold[:min(e.limit, len(c.Gold))]
		}
		if len(c.Gold) > 0 {
			e.corpora = append(e.corpora, c)
		}
	}
	if len(e.corpora) == 0 {
		return errors.New("no page matches the flags")
	}
	return nil
}

// measure runs the systems, and prints and writes the results.
func (e *evaluation) measure(ctx context.Context) error {
	began := time.Now()
	opts := eval.Options{Workers: e.workers, Problem: e.problem}
	opts.Progress = func(done, total int) { e.bar.Step("measuring", done, total, "pages") }
	report := eval.NewReport(e.systems, e.measures[0])
	if e.report != "" {
		opts.Each = report.Add
	}
	res, err := eval.Run(ctx, e.corpora, e.systems, e.measures, opts)
	e.bar.Clear()
	if err == nil {
		err = res.Table(e.out, eval.TableOptions{By: e.by, All: len(e.evalFlags.measures) > 0})
	}
	if err == nil {
		err = e.write(e.json, func(w io.Writer) error { return res.WriteJSON(w, e.by) })
	}
	if err == nil {
		err = e.write(e.report, func(w io.Writer) error { return report.Write(w, res) })
	}
	if err != nil {
		return err
	}
	if !e.quiet {
		fmt.Fprintf(e.err, "lede-lab: %d pages, %d systems, %v\n", len(res.Rows), len(res.Systems), time.Since(began).Round(100*time.Millisecond))
	}
	if e.problems > 0 {
		fmt.Fprintf(e.err, "lede-lab: %d problems in the corpora and predictions\n", e.problems)
	}
	if e.floors != "" {
		return e.gate(res)
	}
	return nil
}

// write writes an output file, if it has a name.
func (e *evaluation) write(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	out, err := cli.OpenOut(name, e.out)
	if err != nil {
		return err
	}
	return out.Finish(write(out))
}

// gate compares a result with the floors and, with --raise, raises them.
func (e *evaluation) gate(res *eval.Result) error {
	floors, err := eval.ReadFloors(e.floors)
	if err != nil {
		return err
	}
	pins := floors.Full
	if e.sample {
		pins = floors.Sample
	}
	now := res.Pins()
	lost, compared := pins.Compare(now)
	for _, l := range lost {
		fmt.Fprintf(e.out, "%s, %s: %s fell from %.4f to %.4f\n", l.Corpus, l.System, l.Measure, l.Floor, l.Now)
	}
	if e.raise {
		raised := pins.Raise(now)
		if err := floors.Write(e.floors); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%d floors raised in %s\n", raised, e.floors)
	}
	switch {
	case len(lost) > 0:
		fmt.Fprintf(e.err, "lede-lab: %d of %d figures are more than %g below their floors\n", len(lost), compared, eval.Tolerance)
		return cli.ErrSomeFailed
	case compared == 0 && !e.raise:
		return fmt.Errorf("%s has no floor for any of these figures; add them with --raise", e.floors)
	case compared > 0:
		fmt.Fprintf(e.out, "all %d figures are at or above their floors\n", compared)
	}
	return nil
}
