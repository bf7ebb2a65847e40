package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/storylinks"
)

type trainLinksFlags struct {
	storylinks.TrainOptions
	out   string
	cross bool
	seeds int
}

func newTrainLinks() *cobra.Command {
	var f trainLinksFlags
	cmd := &cobra.Command{
		Use:   "links LABELS… [--out model.bin] [--cross]",
		Short: "Train the model of links to stories",
		Long: `Train the model by which lede links and lede follow tell links to stories from
others.

LABELS has a JSON object in each line: site, url (which may be relative), text,
and story (true or false). The same labels and seed give the same file. The model
that comes with lede is internal/crawl/storylinks/model.bin.

--cross cross-validates: the sites are split into folds, and the links of each fold
are judged by a model that has not seen its sites. It prints precision, recall
and F1 of each fold, and of all labels with each seed, where the links of a site are
one page; then F1 if each link is judged alone, without its text, and alone without
knowing the site of absolute links.`,
		Example: `  lede-lab train links labels.jsonl --cross
  lede-lab train links labels.jsonl --out internal/crawl/storylinks/model.bin`,
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` for the model")
	fl.BoolVar(&f.cross, "cross", false, "cross-validate by site")
	fl.IntVar(&f.Folds, "folds", 10, "`N` folds of the cross-validation")
	fl.IntVar(&f.seeds, "seeds", 5, "`N` cross-validations with different folds")
	fl.Uint64Var(&f.Seed, "seed", 1, "random seed")
	return cmd
}

func (f *trainLinksFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no input: name files of labels")
	case f.out == "" && !f.cross:
		return errors.New("nothing to do: name a file with --out model.bin, or use --cross")
	case f.Folds < 2 || f.seeds < 1:
		return fmt.Errorf("--folds %d, --seeds %d: use at least 2 folds and 1 seed", f.Folds, f.seeds)
	}
	var labels []storylinks.Label
	for _, file := range args {
		found, err := readLinkLabels(file)
		if err != nil {
			return cli.Fail(err)
		}
		labels = append(labels, found...)
	}
	if f.cross {
		if err := f.validate(cmd.Context(), labels, cmd.OutOrStdout()); err != nil {
			return cli.Fail(err)
		}
	}
	if f.out == "" {
		return nil
	}
	out, err := cli.OpenOut(f.out, cmd.OutOrStdout())
	if err != nil {
		return cli.Fail(err)
	}
	m, err := storylinks.Train(cmd.Context(), labels, f.TrainOptions)
	if err == nil {
		var b []byte
		if b, err = m.MarshalBinary(); err == nil {
			_, err = out.Write(b)
		}
	}
	if err = out.Finish(err); err != nil {
		return cli.Fail(err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: trained on %d links: %s\n", len(labels), f.out)
	return nil
}

func readLinkLabels(file string) ([]storylinks.Label, error) {
	in, err := batch.Input{Path: file}.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	labels, err := storylinks.ReadLabels(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return labels, nil
}

// validate prints the figures of the cross-validations.
func (f *trainLinksFlags) validate(ctx context.Context, labels []storylinks.Label, w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "seed\tfold\tlinks\tprecision\trecall\tF1\tF1 alone\tF1 address only\tF1 unknown site\t\n")
	var sum, alone, bare, foreign float64
	for s := range f.seeds {
		o := f.TrainOptions
		o.Seed += uint64(s)
		c, err := storylinks.CrossValidate(ctx, labels, o)
		if err != nil {
			return err
		}
		for i, fold := range c.Folds {
			fmt.Fprintf(table, "%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\t\t\t\n", o.Seed, i+1, fold.Links, fold.Precision(), fold.Recall(), fold.F1())
		}
		all := c.All()
		fmt.Fprintf(table, "%d\tall\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t\n", o.Seed, all.Links, all.Precision(), all.Recall(), all.F1(), c.Alone.F1(), c.Bare.F1(), c.Foreign.F1())
		sum, alone, bare, foreign = sum+all.F1(), alone+c.Alone.F1(), bare+c.Bare.F1(), foreign+c.Foreign.F1()
	}
	n := float64(f.seeds)
	fmt.Fprintf(table, "mean\tall\t%d\t\t\t%.4f\t%.4f\t%.4f\t%.4f\t\n", len(labels), sum/n, alone/n, bare/n, foreign/n)
	return table.Flush()
}
