package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
		if len(p.Experiments) > 0 {
			cmd.AddCommand(newPaper(p))
		}
	}
	return cmd
}

type experimentFlags struct {
	cli.ChromiumFlags
	tables         []string
	json, markdown bool
	update         string
	model          string
	in             experiments.Input
}

func newPaper(p experiments.Paper) *cobra.Command {
	var f experimentFlags
	var list strings.Builder
	var ids []string
	width := 0
	for _, e := range p.Experiments {
		ids = append(ids, e.ID)
		width = max(width, len(e.ID))
	}
	for _, e := range p.Experiments {
		fmt.Fprintf(&list, "  %-*s  %s\n", width, e.ID, e.About)
	}
	cmd := &cobra.Command{
		Use:   p.Method + " [CORPUS…]",
		Short: "Run the experiments of the paper on " + p.Name,
		Long: fmt.Sprintf(`Run the experiments of a paper and print the published figures beside ours:
%s.

A CORPUS is a folder of pages with known articles. Without any, the pages are
made up.

Experiments:
%s`, p.Title, list.String()),
		Example: fmt.Sprintf(`  lede-lab experiment %s corpora/daniel corpora/l3s-gn1
  lede-lab experiment %s --table %s --markdown`, p.Method, p.Method, strings.Join(ids[:min(1, len(ids))], "")),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, &p, args) },
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	switch p.Method {
	case "nce":
		f.ChromiumFlags.Add(cmd, ", for the experiment time")
		cmd.Flags().StringVar(&f.in.Pairs, "pairs", "", "`FOLDER` with pairs.jsonl and pages/, for the experiment stories")
	case "wrapper":
		f.ChromiumFlags.Add(cmd, "")
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.tables, "table", nil, "only these `EXPERIMENTS` (default: all)")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	fl.BoolVar(&f.markdown, "markdown", false, "print Markdown")
	fl.StringVar(&f.update, "update", "", "replace the tables of the paper in this Markdown `FILE`, between <!-- "+p.Method+" --> and <!-- end -->")
	fl.BoolVar(&f.in.Quick, "quick", false, "run the short form on a few pages, to see that it works")
	fl.Uint64Var(&f.in.Seed, "seed", 1, "random seed")
	cli.Complete(cmd, "table", ids...)
	if p.Method == "wrapper" {
		fl.StringVar(&f.in.TrainSite, "train-site", "", "learn from this `SITE` of the corpora and test on the others (default: each site in turn)")
		fl.StringVar(&f.model, "model", "", "model `FILE` to test on real pages in Table 5 (default: the shipped models)")
	}
	return cmd
}

func (f *experimentFlags) run(cmd *cobra.Command, p *experiments.Paper, corpora []string) error {
	if f.json && f.markdown {
		return errors.New("use either --json or --markdown")
	}
	web := f.Chromium(cmd.ErrOrStderr(), 0, false, nil)
	defer web.Close()
	bar := cli.NewStatus(cmd.ErrOrStderr())
	in := &f.in
	in.Corpora = corpora
	if f.model != "" {
		var err error
		if in.Model, err = cli.ReadWrapper(f.model); err != nil {
			return cli.Fail(err)
		}
	}
	if in.TrainSite != "" && len(f.tables) == 0 {
		f.tables = []string{"sites"}
	}
	in.Progress = bar.Steps()
	if f.Browser {
		in.Layout = layouter(&f.ChromiumFlags, web)
	}
	tables, err := p.Run(cmd.Context(), in, f.tables, func(reason error) {
		bar.Clear()
		fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: %v\n", reason)
	})
	bar.Clear()
	switch {
	case errors.Is(err, experiments.ErrNoExperiment), errors.Is(err, experiments.ErrMissing), errors.Is(err, experiments.ErrNoSite):
		return err
	case err != nil:
		return cli.Fail(err)
	}
	if f.update != "" {
		return cli.Fail(updateTables(f.update, p.Method, tables))
	}
	return cli.Fail(f.print(cmd.OutOrStdout(), tables))
}

func (f *experimentFlags) print(w io.Writer, tables []*experiments.Table) error {
	if f.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(tables)
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		write := t.WriteText
		if f.markdown {
			write = t.WriteMarkdown
		}
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// updateTables replaces the tables of a paper in a Markdown file.
func updateTables(file, method string, tables []*experiments.Table) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+method+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no place for the tables: add the lines %s and %s", file, strings.TrimSpace(begin), end)
	}
	var b strings.Builder
	b.WriteString(before + begin + "\n")
	for _, t := range tables {
		if err := t.WriteMarkdown(&b); err != nil {
			return err
		}
		b.WriteString("\n")
	}
	b.WriteString(end + after)
	return os.WriteFile(file, []byte(b.String()), 0o666)
}
