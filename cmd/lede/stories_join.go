package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
)

func newStoriesJoin() *cobra.Command {
	var f storiesFlags
	cmd := &cobra.Command{
		Use:   "join SLICE… [--out FILE]",
		Short: "Join the stories of slices of time that were found on many machines",
		Long: `Join the stories of slices of time that were found on many machines.

Divide the articles by time into slices of a week or more, and let each slice begin with
the articles of the last four days (or of --window) of the slice before it; exact bounds
are not needed. Run lede stories on each slice, anywhere and in any order, and join the
results, SLICE.jsonl or .jsonl.gz, in order of time.

An article that two slices share has the story that the earlier slice gave it. A story of
the later slice continues the one with which it shares most articles. Copies are found
within a slice and its overlap. Two slices are in memory at a time.`,
		Example: `  lede stories nov-01.jsonl nov-02.jsonl --out slice1.jsonl
  lede stories nov-02.jsonl nov-03.jsonl --out slice2.jsonl
  lede stories join slice1.jsonl slice2.jsonl --out stories.jsonl`,
		Args: cli.SomeArguments("no slices: name files that lede stories --out FILE.jsonl has written, in order of time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.checkLines(); err != nil {
				return err
			}
			return cli.Fail(joinStories(cmd, args, &f))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "-", "output `FILE`.jsonl, also with .gz; - is standard output")
	fl.BoolVar(&f.overwrite, "overwrite", false, "replace FILE if it exists")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no summary")
	return cmd
}

func joinStories(cmd *cobra.Command, slices []string, f *storiesFlags) error {
	j := new(storyJoiner)
	err := writeJSON(f.out, cmd.OutOrStdout(), func(encode func(any) error) error {
		j.write = encode
		for _, path := range slices {
			if err := j.add(path); err != nil {
				return err
			}
			if cmd.Context().Err() != nil {
				return errors.New("stopped")
			}
		}
		j.known = nil
		return j.writeEnded()
	})
	if err == nil && !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s of %s in %s\n",
			number(j.stories, "story", "stories"), number(j.articles, "article", "articles"), number(len(slices), "slice", "slices"))
	}
	return err
}

// storyJoiner joins the stories of slices.
type storyJoiner struct {
	write    func(any) error
	open     []*storyLine
	known    map[string]*knownArticle // of the slice before, by id
	stories  int
	articles int
}

// knownArticle is an article of the slice before.
type knownArticle struct {
	story    *storyLine
	copyOf   string
	versions int // articles with this id
}

// add adds a slice, and writes the stories that have no article in it: no later slice shares
// articles with them.
func (j *storyJoiner) add(path string) error {
	next := map[string]*knownArticle{}
	err := readJSON(path, nil, func(l *storyLine) error {
		if len(l.Articles) == 0 {
			return errors.New("not a story: name a file that lede stories has written")
		}
		j.addStory(l, next)
		return nil
	})
	j.known = next
	if err != nil {
		return err
	}
	return j.writeEnded()
}

// addStory adds a story of a slice. next gets its articles.
func (j *storyJoiner) addStory(l *storyLine, next map[string]*knownArticle) {
	items, count := l.Articles, l.Count
	l.Articles, l.Count = nil, 0
	story := j.continuedBy(items)
	if story == nil {
		story = l
		j.open = append(j.open, l)
	} else {
		story.merge(l, count)
	}
	story.Count += count - len(items) // those that are not listed
	for _, item := range items {
		to := story
		if old := j.known[item.ID]; old != nil && old.versions > 0 {
			old.versions--
			to, item.CopyOf = old.story, old.copyOf
		} else {
			if of := j.known[item.CopyOf]; of != nil {
				to, item.CopyOf = of.story, cmp.Or(of.copyOf, item.CopyOf)
			}
			to.Articles = append(to.Articles, item)
			to.Count++
		}
		if next[item.ID] == nil {
			next[item.ID] = &knownArticle{story: to, copyOf: item.CopyOf}
		}
		next[item.ID].versions++
	}
}

// continuedBy returns the story that shares most articles with a story of the next slice, or nil.
func (j *storyJoiner) continuedBy(items []storyLineItem) (best *storyLine) {
	shared := map[*storyLine]int{}
	for i := range items {
		if old := j.known[items[i].ID]; old != nil {
			if shared[old.story]++; best == nil || shared[old.story] > shared[best] {
				best = old.story
			}
		}
	}
	return best
}

// merge adds what a later slice, with a number of articles, says of a story as a whole.
func (l *storyLine) merge(later *storyLine, count int) {
	if count > l.Count {
		l.Headline, l.Terms = later.Headline, later.Terms
	}
	l.Papers, l.Languages = union(l.Papers, later.Papers), union(l.Languages, later.Languages)
	if t := lineTime(later.Start); l.Start == "" || !t.IsZero() && t.Before(lineTime(l.Start)) {
		l.Start = later.Start
	}
	if lineTime(later.End).After(lineTime(l.End)) {
		l.End = later.End
	}
}

// union appends to a list what it lacks of another one.
func union(list, more []string) []string {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// lineTime returns a time of a line.
func lineTime(text string) time.Time { return published(sink.Text(text)) }

// writeEnded writes the stories without articles in the last slice.
func (j *storyJoiner) writeEnded() error {
	continued := map[*storyLine]bool{}
	for _, a := range j.known {
		continued[a.story] = true
	}
	var open []*storyLine
	for _, l := range j.open {
		switch {
		case continued[l]:
			open = append(open, l)
			continue
		case len(l.Articles) == 0: // all went to other stories
			continue
		}
		slices.SortStableFunc(l.Articles, func(a, b storyLineItem) int {
			x, y := lineTime(cmp.Or(a.Date, a.FirstSeen)), lineTime(cmp.Or(b.Date, b.FirstSeen))
			if x.IsZero() != y.IsZero() {
				return y.Compare(x) // unknown times last
			}
			return x.Compare(y)
		})
		l.First = l.Articles[0].ID
		j.stories++
		j.articles += l.Count
		if err := j.write(l); err != nil {
			return err
		}
	}
	j.open = open
	return nil
}
