package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/stories/store"
)

type storiesListFlags struct {
	since     dayFlag
	minPapers int
	latest    bool
	limit     int
	json      bool
}

func newStoriesList() *cobra.Command {
	var f storiesListFlags
	cmd := &cobra.Command{
		Use:   "list STORIES.db",
		Short: "List the stories of an index, the largest or the latest first",
		Long: `List the stories of an index, those with the most articles first: the id, the numbers of
articles, papers and copies, the time of the latest article, and the headline.`,
		Example: `  lede stories list stories.db
  lede stories list stories.db --latest --since 2d --min-papers 3
  lede stories list stories.db --limit 0 --json | jq 'select(.papers | index("paper.example"))'`,
		Args: cli.Arguments(1, 1, "no index: name a file that lede stories --out FILE.db has written"),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.Var(&f.since, "since", "list stories with an article of the last `TIME`, such as 2d or 36h (default: all)")
	fl.IntVar(&f.minPapers, "min-papers", 0, "list stories of at least so many papers")
	fl.BoolVar(&f.latest, "latest", false, "list the latest first")
	fl.IntVar(&f.limit, "limit", 20, "list at most so many stories; 0 lists all")
	fl.BoolVar(&f.json, "json", false, "print lines of JSON, as lede stories writes them")
	return cmd
}

func (f *storiesListFlags) run(cmd *cobra.Command, args []string) error {
	if f.limit < 0 || f.minPapers < 0 || f.since < 0 {
		return errors.New("--limit, --min-papers and --since must not be negative")
	}
	index, err := openForReading(args[0])
	if err != nil {
		return err
	}
	defer index.Close()
	list, err := f.find(cmd.Context(), index)
	switch {
	case err != nil:
	case len(list) == 0:
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s has no such stories\n", args[0])
	case f.json:
		err = writeJSON("-", cmd.OutOrStdout(), func(encode func(any) error) error {
			for _, s := range list {
				if err := encode(newStoryLine(s)); err != nil {
					return err
				}
			}
			return nil
		})
	default:
		err = printStories(cli.NewConsole(cmd.OutOrStdout()), list)
	}
	return cli.Fail(err)
}

// find returns the stories to list. Only those that may be listed are read.
func (f *storiesListFlags) find(ctx context.Context, index *store.Store) (list []*store.Story, err error) {
	all, err := index.Summaries(ctx)
	if err != nil {
		return nil, err
	}
	from := time.Now().Add(-time.Duration(f.since))
	all = slices.DeleteFunc(all, func(s store.Summary) bool {
		return s.Articles < f.minPapers || f.since > 0 && s.End.Before(from)
	})
	slices.SortStableFunc(all, func(a, b store.Summary) int {
		bySize, byTime := cmp.Compare(b.Articles, a.Articles), b.End.Compare(a.End)
		if f.latest {
			bySize, byTime = byTime, bySize
		}
		return cmp.Or(bySize, byTime)
	})
	for _, summary := range all {
		if f.limit > 0 && len(list) == f.limit {
			break
		}
		s, err := index.Find(ctx, summary.ID)
		if err != nil {
			return nil, err
		}
		if len(s.Papers) >= f.minPapers {
			list = append(list, s)
		}
	}
	return list, nil
}

// printStories prints a table.
func printStories(out io.Writer, list []*store.Story) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STORY\tARTICLES\tPAPERS\tCOPIES\tLATEST\tLANG\tHEADLINE")
	for _, s := range list {
		copies := 0
		for i := range s.Members {
			if s.Members[i].CopyOf != "" {
				copies++
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\n", s.ID, s.Articles, len(s.Papers), copies,
			span(s.End, s.End), strings.Join(baseLanguages(s), ","), lines.Shorten(title(s.Headline), 100))
	}
	return w.Flush()
}
