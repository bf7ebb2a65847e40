package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
)

// tuning is one run of the command.
type tuning struct {
	set   []string
	folds int

	corpora []*corpus.Corpus
	tuner   *tune.Tuner
	out     io.Writer
	bar     *cli.Status
}

func newTune() *cobra.Command {
	var t tuning
	cmd := &cobra.Command{
		Use:   "tune METHOD CORPUS…",
		Short: "Find the best settings of a method by local search",
		Long: `Find the best settings of a method by local search over corpora: folders of
pages with known articles. The search changes the numbers for which
"lede methods METHOD" shows a range. The goal is the F1 over bags of words, as the
mean over the corpora of the mean over their pages.

The pages are split by site into folds. For each fold the search runs on the
others, and what it finds is compared with the present settings on the pages of
the fold: the gain to expect on unseen sites. Finally the search runs on all pages
and prints the method and the settings that differ from the present ones as a line
of flags, to paste after lede extract or lede batch.`,
		Example: `  lede-lab tune nce corpora/daniel corpora/dragnet
  lede-lab tune twcem --set d2=1 --folds 10 corpora/*`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.check(args); err != nil {
				return err
			}
			t.out, t.bar = cli.NewConsole(cmd.OutOrStdout()), cli.NewStatus(cmd.ErrOrStderr())
			err := t.run(cmd.Context(), args[0], args[1:])
			t.bar.Clear()
			if errors.Is(err, context.Canceled) {
				err = errors.New("stopped before the search was done")
			}
			return cli.Fail(err)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&t.set, "set", nil, "fix a setting of the method, as `NAME=VALUE`; repeatable")
	fl.IntVar(&t.folds, "folds", 5, "number of folds for cross-validation; 1 means none")
	return cmd
}

// tunable returns the names of the methods that can be tuned.
func tunable() (names []string) {
	for _, name := range cli.MethodNames() {
		if _, err := tune.NewTuner(name, nil); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// check validates the flags and arguments.
func (t *tuning) check(args []string) (err error) {
	if len(args) == 0 {
		return errors.New("no method: use one of " + strings.Join(tunable(), ", "))
	}
	t.tuner, err = tune.NewTuner(args[0], t.set)
	switch {
	case errors.Is(err, tune.ErrNoNumbers):
		return fmt.Errorf("%w; use one of %s", err, strings.Join(tunable(), ", "))
	case err != nil:
		return err
	case len(args) == 1:
		return errors.New("no corpora: name folders of pages with known articles")
	case t.folds < 1:
		return errors.New("--folds must be 1 or more")
	}
	return nil
}

func (t *tuning) run(ctx context.Context, name string, dirs []string) error {
	if err := t.load(ctx, dirs); err != nil {
		return err
	}
	present := tune.ScoreAll(ctx, t.tuner.Examples, t.tuner.Make(t.tuner.Present))
	isClear := true
	if t.folds > 1 {
		held, err := t.tuner.CrossValidate(ctx, t.folds)
		if err != nil {
			return err
		}
		isClear = t.compare("held out", present, held)
	}
	best, err := t.tuner.Search(ctx)
	if err != nil {
		return err
	}
	t.compare("all pages", present, tune.ScoreAll(ctx, t.tuner.Examples, t.tuner.Make(best)))
	changes := t.tuner.Changes(best)
	fmt.Fprintln(t.out, strings.Join(slices.Concat([]string{"--method " + name}, t.set, changes), " --set "))
	switch {
	case len(changes) == 0:
		fmt.Fprintln(t.out, "The present settings are the best that the search found.")
	case !isClear:
		fmt.Fprintln(t.out, "On held-out sites the gain is no larger than its error: the present settings do as well.")
	}
	return nil
}

// load reads the corpora and keeps their pages in memory.
func (t *tuning) load(ctx context.Context, dirs []string) (err error) {
	for _, dir := range dirs {
		c, err := corpus.Open(dir)
		if err != nil {
			return err
		}
		t.corpora = append(t.corpora, c)
	}
	evaluations, best := 0, 0.0
	t.tuner.Progress = func(score float64) {
		evaluations, best = evaluations+1, max(best, score)
		t.bar.Step("searching", evaluations, 0, "evaluations", fmt.Sprintf("best %.4f", best))
	}
	t.tuner.Examples, err = tune.Load(ctx, t.corpora, 0, func(done, total int) { t.bar.Step("reading", done, total, "pages") })
	return err
}

// compare prints the figures of each corpus and the gain, and reports whether the mean
// gain is larger than its error.
func (t *tuning) compare(what string, present, found []tune.Score) (isClear bool) {
	t.bar.Clear()
	fmt.Fprintf(t.out, "%-20s %6s %7s %7s %7s %8s  %s\n", what, "pages", "P", "R", "F1", "present", "gain")
	var was, now, gain, variance float64 // means over corpora, which count the same
	n := float64(len(t.corpora))
	for i, c := range t.corpora {
		var before, after []measure.PRF
		for k, x := range t.tuner.Examples {
			if x.Corpus == i {
				before, after = append(before, present[k].PRF), append(after, found[k].PRF)
			}
		}
		a, b := measure.Mean(before), measure.Mean(after)
		d, e := t.tuner.Gain(i, present, found)
		was, now, gain, variance = was+a.F1/n, now+b.F1/n, gain+d/n, variance+e*e/(n*n)
		fmt.Fprintf(t.out, "%-20s %6d %7.4f %7.4f %7.4f %8.4f  %+.4f ± %.4f\n", c.Name, len(after), b.P, b.R, b.F1, a.F1, d, e)
	}
	if n > 1 {
		fmt.Fprintf(t.out, "%-20s %6s %7s %7s %7.4f %8.4f  %+.4f ± %.4f\n", "mean of corpora", "", "", "", now, was, gain, math.Sqrt(variance))
	}
	fmt.Fprintln(t.out)
	return gain > math.Sqrt(variance)
}
