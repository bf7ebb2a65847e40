package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/train/links"
)

func newTrainLinks() *cobra.Command {
	var out string
	var cross bool
	var seed uint64
	cmd := &cobra.Command{
		Use:   "links LABELS [--out model.bin] [--cross]",
		Short: "Train the model of links to stories",
		Long: `Train the model by which lede links and lede follow tell links to stories from
others. LABELS has a JSON object in each line: site, url (which may be relative),
text, and story (true or false).

--cross cross-validates by site, with ten folds and five seeds. It prints precision,
recall and F1 where the links of a site are one page; then F1 if each link is judged
alone, without its text, and alone without knowing the site of absolute links.`,
		Example: `  lede-lab train links labels.jsonl --cross
  lede-lab train links labels.jsonl --out internal/crawl/storylinks/model.bin`,
		Args: cli.OneArgument("no input: name a file of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" && !cross {
				return errors.New("nothing to do: name a file with --out model.bin, or use --cross")
			}
			return cli.Fail(trainLinks(cmd, args[0], out, cross, seed))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&out, "out", "o", "", "`FILE` for the model")
	fl.BoolVar(&cross, "cross", false, "cross-validate by site")
	fl.Uint64Var(&seed, "seed", 1, "random seed")
	return cmd
}

func trainLinks(cmd *cobra.Command, file, out string, cross bool, seed uint64) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	labels, err := links.ReadLabels(in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if cross {
		if err := crossLinks(cmd.Context(), labels, seed, cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	if out == "" {
		return nil
	}
	model, err := links.Train(cmd.Context(), labels, seed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, model, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: trained on %d links: %s\n", len(labels), out)
	return nil
}

// crossLinks prints the figures of the cross-validations.
func crossLinks(ctx context.Context, labels []links.Label, seed uint64, w io.Writer) error {
	const folds, seeds = 10, 5
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "seed\tfold\tlinks\tprecision\trecall\tF1\tF1 alone\tF1 address only\tF1 unknown site\t\n")
	var sum, alone, bare, foreign float64
	for s := seed; s < seed+seeds; s++ {
		c, err := links.CrossValidate(ctx, labels, folds, s)
		if err != nil {
			return err
		}
		for i, f := range c.Folds {
			fmt.Fprintf(table, "%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\t\t\t\n", s, i+1, f.Links, f.Precision(), f.Recall(), f.F1())
		}
		fmt.Fprintf(table, "%d\tall\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t\n", s, c.All.Links, c.All.Precision(), c.All.Recall(), c.All.F1(),
			c.Alone.F1(), c.Bare.F1(), c.Foreign.F1())
		sum, alone, bare, foreign = sum+c.All.F1()/seeds, alone+c.Alone.F1()/seeds, bare+c.Bare.F1()/seeds, foreign+c.Foreign.F1()/seeds
	}
	fmt.Fprintf(table, "mean\tall\t%d\t\t\t%.4f\t%.4f\t%.4f\t%.4f\t\n", len(labels), sum, alone, bare, foreign)
	return table.Flush()
}
