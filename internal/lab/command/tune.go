package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
)

type tuneFlags struct {
	set, only               []string
	folds, rounds, restarts int
	seed                    uint64
	json                    bool
}

func newTune() *cobra.Command {
	var f tuneFlags
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
  lede-lab tune coreex:r3 --only threshold --folds 10 --json corpora/*`,
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.set, "set", nil, "fix a setting of the method, as `NAME=VALUE`; repeatable")
	fl.StringSliceVar(&f.only, "only", nil, "search only for these `SETTINGS` (default: all numbers with a range)")
	fl.IntVar(&f.folds, "folds", 5, "number of folds for cross-validation; 1 means none")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the search")
	fl.IntVar(&f.rounds, "rounds", 0, "maximum number of rounds of one search (default: until nothing improves)")
	fl.IntVar(&f.restarts, "restarts", 1, "number of searches from random points, in addition to the one from the middle of the ranges")
	fl.BoolVar(&f.json, "json", false, "print JSON")
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
	if len(args) == 0 {
		return errors.New("no method: use one of " + strings.Join(tunable(), ", "))
	}
	tuner, err := tune.NewTuner(args[0], f.set, f.only)
	switch {
	case errors.Is(err, tune.ErrNoNumbers):
		return fmt.Errorf("%w; use one of %s", err, strings.Join(tunable(), ", "))
	case err != nil:
		return err
	case len(args) == 1:
		return errors.New("no corpora: name folders of pages with known articles")
	case f.folds < 1:
		return errors.New("--folds must be 1 or more")
	}
	job := &tuning{flags: f, tuner: tuner, out: cli.NewConsole(cmd.OutOrStdout()), bar: cli.NewStatus(cmd.ErrOrStderr())}
	if f.json {
		job.out = io.Discard
	}
	res, err := job.run(cmd.Context(), args[0], args[1:])
	job.bar.Clear()
	if f.json && err == nil {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		err = enc.Encode(res)
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before the search was done")
	}
	return cli.Fail(err)
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

func (t *tuning) run(ctx context.Context, name string, dirs []string) (*tuned, error) {
	if err := t.load(ctx, dirs); err != nil {
		return nil, err
	}
	res := &tuned{Method: name, Set: t.flags.set}
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
	fmt.Fprintln(t.out, strings.Join(append([]string{"--method " + name}, res.Set...), " --set "))
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
	keep := func(g *corpus.Gold) bool { return g.Type == "" || g.Type == "article" }
	var err error
	t.tuner.Examples, err = tune.Load(ctx, t.corpora, keep, dom.Options{Charset: "utf-8"}, func(done, total int) {
		t.bar.Step("reading", done, total, "pages")
	})
	return err
}

func (t *tuning) options(what string) tune.Options {
	return tune.Options{
		Seed: t.flags.seed, Restarts: t.flags.restarts, Rounds: t.flags.rounds,
		Progress: func(evaluations int, best float64) {
			t.bar.Step(what, evaluations, 0, "evaluations", fmt.Sprintf("best %.4f", best))
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
