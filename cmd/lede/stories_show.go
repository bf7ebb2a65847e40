package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

func newStoriesShow() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "show STORIES.db STORY…",
		Short: "Show a story: who had it first, who copied, what was changed",
		Long: `Show a story: its headline, who had it first, a time line, and for each copy from whom
it is, how much is shared, and what was added and cut.

STORY is the id of a story or its beginning, the id of an article, or its URL as
it is in the index.

In a diff, paragraphs with + were added, those with - were cut, and those with ~ were
changed: [-words-] were cut and {+words+} were added. A paragraph that stands elsewhere
was cut and added. What is unchanged is only counted.`,
		Example: `  lede stories show stories.db k3x9
  lede stories show stories.db https://paper.example/story.html
  lede stories show stories.db --json k3x9 | jq '.articles[] | select(.copy_of)'`,
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return errors.New("no index: name a file that lede stories --out FILE.db has written")
			case 1:
				return errors.New("no story: name one after the index, by its id, the id of an article, or a URL; lede stories list lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			index, err := openForReading(args[0])
			if err != nil {
				return err
			}
			return cli.Fail(errors.Join(showStories(cmd, index, args[0], args[1:], asJSON, all), index.Close()))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each story, with the edits of each copy")
	cmd.Flags().BoolVar(&all, "all", false, fmt.Sprintf("show all copies and edits (default: the first %d copies, and %d edits of each)", shownCopies, shownEdits))
	return cmd
}

// openForReading opens an index that exists.
func openForReading(path string) (*store.Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, cli.Fail(fmt.Errorf("no index at %s; create one with lede stories ARTICLES --out %s", path, path))
	}
	index, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		return nil, cli.Fail(err)
	}
	return index, nil
}

func showStories(cmd *cobra.Command, index *store.Store, path string, names []string, asJSON, all bool) error {
	ctx := cmd.Context()
	w := bufio.NewWriter(cli.NewConsole(cmd.OutOrStdout()))
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetEscapeHTML(false)
	for i, name := range names {
		s, err := findStory(ctx, index, path, name)
		if err == nil && asJSON {
			line := newStoryLine(s)
			if err = addEdits(ctx, index, s, line); err == nil {
				err = enc.Encode(line)
			}
		} else if err == nil {
			if i > 0 {
				fmt.Fprintln(w)
			}
			err = (&storyView{w, index, s, all}).show(ctx)
		}
		if err = errors.Join(err, w.Flush()); err != nil {
			return err
		}
	}
	return nil
}

// findStory finds a story by its id or the beginning of it, or by the id or the URL of an
// article.
func findStory(ctx context.Context, index *store.Store, path, name string) (*store.Story, error) {
	if s, err := index.Find(ctx, name); !errors.Is(err, store.ErrNotFound) {
		return s, err
	}
	all, err := index.Summaries(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range all {
		if strings.HasPrefix(s.ID, name) {
			ids = append(ids, s.ID)
		}
	}
	switch {
	case len(ids) == 1:
		return index.Find(ctx, ids[0])
	case len(ids) > 1:
		return nil, fmt.Errorf("%s: %d stories begin with %s, such as %s and %s", path, len(ids), name, ids[0], ids[1])
	}
	return nil, fmt.Errorf("%s has no story with the id %[2]s, and no article with the id or URL %[2]s; lede stories list %[1]s lists the stories", path, name)
}

// addEdits adds to each copy what was changed in it.
func addEdits(ctx context.Context, index *store.Store, s *store.Story, line *storyLine) error {
	for i := range s.Members {
		m := &s.Members[i]
		if m.Parent == 0 {
			continue
		}
		edits, err := editsOf(ctx, index, m)
		if err != nil {
			return err
		}
		for _, e := range edits {
			if isChange(e) {
				line.Articles[i].Edits = append(line.Articles[i].Edits, e)
			}
		}
	}
	return nil
}

// editsOf returns what was changed in a copy.
func editsOf(ctx context.Context, index *store.Store, m *store.Member) ([]stories.Edit, error) {
	before, err := index.Text(ctx, m.Parent)
	if err != nil {
		return nil, err
	}
	after, err := index.Text(ctx, m.Number)
	if err != nil {
		return nil, err
	}
	return stories.Diff(before, after), nil
}
