package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/blend"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/learn/story"
)

type trainStoryFlags struct {
	story.Options
	out, cross string
}

func newTrainStory() *cobra.Command {
	var f trainStoryFlags
	cmd := &cobra.Command{
		Use:   "story CORPUS… --out model.bin",
		Short: "Train the default method",
		Long: `Train the default method, blend: trees that tell the blocks of a story from all
others, and trees that tell what kind of page it is.

CORPUS is a folder of pages whose story is known. The labels follow from the
gold: its text is aligned with the blocks of the page.

--cross DIR measures honestly: five models are trained that each have not seen a
fifth of the sites, every page is extracted by the one that has not seen its
site, and the results are written to DIR, a file of batch lines for each corpus,
with the five models beside them. Score them with lede eval CORPUS --pred cross=DIR/CORPUS.jsonl.

--without leaves features out, as in --without nce,coreex,twcem, to see what they
are worth.`,
		Example: `  lede train story corpora/wcxb corpora/daniel --out model.bin
  lede train story corpora/wcxb corpora/daniel --cross out/cross --out model.bin`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` for the model (required)")
	fl.StringVar(&f.cross, "cross", "", "`FOLDER` for the results of cross-validation")
	fl.StringSliceVar(&f.Without, "without", nil, "`FEATURES` to leave out")
	fl.IntVar(&f.Trees, "trees", 0, "how many trees judge a block; 0 is the default")
	fl.IntVar(&f.Depth, "depth", 0, "how many questions a tree asks; 0 is the default")
	fl.Uint64Var(&f.Seed, "seed", 1, "seed of what is drawn by lot")
	return cmd
}

func (f *trainStoryFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("from which pages? Name corpora")
	case f.out == "":
		return errors.New("where to? Name a file with --out model.bin")
	}
	if err := story.CheckFeatures(f.Without); err != nil {
		return err
	}
	out, err := openOut(f.out, cmd.OutOrStdout())
	if err != nil {
		return failure{err}
	}
	bar := newStatus(cmd.ErrOrStderr())
	f.Progress = func(what string, done, total int) { bar.say("%s: %d of %d", what, done, total) }
	pages, err := f.train(cmd.Context(), args, out)
	bar.clear()
	if err = out.finish(err); err != nil {
		if out.file != nil {
			_ = os.Remove(out.partial())
		}
		return failure{err}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "lede: learned from %d pages: %s\n", pages, f.out)
	return nil
}

func (f *trainStoryFlags) train(ctx context.Context, args []string, out *outFile) (pages int, err error) {
	var corpora []*corpus.Corpus
	var all []*story.Example
	for _, dir := range args {
		c, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return 0, err
		}
		found, err := story.LoadAll(ctx, c, f.Progress)
		if err != nil {
			return 0, err
		}
		corpora = append(corpora, c)
		all = append(all, found...)
	}
	model, cross, err := story.Train(ctx, all, f.Options)
	if err != nil {
		return 0, err
	}
	b, err := model.MarshalBinary()
	if err != nil {
		return 0, err
	}
	if _, err = out.Write(b); err != nil || f.cross == "" {
		return len(all), err
	}
	fold := map[*corpus.Gold]int{}
	for _, x := range all {
		fold[x.Gold] = x.Fold
	}
	for _, c := range corpora {
		if err := f.writeCross(ctx, c, cross, fold); err != nil {
			return 0, err
		}
	}
	for i, m := range cross.Models() {
		b, err := m.MarshalBinary()
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(f.cross, fmt.Sprintf("model-%d.bin", i+1)), b, 0o644); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// writeCross extracts every page of a corpus with the model that has not seen
// its site.
func (f *trainStoryFlags) writeCross(ctx context.Context, c *corpus.Corpus, cross *story.Cross, fold map[*corpus.Gold]int) error {
	if err := os.MkdirAll(f.cross, 0o755); err != nil {
		return err
	}
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
			line = batch.NewLine(batch.Page{ID: g.ID, URL: g.URL}, a)
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
		f.Progress("cross-validation of "+c.Name, i+1, len(c.Gold))
	}
	return os.WriteFile(filepath.Join(f.cross, c.Name+".jsonl"), lines.Bytes(), 0o644)
}
