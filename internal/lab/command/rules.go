package command

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/train/story"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/parallel"
)

func newRules() *cobra.Command {
	var cross string
	cmd := &cobra.Command{
		Use:   "rules CORPUS… --cross DIR",
		Short: "Measure what each rule of the default method gains",
		Long: `Measure what each rule of the default method gains: extract every page by the model
of cross-validation that has not seen its site, with all rules and without each of them.
It prints the bag F1 of the articles, and how much is lost without a rule, in thousandths.

DIR is a folder that lede-lab train story --cross has written.`,
		Example: "  lede-lab experiment rules corpora/wcxb corpora/daniel --cross out/cross",
		Args:    cli.SomeArguments("no input: name corpora"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var models story.Cross
			for {
				data, err := os.ReadFile(crossModel(cross, len(models)))
				if err != nil {
					break
				}
				m := new(blend.Model)
				if err := m.UnmarshalBinary(data); err != nil {
					return cli.Fail(err)
				}
				models = append(models, m)
			}
			if len(models) != story.Rounds {
				return fmt.Errorf("%q has no models: run lede-lab train story --cross DIR first", cross)
			}
			bar := cli.NewStatus(cmd.ErrOrStderr())
			rules := append([]string{""}, blend.Rules[:]...)
			sums := make([][]float64, len(rules)) // by rule, then corpus
			fmt.Fprintf(cmd.OutOrStdout(), "%-46s", "without")
			for _, dir := range args {
				c, err := corpus.Open(dir)
				if err != nil {
					return cli.Fail(err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), " %12.12s", c.Name)
				for k, rule := range rules {
					f1, err := crossF1(cmd.Context(), c, models, rule, bar)
					if err != nil {
						return cli.Fail(err)
					}
					sums[k] = append(sums[k], f1)
				}
			}
			bar.Clear()
			for k, rule := range rules {
				fmt.Fprintf(cmd.OutOrStdout(), "\n%-46s", rule)
				for i, f1 := range sums[k] {
					if k > 0 {
						fmt.Fprintf(cmd.OutOrStdout(), " %+12.1f", 1000*(f1-sums[0][i]))
					} else {
						fmt.Fprintf(cmd.OutOrStdout(), " %12.4f", f1)
					}
				}
			}
			fmt.Fprintln(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().StringVar(&cross, "cross", "", "`FOLDER` of a cross-validation (required)")
	return cmd
}

// crossF1 returns the mean bag F1 of the articles of a corpus, each extracted by the model
// that has not seen its site, without a rule.
func crossF1(ctx context.Context, c *corpus.Corpus, models story.Cross, without string, bar *cli.Status) (float64, error) {
	var gold []*corpus.Gold
	for i := range c.Gold {
		if g := &c.Gold[i]; g.Text != "" && g.IsArticle() {
			gold = append(gold, g)
		}
	}
	report := func(done int) { bar.Steps()(c.Name+" without "+without, done, len(gold)) }
	all, err := parallel.Map(ctx, len(gold), 0, report, func(i int) (measure.PRF, error) {
		page, err := c.Page(gold[i])
		if err != nil {
			return measure.PRF{}, err
		}
		fold, err := story.FoldOf(ctx, gold[i], page)
		if err != nil {
			return measure.PRF{}, err
		}
		m := blend.New(blend.Config{Model: models.For(fold), Without: without})
		a, err := lede.Extract(ctx, bytes.NewReader(page), lede.WithURL(gold[i].URL), lede.WithCharset("utf-8"), lede.WithCustomMethod(m))
		if err != nil {
			return measure.Score(gold[i], "", ""), nil
		}
		return measure.Score(gold[i], a.Title, a.Text()), nil
	})
	return measure.Mean(all).F1, err
}
