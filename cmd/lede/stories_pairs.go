package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/stories"
)

// pair is a line of --pairs.
type pair struct {
	a, b   string
	fields map[string]json.RawMessage
}

// pairSide is what is kept of an article that is in a pair.
type pairSide struct {
	shingles *stories.Shingles
	terms    *stories.Terms
	vector   *stories.Vector
}

// pairScorer scores pairs of articles.
type pairScorer struct {
	pairs    []pair
	sides    map[string]*pairSide // nil if the article was not found
	articles int
}

// runPairs prints each pair of a file with its scores.
func (f *storiesFlags) runPairs(cmd *cobra.Command, in *storyInput, bar *cli.Status) error {
	if f.pairs == "-" && slices.Contains(in.paths, "-") {
		return errors.New("the pairs and the articles cannot both be read from standard input; save one to a file first")
	}
	s := &pairScorer{sides: map[string]*pairSide{}}
	err := readJSON(f.pairs, cmd.InOrStdin(), s.addPair)
	if err == nil {
		err = s.readArticles(cmd.Context(), in, bar)
		bar.Clear()
	}
	if err == nil {
		err = writeJSON(f.out, cmd.OutOrStdout(), s.write)
	}
	if err == nil {
		s.report(cmd.ErrOrStderr(), in, f.quiet)
	}
	return cli.Fail(err)
}

func (s *pairScorer) addPair(fields *map[string]json.RawMessage) error {
	var a, b sink.Text
	if json.Unmarshal((*fields)["a"], &a) != nil || json.Unmarshal((*fields)["b"], &b) != nil {
		return errors.New("a pair has the fields a and b, the ids of two articles")
	}
	s.pairs = append(s.pairs, pair{string(a), string(b), *fields})
	s.sides[string(a)], s.sides[string(b)] = nil, nil
	return nil
}

// readArticles reads the articles. Every one counts for the frequencies of terms; only those
// in pairs are kept.
func (s *pairScorer) readArticles(ctx context.Context, in *storyInput, bar *cli.Status) error {
	var frequencies stories.Frequencies
	err := in.each(ctx, textArticle, func(a *stories.Article) error {
		s.articles++
		bar.Step("reading", s.articles, 0, "articles")
		terms := stories.NewTerms(a)
		frequencies.Add(terms)
		if side, wanted := s.sides[a.ID]; wanted && side == nil { // of articles with the same id, the first counts
			s.sides[a.ID] = &pairSide{shingles: stories.NewShingles(a.Text), terms: terms}
		}
		return nil
	})
	for _, side := range s.sides { // now that all frequencies are known
		if side != nil {
			side.vector = frequencies.Weigh(side.terms)
		}
	}
	return err
}

// write writes the pairs with their scores.
func (s *pairScorer) write(encode func(any) error) error {
	for _, p := range s.pairs {
		var copied, story float64
		if x, y := s.sides[p.a], s.sides[p.b]; x != nil && y != nil {
			copied = stories.Compare(x.shingles, y.shingles).Score()
			story = stories.Likeness(x.vector, y.vector)
		}
		p.fields["copy"], p.fields["story"] = scoreJSON(copied), scoreJSON(story)
		if err := encode(p.fields); err != nil {
			return err
		}
	}
	return nil
}

// scoreJSON returns a score with up to six decimals.
func scoreJSON(score float64) json.RawMessage {
	const decimals = 1e6
	return fmt.Append(nil, math.Round(score*decimals)/decimals)
}

func (s *pairScorer) report(w io.Writer, in *storyInput, quiet bool) {
	if !quiet {
		fmt.Fprintf(w, "lede: %s, %s\n", number(len(s.pairs), "pair", "pairs"), number(s.articles, "article", "articles"))
	}
	in.report(w, quiet)
	var missing []string
	for id, side := range s.sides {
		if side == nil {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "lede: %s not among the articles or without text, such as %s; their pairs have copy 0 and story 0\n",
			number(len(missing), "id is", "ids are"), slices.Min(missing))
	}
}
