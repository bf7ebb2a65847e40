// Command lede extracts the articles of news pages.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/methods/param"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/internal/version"
)

func main() { cli.RunMain(newRoot()) }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.RunRoot(ctx, newRoot(), args, stdin, stdout, stderr)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "lede",
		Short: "Extract the articles of news pages",
		Long: `lede extracts the article of a news page: headline, body with its structure,
byline, dates, pictures, and nothing else.

Results go to standard output, messages to standard error. The exit status is 0
on success, 1 if the work was finished but some page failed, 2 if the command line
is invalid, and 3 if the work could not be done or was stopped.`,
		Example: `  lede extract https://paper.example/story.html
  lede extract --format md page.html > story.md
  lede batch pages/ --out articles.jsonl`,
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newExtract(), newBatch(), newFollow(), newStories(), newLinks(), newMethods(), newSite(), newServe(), newPipe(), newVersion())
	cli.FinishRoot(root)
	return root
}

// pageFlags are the flags of commands that extract articles.
type pageFlags struct {
	method       string
	set          []string
	model        string
	charset      string
	maxBytes     int
	pageTime     time.Duration
	onlyArticles bool
	favor        string
	with         []string
	choices      []string // valid values of with
	verbose      bool
}

func (f *pageFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.method, "method", "m", lede.DefaultMethod, "extraction `METHOD`; see lede methods")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the method, as `NAME=VALUE`; repeatable; see lede methods")
	fl.StringVar(&f.model, "model", "", "model `FILE` made by lede-lab train story, or with --method wrapper by lede-lab train wrapper")
	fl.StringVar(&f.charset, "charset", "", "`CHARSET` of the pages, overriding what they declare")
	fl.IntVar(&f.maxBytes, "max-bytes", dom.DefaultBytes, "maximum size of a page, in bytes")
	fl.DurationVar(&f.pageTime, "page-time", lede.DefaultTime, "maximum time to extract a page, and again to write it")
	fl.BoolVar(&f.onlyArticles, "only-articles", false, "treat non-articles as errors")
	f.choices = append([]string{"comments", "captions", "tables"}, f.choices...)
	fl.StringVar(&f.favor, "favor", "", "what to do with doubtful text: `precision` leaves it out, recall keeps it")
	fl.StringSliceVar(&f.with, "with", nil, "`LIST` of what to keep in addition: "+strings.Join(f.choices, ", "))
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log what is being done to standard error")
	cli.Complete(cmd, "method", cli.MethodNames()...)
	cli.Complete(cmd, "favor", "precision", "recall")
	cli.Complete(cmd, "with", f.choices...)
}

// keeps reports whether --with lists what.
func (f *pageFlags) keeps(what string) bool { return slices.Contains(f.with, what) }

// extractor returns an extractor configured by the flags.
func (f *pageFlags) extractor(log *slog.Logger, more ...lede.Option) (*lede.Extractor, error) {
	favor, ok := request.Favors[f.favor]
	if !ok {
		return nil, fmt.Errorf("--favor %q: use precision or recall", f.favor)
	}
	for _, what := range f.with {
		if !slices.Contains(f.choices, what) {
			return nil, fmt.Errorf("--with %q: use one or more of %s", what, strings.Join(f.choices, ","))
		}
	}
	q := request.Page{Method: f.method, Set: f.set, Favor: favor, With: f.with, OnlyArticles: f.onlyArticles, Charset: f.charset}
	opts := append(q.Options(), lede.WithLogger(log), lede.WithLimits(lede.Limits{Bytes: f.maxBytes, Time: f.pageTime}))
	if f.model != "" {
		trained, err := f.trained()
		if err != nil {
			return nil, err
		}
		opts = append(opts, trained)
	}
	return lede.New(append(opts, more...)...)
}

// trained returns the option that uses the model of --model.
func (f *pageFlags) trained() (lede.Option, error) {
	model, err := os.ReadFile(f.model)
	if err != nil {
		return nil, cli.Fail(err)
	}
	switch f.method {
	case "wrapper", "wrapper:paper":
		return f.trainedWrapper(model)
	case lede.DefaultMethod: // or the method of the model
		opt := lede.WithModel(bytes.NewReader(model))
		if _, err := lede.New(opt); err != nil {
			return nil, cli.Fail(fmt.Errorf("--model %s: %w", f.model, err))
		}
		return opt, nil
	}
	return nil, fmt.Errorf("--model is for the methods %s and wrapper, not for %s", lede.DefaultMethod, f.method)
}

// trainedWrapper returns the option that uses the wrapper with a model.
func (f *pageFlags) trainedWrapper(model []byte) (lede.Option, error) {
	c := wrapper.Default()
	if f.method == "wrapper:paper" {
		c = wrapper.Paper()
	}
	for _, s := range f.set {
		name, value, _ := strings.Cut(s, "=") // lede.New reports malformed ones
		if err := param.Set(&c, name, value); err != nil {
			return nil, err
		}
	}
	c.Model = new(wrapper.Model)
	err := json.Unmarshal(model, c.Model)
	if err == nil {
		err = c.Model.Check()
	}
	if err != nil {
		return nil, cli.Fail(fmt.Errorf("--model %s: %w", f.model, err))
	}
	return lede.WithCustomMethod(wrapper.New(c)), nil
}

func (f *pageFlags) logger(w io.Writer) *slog.Logger {
	if !f.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  lede version\n  lede --version",
		Args:    cli.Arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

// versionLine returns the version of lede, of Go and of the platform.
func versionLine() string {
	return fmt.Sprintf("lede %s %s %s/%s", version.Get(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
