// Command lede takes a news page and gives back the article.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/param"
	"github.com/lede-news/lede/internal/wrapper"
	"github.com/lede-news/lede/method"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // some page failed, or the work could not be done
	exitUsage  = 2 // the command line is wrong
)

// run is the whole program but for the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var f failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		if f.err != nil {
			fmt.Fprintf(stderr, "lede: %s\n", oneLine(f.err))
		}
		return exitFailed
	}
	fmt.Fprintf(stderr, "lede: %s\n", oneLine(err))
	fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	return exitUsage
}

// failure is an error of the work, not of the command line. With no error
// inside, it was told already.
type failure struct{ err error }

func (f failure) Error() string {
	if f.err == nil {
		return "some pages failed"
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "lede",
		Short: "Take a news page and give back the article",
		Long: `lede takes a news page and gives back the article: headline, body with its
structure, byline, dates, pictures, and nothing else.

Results go to standard output, messages to standard error. The exit status is
0 when all went well, 1 when some page failed, 2 when the command line is wrong.`,
		Example: `  lede extract https://paper.example/story.html
  lede extract --format md page.html > story.md
  lede batch pages/ --out articles.jsonl`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newExtract(), newBatch(), newMethods(), newSite(), newNewsroom(), newEval(), newLabel(), newTrain(), newExperiment(), newTune(), newVersion())
	return root
}

// pageFlags are the flags of every command that reads pages.
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
	choices      []string // of with
	verbose      bool
}

func (f *pageFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.method, "method", "m", lede.DefaultMethod, "extraction `METHOD`, see lede methods")
	fl.StringArrayVar(&f.set, "set", nil, "change a setting of the method, as `NAME=VALUE`; may be repeated, see lede methods")
	fl.StringVar(&f.model, "model", "", "`FILE` of the model for --method wrapper, from lede train wrapper")
	fl.StringVar(&f.charset, "charset", "", "read pages in this `charset`, whatever they say of themselves")
	fl.IntVar(&f.maxBytes, "max-bytes", dom.DefaultBytes, "largest page to read, in bytes")
	fl.DurationVar(&f.pageTime, "page-time", lede.DefaultTime, "longest time for one page")
	fl.BoolVar(&f.onlyArticles, "only-articles", false, "let pages fail that are no article")
	f.choices = append([]string{"comments", "captions", "tables"}, f.choices...)
	fl.StringVar(&f.favor, "favor", "", "in doubt lean towards `WHICH`: precision (leave out) or recall (keep)")
	fl.StringSliceVar(&f.with, "with", nil, "a `LIST` of what to keep as well: "+strings.Join(f.choices, ", "))
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "say on standard error what is being done")
	_ = cmd.RegisterFlagCompletionFunc("method", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return methodNames(), cobra.ShellCompDirectiveNoFileComp
	})
	for name, values := range map[string][]string{"favor": {"precision", "recall"}, "with": f.choices} {
		_ = cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return values, cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// favored is what --favor asks for.
func (f *pageFlags) favored() (method.Favor, error) {
	switch f.favor {
	case "":
		return method.Balanced, nil
	case "precision":
		return method.FavorPrecision, nil
	case "recall":
		return method.FavorRecall, nil
	}
	return method.Balanced, fmt.Errorf("--favor %q: use precision or recall", f.favor)
}

// keeps tells whether --with names something.
func (f *pageFlags) keeps(what string) bool { return slices.Contains(f.with, what) }

func (f *pageFlags) checkWith() error {
	for _, what := range f.with {
		if !slices.Contains(f.choices, what) {
			return fmt.Errorf("--with %q: use one or several of %s", what, strings.Join(f.choices, ","))
		}
	}
	return nil
}

// extractor returns an extractor configured by the flags.
func (f *pageFlags) extractor(log *slog.Logger) (*lede.Extractor, error) {
	favor, err := f.favored()
	if err != nil {
		return nil, err
	}
	if err := f.checkWith(); err != nil {
		return nil, err
	}
	opts := []lede.Option{
		lede.WithMethod(f.method, f.set...), lede.WithCharset(f.charset), lede.WithLogger(log), lede.WithFavor(favor),
		lede.WithComments(f.keeps("comments")), lede.WithCaptions(f.keeps("captions")), lede.WithTables(f.keeps("tables")), lede.WithArticlesOnly(f.onlyArticles),
		lede.WithLimits(lede.Limits{Bytes: f.maxBytes, Time: f.pageTime}),
	}
	if f.model != "" {
		m, err := f.trained()
		if err != nil {
			return nil, err
		}
		opts = append(opts, lede.WithCustomMethod(m))
	}
	return lede.New(opts...)
}

// trained is the wrapper with a model of the user's own.
func (f *pageFlags) trained() (method.Method, error) {
	c := wrapper.Default()
	switch f.method {
	case "wrapper":
	case "wrapper:paper":
		c, _ = wrapper.Preset("paper")
	default:
		return nil, errors.New("--model goes with --method wrapper")
	}
	for _, s := range f.set {
		name, value, _ := strings.Cut(s, "=") // NewMethod has checked them
		if err := param.Set(&c, name, value); err != nil {
			return nil, err
		}
	}
	var err error
	if c.Model, err = readModel(f.model); err != nil {
		return nil, failure{err}
	}
	return wrapper.New(c), nil
}

func (f *pageFlags) logger(w io.Writer) *slog.Logger {
	if !f.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// webFlags are the flags of commands that fetch.
type webFlags struct {
	timeout      time.Duration
	allowPrivate bool
	userAgent    string
}

func (f *webFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.DurationVar(&f.timeout, "timeout", fetch.DefaultTimeout, "longest time to fetch one page")
	fl.BoolVar(&f.allowPrivate, "allow-private", false, "allow addresses of this machine and of private networks")
	fl.StringVar(&f.userAgent, "user-agent", "", "what to call ourselves; the default is lede and its version")
}

func (f *webFlags) client(maxBytes int, log *slog.Logger) *fetch.Client {
	return fetch.New(fetch.Options{
		Timeout: f.timeout, MaxBytes: int64(maxBytes), AllowPrivate: f.allowPrivate, UserAgent: f.userAgent, Logger: log,
	})
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  lede version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "lede %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is that of the module, or "devel" with the commit when it was built
// from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
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
