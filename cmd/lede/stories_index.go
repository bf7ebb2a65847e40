package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/stories/store"
)

// storyFlags are the flags of commands that say of each article which story it
// belongs to.
type storyFlags struct {
	stories     string
	onePerStory bool
}

func (f *storyFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.stories, "stories", "", "find copies and stories with the index in this `FILE`.db, and add the articles to it; see lede stories")
	cmd.Flags().BoolVar(&f.onePerStory, "one-per-story", false, "write only the first article of each story, and no copies; requires --stories")
}

func (f *storyFlags) check() error {
	if f.onePerStory && f.stories == "" {
		return errors.New("--one-per-story requires --stories FILE.db")
	}
	return nil
}

// storyIndex sets the fields of stories in results, and adds their articles to the
// index.
type storyIndex struct {
	*store.Store
	onePerStory bool
	leftOut     int // results
}

// open opens the index, or returns nil without --stories.
func (f *storyFlags) open() (*storyIndex, error) {
	if f.stories == "" {
		return nil, nil
	}
	s, err := store.Open(f.stories, store.Options{})
	if err != nil {
		return nil, err
	}
	return &storyIndex{Store: s, onePerStory: f.onePerStory}, nil
}

// storyMemory is about the memory that an index takes.
const storyMemory = 512 << 20

// prepare is for batch.Options.Prepare.
func (x *storyIndex) prepare(r *batch.Result) any { return x.prepareLine(&r.Line) }

// revise is for batch.Options.Revise.
func (x *storyIndex) revise(r *batch.Result) (keep bool, err error) {
	p, _ := r.Note.(*store.Prepared)
	return x.place(&r.Line, p)
}

// prepareLine does the part of the work that needs no other articles. It returns nil
// for a line without a story.
func (x *storyIndex) prepareLine(l *batch.Line) *store.Prepared {
	if a, _ := lineArticle(l); a != nil {
		return x.Prepare(a)
	}
	return nil
}

// place adds the article of a line to the index, and sets its fields. keep is false if
// --one-per-story leaves the line out.
func (x *storyIndex) place(l *batch.Line, p *store.Prepared) (keep bool, err error) {
	if p == nil {
		return true, nil
	}
	// The article is added even if the run is being stopped: it will be written.
	m, err := x.Add(context.Background(), p)
	if err != nil {
		return false, err
	}
	l.CopyOf, l.Story, l.StoryScore = m.CopyOf, m.Story, rounded(m.Score)
	if keep = m.First || !x.onePerStory; !keep {
		x.leftOut++
	}
	return keep, nil
}

// storySink commits the index with the outputs.
type storySink struct {
	sink.Sink
	index *storyIndex
}

func (s storySink) Commit() (int64, error) {
	mark, err := s.Sink.Commit()
	if err == nil {
		err = s.index.Commit()
	}
	return mark, err
}
