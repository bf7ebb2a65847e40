package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/page/lines"
)

// partFlags are the flags of a batch over a list of archives, or a part of it.
type partFlags struct {
	archives string
	part     string
	split    string
}

func (f *partFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.archives, "archives", "", "`LIST` with a path on each line, or - for standard input")
	fl.StringVar(&f.part, "part", "", "do part `I/N` of all archives, I from 1 to N, for array jobs; --out is a folder")
	fl.StringVar(&f.split, "split", "0", "with --part, divide WARC files larger than `SIZE`, such as 256MB, into ranges (default: do not)")
}

// withArchives returns the inputs with those of --archives.
func (f *partFlags) withArchives(cmd *cobra.Command, args []string) ([]string, error) {
	if f.archives == "" {
		return args, nil
	}
	in := cmd.InOrStdin()
	if f.archives != "-" {
		file, err := os.Open(f.archives)
		if err != nil {
			return nil, cli.Fail(fmt.Errorf("--archives: %w", err))
		}
		defer file.Close()
		in = file
	}
	r, args := bufio.NewReader(in), slices.Clone(args)
	for {
		line, _, err := lines.Read(r, 64<<10)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, cli.Fail(fmt.Errorf("--archives %s: %w; it must be a list with a path on each line", f.archives, err))
		}
		path := strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff"))
		if path != "" && path[0] != '#' {
			args = append(args, path)
		}
	}
	if len(args) == 0 {
		return nil, cli.Fail(fmt.Errorf("there are no archives in %s", f.archives))
	}
	return args, nil
}

// checkPart returns an error for flags that --part cannot have.
func (f *batchFlags) checkPart(fl *pflag.FlagSet, args []string) error {
	if f.part == "" {
		if fl.Changed("split") {
			return errors.New("--split requires --part")
		}
		return nil
	}
	for _, name := range slices.Concat(wholeFlags, rangeNames, []string{"resume", "summary", "quarantine", "metrics", "urls", "observe"}) {
		if fl.Changed(name) {
			return fmt.Errorf("--%s and --part exclude each other; see lede batch --help", name)
		}
	}
	switch {
	case fl.Changed("site-store") && !fl.Changed("no-learn"):
		return errors.New("--part with --site-store requires --no-learn: what one part learns would depend on the others")
	case f.out == "-":
		return errors.New("--part writes a folder of Parquet files; name one with --out FOLDER/")
	case !strings.HasSuffix(f.out, "/") && filepath.Ext(f.out) != "" && !cli.IsFolder(f.out):
		return fmt.Errorf("--part writes a folder of Parquet files, and %s looks like a file; name one with --out FOLDER/", f.out)
	}
	for _, path := range args {
		switch {
		case path == "-":
			return errors.New("--part cannot read standard input; save it to a file first")
		case strings.Contains(path, "://") && !strings.HasPrefix(path, "file://"):
			return fmt.Errorf("--part reads files, and not %s: copy it to a disk first, or use lede_news.spark, which reads what Spark does", path)
		}
	}
	return nil
}

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

// partHelp describes --part in the help of batch.
const partHelp = `
Parts. --part I/N does one part of N of a list of archives, for array jobs (Slurm,
Kubernetes, AWS Batch) on machines that share a disk. A task is an archive or, with
--split, a range of a large WARC file; part I does every Nth task from the Ith on. The
records of all parts together are those of one run. In the folder of --out,
part-00017.parquet has the records of task 17, _lede/parts/part-00017.json its summary,
which means that it is done, and _lede/plan.json what all parts have in common: other
settings or archives are refused. A part that is run again does what is not done; a
task that runs twice, also at the same time, changes nothing. An archive that is missing
or cannot be read is named, and is tried again by the next run (exit status 3). A
damaged archive has a record for each damaged stretch, as ever. --overwrite begins anew
if the settings or archives are others, and otherwise repeats only the tasks of its part.
lede_news.spark continues such a run, and the other way round.
`
