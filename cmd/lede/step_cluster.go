package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
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
		Args:    cli.NoArguments,
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

// readLine reads the fields of a line that has no escapes, since package encoding/json
// takes as long as finding the story.
func (l *termsLine) readLine(text []byte) bool {
	return scanFields(text, func(name, value []byte, isString bool) (ok bool) {
		switch string(name) {
		case "node":
			l.Node, ok = scanNumber(value, isString)
		case "time":
			l.Time = new(int64)
			*l.Time, ok = scanNumber(value, isString)
		case "id":
			l.ID, ok = string(value), isString
		case "hash":
			l.Hash, ok = string(value), isString
		case "terms":
			var err error
			l.Terms, err = base64.StdEncoding.AppendDecode(nil, value)
			ok = isString && err == nil
		default:
			return false // such as names in other cases
		}
		return ok
	})
}

func scanNumber(value []byte, isString bool) (int64, bool) {
	n, err := strconv.ParseInt(string(value), 10, 64)
	return n, err == nil && !isString && (value[0] != '0' || len(value) == 1) && value[0] != '+' && !bytes.HasPrefix(value, []byte("-0"))
}

// scanFields calls do with the fields of a JSON object, as long as it returns true. It
// returns false if the object has escapes, control characters, invalid UTF-8, other values than
// strings and numbers, or if it is damaged.
func scanFields(text []byte, do func(name, value []byte, isString bool) bool) bool {
	text, ok := bytes.CutPrefix(text, []byte("{"))
	if !ok || bytes.IndexByte(text, '\\') >= 0 || !utf8.Valid(text) {
		return false
	}
	space := func() { text = bytes.TrimLeft(text, " ") }
	quoted := func() (s []byte, ok bool) {
		space()
		if len(text) == 0 || text[0] != '"' {
			return nil, false
		}
		end := bytes.IndexByte(text[1:], '"')
		if end < 0 {
			return nil, false
		}
		s, text = text[1:1+end], text[end+2:]
		return s, !slices.ContainsFunc(s, func(c byte) bool { return c < ' ' })
	}
	for {
		name, ok := quoted()
		if space(); !ok || len(text) == 0 || text[0] != ':' {
			return false
		}
		text = text[1:]
		space()
		value, isString := quoted()
		if !isString {
			end := bytes.IndexAny(text, " ,}")
			if end <= 0 || text[0] == '"' {
				return false
			}
			value, text = text[:end], text[end:]
		}
		if !do(name, value, isString) {
			return false
		}
		space()
		switch {
		case len(text) == 1 && text[0] == '}':
			return true
		case len(text) == 0 || text[0] != ',':
			return false
		}
		text = text[1:]
	}
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
		Args:    cli.NoArguments,
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

// placeLine is a line of the output of lede step cluster.
type placeLine struct {
	Node   int64   `json:"node"`
	Story  string  `json:"story"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
	Vector []byte  `json:"vector"`
}

// append appends the line as package encoding/json writes it.
func (l *placeLine) append(b []byte) ([]byte, error) {
	vector := l.Vector
	l.Vector = nil
	line, err := jsonLine(l)
	line, ok := bytes.CutSuffix(line, []byte("null}\n"))
	if err != nil || !ok {
		return b, cmp.Or(err, errors.New("a place cannot be written"))
	}
	b = append(append(b, line...), '"')
	b = base64.StdEncoding.AppendEncode(b, vector)
	return append(b, "\"}\n"...), nil
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
	var text []byte
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
		line := &placeLine{a.Node, placing.StoryName(p.Story), p.Score, p.Reason, vector}
		if text, err = line.append(text[:0]); err != nil {
			return err
		}
		return out.writeBytes(text)
	}
	return out.finish(s.run())
}
