package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

func newStepTerms() *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "terms",
		Short: "Find the terms of articles by which stories are found",
		Long: `Find the terms of articles by which stories are found. Only articles that are no copies
are needed.

Input: lines with node, title, lang, text, and published and seen as lede step texts has
them, of the first article of the node. id, time and hash are for lede step cluster.

Output: node, id, time, hash and terms.`,
		Example: `  lede step terms < originals.jsonl > terms.jsonl`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return mapLines(cmd, workers, func(_ context.Context, in *termsIn) (any, error) { return in.terms() })
		},
	}
	stepWorkers(cmd, &workers)
	return cmd
}

type termsIn struct {
	clusterKey
	Title     string  `json:"title"`
	Lang      string  `json:"lang"`
	Published *int64  `json:"published"`
	Seen      *int64  `json:"seen"`
	Text      *string `json:"text"`
}

// clusterKey is what is known of an article besides its terms.
type clusterKey struct {
	Node int64  `json:"node"`
	ID   string `json:"id"`
	Time *int64 `json:"time"`
	Hash string `json:"hash"`
}

type termsLine struct {
	clusterKey
	Terms []byte `json:"terms"`
}

func (in *termsIn) terms() (any, error) {
	if in.Text == nil {
		return nil, errNoText
	}
	rank := placing.Rank{Published: timeOrUnknown(in.Published), Seen: timeOrUnknown(in.Seen)}
	a := stories.Article{Title: in.Title, Text: *in.Text, Lang: in.Lang}
	data, err := placing.NewTerms(&a, &rank).MarshalBinary()
	return &termsLine{in.clusterKey, data}, err
}

func newStepCluster() *cobra.Command {
	var workers int
	window := dayFlag(store.DefaultWindow)
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Find the story of each article that is no copy",
		Long: `Find the story of each article that is no copy. An article joins the story that is most
like it, or opens one, so that one process has to read all articles in order. Memory is
needed for those within the window, and some 20 bytes for each story.

Input: all lines of lede step terms, in order of node. time must not be null: that of
articles without a time is that of the latest article of all.

Output: node, story (its id), score (0 to 1), reason and vector, for lede step stories.
Copies have the story of their original.`,
		Example: `  lede step cluster < terms.jsonl > places.jsonl`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkWindow(time.Duration(window)); err != nil {
				return err
			}
			return stepCluster(cmd, workers, time.Duration(window))
		},
	}
	stepWorkers(cmd, &workers)
	cmd.Flags().Var(&window, "window", "how far apart in `TIME` the articles of a story may be")
	return cmd
}

// checkWindow checks the flag --window.
func checkWindow(window time.Duration) error {
	switch {
	case window <= 0:
		return errors.New("--window must be a positive time, such as 4d")
	case window > placing.MaxWindow:
		return fmt.Errorf("--window must be at most %.0fd", placing.MaxWindow.Hours()/24)
	}
	return nil
}

type placeLine struct {
	Node   int64   `json:"node"`
	Story  string  `json:"story"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
	Vector []byte  `json:"vector"`
}

// clusterArticle is an article that is ready to be placed.
type clusterArticle struct {
	clusterKey
	hash  placing.Hash
	terms *stories.Terms
}

func stepCluster(cmd *cobra.Command, workers int, window time.Duration) error {
	out := newLineWriter(cmd.OutOrStdout())
	w := placing.NewWindow(window.Milliseconds())
	last := int64(-1)
	s := step[termsLine, *clusterArticle]{cmd: cmd, workers: workers}
	s.prepare = func(_ context.Context, in *termsLine) (*clusterArticle, error) {
		a := &clusterArticle{clusterKey: in.clusterKey, terms: new(stories.Terms)}
		hash, err := hex.DecodeString(in.Hash)
		switch {
		case in.Time == nil:
			return nil, errors.New("time is missing: that of an article without a time is that of the latest of all")
		case err != nil || len(hash) != placing.HashBytes:
			return nil, errors.New("hash is not that of a text, as lede step texts has it")
		}
		a.hash = placing.Hash(hash)
		return a, a.terms.UnmarshalBinary(in.Terms)
	}
	s.take = func(a *clusterArticle) error {
		if a.Node <= last {
			return fmt.Errorf("node %d follows node %d: sort the lines by node", a.Node, last)
		}
		last = a.Node
		p, err := w.Add(a.ID, a.hash, *a.Time, a.terms)
		if err != nil {
			return err
		}
		vector, err := p.Vector.MarshalBinary()
		if err != nil {
			return err
		}
		return out.write(&placeLine{a.Node, placing.StoryName(p.Story), p.Score, p.Reason, vector})
	}
	return out.finish(s.run())
}
