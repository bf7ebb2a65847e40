package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
)

func newStepPlan() *cobra.Command {
	var split string
	var whole bool
	cmd := &cobra.Command{
		Use:   "plan [--split SIZE] [--json [-- FLAGS]]",
		Short: "Divide archives into tasks",
		Long: `Divide archives into tasks. A task is an archive, or a range of a large WARC file. The
results of all tasks, one after the other, are those of one lede batch over all archives.

Input: a line for each archive, in the order of the list: path (a path, or the URI of a
file, such as s3a://bucket/a.warc.gz) and size in bytes, or -1 if it is unknown.

Output: a line for each task: part (its number, from 0), archive (the number of its
archive, from 0), path (a URI that begins with file: becomes a path), name (what ids begin
with; empty if there is only one archive), from and until (offsets in the archive; an
until of 0 is its end).

A task is run by
  lede batch FILE --as NAME --origin PATH --from FROM --until UNTIL --out … --summary …
where FILE is the archive or a copy of it. It reads the records that begin in the range,
and none is no error. Its summary has
  begin  the offset of its first record, -1 if there is none
  next   the offset of the first record after it, -1 at the end of the archive
Where a range begins is a guess, unless it is 0, since a page may contain what looks like
a record. Go through the ranges of an archive in order, with the last next of a range
whose begin is not -1. A range was read rightly if its begin is that next, or if its begin
is -1 and that next is -1 or not before its until. Run any other range again with --exact
--from NEXT (--from=-1 if next is -1), and go on with its next.

--json writes one object instead of lines: the plan.json of lede batch --part and of
lede_news.spark, with settings (flags: those of lede batch after -- that the results
depend on, with their defaults; split; sites and partition_by, which are those of
lede_news.spark), fields (of a record), archives, sizes and tasks.`,
		Example: `  printf '{"path":"a.warc.gz","size":1000000000}\n' | lede step plan --split 256MB
  lede step plan --json < archives.jsonl -- --method blend --body md > plan.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && (!whole || cmd.ArgsLenAtDash() != 0) {
				return fmt.Errorf("%q is not expected: archives are lines of standard input, and flags of lede batch follow --json --", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			size, err := parseSplit(split)
			if err != nil {
				return err
			}
			return stepPlan(cmd, size, whole, args)
		},
	}
	cmd.Flags().StringVar(&split, "split", "0", "divide WARC files larger than `SIZE`, such as 256MB, into ranges (default: do not)")
	cmd.Flags().BoolVar(&whole, "json", false, "write one object, as plan.json has it")
	return cmd
}

// parseSplit parses the value of --split.
func parseSplit(text string) (int64, error) {
	size, err := parseSize(text)
	if err != nil {
		return 0, fmt.Errorf("--split %q: %w", text, err)
	}
	return size, nil
}

func stepPlan(cmd *cobra.Command, split int64, whole bool, flags []string) error {
	settings, err := batchFlagsOf(flags)
	if err != nil {
		return err
	}
	var archives []batch.Archive
	s := step[batch.Archive, *batch.Archive]{cmd: cmd, workers: 1}
	s.prepare = func(_ context.Context, a *batch.Archive) (*batch.Archive, error) {
		if a.Path == "" {
			return nil, errors.New("it has no path")
		}
		return a, nil
	}
	s.take = func(a *batch.Archive) error {
		archives = append(archives, *a)
		return nil
	}
	if err := s.run(); err != nil {
		return err
	}
	p := newRunPlan(archives, split, settings)
	out := newLineWriter(cmd.OutOrStdout())
	if whole {
		return out.finish(cli.Fail(out.write(p)))
	}
	for _, t := range p.Tasks {
		if err := out.write(t); err != nil {
			return out.finish(cli.Fail(err))
		}
	}
	return out.finish(nil)
}
