package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// evaluation is one run of the command.
type evaluation struct {
	methods, measures []string
	report, json      string
	preds, rivals     []string
	pageType          string
	sample            bool
	limit, workers    int
	quiet, raise      bool
	floors            string

	corpora  []*corpus.Corpus
	systems  []eval.System
	problems int
	out, err io.Writer
	bar      *cli.Status
}

func newEval() *cobra.Command {
	var e evaluation
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
{"id","title","text","authors","date","error","parse_ms","time_ms"}.`,
		Example: `  lede-lab eval corpora/daniel
  lede-lab eval corpora/* --methods blend,nce --report report.html
  lede-lab eval corpora/wcxb --type article --measure all --json figures.json
  lede-lab eval pages/ --pred mine=out.jsonl --rival theirs='python3 theirs.py'
  lede-lab eval corpora/* --floors floors.json --sample`,
		Args:              cli.SomeArguments("no corpora: name folders of pages with known articles"),
		RunE:              e.run,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	fl := cmd.Flags()
	fl.StringSliceVarP(&e.methods, "methods", "m", nil, "`METHODS` of lede to measure, or none (default: all but variants)")
	fl.StringSliceVar(&e.measures, "measure", nil, "`MEASURES` to print with all figures, or all (default: the main figures of all but time and confidence)")
	fl.StringVar(&e.report, "report", "", "write the tables and the worst pages, gold beside output, to this HTML `FILE`")
	fl.StringVar(&e.json, "json", "", "write the figures of all corpora to this JSON `FILE`")
	fl.StringArrayVar(&e.preds, "pred", nil, "also measure predictions: `NAME=FILE` of JSON lines; repeatable")
	fl.StringArrayVar(&e.rivals, "rival", nil, "also measure a program: `NAME=COMMAND`; repeatable")
	fl.StringVar(&e.pageType, "type", "", "only pages of this `TYPE`, such as article")
	fl.BoolVar(&e.sample, "sample", false, "only a fixed sample of a fifth of the pages")
	fl.IntVar(&e.limit, "limit", 0, "only the first `N` pages of each corpus")
	fl.IntVarP(&e.workers, "workers", "j", 0, "number of concurrent workers; use 1 to compare times (default: GOMAXPROCS)")
	fl.BoolVarP(&e.quiet, "quiet", "q", false, "print no progress, and only the number of problems")
	fl.StringVar(&e.floors, "floors", "", "compare the figures with those in this JSON `FILE`; exit 1 if one is lower by more than "+fmt.Sprint(eval.Tolerance))
	fl.BoolVar(&e.raise, "raise", false, "raise the floors to the new figures where these are higher")
	cli.Complete(cmd, "methods", cli.MethodNames()...)
	cli.Complete(cmd, "measure", append([]string{"all"}, measure.Names()...)...)
	return cmd
}

func (e *evaluation) run(cmd *cobra.Command, args []string) error {
	if e.raise && e.floors == "" {
		return errors.New("--raise requires --floors")
	}
	names := e.measures
	switch {
	case len(names) == 0:
		names = slices.DeleteFunc(measure.Names(), func(name string) bool { return name == "time" || name == "confidence" })
	case slices.Equal(names, []string{"all"}):
		names = measure.Names()
	}
	measures, err := measure.Find(names...)
	if err != nil {
		return err
	}
	e.out, e.err, e.bar = cli.NewConsole(cmd.OutOrStdout()), cmd.ErrOrStderr(), cli.NewStatus(cmd.ErrOrStderr())
	e.bar.Live = e.bar.Live && !e.quiet
	defer e.close()
	if err := e.open(args); err != nil {
		return cli.Fail(err)
	}
	if err := e.chooseSystems(); err != nil {
		return err
	}
	err = e.measure(cmd.Context(), measures)
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before all pages were measured")
	}
	return cli.Fail(err)
}

func (e *evaluation) close() {
	for _, s := range e.systems {
		if p, ok := s.(*eval.PipeSystem); ok {
			p.Close()
		}
	}
}

// note prints and counts problems.
func (e *evaluation) note(problems ...error) {
	for _, err := range problems {
		e.problems++
		if !e.quiet {
			e.bar.Clear()
			fmt.Fprintf(e.err, "lede-lab: %s\n", cli.OneLine(err))
		}
	}
}

// open reads the gold of the corpora and keeps the pages that the flags select.
func (e *evaluation) open(dirs []string) error {
	seen := map[string]string{}
	for _, dir := range dirs {
		c, err := corpus.Open(dir)
		if err != nil {
			return err
		}
		if first, twice := seen[c.Name]; twice {
			return fmt.Errorf("%s and %s are both called %s; evaluate them separately", first, dir, c.Name)
		}
		seen[c.Name] = dir
		c.Gold = slices.DeleteFunc(c.Gold, func(g corpus.Gold) bool {
			return e.pageType != "" && g.Type != e.pageType || e.sample && !eval.InSample(c.Name, g.ID)
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

// chooseSystems sets up the systems: methods, predictions, programs.
func (e *evaluation) chooseSystems() error {
	names := e.methods
	switch {
	case len(names) == 0:
		names = slices.DeleteFunc(cli.MethodNames(), func(name string) bool { return strings.Contains(name, ":") })
	case slices.Equal(names, []string{"none"}):
		names = nil
	}
	for _, name := range names {
		x, err := lede.New(lede.WithMethod(name), lede.WithReasons(false))
		if err != nil {
			return err
		}
		e.systems = append(e.systems, eval.Method(name, func(ctx context.Context, in *eval.Input) (*article.Article, string, error) {
			found, err := x.ExplainDocument(ctx, in.Doc, lede.WithURL(in.URL))
			if err != nil {
				return nil, "", err
			}
			return found.Article, found.MethodTitle(), nil
		}))
	}
	if err := errors.Join(e.addPredictions(), e.addRivals()); err != nil {
		return cli.Fail(err)
	}
	seen := map[string]bool{}
	for _, s := range e.systems {
		if seen[s.Name()] {
			return fmt.Errorf("two systems are called %s; rename one", s.Name())
		}
		seen[s.Name()] = true
	}
	if len(e.systems) == 0 {
		return errors.New("nothing to measure: use --methods, --pred or --rival")
	}
	return nil
}

func (e *evaluation) addPredictions() error {
	for _, s := range e.preds {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--pred %s: not of the form NAME=FILE", s)
		}
		p, problems, err := eval.ReadPredictions(name, file, e.corpora)
		if err != nil {
			return err
		}
		e.note(problems...)
		e.systems = append(e.systems, p)
	}
	return nil
}

func (e *evaluation) addRivals() error {
	for _, s := range e.rivals {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--rival %s: not of the form NAME=COMMAND", s)
		}
		p, err := eval.Pipe(name, strings.Fields(command), 30*time.Second)
		if err != nil {
			return err
		}
		e.systems = append(e.systems, p)
	}
	return nil
}

// measure runs the systems, and prints and writes the results.
func (e *evaluation) measure(ctx context.Context, measures []measure.Measure) error {
	began := time.Now()
	opts := eval.Options{Workers: e.workers, Problem: func(err error) { e.note(err) }}
	opts.Progress = func(done, total int) { e.bar.Step("measuring", done, total, "pages") }
	report := eval.NewReport(e.systems, measures[0])
	if e.report != "" {
		opts.Each = report.Add
	}
	res, err := eval.Run(ctx, e.corpora, e.systems, measures, opts)
	e.bar.Clear()
	if err == nil {
		_, err = fmt.Fprint(e.out, res.Table(len(e.measures) > 0))
	}
	if err == nil && e.json != "" {
		err = writeFile(e.json, res.WriteJSON)
	}
	if err == nil && e.report != "" {
		err = writeFile(e.report, func(w io.Writer) error { return report.Write(w, res) })
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

func writeFile(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
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
		fmt.Fprintf(e.out, "%s fell from %.4f to %.4f\n", l, pins[l], now[l])
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
