package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/label"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/train/story"
	"github.com/lede-news/lede/internal/lab/train/visual"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/method"
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

type trainFlags struct {
	cli.ChromiumFlags
	pages    string
	newsroom int
	site     string
	paper    bool
	folds    int
	date     string
	out      string
	seed     uint64
	bar      *cli.Status
	warn     func(error)
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
model learns from one site, as in the paper, and is tested on the others.

The layout is estimated, or measured with --browser. The card in the model records
what it was trained on and, with --folds or --site, its accuracy on unseen sites. The
same pages, date and seed give the same file. The last two examples are the commands
that the models of lede were built with.`,
		Example: `  lede-lab train wrapper labels.jsonl --pages pages/ --out model.json
  lede-lab train wrapper corpora/wcxb --newsroom 3 --folds 4 --date 2026-11-15 --out internal/methods/wrapper/model.json
  lede-lab train wrapper --newsroom 40 --site le-fanal --paper --seed 1 --date 2026-11-15 --out internal/methods/wrapper/paper.json`,
		RunE: f.run,
	}
	f.ChromiumFlags.Add(cmd, "")
	fl := cmd.Flags()
	fl.StringVar(&f.pages, "pages", "", "`FOLDER` with the pages of the labels (default: that of the labels)")
	fl.IntVar(&f.newsroom, "newsroom", 0, "add `N` pages of each synthetic site")
	fl.StringVar(&f.site, "site", "", "learn only from the pages of this `SITE` (default: from all)")
	fl.BoolVar(&f.paper, "paper", false, "use only the features and settings of the paper")
	fl.IntVar(&f.folds, "folds", 0, "cross-validate with `N` folds (default: no cross-validation)")
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
	case f.site != "" && f.folds > 0:
		return errors.New("use either --site or --folds: a cross-validation needs several sites")
	}
	web := f.Chromium(cmd.ErrOrStderr(), 0, false, nil)
	defer web.Close()
	f.bar = cli.NewStatus(cmd.ErrOrStderr())
	f.warn = func(err error) {
		f.bar.Clear()
		fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: %s\n", cli.OneLine(err))
	}
	model, err := f.train(cmd.Context(), args, layouter(&f.ChromiumFlags, web))
	f.bar.Clear()
	if err != nil {
		return cli.Fail(err)
	}
	data, err := json.Marshal(model)
	if err == nil {
		err = os.WriteFile(f.out, append(data, '\n'), 0o644)
	}
	if err != nil {
		return cli.Fail(err)
	}
	total := 0
	for _, n := range model.Card.Pages {
		total += n
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: trained on %d pages: %s\n", total, f.out)
	return nil
}

// layouter lays pages out, by estimate or with Chromium.
func layouter(f *cli.ChromiumFlags, web *cli.Chromium) visual.LayoutFunc {
	if !f.Browser {
		return visual.EstimatedLayout(wrapper.Default())
	}
	return func(ctx context.Context, page []byte, g *corpus.Gold) (*dom.Document, *method.Layout, error) {
		d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
		if err != nil {
			return nil, nil, err
		}
		l, err := web.LayoutOnce(ctx, d, g.URL)
		return d, l, err
	}
}

// examples returns the pages to learn from.
func (f *trainFlags) examples(ctx context.Context, args []string, lay visual.LayoutFunc) (all []*visual.Example, err error) {
	for _, arg := range args {
		var found []*visual.Example
		if cli.IsFolder(arg) {
			var c *corpus.Corpus
			if c, err = corpus.Open(arg, corpus.Options{}); err == nil {
				found, err = visual.Load(ctx, c, func(g *corpus.Gold) bool { return g.Type == "" || g.Type == "article" }, lay, f.bar.Steps())
			}
		} else {
			found, err = f.fromLabels(ctx, arg, lay)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if f.newsroom > 0 {
		for _, s := range newsroom.New(1).Sites() { // the seed that lede-lab newsroom has by default
			found, err := visual.FromNewsroom(ctx, s, 0, f.newsroom, lay)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

func (f *trainFlags) train(ctx context.Context, args []string, lay visual.LayoutFunc) (*wrapper.Model, error) {
	all, err := f.examples(ctx, args, lay)
	if err != nil {
		return nil, err
	}
	var others []*visual.Example
	if f.site != "" {
		if all, others, err = splitBySite(all, f.site); err != nil {
			return nil, err
		}
	}
	opts, features, layouts, measure := visual.Options{Config: wrapper.Default()}, "all features", "estimated", visual.Measure
	if f.paper {
		opts, features, measure = visual.PaperOptions(), "the features of the paper", visual.MeasureSubtrees
	}
	if f.Browser {
		layouts = "measured"
	}
	opts.Seed, opts.Folds, opts.Progress = f.seed, f.folds, f.bar.Steps()
	m, err := visual.Train(ctx, all, opts)
	if err != nil {
		return nil, err
	}
	m.Card.Date = cmp.Or(f.date, time.Now().UTC().Format(time.DateOnly))
	m.Card.About = "M_BODY and M_TITLE by " + features + ", layouts " + layouts
	if f.site == "" {
		return m, nil
	}
	m.Card.About += ", learned from one site: " + f.site
	if len(others) > 0 {
		opts.Config.Model = m
		a, err := measure(ctx, wrapper.New(opts.Config), others)
		if err != nil {
			return nil, err
		}
		m.Card.Figures = a.Figures()
	}
	return m, nil
}

// splitBySite returns the pages of one site and those of the others.
func splitBySite(all []*visual.Example, site string) (found, others []*visual.Example, err error) {
	count := map[string]int{}
	for _, x := range all {
		if count[x.Site]++; x.Site == site {
			found = append(found, x)
		} else {
			others = append(others, x)
		}
	}
	if len(found) > 0 {
		return found, others, nil
	}
	sites := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	const shown = 20
	for i, s := range sites[:min(shown, len(sites))] {
		sites[i] = fmt.Sprintf("%s (%d)", s, count[s])
	}
	return nil, nil, fmt.Errorf("no pages of the site %s; sites with most pages: %s", site, strings.Join(sites[:min(shown, len(sites))], ", "))
}

// fromLabels finds labelled elements again on their pages.
func (f *trainFlags) fromLabels(ctx context.Context, file string, lay visual.LayoutFunc) ([]*visual.Example, error) {
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
	return visual.FromLabels(ctx, labels, read, lay, func(err error) { f.warn(fmt.Errorf("%s: %w", file, err)) })
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
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` for the model (required)")
	fl.StringVar(&f.cross, "cross", "", "`FOLDER` for the results of cross-validation")
	fl.IntVar(&f.newsroom, "newsroom", 0, "add `N` designs of each cluttered synthetic site")
	fl.StringSliceVar(&f.Without, "without", nil, "`FEATURES` to leave out, to measure what they contribute")
	fl.IntVar(&f.Trees, "trees", 0, "number of trees for blocks (default: as the shipped model)")
	fl.IntVar(&f.Depth, "depth", 0, "depth of the trees (default: as the shipped model)")
	fl.Uint64Var(&f.Seed, "seed", 1, "random seed")
	return cmd
}

func (f *trainStoryFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no input: name corpora")
	case f.out == "":
		return errors.New("no output: name a file with --out model.bin")
	}
	if err := f.Check(); err != nil {
		return err
	}
	bar := cli.NewStatus(cmd.ErrOrStderr())
	f.Cross = f.cross != ""
	f.Warn = func(text string) {
		bar.Clear()
		fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: %s\n", text)
	}
	f.Progress = bar.Steps()
	pages, err := f.train(cmd.Context(), args)
	bar.Clear()
	if err != nil {
		return cli.Fail(err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede-lab: trained on %d pages: %s\n", pages, f.out)
	return nil
}

func (f *trainStoryFlags) train(ctx context.Context, args []string) (pages int, err error) {
	var corpora []*corpus.Corpus
	var all []*story.Example
	fold := map[*corpus.Gold]int{} // several examples may be of one page
	for _, dir := range args {
		c, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return 0, err
		}
		found, err := story.Load(ctx, c, f.Progress)
		if err != nil {
			return 0, err
		}
		corpora = append(corpora, c)
		all = append(all, found...)
	}
	synthetic, err := story.FromNewsroom(ctx, f.newsroom, f.Progress)
	if err != nil {
		return 0, err
	}
	model, cross, err := story.Train(ctx, append(all, synthetic...), f.Options)
	if err != nil {
		return 0, err
	}
	b, err := model.MarshalBinary()
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(f.out, b, 0o644); err != nil {
		return 0, err
	}
	for _, x := range all {
		fold[x.Gold] = x.Fold
	}
	if f.cross == "" {
		return len(fold), nil
	}
	if err := os.MkdirAll(f.cross, 0o755); err != nil {
		return 0, err
	}
	for _, c := range corpora {
		if err := f.writeCross(ctx, c, cross, fold); err != nil {
			return 0, err
		}
	}
	return len(fold), nil
}

// writeCross extracts every page of a corpus with the model that has not seen
// its site.
func (f *trainStoryFlags) writeCross(ctx context.Context, c *corpus.Corpus, cross *story.Cross, fold map[*corpus.Gold]int) error {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for i := range c.Gold {
		g := &c.Gold[i]
		k, known := fold[g]
		if !known {
			k = corpus.Fold(g.Site, story.Folds)
		}
		page, err := c.Page(g)
		if err != nil {
			return err
		}
		m := blend.New(blend.Config{Model: cross.For(k)})
		a, err := lede.Extract(ctx, bytes.NewReader(page), lede.WithURL(g.URL), lede.WithCharset("utf-8"), lede.WithCustomMethod(m))
		line := batch.Line{ID: g.ID, URL: g.URL}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			line.Error = err.Error()
		default:
			line = batch.NewLine(g.ID, g.URL, a)
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
		f.Progress("cross-validation of "+c.Name, i+1, len(c.Gold))
	}
	return os.WriteFile(filepath.Join(f.cross, c.Name+".jsonl"), lines.Bytes(), 0o644)
}
