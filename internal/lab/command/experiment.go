package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/experiments"
)

func newExperiment() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Run the experiments of a paper",
		Example: `  lede-lab experiment coreex corpora/l3s-gn1
  lede-lab experiment wrapper --table 2`,
	}
	for _, p := range experiments.All() {
		cmd.AddCommand(newPaper(p))
	}
	return cmd
}

type experimentFlags struct {
	cli.ChromiumFlags
	tables []string
	in     experiments.Input
}

func newPaper(p experiments.Paper) *cobra.Command {
	var f experimentFlags
	var list strings.Builder
	for _, e := range p.Experiments {
		fmt.Fprintf(&list, "  %-10s %s\n", e.ID, e.About)
	}
	cmd := &cobra.Command{
		Use:   p.Method + " [CORPUS…]",
		Short: "Run the experiments of the paper on " + p.Name,
		Long: fmt.Sprintf(`Run the experiments of a paper and print the published figures beside ours:
%s.

A CORPUS is a folder of pages with known articles. Without any, the pages are
synthetic.

Experiments:
%s`, p.Title, list.String()),
		Example: fmt.Sprintf(`  lede-lab experiment %s corpora/daniel corpora/l3s-gn1
  lede-lab experiment %s --table %s`, p.Method, p.Method, p.IDs()[0]),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, &p, args) },
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	if p.Method == "wrapper" {
		f.ChromiumFlags.Add(cmd, "")
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.tables, "table", nil, "only these `EXPERIMENTS` (default: all)")
	fl.IntVar(&f.in.Limit, "limit", 0, "only `N` pages of each corpus or synthetic site (default: all, or as many as the paper has)")
	fl.Uint64Var(&f.in.Seed, "seed", 1, "random seed")
	cli.Complete(cmd, "table", p.IDs()...)
	return cmd
}

func (f *experimentFlags) run(cmd *cobra.Command, p *experiments.Paper, corpora []string) error {
	for _, id := range f.tables {
		if !slices.Contains(p.IDs(), id) {
			return fmt.Errorf("no such experiment: %s; available: %s", id, strings.Join(p.IDs(), ", "))
		}
	}
	web := f.Chromium(cmd.ErrOrStderr(), 0, false, nil)
	defer web.Close()
	bar := cli.NewStatus(cmd.ErrOrStderr())
	f.in.Corpora, f.in.Progress = corpora, bar.Steps()
	if f.Browser {
		f.in.Layout = layouter(&f.ChromiumFlags, web)
	}
	tables, err := p.Run(cmd.Context(), &f.in, f.tables)
	bar.Clear()
	if err != nil {
		return cli.Fail(err)
	}
	var texts []string
	for _, t := range tables {
		texts = append(texts, t.String())
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), strings.Join(texts, "\n"))
	return cli.Fail(err)
}
