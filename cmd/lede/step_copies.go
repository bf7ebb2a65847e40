package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

func newStepCandidates() *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "candidates",
		Short: "Choose the texts that a text is compared with",
		Long: `Choose the texts that a text is compared with, by the keys that they share.

The list of a key has the first 64 texts that have it, in order of node. The first key of a
text is that of the whole text; it is not used here.

Input: a line for each text.
  node        its number
  shingles    as lede step texts has it
  keys        how many keys it has, that of the whole text included
  full        true if, of one of its keys, there are 64 texts before it
  versions    nodes of the articles with the id of the first article of this text that
              come before that article: the first 8 in order of node
  candidates  for each text before it that is in the lists of its keys:
              [node, keys, weight, shingles], with the number of keys that they share,
              the sum over these of 64/n, rounded down, where n is the number of texts
              before it in the list, if there are fewer than 64, and that text's shingles

Output: a line for each text that is compared with others.
  node, full  as in the input
  of          [node, keys, 1 if it is a version or else 0] of up to 8 texts, in the order in
              which they are compared
  rest        the most keys that it shares with one that is not among these; -1 if there
              are no others`,
		Example: `  echo '{"node":7,"shingles":210,"keys":18,"full":false,"versions":[],"candidates":[[3,12,400,200]]}' | lede step candidates`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return mapLines(cmd, workers, func(_ context.Context, in *candidatesIn) (any, error) { return in.choose(), nil })
		},
	}
	stepWorkers(cmd, &workers)
	return cmd
}

type candidatesIn struct {
	Node       int64      `json:"node"`
	Shingles   int        `json:"shingles"`
	Keys       int        `json:"keys"`
	Full       bool       `json:"full"`
	Versions   []int64    `json:"versions"`
	Candidates [][4]int64 `json:"candidates"`
}

type candidatesOut struct {
	Node int64      `json:"node"`
	Of   [][3]int64 `json:"of"`
	Rest int        `json:"rest"`
	Full bool       `json:"full"`
}

// choose returns the texts to compare with, or nil if there are none.
func (in *candidatesIn) choose() any {
	if in.Keys <= 1 { // it is too short for copies
		return nil
	}
	versions := slices.Clone(in.Versions)
	slices.Sort(versions)
	versions = slices.Compact(versions)
	versions = versions[:min(len(versions), placing.MaxVersions)]
	var list []placing.Candidate[int64]
	for _, c := range in.Candidates {
		node, keys, weight, shingles := c[0], int(c[1]), int(c[2]), int(c[3])
		if !slices.Contains(versions, node) && keys >= placing.MinShared(in.Shingles, shingles) {
			list = append(list, placing.Candidate[int64]{Node: node, Keys: keys, Weight: weight})
		}
	}
	for _, v := range versions {
		list = append(list, placing.Version(v, in.Keys))
	}
	if len(list) == 0 {
		return nil
	}
	placing.SortCandidates(list, cmp.Compare)
	out := &candidatesOut{Node: in.Node, Rest: -1, Full: in.Full}
	for i, c := range list {
		if i >= placing.MaxParents {
			out.Rest = max(out.Rest, c.Keys)
			continue
		}
		version := int64(0)
		if c.Version {
			version = 1
		}
		out.Of = append(out.Of, [3]int64{c.Node, int64(c.Keys), version})
	}
	return out
}

func newStepCopies() *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "copies",
		Short: "Compare texts and tell which are copies",
		Long: `Compare texts and tell which are copies.

Input: a line for each line of lede step candidates.
  node, full, rest  as there
  text              of the node
  keys              how many keys it has, as in the input of lede step candidates
  of                in the same order, each with node, keys, version (0 or 1) and text
With "roots": true, the text is compared with the originals of its copies; then only
node, text and of (node, text) are needed.

Output: a line for each text that is a copy of one of these.
  node
  near  those that it is a copy of, each with node, likeness, in_a (the part of the text
        that is in the other), in_b (the part of the other that is in it) and shared (runs
        of four words), the best first
  all   false if it may be a copy of others: then it is compared with the originals of those
        in near that are copies themselves

The parent of a text is the best of near and of the originals that it is a copy of: that
with the highest shared, then the highest likeness, then the lowest node.`,
		Example: `  lede step copies < compared.jsonl > near.jsonl`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cache := &shingleCache{}
			return mapLines(cmd, workers, func(_ context.Context, in *copiesIn) (any, error) { return in.compare(cache) })
		},
	}
	stepWorkers(cmd, &workers)
	return cmd
}

type copiesIn struct {
	Node  int64   `json:"node"`
	Text  *string `json:"text"`
	Keys  int     `json:"keys"`
	Rest  *int    `json:"rest"`
	Full  bool    `json:"full"`
	Roots bool    `json:"roots"`
	Of    []struct {
		Node    int64   `json:"node"`
		Text    *string `json:"text"`
		Keys    int     `json:"keys"`
		Version flag01  `json:"version"`
	} `json:"of"`
}

// flag01 is true, false, 1 or 0 in JSON.
type flag01 bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag01) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "1", "true":
		*f = true
	case "0", "false", "null":
		*f = false
	default:
		return errors.New("version must be 0 or 1")
	}
	return nil
}

type copiesOut struct {
	Node int64     `json:"node"`
	Near []nearOut `json:"near"`
	All  bool      `json:"all"`
}

type nearOut struct {
	Node     int64   `json:"node"`
	Likeness float64 `json:"likeness"`
	InA      float64 `json:"in_a"`
	InB      float64 `json:"in_b"`
	Shared   int     `json:"shared"`
}

var errNoText = errors.New("a text is missing: join the text of each node")

// shingleCache keeps the shingles of texts, since copies of one text are compared with the
// same others. It is safe for concurrent use.
type shingleCache struct {
	mu    sync.Mutex
	texts map[string]*stories.Shingles
	size  int // of the texts, in bytes
}

// maxShingleCache bounds the texts of a shingleCache. With their shingles they take three times as
// much.
const maxShingleCache = 16 << 20

func (c *shingleCache) get(text string) *stories.Shingles {
	c.mu.Lock()
	sh := c.texts[text]
	c.mu.Unlock()
	if sh != nil {
		return sh
	}
	sh = stories.NewShingles(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += len(text); c.texts == nil || c.size > maxShingleCache {
		c.texts, c.size = map[string]*stories.Shingles{}, len(text)
	}
	if len(text) <= maxShingleCache {
		c.texts[text] = sh
	}
	return sh
}

// compare returns what the text is a copy of, or nil if it is none.
func (in *copiesIn) compare(cache *shingleCache) (any, error) {
	if in.Text == nil {
		return nil, errNoText
	}
	texts := map[int64]string{}
	var list []placing.Candidate[int64]
	for _, c := range in.Of {
		if c.Text == nil {
			return nil, errNoText
		}
		texts[c.Node] = *c.Text
		list = append(list, placing.Candidate[int64]{Node: c.Node, Keys: c.Keys, Version: bool(c.Version)})
	}
	if !in.Roots && len(list) > placing.MaxParents {
		return nil, errors.New("more texts than lede step candidates chooses")
	}
	if in.Rest != nil && *in.Rest >= 0 && !in.Roots {
		if len(list) < placing.MaxParents {
			return nil, errors.New("rest is given although fewer texts are compared than may be")
		}
		list = append(list, placing.Candidate[int64]{Node: -1, Keys: *in.Rest}) // it is not compared
	}
	sh := cache.get(*in.Text)
	shinglesOf := func(node int64) (*stories.Shingles, error) { return cache.get(texts[node]), nil }
	var near []placing.Near[int64]
	all := true
	if in.Roots {
		for _, c := range list {
			other, _ := shinglesOf(c.Node)
			if o, ok := placing.Compare(sh, other, false); ok {
				near = append(near, placing.Near[int64]{Node: c.Node, Overlap: o})
			}
		}
	} else {
		var err error
		if near, all, err = placing.Copies(sh, in.Keys, list, shinglesOf); err != nil {
			return nil, err
		}
	}
	if len(near) == 0 {
		return nil, nil
	}
	slices.SortFunc(near, func(a, b placing.Near[int64]) int {
		return cmp.Or(placing.Better(b.Overlap, a.Overlap), cmp.Compare(a.Node, b.Node))
	})
	out := &copiesOut{Node: in.Node, All: all && !in.Full}
	for _, n := range near {
		o := n.Overlap
		out.Near = append(out.Near, nearOut{n.Node, o.Likeness, o.InA, o.InB, o.Shared})
	}
	return out, nil
}
