package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/label"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/train/links"
	"github.com/lede-news/lede/internal/lab/train/story"
	"github.com/lede-news/lede/internal/lab/train/visual"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/internal/parallel"
)

func newTrain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train the models of learned methods",
		Example: `  lede-lab train story corpora/wcxb corpora/daniel --out model.bin
  lede-lab train wrapper labels.jsonl --pages pages/ --out model.json
  lede-lab train links labels.jsonl --out model.bin`,
	}
	cmd.AddCommand(newTrainStory(), newTrainWrapper(), newTrainLinks())
	return cmd
}

// note prints a line to standard error.
func note(bar *cli.Status, format string, args ...any) {
	bar.Clear()
	fmt.Fprintf(bar.W, "lede-lab: "+format+"\n", args...)
}

// save writes a model, if there was no error.
func save(bar *cli.Status, file string, model []byte, rows int, what string, err error) error {
	if err == nil {
		err = os.WriteFile(file, model, 0o644)
	}
	bar.Clear()
	if err == nil {
		note(bar, "trained on %d %s: %s", rows, what, file)
	}
	return cli.Fail(err)
}

type trainFlags struct {
	pages, site, date, out string
	newsroom               int
	paper                  bool
	seed                   uint64
	*cli.Status
}

func newTrainWrapper() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "wrapper LABELS|CORPUS… --out model.json",
		Short: "Train the visual wrapper",
		Long: `Train the visual wrapper: two support vector machines, one for bodies and one
for titles. Use the model with lede extract --method wrapper --model model.json.

LABELS is a file of lede-lab label. CORPUS is a folder of pages with gold, from which
the labels are derived. --newsroom adds pages of the synthetic sites. With --site the
model learns from one site, as in the paper.

The layout is estimated. The card in the model records what it was trained on. The
same pages, date and seed give the same file. The last two examples are the commands
that the models of lede were built with.`,
		Example: `  lede-lab train wrapper labels.jsonl --pages pages/ --out model.json
  lede-lab train wrapper corpora/wcxb --newsroom 3 --date 2026-11-18 --out internal/methods/wrapper/model.json
  lede-lab train wrapper --newsroom 40 --site le-fanal --paper --seed 1 --date 2026-11-18 --out internal/methods/wrapper/paper.json`,
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.pages, "pages", "", "`FOLDER` with the pages of the labels (default: that of the labels)")
	fl.IntVar(&f.newsroom, "newsroom", 0, "add `N` pages of each synthetic site")
	fl.StringVar(&f.site, "site", "", "learn only from the pages of this `SITE` (default: from all)")
	fl.BoolVar(&f.paper, "paper", false, "use only the features and settings of the paper")
	fl.StringVar(&f.date, "date", "", "`DATE` on the model's card (default: today)")
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` for the model (required)")
	fl.Uint64Var(&f.seed, "seed", 0, "random seed")
	return cmd
}

func (f *trainFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 && f.newsroom == 0:
		return errors.New("no input: name files of labels or corpora, or use --newsroom N")
	case f.out == "":
		return errors.New("no output: name a file with --out model.json")
	}
	f.Status = cli.NewStatus(cmd.ErrOrStderr())
	model, err := f.train(cmd.Context(), args)
	total := 0
	var data []byte
	if err == nil {
		for _, n := range model.Card.Pages {
			total += n
		}
		data, err = json.Marshal(model)
	}
	return save(f.Status, f.out, append(data, '\n'), total, "pages", err)
}

// examples returns the pages to learn from.
func (f *trainFlags) examples(ctx context.Context, args []string) (all []*visual.Example, err error) {
	for _, arg := range args {
		var found []*visual.Example
		if cli.IsFolder(arg) {
			var c *corpus.Corpus
			if c, err = corpus.Open(arg); err == nil {
				found, err = visual.Load(ctx, c, f.Steps())
			}
		} else {
			found, err = f.fromLabels(ctx, arg)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if f.newsroom > 0 {
		for _, s := range newsroom.New(1).Sites() { // the seed that lede-lab newsroom has by default
			found, err := visual.FromNewsroom(ctx, s, 0, f.newsroom)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

func (f *trainFlags) train(ctx context.Context, args []string) (*wrapper.Model, error) {
	all, err := f.examples(ctx, args)
	if err != nil {
		return nil, err
	}
	about := ""
	if f.site != "" {
		n := len(corpus.GroupBy(all, func(x *visual.Example) string { return x.Site }))
		all = slices.DeleteFunc(all, func(x *visual.Example) bool { return x.Site != f.site })
		if len(all) == 0 {
			return nil, fmt.Errorf("none of the %d sites is %s", n, f.site)
		}
		about = ", learned from one site: " + f.site
	}
	opts, features := visual.Options{Config: wrapper.Default()}, "all features"
	if f.paper {
		opts, features = visual.PaperOptions(), "the features of the paper"
	}
	opts.Seed = f.seed
	f.Steps()("training", 0, 1)
	m, err := visual.Train(ctx, all, opts)
	if err != nil {
		return nil, err
	}
	m.Card.Date = cmp.Or(f.date, time.Now().UTC().Format(time.DateOnly))
	m.Card.About = "M_BODY and M_TITLE by " + features + ", layouts estimated" + about
	return m, nil
}

// fromLabels finds labelled elements again on their pages.
func (f *trainFlags) fromLabels(ctx context.Context, file string) ([]*visual.Example, error) {
	labels, err := label.ReadLabels(file)
	if err != nil {
		return nil, err
	}
	folder := cmp.Or(f.pages, filepath.Dir(file))
	pages, err := label.Files([]string{folder})
	if err != nil {
		return nil, err
	}
	read := func(id string) ([]byte, error) {
		i := slices.IndexFunc(pages, func(p label.Page) bool { return p.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("it is not in %s; name its folder with --pages", folder)
		}
		return pages[i].Read()
	}
	return visual.FromLabels(ctx, labels, read, func(err error) { note(f.Status, "%s: %s", file, cli.OneLine(err)) })
}

type trainStoryFlags struct {
	story.Options
	out, cross string
	newsroom   int
}

func newTrainStory() *cobra.Command {
	var f trainStoryFlags
	cmd := &cobra.Command{
		Use:   "story CORPUS… --out model.bin",
		Short: "Train the default method",
		Long: `Train the default method, blend: trees that classify the blocks of a page, and
trees that classify the page. CORPUS is a folder of pages with known articles. Use
the model with --model of lede extract and lede batch, or in Go with lede.WithModel.

--cross DIR cross-validates: it trains five models, each without a fifth of the
sites, extracts every page with the model that has not seen its site, and writes
the results to DIR as batch records, one file for each corpus. Score them with
lede-lab eval CORPUS --pred cross=DIR/CORPUS.jsonl.`,
		Example: `  lede-lab train story corpora/wcxb corpora/daniel --out model.bin
  lede extract --model model.bin page.html
  lede-lab train story corpora/wcxb corpora/daniel --newsroom 24 --cross out/cross --out model.bin`,
		Args: cli.SomeArguments("no input: name corpora"),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` for the model (required)")
	fl.StringVar(&f.cross, "cross", "", "`FOLDER` for the results of cross-validation")
	fl.IntVar(&f.newsroom, "newsroom", 0, "add `N` designs of each cluttered synthetic site")
	fl.IntVar(&f.Trees, "trees", 0, "number of trees for blocks (default: as the shipped model)")
	fl.Uint64Var(&f.Seed, "seed", 1, "random seed")
	return cmd
}

func (f *trainStoryFlags) run(cmd *cobra.Command, args []string) error {
	if f.out == "" {
		return errors.New("no output: name a file with --out model.bin")
	}
	bar := cli.NewStatus(cmd.ErrOrStderr())
	f.Options.Cross, f.Progress = f.cross != "", bar.Steps()
	f.Warn = func(text string) { note(bar, "%s", text) }
	model, pages, err := f.train(cmd.Context(), args)
	return save(bar, f.out, model, pages, "pages", err)
}

// train returns the model and the number of pages, and writes the results of
// cross-validation.
func (f *trainStoryFlags) train(ctx context.Context, args []string) (model []byte, pages int, err error) {
	var corpora []*corpus.Corpus
	var all []*story.Example
	for _, dir := range args {
		c, err := corpus.Open(dir)
		if err != nil {
			return nil, 0, err
		}
		found, err := story.Load(ctx, c, f.Progress)
		if err != nil {
			return nil, 0, err
		}
		corpora, all = append(corpora, c), append(all, found...)
	}
	synthetic, err := story.FromNewsroom(ctx, f.newsroom, f.Progress)
	if err != nil {
		return nil, 0, err
	}
	m, cross, err := story.Train(ctx, append(all, synthetic...), f.Options)
	if err != nil {
		return nil, 0, err
	}
	fold := map[*corpus.Gold]int{} // several examples may be of one page
	for _, x := range all {
		fold[x.Gold] = x.Fold
	}
	if f.cross != "" {
		if err := f.writeCross(ctx, corpora, cross, fold); err != nil {
			return nil, 0, err
		}
	}
	model, err = m.MarshalBinary()
	return model, len(fold), err
}

// writeCross writes the models of cross-validation, and extracts every page of the corpora
// with the one that has not seen its site.
func (f *trainStoryFlags) writeCross(ctx context.Context, corpora []*corpus.Corpus, cross story.Cross, fold map[*corpus.Gold]int) error {
	if err := os.MkdirAll(f.cross, 0o755); err != nil {
		return err
	}
	for k, m := range cross {
		data, err := m.MarshalBinary()
		if err == nil {
			err = os.WriteFile(crossModel(f.cross, k), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	for _, c := range corpora {
		report := func(done int) { f.Progress("cross-validation of "+c.Name, done, len(c.Gold)) }
		all, err := parallel.Map(ctx, len(c.Gold), 0, report, func(i int) (batch.Line, error) {
			g := &c.Gold[i]
			k, known := fold[g]
			if !known {
				k = corpus.Fold(g.Site, story.Folds)
			}
			page, err := c.Page(g)
			if err != nil {
				return batch.Line{}, err
			}
			m := blend.New(blend.Config{Model: cross.For(k)})
			a, err := lede.Extract(ctx, bytes.NewReader(page), lede.WithURL(g.URL), lede.WithCharset("utf-8"), lede.WithCustomMethod(m))
			if err != nil {
				return batch.Line{ID: g.ID, URL: g.URL, Error: err.Error()}, nil
			}
			return batch.NewLine(g.ID, g.URL, a), nil
		})
		if err != nil {
			return err
		}
		var lines bytes.Buffer
		enc := json.NewEncoder(&lines)
		for _, line := range all {
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(f.cross, c.Name+".jsonl"), lines.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// crossModel returns the file of a model of cross-validation.
func crossModel(dir string, k int) string { return filepath.Join(dir, fmt.Sprintf("model%d.bin", k+1)) }

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
recall and F1 where the links of a site are one page, and then without their texts.`,
		Example: `  lede-lab train links labels.jsonl --cross
  lede-lab train links labels.jsonl --out internal/crawl/storylinks/model.bin`,
		Args: cli.Arguments(1, 1, "no input: name a file of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" && !cross {
				return errors.New("nothing to do: name a file with --out model.bin, or use --cross")
			}
			labels, err := links.ReadLabels(args[0])
			if err == nil && cross {
				err = crossLinks(cmd, labels, seed)
			}
			if err != nil || out == "" {
				return cli.Fail(err)
			}
			model, err := links.Train(cmd.Context(), labels, seed)
			return save(cli.NewStatus(cmd.ErrOrStderr()), out, model, len(labels), "links", err)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&out, "out", "o", "", "`FILE` for the model")
	fl.BoolVar(&cross, "cross", false, "cross-validate by site")
	fl.Uint64Var(&seed, "seed", 1, "random seed")
	return cmd
}

// crossLinks prints the figures of the cross-validations.
func crossLinks(cmd *cobra.Command, labels []links.Label, seed uint64) error {
	const folds, seeds = 10, 5
	fmt.Fprintln(cmd.OutOrStdout(), "seed  precision  recall      F1  without texts      F1")
	for s := seed; s < seed+seeds; s++ {
		f, bare, err := links.CrossValidate(cmd.Context(), labels, folds, s)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%4d  %9.4f  %6.4f  %6.4f                 %6.4f\n", s, f.Precision(), f.Recall(), f.F1(), bare.F1())
	}
	return nil
}
