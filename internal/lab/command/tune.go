package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/page/charset"
)

type tuneFlags struct {
	set      []string
	only     []string
	curves   []string
	folds    int
	seed     uint64
	rounds   int
	restarts int
	pageType string
	charset  string
	json     bool
	out      string
}

func newTune() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune METHOD CORPUS…",
		Short: "Find the best settings of a method by local search",
		Long: `Find the best settings of a method by local search over corpora: folders of
pages with known articles. The search changes the numbers for which
"lede methods METHOD" shows a range.

The goal is the F1 over bags of words, as the mean over the corpora of the mean
over their pages, so that a large corpus does not outweigh a small one.

The pages are split by site into folds. For each fold the search runs on the
others, and what it finds is compared with the present settings on the pages of
the fold. That is the gain to expect on unseen sites; it is understated if the
present settings were found on these pages. Finally the search runs on all pages
and prints the method and the settings that differ from the present ones as a line
of flags, to paste after lede extract or lede batch.`,
		Example: `  lede-lab tune nce corpora/daniel corpora/dragnet
  lede-lab tune coreex:r3 --only threshold --folds 10 --json corpora/*
  lede-lab tune twcem --curve d1,d2,d3 corpora/chinese`,
		RunE: f.run,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return tunable(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.set, "set", nil, "fix a setting of the method, as `NAME=VALUE`; repeatable")
	fl.StringSliceVar(&f.only, "only", nil, "search only for these `SETTINGS` (default: all numbers with a range)")
	fl.StringSliceVar(&f.curves, "curve", nil, "instead of searching, print the F1 for values of each of these `SETTINGS` while the others stay")
	fl.IntVar(&f.folds, "folds", 5, "number of folds for cross-validation; 1 means none")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the search")
	fl.IntVar(&f.rounds, "rounds", 0, "maximum number of rounds of one search (default: until nothing improves)")
	fl.IntVar(&f.restarts, "restarts", 1, "number of searches from random points, in addition to the one from the middle of the ranges")
	fl.StringVar(&f.pageType, "type", "article", "only pages of this `TYPE`, or of unknown type; empty for all")
	fl.StringVar(&f.charset, "charset", "utf-8", "`CHARSET` of the pages")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	fl.StringVarP(&f.out, "out", "o", "", "also write the result to this JSON `FILE`")
	return cmd
}

// tunable returns the names of the methods that can be tuned.
func tunable() (names []string) {
	for _, name := range cli.MethodNames() {
		if _, err := tune.NewTuner(name, nil, nil); err == nil {
			names = append(names, name)
		}
	}
	return names
}

func (f *tuneFlags) run(cmd *cobra.Command, args []string) error {
	tuner, err := f.check(args)
	if err != nil {
		return err
	}
	var out *cli.OutFile
	if f.out != "" { // fail before the long search, not after it
		if out, err = cli.OpenOut(f.out, cmd.OutOrStdout()); err != nil {
			return cli.Fail(err)
		}
	}
	job := &tuning{flags: f, tuner: tuner, out: cli.NewConsole(cmd.OutOrStdout()), bar: cli.NewStatus(cmd.ErrOrStderr())}
	if f.json {
		job.out = io.Discard
	}
	began := time.Now()
	res, err := job.run(cmd.Context(), args[0], args[1:])
	job.bar.Clear()
	if out != nil {
		if err == nil {
			err = res.write(out)
		}
		err = out.Finish(err)
	}
	if f.json && err == nil {
		err = res.write(cmd.OutOrStdout())
	}
	switch {
	case errors.Is(err, context.Canceled):
		return cli.Fail(errors.New("stopped before the search was done"))
	case err != nil:
		return cli.Fail(err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: searched for %v\n", time.Since(began).Round(time.Second))
	return nil
}

// check checks the arguments and returns a tuner without examples.
func (f *tuneFlags) check(args []string) (*tune.Tuner, error) {
	if len(args) == 0 {
		return nil, errors.New("no method: use one of " + strings.Join(tunable(), ", "))
	}
	only := f.only
	if len(f.curves) > 0 {
		only = f.curves
	}
	tuner, err := tune.NewTuner(args[0], f.set, only)
	switch {
	case errors.Is(err, tune.ErrNoNumbers):
		return nil, fmt.Errorf("%w; use one of %s", err, strings.Join(tunable(), ", "))
	case err != nil:
		return nil, err
	case len(args) == 1:
		return nil, errors.New("no corpora: name folders of pages with known articles")
	case len(f.curves) > 0 && len(f.only) > 0:
		return nil, errors.New("use either --only or --curve")
	case f.folds < 1:
		return nil, errors.New("--folds must be 1 or more")
	case f.rounds < 0 || f.restarts < 0:
		return nil, errors.New("--rounds and --restarts must not be negative")
	}
	return tuner, charset.Check(f.charset)
}

// tuning is one run of the command.
type tuning struct {
	flags   *tuneFlags
	corpora []*corpus.Corpus
	tuner   *tune.Tuner
	out     io.Writer
	bar     *cli.Status
}

// tuned is the result as JSON.
type tuned struct {
	Method string `json:"method"`
	// Set holds the best settings, as far as they differ from the method's.
	Set     []string           `json:"set"`
	Params  map[string]float64 `json:"params,omitempty"` // those that were searched for
	HeldOut *comparison        `json:"held_out,omitempty"`
	All     *comparison        `json:"all,omitempty"`
	Curves  []curve            `json:"curves,omitempty"`
}

// comparison compares the settings found with the present ones.
type comparison struct {
	Corpora []compared `json:"corpora"`
	Gain    tune.Gain  `json:"gain"` // mean over the corpora
}

type compared struct {
	Corpus  string      `json:"corpus"`
	Pages   int         `json:"pages"`
	Present measure.PRF `json:"present"`
	Found   measure.PRF `json:"found"`
	Gain    tune.Gain   `json:"gain"`
}

type curve struct {
	Param  string    `json:"param"`
	Values []float64 `json:"values"`
	F1     []float64 `json:"f1"`
}

func (t *tuning) run(ctx context.Context, name string, dirs []string) (*tuned, error) {
	if err := t.load(ctx, dirs); err != nil {
		return nil, err
	}
	res := &tuned{Method: name, Set: t.flags.set}
	if len(t.flags.curves) > 0 {
		return res, t.curves(ctx, res)
	}
	present, err := t.tuner.Score(ctx, t.tuner.Make(t.tuner.Present))
	if err != nil {
		return nil, err
	}
	if t.flags.folds > 1 {
		held, err := t.tuner.CrossValidate(ctx, t.flags.folds, func(k int) tune.Options {
			return t.options(fmt.Sprintf("fold %d of %d", k+1, t.flags.folds))
		})
		if err != nil {
			return nil, err
		}
		res.HeldOut = t.compare("held out", present, held)
	}
	best, err := t.tuner.SearchAll(ctx, t.options("all pages"))
	if err != nil {
		return nil, err
	}
	all, err := t.tuner.Score(ctx, t.tuner.Make(best.Values))
	if err != nil {
		return nil, err
	}
	res.All = t.compare("all pages", present, all)
	res.Params = map[string]float64{}
	for i, p := range t.tuner.Params {
		res.Params[p.Name] = best.Values[i]
	}
	changes := t.tuner.Changes(best.Values)
	res.Set = append(res.Set, changes...)
	fmt.Fprintln(t.out, res.flags())
	if len(changes) == 0 {
		fmt.Fprintln(t.out, "The present settings are the best that the search found.")
		return res, nil
	}
	if h := res.HeldOut; h != nil && h.Gain.F1 <= h.Gain.Error {
		fmt.Fprintln(t.out, "On held-out sites the gain is no larger than its error: the present settings do as well.")
	}
	return res, nil
}

// load reads the corpora and keeps their pages in memory.
func (t *tuning) load(ctx context.Context, dirs []string) error {
	for _, dir := range dirs {
		var wrong error
		c, err := corpus.Open(dir, corpus.Options{Problem: func(p corpus.Problem) {
			// Pages without a text are skipped.
			if wrong == nil && !errors.Is(p, corpus.ErrNoText) {
				wrong = p
			}
		}})
		if err = cmp.Or(wrong, err); err != nil {
			return err
		}
		t.corpora = append(t.corpora, c)
	}
	keep := func(g *corpus.Gold) bool {
		return t.flags.pageType == "" || g.Type == "" || g.Type == t.flags.pageType
	}
	var err error
	t.tuner.Examples, err = tune.Load(ctx, t.corpora, keep, dom.Options{Charset: t.flags.charset}, func(done, total int) {
		t.bar.Step("reading", done, total, "pages")
	})
	return err
}

func (t *tuning) options(what string) tune.Options {
	return tune.Options{
		Seed: t.flags.seed, Restarts: t.flags.restarts, Rounds: t.flags.rounds,
		Progress: func(p tune.Progress) {
			search := fmt.Sprintf("%s, search %d of %d", what, p.Start+1, t.flags.restarts+1)
			t.bar.Step(search, p.Evaluations, 0, "evaluations", fmt.Sprintf("round %d", p.Round), fmt.Sprintf("best %.4f", p.Best))
		},
	}
}

// compare prints the figures of each corpus and the gain.
func (t *tuning) compare(what string, present, found []measure.PRF) *comparison {
	t.bar.Clear()
	fmt.Fprintf(t.out, "%-20s %6s %7s %7s %7s %8s  %s\n", what, "pages", "P", "R", "F1", "present", "gain")
	c := &comparison{}
	var gains []tune.Gain
	var was, now float64
	for i, name := range t.corpora {
		var a, b []measure.PRF
		for k, x := range t.tuner.Examples {
			if x.Corpus == i {
				a, b = append(a, present[k]), append(b, found[k])
			}
		}
		r := compared{name.Name, len(a), measure.Mean(a), measure.Mean(b), t.tuner.GainOf(i, present, found)}
		c.Corpora, gains = append(c.Corpora, r), append(gains, r.Gain)
		was, now = was+r.Present.F1, now+r.Found.F1
		fmt.Fprintf(t.out, "%-20s %6d %7.4f %7.4f %7.4f %8.4f  %s\n", r.Corpus, r.Pages, r.Found.P, r.Found.R, r.Found.F1, r.Present.F1, gainText(r.Gain))
	}
	c.Gain = tune.MeanGain(gains)
	if n := float64(len(t.corpora)); n > 1 {
		fmt.Fprintf(t.out, "%-20s %6s %7s %7s %7.4f %8.4f  %s\n", "mean of corpora", "", "", "", now/n, was/n, gainText(c.Gain))
	}
	fmt.Fprintln(t.out)
	return c
}

func gainText(g tune.Gain) string { return fmt.Sprintf("%+.4f ± %.4f", g.F1, g.Error) }

// curves computes and prints the F1 by the values of single settings.
func (t *tuning) curves(ctx context.Context, res *tuned) error {
	for i, p := range t.tuner.Params {
		t.bar.Step("curve of "+p.Name, i, len(t.tuner.Params), "settings")
		values := p.Values()
		f1, err := t.tuner.Curve(ctx, p.Name, values)
		if err != nil {
			return err
		}
		t.bar.Clear()
		fmt.Fprintf(t.out, "%-10s %7s\n", p.Name, "F1")
		for k, x := range values {
			mark := ""
			if x == t.tuner.Present[i] {
				mark = "  present"
			}
			fmt.Fprintf(t.out, "%-10g %7.4f%s\n", x, f1[k], mark)
		}
		fmt.Fprintln(t.out)
		res.Curves = append(res.Curves, curve{p.Name, values, f1})
	}
	return nil
}

// flags returns the flags that choose the method with the settings found, for lede
// extract and lede batch.
func (r *tuned) flags() string {
	return strings.Join(append([]string{"--method " + r.Method}, r.Set...), " --set ")
}

func (r *tuned) write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
