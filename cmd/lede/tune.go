package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/charset"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/learn"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/internal/param"
	"github.com/lede-news/lede/method"
)

type tuneFlags struct {
	folds    int
	seed     uint64
	rounds   int
	restarts int
	pageType string
	charset  string
	out      string
}

func newTune() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune METHOD CORPUS…",
		Short: "Find the parameters of a method by local search",
		Long: `Find the parameters of a method by local search over corpora: folders with
gold.jsonl and pages/. METHOD is nce.

The goal is the F1 over bags of words, as the mean over the corpora of the mean
over their pages, so that a large corpus does not outweigh a small one.

The pages are split by site into folds. For each fold the search runs on the
others and is tested on it, which shows how well the method does on unseen
sites. Finally the search runs on all pages; the result is printed as the Go code
of the method's Default().`,
		Example: `  lede tune nce corpora/daniel corpora/dragnet
  lede tune nce --folds 10 --restarts 4 --out params.json corpora/*`,
		RunE: f.run,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return []string{"nce"}, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&f.folds, "folds", 5, "number of folds for cross-validation; 1 means none")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the search")
	fl.IntVar(&f.rounds, "rounds", 0, "maximum number of rounds of one search (default: until nothing improves)")
	fl.IntVar(&f.restarts, "restarts", 1, "number of searches from random points, in addition to the one from a simple guess")
	fl.StringVar(&f.pageType, "type", "article", "only pages of this `TYPE`, or of unknown type; empty for all")
	fl.StringVar(&f.charset, "charset", "utf-8", "`CHARSET` of the pages")
	fl.StringVarP(&f.out, "out", "o", "", "also write the result to this JSON `FILE`")
	return cmd
}

func (f *tuneFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	var out *outFile
	if f.out != "" { // fail before the long search, not after it
		var err error
		if out, err = openOut(f.out, cmd.OutOrStdout()); err != nil {
			return failure{err}
		}
	}
	job := &tuning{flags: f, out: cmd.OutOrStdout(), bar: newStatus(cmd.ErrOrStderr())}
	began := time.Now()
	res, err := job.run(cmd.Context(), args[1:])
	job.bar.clear()
	if out != nil {
		err = res.write(out, err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return failure{errors.New("stopped before the search was done")}
	case err != nil:
		return failure{err}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede: searched for %v\n", time.Since(began).Round(time.Second))
	return nil
}

func (f *tuneFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no method: use nce")
	case args[0] != "nce":
		return fmt.Errorf("method %q cannot be tuned; use nce", args[0])
	case len(args) == 1:
		return errors.New("no corpora: name folders with gold.jsonl and pages/")
	case f.folds < 1:
		return errors.New("--folds must be 1 or more")
	case f.rounds < 0 || f.restarts < 0:
		return errors.New("--rounds and --restarts must not be negative")
	}
	return charset.Check(f.charset)
}

// nceParams are the ranges to search. Most pages have no comments, so an unbounded
// search turns Phase 2 off. The ranges keep it to what comments look like: a date
// has three words, two lines with the names of two users are four fifths alike,
// and a comment of a few paragraphs has fifteen nodes. Likewise for Phase 3: titles
// have ten words and more.
var nceParams = []learn.Param{
	{Name: "a1", Min: 50, Max: 2000, Grid: 10, Step: 400},
	{Name: "a2", Min: 10, Max: 1000, Grid: 10, Step: 160},
	{Name: "a3", Min: 10, Max: 300, Grid: 5, Step: 40},
	{Name: "a5", Min: 1, Max: 3, Grid: 1},
	{Name: "a6", Min: 8, Max: 25, Grid: 1, Step: 4},
	{Name: "a7", Min: 15, Max: 200, Grid: 1, Step: 32},
	{Name: "a8", Min: 1, Max: 5, Grid: 1},
	{Name: "a9", Min: 10, Max: 30, Grid: 1, Step: 4},
	{Name: "b1", Min: 0, Max: 1, Grid: 0.02, Step: 0.16},
	{Name: "b2", Min: 0.5, Max: 0.8, Grid: 0.02, Step: 0.08},
	{Name: "b3", Min: 0.3, Max: 0.9, Grid: 0.02, Step: 0.16},
	{Name: "b4", Min: 0, Max: 1, Grid: 0.02, Step: 0.16},
}

// nceStart is where the search begins: a simple guess, not the defaults, which
// were tuned on all the pages and would spoil the cross-validation.
var nceStart = []float64{400, 100, 80, 3, 15, 40, 3, 20, 0.4, 0.7, 0.5, 0.4}

// nceConfig returns the configuration with the values of a search.
func nceConfig(values []float64) nce.Config {
	c := nce.Default()
	for i, p := range nceParams {
		if err := param.Set(&c, p.Name, strconv.FormatFloat(values[i], 'f', -1, 64)); err != nil {
			panic(err) // nceParams is wrong
		}
	}
	return c
}

// goCode returns a Config as Go code.
func goCode(config nce.Config) string {
	var b strings.Builder
	v := reflect.ValueOf(config)
	b.WriteString("return Config{\n")
	for i := range v.NumField() {
		fmt.Fprintf(&b, "\t%s: %v,\n", v.Type().Field(i).Name, v.Field(i))
	}
	b.WriteString("}\n")
	return b.String()
}

// tuning is one run of the command.
type tuning struct {
	flags   *tuneFlags
	corpora []*corpus.Corpus
	tuner   learn.Tuner
	out     io.Writer
	bar     *status
}

// tuned is the content of the file of --out.
type tuned struct {
	Method  string             `json:"method"`
	Params  map[string]float64 `json:"params"`
	HeldOut []tunedScore       `json:"held_out,omitempty"`
	All     []tunedScore       `json:"all"`
}

type tunedScore struct {
	Corpus string `json:"corpus"`
	Pages  int    `json:"pages"`
	measure.PRF
}

func (t *tuning) run(ctx context.Context, dirs []string) (*tuned, error) {
	if err := t.load(ctx, dirs); err != nil {
		return nil, err
	}
	res := &tuned{Method: "nce", Params: map[string]float64{}}
	if t.flags.folds > 1 {
		held, err := t.tuner.CrossValidate(ctx, t.flags.folds, func(k int) learn.Options {
			return t.options(fmt.Sprintf("fold %d of %d", k+1, t.flags.folds))
		})
		if err != nil {
			return nil, err
		}
		res.HeldOut = t.table("held out", held)
	}
	found, err := t.tuner.Search(ctx, func(*learn.Example) bool { return true }, t.options("all pages"))
	if err != nil {
		return nil, err
	}
	config := nceConfig(found.Values)
	all, err := t.tuner.Score(ctx, nce.New(config))
	if err != nil {
		return nil, err
	}
	res.All = t.table("all pages", all)
	fmt.Fprintln(t.out, goCode(config))
	for i, p := range nceParams {
		res.Params[p.Name] = found.Values[i]
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
	examples, err := learn.Load(ctx, t.corpora, keep, dom.Options{Charset: t.flags.charset}, func(done, total int) {
		t.bar.say("%d of %d pages read", done, total)
	})
	if err != nil {
		return err
	}
	t.tuner = learn.Tuner{
		Params: nceParams, Start: nceStart, Examples: examples,
		Make: func(x []float64) method.Method { return nce.New(nceConfig(x)) },
	}
	return nil
}

func (t *tuning) options(what string) learn.Options {
	return learn.Options{
		Seed: t.flags.seed, Restarts: t.flags.restarts, Rounds: t.flags.rounds,
		Progress: func(p learn.Progress) {
			t.bar.say("%s, search %d of %d, round %d: %d evaluations, best %.4f",
				what, p.Start+1, t.flags.restarts+1, p.Round, p.Evaluations, p.Best)
		},
	}
}

// table prints the means of each corpus.
func (t *tuning) table(what string, scores []measure.PRF) (means []tunedScore) {
	t.bar.clear()
	fmt.Fprintf(t.out, "%-20s %6s %7s %7s %7s\n", what, "pages", "P", "R", "F1")
	for i, c := range t.corpora {
		var of []measure.PRF
		for k, x := range t.tuner.Examples {
			if x.Corpus == i {
				of = append(of, scores[k])
			}
		}
		m := measure.Mean(of)
		means = append(means, tunedScore{c.Name, len(of), m})
		fmt.Fprintf(t.out, "%-20s %6d %7.4f %7.4f %7.4f\n", c.Name, len(of), m.P, m.R, m.F1)
	}
	fmt.Fprintln(t.out)
	return means
}

// write writes the file, or removes it if there was an error.
func (r *tuned) write(out *outFile, err error) error {
	if err == nil {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		err = enc.Encode(r)
	}
	return out.finish(err)
}
