package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/stories"
)

// pairSide is what is kept of an article that is in a pair.
type pairSide struct {
	shingles *stories.Shingles
	terms    *stories.Terms
	vector   *stories.Vector
}

// pairScorer scores pairs of articles.
type pairScorer struct {
	file     string // the pairs, or "-"
	stdin    []byte // the pairs, if they are from standard input
	sides    map[string]*pairSide
	known    stories.Frequencies
	articles int
	repeated int // articles with an id that another has
}

// runPairs prints each pair of a file with its scores.
func (f *storiesFlags) runPairs(cmd *cobra.Command, in *storyInput) error {
	s := &pairScorer{file: f.pairs, sides: map[string]*pairSide{}}
	if s.file == "-" {
		if slices.Contains(in.paths, "-") {
			return errors.New("the pairs and the articles cannot both be read from standard input; save one to a file first")
		}
		var err error
		if s.stdin, err = io.ReadAll(cmd.InOrStdin()); err != nil {
			return cli.Fail(err)
		}
	}
	ctx := cmd.Context()
	pairs := 0
	err := s.each(ctx, func(_ []byte, a, b string) error {
		pairs++
		s.sides[a], s.sides[b] = nil, nil
		return nil
	})
	if err != nil {
		return cli.Fail(err)
	}
	bar := cli.NewStatus(cmd.ErrOrStderr())
	bar.Live = bar.Live && !f.quiet
	err = s.read(ctx, in, f.workers, bar)
	bar.Clear()
	if err != nil {
		return cli.Fail(err)
	}
	out, err := f.openPairs(cmd)
	if err != nil {
		return err
	}
	missing, err := s.write(ctx, out)
	if err = out.Finish(err); err != nil {
		return cli.Fail(err)
	}
	s.report(cmd.ErrOrStderr(), in, missing, f.quiet, pairs)
	return nil
}

// openPairs opens the output of the pairs.
func (f *storiesFlags) openPairs(cmd *cobra.Command) (*cli.OutFile, error) {
	if f.out == "" || f.out == "-" {
		out, err := cli.OpenOut("-", cmd.OutOrStdout())
		return out, cli.Fail(err)
	}
	if err := f.checkExisting(); err != nil {
		return nil, err
	}
	out, err := cli.OpenOut(f.out, nil)
	return out, cli.Fail(err)
}

// each calls do with every line of the pairs and its ids.
func (s *pairScorer) each(ctx context.Context, do func(line []byte, a, b string) error) error {
	var in io.Reader = bytes.NewReader(s.stdin)
	if s.file != "-" {
		f, err := os.Open(s.file)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	const longest = 16 << 20
	r := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ctx.Err() == nil; n++ {
		line, _, err := lines.Read(r, longest)
		if err == io.EOF {
			return nil
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 && err == nil {
			continue
		}
		var pair struct{ A, B *sink.Text }
		if err == nil {
			err = json.Unmarshal(line, &pair)
		}
		if err == nil && (pair.A == nil || pair.B == nil) {
			err = errors.New(`a pair has the fields a and b, the ids of two articles`)
		}
		if err == nil {
			err = do(line, string(*pair.A), string(*pair.B))
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", s.file, n, err)
		}
	}
	return context.Cause(ctx)
}

// read reads the articles. Every one counts for the frequencies of terms; only those in
// pairs are kept.
func (s *pairScorer) read(ctx context.Context, in *storyInput, workers int, bar *cli.Status) error {
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
	take := func(p prepared) error {
		s.articles++
		bar.Step("reading", s.articles, 0, "articles")
		s.known.Add(p.side.terms)
		if p.side.shingles == nil {
			return nil
		}
		if found[p.id] != nil {
			s.repeated++ // the first one counts
			return nil
		}
		found[p.id] = p.side
		return nil
	}
	err := inOrder(ctx, workers, func(yield func(*stories.Article) error) error {
		return in.each(ctx, textArticle, yield)
	}, prepare, take)
	for id, side := range found { // now that all frequencies are known
		side.vector = s.known.Weigh(side.terms)
		s.sides[id] = side
	}
	return err
}

// write writes the pairs with their scores. It returns the ids that have no text.
func (s *pairScorer) write(ctx context.Context, w io.Writer) (missing []string, err error) {
	reported := map[string]bool{}
	err = s.each(ctx, func(line []byte, a, b string) error {
		var copied, story float64
		for _, id := range []string{a, b} {
			if s.sides[id] == nil && !reported[id] {
				reported[id] = true
				missing = append(missing, id)
			}
		}
		if x, y := s.sides[a], s.sides[b]; x != nil && y != nil {
			copied = stories.Compare(x.shingles, y.shingles).Score()
			story = stories.Likeness(x.vector, y.vector)
		}
		line, err := withScores(line, copied, story)
		if err == nil {
			_, err = w.Write(line)
		}
		return err
	})
	return missing, err
}

func (s *pairScorer) report(w io.Writer, in *storyInput, missing []string, quiet bool, pairs int) {
	if !quiet {
		fmt.Fprintf(w, "lede: %s, %s\n", number(pairs, "pair", "pairs"), number(s.articles, "article", "articles"))
	}
	in.report(w)
	if s.repeated > 0 {
		fmt.Fprintf(w, "lede: %s an id that another article has; the first counts\n", number(s.repeated, "article has", "articles have"))
	}
	if len(missing) > 0 {
		const few = 5
		list := strings.Join(missing[:min(few, len(missing))], ", ")
		if len(missing) > few {
			list += ", …"
		}
		fmt.Fprintf(w, "lede: %s not among the articles or without text; their pairs have copy 0 and story 0: %s\n", number(len(missing), "id is", "ids are"), list)
	}
}

// withScores returns a line of JSON with copy and story at its end, and a line break.
// Everything else stays as it is, byte for byte.
func withScores(line []byte, copied, story float64) ([]byte, error) {
	line, err := withoutFields(line, "copy", "story")
	if err != nil {
		return nil, err
	}
	body := bytes.TrimRight(line[:len(line)-1], " \t\r\n") // without the brace
	out := slices.Clip(body)
	if len(body) > 1 {
		out = append(out, ',')
	}
	out = append(out, `"copy":`...)
	out = appendScore(out, copied)
	out = append(out, `,"story":`...)
	out = appendScore(out, story)
	return append(out, "}\n"...), nil
}

// appendScore appends a score with up to six decimals.
func appendScore(b []byte, score float64) []byte {
	const decimals = 1e6
	return strconv.AppendFloat(b, math.Round(score*decimals)/decimals, 'f', -1, 64)
}

// withoutFields returns an object without some of its fields.
func withoutFields(object []byte, names ...string) ([]byte, error) {
	found := slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(object, []byte(name)) })
	if !found {
		return object, nil
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var fields [][]byte
	removed := false
	for dec.More() {
		from := dec.InputOffset()
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		if name, _ := key.(string); slices.Contains(names, name) {
			removed = true
			continue
		}
		field := object[from:dec.InputOffset()]
		if rest, ok := bytes.CutPrefix(bytes.TrimLeft(field, " \t\r\n"), []byte(",")); ok {
			field = rest
		}
		fields = append(fields, field)
	}
	if !removed {
		return object, nil
	}
	return slices.Concat([]byte("{"), bytes.Join(fields, []byte(",")), []byte("}")), nil
}
