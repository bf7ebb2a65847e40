package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

func newStepStories() *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "stories",
		Short: "Write stories as lede stories does",
		Long: `Write stories as lede stories does.

Input: a line for each article, sorted by start (the earliest time of the articles of its
story), story, time and number.
  story   the id of its story
  number  of the article
  id, url, site, title, lang, published, seen, time
          as lede step texts has them; time must not be null: that of articles without a
          time is that of the latest article of all
  count   how many articles its story has. It may be left out if all of them are in the
          input; else, the first 10,000 are enough
An article that is no copy also has score, reason and vector, as lede step cluster has
them. A copy instead has:
  parent     the number of the article that it is a copy of: of an article with a text that
             is known, the first with it, else the first article of the parent of its node
  parent_id  the id of that
  copy_of    the id of the original: the first article of the root of its node
  likeness, in_a, in_b, shared
             as lede step copies has them; with the same text 1, 1, 1, and the shingles of
             the text

Output: a line for each story, as lede stories --out FILE.jsonl has it.`,
		Example: `  lede step stories < members.jsonl > stories.jsonl`,
		Args:    cli.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return stepStories(cmd, workers) },
	}
	stepWorkers(cmd, &workers)
	return cmd
}

type memberIn struct {
	Story  string `json:"story"`
	Number int64  `json:"number"`
	Count  int    `json:"count"`
	articleLine
	Score    float64 `json:"score"`
	Reason   string  `json:"reason"`
	Vector   []byte  `json:"vector"`
	Parent   *int64  `json:"parent"`
	ParentID string  `json:"parent_id"`
	CopyOf   string  `json:"copy_of"`
	Likeness float64 `json:"likeness"`
	InA      float64 `json:"in_a"`
	InB      float64 `json:"in_b"`
	Shared   int     `json:"shared"`
}

// noParent is the parent of an article that is no copy. Numbers of store.Member begin at 1,
// so those of the input are raised by one.
const noParent = 0

// member returns the article as store.Store returns it.
func (in *memberIn) member() (m store.Member, err error) {
	if _, ok := placing.ParseName(in.Story); !ok {
		return m, fmt.Errorf("%q is not the id of a story", in.Story)
	}
	if in.Time == nil {
		return m, errors.New("time is missing: that of an article without a time is that of the latest of all")
	}
	m = store.Member{
		Article: stories.Article{
			ID: in.ID, URL: in.URL, Site: in.Site, Title: in.Title, Lang: in.Lang,
			Published: placing.FromMillis(timeOrUnknown(in.Published)), FirstSeen: placing.FromMillis(timeOrUnknown(in.Seen)),
		},
		Membership: store.Membership{Story: in.Story, Score: in.Score, Reason: in.Reason},
		Number:     in.Number + 1, Time: placing.FromMillis(*in.Time),
	}
	if in.Parent == nil {
		if len(in.Vector) == 0 {
			return m, errors.New("an article that is no copy needs a vector, and a copy a parent")
		}
		return m, nil
	}
	m.Parent, m.CopyOf = *in.Parent+1, in.CopyOf
	m.Overlap = stories.Overlap{Likeness: in.Likeness, InA: in.InA, InB: in.InB, Shared: in.Shared}
	m.Score, m.Reason = m.Overlap.Score(), placing.CopyReason(in.ID, in.ParentID, m.Overlap)
	return m, nil
}

// storyMember is a member with its vector, which a copy has not.
type storyMember struct {
	store.Member
	vector []byte
	count  int // of the articles of its story; 0 if all of them are in the input
}

func stepStories(cmd *cobra.Command, workers int) error {
	out := newLineWriter(cmd.OutOrStdout())
	var g storyGroup
	s := step[memberIn, storyMember]{cmd: cmd, workers: workers}
	s.prepare = func(_ context.Context, in *memberIn) (storyMember, error) {
		m, err := in.member()
		return storyMember{m, in.Vector, in.Count}, err
	}
	s.take = func(m storyMember) error {
		if g.story.Articles > 0 && g.story.ID != m.Story {
			if c := g.story.Start.Compare(m.Time); c > 0 || c == 0 && g.story.ID > m.Story {
				return errors.New("the lines are not sorted by start, story, time and number")
			}
			if err := g.write(out); err != nil {
				return err
			}
			g = storyGroup{}
		}
		return g.add(m)
	}
	err := s.run()
	if err == nil && g.story.Articles > 0 {
		err = cli.Fail(g.write(out))
	}
	return out.finish(err)
}

// storyGroup collects the articles of a story.
type storyGroup struct {
	story   store.Story
	own     []int // which of the members are no copies
	vectors [][]byte
	last    storyMember
	outline placing.Outline
}

func (g *storyGroup) add(m storyMember) error {
	st := &g.story
	if st.Articles == 0 {
		st.ID, st.First, st.Start = m.Story, m.Member, m.Time
	} else if c := g.last.Time.Compare(m.Time); c > 0 || c == 0 && g.last.Number >= m.Number {
		return errors.New("the lines are not sorted by start, story, time and number")
	}
	g.last = storyMember{Member: store.Member{Number: m.Number, Time: m.Time}, count: m.count}
	if st.Articles++; st.Articles > store.MaxMembers {
		return nil
	}
	if m.Parent == noParent {
		g.own, g.vectors = append(g.own, len(st.Members)), append(g.vectors, m.vector)
	}
	st.End = m.Time
	st.Members = append(st.Members, m.Member)
	g.outline.Add(m.Site, m.Lang)
	return nil
}

// write writes the story.
func (g *storyGroup) write(out *lineWriter) error {
	st := &g.story
	if len(g.own) == 0 {
		return fmt.Errorf("story %s has only copies", st.ID)
	}
	var titles []string
	var vectors []*stories.Vector
	for _, i := range placing.Sample(len(g.own)) {
		v := new(stories.Vector)
		if err := v.UnmarshalBinary(g.vectors[i]); err != nil {
			return fmt.Errorf("the article %s: %w", st.Members[g.own[i]].ID, err)
		}
		titles, vectors = append(titles, st.Members[g.own[i]].Title), append(vectors, v)
	}
	st.Articles = max(st.Articles, g.last.count)
	st.Papers, st.Languages = g.outline.Papers, g.outline.Languages()
	st.Headline, st.Terms = placing.Describe(titles, vectors)
	return out.write(newStoryLine(st))
}
