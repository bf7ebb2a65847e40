package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
)

type batchFlags struct {
	pageFlags
	siteFlags
	out     string
	workers int
	quiet   bool
}

func newBatch() *cobra.Command {
	var f batchFlags
	cmd := &cobra.Command{
		Use:   "batch IN… --out FILE.jsonl",
		Short: "Extract many pages into a file of JSON lines",
		Long: `Extract many pages into a file of JSON lines, one for each page, in the order
in which they get done.

IN is a file or a folder. In folders every file is read that ends in .html or
.htm, also with .gz. A folder with pages/ and gold.jsonl is a corpus: the
addresses of its pages are taken from there.

A line has id, url, title, text, authors, date, modified, lang, site, images,
comments, type, confidence and method; a page that failed has id, url and
error. FILE is in place only when it is whole; until then it is FILE.partial.`,
		Example: `  lede batch pages/ --out articles.jsonl
  lede batch news1.html news2.html.gz --out - | jq -r .title
  lede batch archive/ --site-store sites.db --out articles.jsonl
  lede batch corpus/ --charset utf-8 --workers 4 --out articles.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.pageFlags.add(cmd)
	f.siteFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` to write, or - for standard output (required)")
	fl.IntVarP(&f.workers, "workers", "w", 0, "pages in work at once; 0 is one for each core")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no progress and no summary")
	return cmd
}

func (f *batchFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("which pages? Name files or folders")
	case f.out == "":
		return errors.New("where to? Name a file with --out FILE.jsonl, or --out - for standard output")
	case f.workers < 0:
		return errors.New("--workers is a number of pages, 0 or more")
	}
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log)
	if err != nil {
		return err
	}
	in := batch.Find(args)
	if in.Len() == 0 {
		return failure{fmt.Errorf("no pages found in %s: folders are searched for .html and .htm, also with .gz", strings.Join(args, ", "))}
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	extract := func(ctx context.Context, p batch.Page, r io.Reader) (*article.Article, error) {
		x, err := known.extract(ctx, ex, r, p.URL, p.Site)
		if err != nil {
			return nil, err
		}
		return x.Article, nil
	}
	out, err := openOut(f.out, cmd.OutOrStdout())
	if err != nil {
		return failure{err}
	}
	bar := newProgress(cmd.ErrOrStderr(), in.Len(), f.quiet)
	stats, err := batch.Run(cmd.Context(), in.All(), extract, out, batch.Options{Workers: f.workers, Progress: bar.update})
	bar.clear()
	if err = out.finish(err); err != nil {
		if errors.Is(err, context.Canceled) {
			err = fmt.Errorf("stopped after %d of %d pages; what is done is in %s", stats.Done, in.Len(), out.partial())
		}
		return failure{err}
	}
	if !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", summary(stats))
	}
	if known != nil {
		if err := known.close(); err != nil {
			return failure{err}
		}
	}
	if stats.Failed > 0 {
		return failure{}
	}
	return nil
}

func summary(s batch.Stats) string {
	seconds := max(s.Elapsed.Seconds(), 0.001)
	text := fmt.Sprintf("%d pages in %v, %.0f pages/s, %.1f MB/s", s.Done, s.Elapsed.Round(10*time.Millisecond),
		float64(s.Done)/seconds, float64(s.Bytes)/1e6/seconds)
	if s.Failed > 0 {
		text += fmt.Sprintf("; %d failed, see the lines with \"error\"", s.Failed)
	}
	return text
}

// outFile is a result that gets its name when it is whole.
type outFile struct {
	*bufio.Writer
	file *os.File // nil for standard output
	name string
}

func openOut(name string, stdout io.Writer) (*outFile, error) {
	const room = 1 << 16
	if name == "-" {
		return &outFile{Writer: bufio.NewWriterSize(stdout, room)}, nil
	}
	if fi, err := os.Stat(name); err == nil && fi.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file in it", name)
	}
	f, err := os.Create(name + ".partial")
	if err != nil {
		return nil, fmt.Errorf("cannot write the result: %w", err)
	}
	return &outFile{Writer: bufio.NewWriterSize(f, room), file: f, name: name}, nil
}

// finish writes out what is left and, if all went well, gives the file its name.
func (o *outFile) finish(err error) error {
	err = errors.Join(err, o.Flush())
	if o.file == nil {
		return err
	}
	err = errors.Join(err, o.file.Sync(), o.file.Close())
	if err != nil {
		return err
	}
	return os.Rename(o.file.Name(), o.name)
}

func (o *outFile) partial() string {
	if o.file == nil {
		return "the output"
	}
	return o.file.Name()
}
