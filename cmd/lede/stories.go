package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

type storiesFlags struct {
	out       string
	pairs     string
	workers   int
	overwrite bool
	quiet     bool
}

func newStories() *cobra.Command {
	var f storiesFlags
	cmd := &cobra.Command{
		Use:   "stories ARTICLES…",
		Short: "Find copies and articles about the same story",
		Long:  `Find which articles are copies of one another and which tell the same story in other words.`,
		Args:  someArguments("no input: name files that lede batch or lede follow has written, or - for standard input"),
		RunE:  f.run,
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "output `FILE` (default: standard output)")
	fl.StringVar(&f.pairs, "pairs", "", "score the pairs of articles of this `FILE` and print them")
	fl.IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.BoolVar(&f.overwrite, "overwrite", false, "replace the output of an earlier run")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary")
	return cmd
}

func (f *storiesFlags) run(cmd *cobra.Command, args []string) error {
	if f.workers < 0 {
		return errors.New("--workers must not be negative")
	}
	in := &storyInput{paths: args, stdin: cmd.InOrStdin()}
	if err := in.check(); err != nil {
		return err
	}
	if f.pairs == "" {
		return errors.New("name pairs with --pairs FILE")
	}
	return f.runPairs(cmd, in)
}

// checkExisting returns an error if the output exists and may not be replaced.
func (f *storiesFlags) checkExisting() error {
	if fi, err := os.Stat(f.out); err == nil && fi.Size() > 0 && !f.overwrite {
		return failure{fmt.Errorf("%s exists: use --overwrite to replace it, or write to another file", f.out)}
	}
	return nil
}
