package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
)

// parsePart parses I/N.
func parsePart(text string) (i, n int, err error) {
	first, second, _ := strings.Cut(text, "/")
	i, err = strconv.Atoi(first)
	if err == nil {
		n, err = strconv.Atoi(second)
	}
	if err != nil || i < 1 || n < i {
		return 0, 0, fmt.Errorf("--part %q: use I/N, with I from 1 to N, such as 3/100", text)
	}
	return i, n, nil
}

// checkPart returns an error for flags that --part cannot have.
func (f *batchFlags) checkPart(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"stories", "one-per-story", "resume", "summary", "urls"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s and --part exclude each other; see lede batch --help", name)
		}
	}
	if f.siteFlags.path != "" && !f.noLearn {
		return errors.New("--part with --site-store requires --no-learn: what one part learns would depend on the others")
	}
	if i := slices.IndexFunc(args, func(p string) bool { return p == "-" || isAddress(p) }); i >= 0 {
		return fmt.Errorf("--part reads files, and not %s: save it to a file first", args[i])
	}
	return sink.Check(f.partFile("", 0, ""))
}

// partFile returns the file of an archive: part-00017.parquet in the folder of --out, or
// as --out FOLDER/part.jsonl.gz names it.
func (f *batchFlags) partFile(before string, archive int, ending string) string {
	dir, name := filepath.Split(f.out)
	if name == "" || cli.IsFolder(f.out) || filepath.Ext(name) == "" {
		dir, name = f.out, "part.parquet"
	}
	stem, ext, _ := strings.Cut(name, ".")
	if ending != "" {
		ext = ending
	}
	return filepath.Join(dir, fmt.Sprintf("%s%s-%05d.%s", before, stem, archive, ext))
}

// runPart runs a part: every Nth archive from the Ith on, each into a file of its own. A
// file that is complete is not done again.
func (f *batchFlags) runPart(cmd *cobra.Command, args []string) error {
	i, n, err := parsePart(f.part)
	if err != nil {
		return err
	}
	if err := f.checkPart(cmd, args); err != nil {
		return err
	}
	r, err := f.newRun(cmd)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.partFile("", 0, "")), 0o755); err != nil {
		return cli.Fail(fmt.Errorf("cannot write the result: %w", err))
	}
	var bad []string
	var sum batch.Stats
	tasks, before := 0, 0
	names := (&batch.Source{Paths: args}).Names()
	for a := i - 1; a < len(args); a += n {
		tasks++
		r.in = &batch.Source{Paths: args[a : a+1], Name: names[a], MaxBytes: int64(f.maxBytes)}
		r.out, r.summary, r.mode = f.partFile("", a, ""), f.partFile("_", a, "json"), batch.Resume
		if f.overwrite {
			r.mode = batch.Overwrite
		} else if r.isComplete() {
			if s := readSummary(r.summary); s != nil && s.Archive != "" && s.Archive != args[a] {
				return cli.Fail(fmt.Errorf("%s has the pages of %s, and not of %s: name another folder, or use --overwrite", r.out, s.Archive, args[a]))
			}
			before++
			continue
		}
		var stats batch.Stats
		in, missing := os.Open(args[a])
		err := missing
		if missing == nil {
			in.Close()
			stats, err = r.run()
		}
		switch {
		case missing != nil || errors.Is(err, batch.ErrLocked):
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err))
			bad = append(bad, args[a])
		case err != nil:
			return cli.Fail(fmt.Errorf("%s: %s", args[a], strings.ReplaceAll(cli.OneLine(err), "with --resume", "again")))
		}
		sum.Done, sum.Failed, sum.Lost = sum.Done+stats.Done, sum.Failed+stats.Failed, sum.Lost+stats.Lost
	}
	if !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: part %s: %d archives, %d of them were done before; %d pages, %d failed, %d bytes lost\n",
			f.part, tasks, before, sum.Done, sum.Failed, sum.Lost)
	}
	switch {
	case len(bad) > 0:
		return cli.Fail(fmt.Errorf("%d of %d archives are not done; run the same command again: %s", len(bad), tasks, strings.Join(bad, ", ")))
	case sum.Failed > 0:
		return cli.ErrSomeFailed
	}
	return nil
}
