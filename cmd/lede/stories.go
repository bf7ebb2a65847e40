package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

type storiesFlags struct {
	out       string
	pairs     string
	window    dayFlag
	workers   int
	overwrite bool
	quiet     bool
}

func newStories() *cobra.Command {
	f := storiesFlags{window: dayFlag(store.DefaultWindow)}
	cmd := &cobra.Command{
		Use:   "stories ARTICLES… [--out FILE]",
		Short: "Find copies and stories: who had it first, who copied, who tells it in other words",
		Long: `Find which articles are copies of one another (wire copy, syndication, an excerpt, an
update), and which tell the same story in other words.

ARTICLES are files that lede batch and lede follow have written: JSON lines, Parquet or
SQLite, by the ending of the name, or - for JSON lines on standard input. Articles are
sorted by time first. Pages that failed, have no text, or are no articles are counted.

Of a group of copies the original is the earliest by date, or by when it was first seen
if it has no date, then the longest. An article that is no copy joins the most similar
story of the last days (--window), or opens one. Articles of a story have one language.

The ending of FILE selects the format. .jsonl, or .jsonl.gz, has one story a line: story
(its id), headline, first (the id of the article that had it first), papers, languages,
start, end, terms, count, and up to 10,000 articles, each with id, url, site, title,
lang, date, score (0 to 1: how well it fits) and reason. A copy also has copy_of (the id
of the original), copied_from (the article that it is most like), shared, added and cut
(0 to 1). .db is the index itself, a SQLite file, which grows with further runs; lede
batch and lede follow use it with --stories, lede stories list and show read it. What was
added to it survives a kill: run the same command again to continue.

--pairs reads lines {"a": id, "b": id} and prints each with copy (0 to 1: how much text
is shared) and story (0 to 1: how likely they tell the same story) added. On many
machines, run lede stories on slices of time and join them: lede stories join --help.`,
		Example: `  lede stories articles.jsonl --out stories.jsonl
  lede stories monday.parquet tuesday.jsonl.gz --out stories.db
  lede stories list stories.db --min-papers 3
  lede stories show stories.db https://paper.example/story.html
  lede batch pages/ --out - | lede stories - | jq -r 'select(.papers|length > 1).headline'
  lede stories --pairs pairs.jsonl articles.jsonl > scored.jsonl`,
		Args: cli.SomeArguments("no input: name files that lede batch or lede follow has written, or - for standard input"),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "-", "output `FILE`: .jsonl, or .db for an index that can grow; - is standard output")
	fl.StringVar(&f.pairs, "pairs", "", "print the pairs of articles in this `FILE` with their scores")
	fl.Var(&f.window, "window", "how far apart in `TIME` the articles of a story may be")
	fl.IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.BoolVar(&f.overwrite, "overwrite", false, "replace FILE if it exists")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary")
	cmd.AddCommand(newStoriesShow(), newStoriesList(), newStoriesJoin())
	return cmd
}

func (f *storiesFlags) check(in *storyInput) error {
	switch {
	case f.workers < 0:
		return errors.New("--workers must not be negative")
	case f.window <= 0:
		return errors.New("--window must be a positive time, such as 4d")
	case f.pairs != "" && f.isIndex():
		return errors.New("--pairs prints lines: name a file that ends in .jsonl, or leave --out out")
	}
	if err := in.check(); err != nil {
		return err
	}
	if out, err := os.Stat(f.out); err == nil && slices.ContainsFunc(in.paths, func(path string) bool {
		fi, err := os.Stat(path)
		return err == nil && os.SameFile(fi, out)
	}) {
		return fmt.Errorf("--out %s is an input: write to another file", f.out)
	}
	if f.isIndex() {
		return nil
	}
	return f.checkLines()
}

// isIndex reports whether the output is an index.
func (f *storiesFlags) isIndex() bool {
	return slices.Contains([]string{".db", ".sqlite", ".sqlite3"}, filepath.Ext(strings.ToLower(f.out)))
}

// checkLines returns an error if lines cannot be written to the output, or it exists and may
// not be replaced.
func (f *storiesFlags) checkLines() error {
	if f.out == "-" {
		return nil
	}
	if ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(f.out), ".gz")); ext != ".jsonl" && ext != ".ndjson" {
		return fmt.Errorf("%s: the ending of the name must say the format: .jsonl or .jsonl.gz, or .db for an index", f.out)
	}
	if fi, err := os.Stat(f.out); err == nil && fi.Size() > 0 && !f.overwrite {
		return cli.Fail(fmt.Errorf("%s exists: use --overwrite to replace it, or write to another file", f.out))
	}
	return nil
}

func (f *storiesFlags) run(cmd *cobra.Command, args []string) error {
	in := &storyInput{paths: args, stdin: cmd.InOrStdin()}
	if err := f.check(in); err != nil {
		return err
	}
	bar := cli.NewStatus(cmd.ErrOrStderr())
	bar.Live = bar.Live && !f.quiet
	if f.pairs != "" {
		return f.runPairs(cmd, in, bar)
	}
	r := &storiesRun{flags: f, cmd: cmd, in: in, bar: bar, began: time.Now()}
	err := r.run()
	r.bar.Clear()
	switch {
	case errors.Is(err, context.Canceled) && f.isIndex() && r.added > 0:
		err = fmt.Errorf("stopped after %s, which are saved; run the same command again to continue", number(r.added, "article", "articles"))
	case errors.Is(err, context.Canceled):
		err = errors.New("stopped")
	case err == nil:
		r.summary()
		if in.bad != nil {
			return cli.ErrSomeFailed
		}
	}
	return cli.Fail(err)
}

// storiesRun is one run of the command.
type storiesRun struct {
	flags *storiesFlags
	cmd   *cobra.Command
	in    *storyInput
	bar   *cli.Status
	began time.Time

	added, opened, copies int // articles, stories, and copies
}

// storiesMemory is where the garbage collector begins to work harder. SQLite has some
// 150 MB of its own. What is in use does not depend on the number of articles.
const storiesMemory = 740 << 20

func (r *storiesRun) run() (err error) {
	debug.SetMemoryLimit(min(storiesMemory, debug.SetMemoryLimit(-1)))
	path, remove, err := r.indexFile()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	sorted, err := newTimeSorter(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer sorted.close()
	ctx := r.cmd.Context()
	err = r.in.each(ctx, storyArticle, func(a *stories.Article) error {
		r.bar.Step("reading", len(sorted.list)+1, 0, "articles")
		return sorted.add(a)
	})
	if err != nil {
		return err
	}
	index, err := store.Open(path, store.Options{Window: time.Duration(r.flags.window)})
	if err != nil {
		return err
	}
	err = r.add(ctx, index, sorted)
	if err == nil && !r.flags.isIndex() {
		err = writeJSON(r.flags.out, r.cmd.OutOrStdout(), func(encode func(any) error) error {
			for s, err := range index.Stories(ctx) {
				if err != nil {
					return err
				}
				if err := encode(newStoryLine(s)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return errors.Join(err, index.Close())
}

// add adds all articles to the index, in order of time.
func (r *storiesRun) add(ctx context.Context, index *store.Store, sorted *timeSorter) error {
	err := inOrder(ctx, r.flags.workers, sorted.each, index.Prepare, func(p *store.Prepared) error {
		m, err := index.Add(ctx, p)
		if err != nil {
			return err
		}
		r.added++
		if m.First {
			r.opened++
		}
		if m.CopyOf != "" {
			r.copies++
		}
		r.bar.Step("adding", r.added, len(sorted.list), "articles")
		return nil
	})
	return errors.Join(err, index.Commit())
}

func (r *storiesRun) summary() {
	if w := r.cmd.ErrOrStderr(); !r.flags.quiet {
		took := time.Since(r.began)
		fmt.Fprintf(w, "lede: %s in %v, %.0f articles/s: %s, %s\n", number(r.added, "article", "articles"), took.Round(10*time.Millisecond),
			float64(r.added)/max(took.Seconds(), 0.001), number(r.opened, "story", "stories"), number(r.copies, "copy", "copies"))
	}
	r.in.report(r.cmd.ErrOrStderr(), r.flags.quiet)
}

// indexFile returns the file of the index, and a function that removes it after the run if it
// is not the output.
func (r *storiesRun) indexFile() (path string, remove func() error, err error) {
	f := r.flags
	if f.isIndex() {
		err := os.MkdirAll(filepath.Dir(f.out), 0o755)
		for _, end := range []string{"", "-wal", "-shm"} {
			if f.overwrite && err == nil {
				if err = os.Remove(f.out + end); errors.Is(err, os.ErrNotExist) {
					err = nil
				}
			}
		}
		return f.out, func() error { return nil }, err
	}
	folder := f.out + ".index"
	if f.out == "-" {
		folder, err = os.MkdirTemp("", "lede-stories-")
	} else if err = os.RemoveAll(folder); err == nil { // of a run that was killed
		err = os.MkdirAll(folder, 0o755)
	}
	return filepath.Join(folder, "index"), func() error { return os.RemoveAll(folder) }, err
}
