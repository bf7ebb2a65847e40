package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/output/outfile"
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
	told        *toldStories
}

// open opens the index, or returns nil without --stories.
func (f *storyFlags) open() (*storyIndex, error) {
	if f.stories == "" {
		return nil, nil
	}
	s, err := store.Open(f.stories, store.Options{})
	if err != nil {
		return nil, explainIndex(err)
	}
	return &storyIndex{Store: s, onePerStory: f.onePerStory}, nil
}

// storyMemory is about the memory that an index takes.
const storyMemory = 512 << 20

// prepare is for batch.Options.Prepare.
func (x *storyIndex) prepare(r *batch.Result) any {
	if p := x.prepareLine(&r.Line); p != nil {
		return p
	}
	return nil
}

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
	t := toldStory{ID: l.ID, Keep: true}
	if p != nil {
		// The article is added even if the run is being stopped: it will be written.
		m, err := x.Add(context.Background(), p)
		if err != nil {
			return false, err
		}
		t.CopyOf, t.Story, t.Score, t.Keep = m.CopyOf, m.Story, rounded(m.Score), m.First || !x.onePerStory
	}
	if x.told != nil {
		if t, err = x.told.next(t); err != nil {
			return false, err
		}
	}
	l.CopyOf, l.Story, l.StoryScore = t.CopyOf, t.Story, t.Score
	if !t.Keep {
		x.leftOut++
	}
	return t.Keep, nil
}

// storySink commits the index with the outputs.
type storySink struct {
	sink.Sink
	index *storyIndex
}

func (s storySink) Commit() (int64, error) {
	mark, err := s.Sink.Commit()
	if err == nil {
		err = s.index.told.commit()
	}
	if err == nil {
		err = s.index.Commit()
	}
	return mark, err
}

// toldStories is a small file with what was said of the results that are not in the
// journal yet. The index is committed before the journal: after a crash it knows
// articles that are added again, and others that came after them and may have become
// their originals. With the file, they get the fields that they had.
type toldStories struct {
	file      *os.File
	number    int64               // of the next result
	before    map[int64]toldStory // by earlier processes
	last      int64               // number in before
	committed bool                // nothing was said since the last commit
}

// toldStory is a line of the file.
type toldStory struct {
	Number int64   `json:"n"`
	ID     string  `json:"id"`
	CopyOf string  `json:"copy_of,omitempty"`
	Story  string  `json:"story,omitempty"`
	Score  float64 `json:"score,omitempty"`
	Keep   bool    `json:"keep,omitempty"`
}

// openTold opens the file for a run of which some results are in the journal.
func openTold(path string, done int64) (*toldStories, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot write the result: %w", err)
	}
	t := &toldStories{file: f, number: done, before: map[int64]toldStory{}, last: -1}
	r := bufio.NewReader(f)
	end := int64(0)
	for {
		line, err := r.ReadBytes('\n')
		text, ok := outfile.CheckLine(line)
		var s toldStory
		if err != nil || !ok || json.Unmarshal(text, &s) != nil {
			break // what a crash has cut off
		}
		end += int64(len(line))
		if s.Number >= done {
			t.before[s.Number] = s
			t.last = max(t.last, s.Number)
		}
	}
	err = f.Truncate(end)
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// next returns what is said of the next result: what was said of it by an earlier
// process, or t.
func (t *toldStories) next(s toldStory) (toldStory, error) {
	s.Number = t.number
	t.number++
	inJournal := t.committed && s.Number > t.last // all that is in the file
	t.committed = false
	old, ok := t.before[s.Number]
	delete(t.before, s.Number)
	if ok && old.ID == s.ID {
		return old, nil
	}
	if inJournal {
		if err := t.file.Truncate(0); err != nil {
			return s, err
		}
		if _, err := t.file.Seek(0, io.SeekStart); err != nil {
			return s, err
		}
	}
	text, err := json.Marshal(s)
	if err == nil {
		_, err = t.file.Write(outfile.Line(text))
	}
	return s, err
}

// commit makes the file durable, before the index is committed.
func (t *toldStories) commit() error {
	t.committed = true
	return t.file.Sync()
}
