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
		Short: "Run the experiments of a paper, or measure the rules of the default method",
		Example: `  lede-lab experiment coreex corpora/l3s-gn1
  lede-lab experiment wrapper --table 2`,
	}
	for _, p := range experiments.All() {
		cmd.AddCommand(newPaper(p))
	}
	cmd.AddCommand(newRules())
	return cmd
}

type experimentFlags struct {
	tables []string
	in     experiments.Input
}

func newPaper(p experiments.Paper) *cobra.Command {
	var f experimentFlags
	var list strings.Builder
	for _, e := range p.Experiments {
		fmt.Fprintf(&list, "  %-10s %s\n", e.ID, e.About)
	}
	use, pages := p.Method+" [CORPUS…]", "A CORPUS is a folder of pages with known articles. Without any, the pages are\nsynthetic."
	example := fmt.Sprintf("  lede-lab experiment %s corpora/daniel corpora/l3s-gn1\n", p.Method)
	args := cobra.ArbitraryArgs
	if p.Synthetic {
		use, pages, example, args = p.Method, "The pages are synthetic.", "", cli.Arguments(0, 0, "")
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: "Run the experiments of the paper on " + p.Name,
		Long: fmt.Sprintf(`Run the experiments of a paper and print the published figures beside ours:
%s.

%s

Experiments:
%s`, p.Title, pages, list.String()),
		Example:           example + fmt.Sprintf("  lede-lab experiment %s --table %s", p.Method, p.IDs()[0]),
		Args:              args,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, &p, args) },
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
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
	bar := cli.NewStatus(cmd.ErrOrStderr())
	f.in.Corpora, f.in.Progress = corpora, bar.Steps()
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
