package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/stories"
)

// pairLine is a line of --pairs.
type pairLine struct {
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
	pairs    []pairLine
	sides    map[string]*pairSide // nil if the article was not found
	articles int
	repeated int // articles with an id that another has
}

// runPairs prints each pair of a file with its scores.
func (f *storiesFlags) runPairs(cmd *cobra.Command, in *storyInput) error {
	s := &pairScorer{sides: map[string]*pairSide{}}
	var pairs io.Reader = cmd.InOrStdin()
	if f.pairs != "-" {
		file, err := os.Open(f.pairs)
		if err != nil {
			return cli.Fail(err)
		}
		defer file.Close()
		pairs = file
	} else if slices.Contains(in.paths, "-") {
		return errors.New("the pairs and the articles cannot both be read from standard input; save one to a file first")
	}
	if err := eachLine(f.pairs, pairs, s.addPair); err != nil {
		return cli.Fail(err)
	}
	bar := cli.NewStatus(cmd.ErrOrStderr())
	bar.Live = bar.Live && !f.quiet
	err := s.readArticles(cmd.Context(), in, f.workers, bar)
	bar.Clear()
	if err != nil {
		return cli.Fail(err)
	}
	out, err := openLines(f.out, cmd.OutOrStdout())
	if err != nil {
		return cli.Fail(err)
	}
	if err := out.finish(s.write(out)); err != nil {
		return cli.Fail(err)
	}
	s.report(cmd.ErrOrStderr(), in, f.quiet)
	return nil
}

// addPair adds a line of the pairs.
func (s *pairScorer) addPair(line []byte) error {
	var ids struct{ A, B *sink.Text }
	var p pairLine
	err := json.Unmarshal(line, &ids)
	if err == nil {
		err = json.Unmarshal(line, &p.fields)
	}
	if err != nil {
		return err
	}
	if ids.A == nil || ids.B == nil {
		return errors.New("a pair has the fields a and b, the ids of two articles")
	}
	p.a, p.b = string(*ids.A), string(*ids.B)
	s.pairs = append(s.pairs, p)
	s.sides[p.a], s.sides[p.b] = nil, nil
	return nil
}

// readArticles reads the articles. Every one counts for the frequencies of terms; only those
// in pairs are kept.
func (s *pairScorer) readArticles(ctx context.Context, in *storyInput, workers int, bar *cli.Status) error {
	type prepared struct {
		id   string
		side *pairSide
	}
	prepare := func(a *stories.Article) prepared {
		side := &pairSide{terms: stories.NewTerms(a)}
		if _, wanted := s.sides[a.ID]; wanted { // read only, until all pages are prepared
			side.shingles = stories.NewShingles(a.Text)
		}
		return prepared{a.ID, side}
	}
	found := map[string]*pairSide{}
	var frequencies stories.Frequencies
	take := func(p prepared) error {
		s.articles++
		bar.Step("reading", s.articles, 0, "articles")
		frequencies.Add(p.side.terms)
		switch {
		case p.side.shingles == nil:
		case found[p.id] != nil:
			s.repeated++ // the first one counts
		default:
			found[p.id] = p.side
		}
		return nil
	}
	err := inOrder(ctx, workers, func(yield func(*stories.Article) error) error {
		return in.each(ctx, textArticle, yield)
	}, prepare, take)
	for id, side := range found { // now that all frequencies are known
		side.vector = frequencies.Weigh(side.terms)
		s.sides[id] = side
	}
	return err
}

// write writes the pairs with their scores.
func (s *pairScorer) write(out *linesFile) error {
	for _, p := range s.pairs {
		var copied, story float64
		if x, y := s.sides[p.a], s.sides[p.b]; x != nil && y != nil {
			copied = stories.Compare(x.shingles, y.shingles).Score()
			story = stories.Likeness(x.vector, y.vector)
		}
		p.fields["copy"], p.fields["story"] = scoreJSON(copied), scoreJSON(story)
		if err := out.encode(p.fields); err != nil {
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
	in.report(w)
	if s.repeated > 0 {
		fmt.Fprintf(w, "lede: %s an id that another article has; the first counts\n", number(s.repeated, "article has", "articles have"))
	}
	var missing []string
	for id, side := range s.sides {
		if side == nil {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		const few = 5
		list := strings.Join(missing[:min(few, len(missing))], ", ")
		if len(missing) > few {
			list += ", …"
		}
		fmt.Fprintf(w, "lede: %s not among the articles or without text; their pairs have copy 0 and story 0: %s\n",
			number(len(missing), "id is", "ids are"), list)
	}
}
