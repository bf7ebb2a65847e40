package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/learn/visual"
	"github.com/lede-news/lede/internal/wrapper"
)

type wrapperExperiment struct {
	chromiumFlags
	tables  []int
	pages   int
	testing int
	model   string
	json    string
	seed    uint64
}

func newExperimentWrapper() *cobra.Command {
	var f wrapperExperiment
	cmd := &cobra.Command{
		Use:   "wrapper [CORPUS…]",
		Short: "Run the experiments of the visual wrapper's paper",
		Long: `Run the experiments of the visual wrapper's paper and print the published
figures beside ours.

Table 2: wrappers trained on 10, 20 and 40 pages of each of twelve made-up
sites, tested on other pages of all of them. Tables 3 and 4: spatial features,
content features, and both. Table 5: the shipped wrapper, or --model, on real
pages; it needs corpora, whose pages lack their style sheets.`,
		Example: `  lede experiment wrapper --table 2
  lede experiment wrapper --table 3,4 --browser
  lede experiment wrapper --table 5 corpora/fundus-publishers corpora/l3s-gn1`,
		RunE: f.run,
	}
	f.chromiumFlags.add(cmd)
	fl := cmd.Flags()
	fl.IntSliceVar(&f.tables, "table", nil, "`TABLES` of the paper: 2, 3, 4, 5 (default: 2 to 4, and 5 if there are corpora)")
	fl.IntVar(&f.pages, "pages", 0, "labelled pages of each site (default: the paper's 40)")
	fl.IntVar(&f.testing, "testing", 0, "test pages of each site (default: the paper's 40)")
	fl.StringVar(&f.model, "model", "", "model `FILE` for table 5 (default: the shipped model)")
	fl.StringVar(&f.json, "json", "", "also write the tables to this JSON `FILE`")
	fl.Uint64Var(&f.seed, "seed", 1, "random seed")
	return cmd
}

func (f *wrapperExperiment) run(cmd *cobra.Command, args []string) error {
	if len(f.tables) == 0 {
		f.tables = []int{2, 3}
		if len(args) > 0 {
			f.tables = append(f.tables, 5)
		}
	}
	for _, t := range f.tables {
		if t < 2 || t > 5 {
			return fmt.Errorf("--table must be 2, 3, 4 or 5, not %d", t)
		}
		if t == 5 && len(args) == 0 {
			return errors.New("table 5 needs corpora: name folders of pages with known articles")
		}
	}
	web := f.chromium(cmd.ErrOrStderr(), 0, false, nil)
	defer web.close()
	bar := newStatus(cmd.ErrOrStderr())
	tables, err := f.tablesOf(cmd.Context(), args, web, func(step string, done, total int) { bar.say("%s: %d of %d", step, done, total) })
	bar.clear()
	if err != nil {
		return failure{err}
	}
	for _, t := range tables {
		if err := t.Write(cmd.OutOrStdout()); err != nil {
			return failure{err}
		}
		fmt.Fprintln(cmd.OutOrStdout())
	}
	if f.json == "" {
		return nil
	}
	data, err := json.MarshalIndent(tables, "", " ")
	if err == nil {
		err = os.WriteFile(f.json, append(data, '\n'), 0o666)
	}
	return fail(err)
}

func (f *wrapperExperiment) tablesOf(ctx context.Context, dirs []string, web *chromium, progress visual.Progress) ([]*visual.Table, error) {
	setup := visual.Setup{
		Train: visual.Options{Config: wrapper.Default(), Seed: f.seed}, Layout: f.layouter(web),
		Labelled: f.pages, Testing: f.testing, Seed: f.seed, Progress: progress,
	}
	var tables []*visual.Table
	if slices.Contains(f.tables, 2) {
		t, err := visual.Table2(ctx, setup)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	if slices.Contains(f.tables, 3) || slices.Contains(f.tables, 4) {
		titles, bodies, err := visual.Tables34(ctx, setup)
		if err != nil {
			return nil, err
		}
		tables = append(tables, titles, bodies)
	}
	if slices.Contains(f.tables, 5) {
		t, err := f.table5(ctx, dirs, setup.Layout, progress)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

func (f *wrapperExperiment) table5(ctx context.Context, dirs []string, lay visual.LayoutFunc, progress visual.Progress) (*visual.Table, error) {
	c := wrapper.Default()
	if f.model != "" {
		var err error
		if c.Model, err = readModel(f.model); err != nil {
			return nil, err
		}
	}
	var sets []visual.Set
	for _, dir := range dirs {
		all, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return nil, err
		}
		begin := time.Now()
		pages, err := visual.Load(ctx, all, func(g *corpus.Gold) bool { return g.Type == "" || g.Type == "article" }, lay, progress)
		if err != nil {
			return nil, err
		}
		sets = append(sets, visual.Set{Name: all.Name, Pages: pages, LoadTime: time.Since(begin)})
	}
	return visual.Table5(ctx, wrapper.New(c), sets, progress)
}
