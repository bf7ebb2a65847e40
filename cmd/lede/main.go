// Command lede extracts the articles of news pages.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/param"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/method"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C ends the program immediately.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitOK      = 0
	exitFailed  = 1 // the work was finished, but some page failed
	exitUsage   = 2 // the command line is wrong
	exitAborted = 3 // the work could not be done, or was stopped
)

// run runs the command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout, stderr = newOutput(stdout), newConsole(stderr)
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
		if f.err == nil {
			return exitFailed
		}
		fmt.Fprintf(stderr, "lede: %s\n", oneLine(f.err))
		return exitAborted
	}
	fmt.Fprintf(stderr, "lede: %s\n", oneLine(err))
	fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	return exitUsage
}

// failure is an error that is not due to the command line. If err is nil, the work
// was finished, but some page failed, which has been printed already.
type failure struct{ err error }

func (f failure) Error() string {
	if f.err == nil {
		return "some pages failed"
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

// fail returns err as a failure, or nil.
func fail(err error) error {
	if err == nil || errors.As(err, new(failure)) {
		return err
	}
	return failure{err}
}

// complete makes the shell complete a flag with the given values.
func complete(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
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
	root.AddCommand(newExtract(), newBatch(), newFollow(), newStories(), newLinks(), newMethods(), newSite(), newNewsroom(), newEval(), newLabel(), newServe(), newPipe(), newStep(), newTrain(), newExperiment(), newTune(), newVersion())
	subcommands(root)
	for _, c := range root.Commands() {
		if c.HasSubCommands() && c.RunE == nil {
			subcommands(c)
		}
	}
	root.SetFlagErrorFunc(flagError)
	examples := "{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}"
	usage := strings.Replace(root.UsageTemplate(), examples, "", 1)
	root.SetUsageTemplate(strings.Replace(usage, "{{if .Runnable}}", `{{if and .Runnable (not (index .Annotations "`+isGroup+`"))}}`, 1))
	root.SetHelpTemplate(helpTemplate)
	return root
}

// helpTemplate puts the examples before the description.
const helpTemplate = `{{.Short}}.
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{with .Long}}
{{. | trimTrailingWhitespaces}}
{{end}}
{{.UsageString}}`

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
	fl.StringVar(&f.model, "model", "", "model `FILE` made by lede train story, or with --method wrapper by lede train wrapper")
	fl.StringVar(&f.charset, "charset", "", "`CHARSET` of the pages, overriding what they declare")
	fl.IntVar(&f.maxBytes, "max-bytes", dom.DefaultBytes, "maximum size of a page, in bytes")
	fl.DurationVar(&f.pageTime, "page-time", lede.DefaultTime, "maximum time to extract a page, and again to write it")
	fl.BoolVar(&f.onlyArticles, "only-articles", false, "treat non-articles as errors")
	f.choices = append([]string{"comments", "captions", "tables"}, f.choices...)
	fl.StringVar(&f.favor, "favor", "", "what to do with doubtful text: `precision` leaves it out, recall keeps it")
	fl.StringSliceVar(&f.with, "with", nil, "`LIST` of what to keep in addition: "+strings.Join(f.choices, ", "))
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log what is being done to standard error")
	complete(cmd, "method", methodNames()...)
	complete(cmd, "favor", "precision", "recall")
	complete(cmd, "with", f.choices...)
}

// favoring returns the value of --favor.
func (f *pageFlags) favoring() (lede.Favor, error) {
	switch f.favor {
	case "":
		return lede.Balanced, nil
	case "precision":
		return lede.FavorPrecision, nil
	case "recall":
		return lede.FavorRecall, nil
	}
	return lede.Balanced, fmt.Errorf("--favor %q: use precision or recall", f.favor)
}

// keeps reports whether --with lists what.
func (f *pageFlags) keeps(what string) bool { return slices.Contains(f.with, what) }

func (f *pageFlags) checkWith() error {
	for _, what := range f.with {
		if !slices.Contains(f.choices, what) {
			return fmt.Errorf("--with %q: use one or more of %s", what, strings.Join(f.choices, ","))
		}
	}
	return nil
}

// extractor returns an extractor configured by the flags.
func (f *pageFlags) extractor(log *slog.Logger, more ...lede.Option) (*lede.Extractor, error) {
	favor, err := f.favoring()
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
	head, err := readHead(f.model)
	if err != nil {
		return nil, failure{err}
	}
	isWrapper := f.method == "wrapper" || f.method == "wrapper:paper"
	switch isStory := blend.IsModel(head); {
	case isStory && f.method != lede.DefaultMethod:
		return nil, fmt.Errorf("--model %s: a model of lede train story cannot be used with --method %s; leave --method out", f.model, f.method)
	case !isStory && !isWrapper && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")):
		return nil, fmt.Errorf("--model %s: a model of lede train wrapper requires --method wrapper", f.model)
	case isWrapper:
		m, err := f.trainedWrapper()
		return lede.WithCustomMethod(m), err
	case f.method != lede.DefaultMethod:
		return nil, fmt.Errorf("--model is for the methods %s and wrapper, not for %s", lede.DefaultMethod, f.method)
	}
	file, err := os.Open(f.model)
	if err != nil {
		return nil, failure{err}
	}
	defer file.Close()
	opt := lede.WithModel(file)
	if _, err := lede.New(opt); err != nil {
		return nil, failure{fmt.Errorf("--model %s: %w", f.model, err)}
	}
	return opt, nil
}

// readHead returns the first bytes of a file.
func readHead(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 64)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}

// trainedWrapper returns the wrapper with the model of --model.
func (f *pageFlags) trainedWrapper() (method.Method, error) {
	c := wrapper.Default()
	if f.method == "wrapper:paper" {
		c, _ = wrapper.Preset("paper")
	}
	for _, s := range f.set {
		name, value, _ := strings.Cut(s, "=") // lede.New reports malformed ones
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

// webFlags are the flags of commands that fetch pages.
type webFlags struct {
	timeout      time.Duration
	allowPrivate bool
	userAgent    string
}

func (f *webFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.DurationVar(&f.timeout, "timeout", fetch.DefaultTimeout, "maximum time to fetch one page")
	fl.BoolVar(&f.allowPrivate, "allow-private", false, "allow addresses of this machine and of private networks")
	fl.StringVar(&f.userAgent, "user-agent", "", "User-Agent header (default: lede and its version)")
}

func (f *webFlags) client(maxBytes int, log *slog.Logger) *fetch.Client {
	return fetch.New(fetch.Options{
		Timeout: f.timeout, MaxBytes: int64(maxBytes), AllowPrivate: f.allowPrivate, UserAgent: f.userAgent, Logger: log,
	})
}

// hintPrivate adds the flag to use to the error of a refused address.
func hintPrivate(err error) error {
	if errors.Is(err, fetch.ErrPrivateAddress) {
		return fmt.Errorf("%w; allow it with --allow-private", err)
	}
	return err
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// outFile is an output file that gets its name when it is complete.
type outFile struct {
	*bufio.Writer
	file *os.File // nil for standard output
	name string
}

func openOut(name string, stdout io.Writer) (*outFile, error) {
	const bufferSize = 1 << 16
	if name == "-" {
		return &outFile{Writer: bufio.NewWriterSize(stdout, bufferSize)}, nil
	}
	if fi, err := os.Stat(name); err == nil && fi.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file", name)
	}
	f, err := os.Create(name + ".partial")
	if err != nil {
		return nil, fmt.Errorf("cannot write the result: %w", err)
	}
	return &outFile{Writer: bufio.NewWriterSize(f, bufferSize), file: f, name: name}, nil
}

// finish flushes the output and renames the file, or removes it if there was an
// error.
func (o *outFile) finish(err error) error {
	err = errors.Join(err, o.Flush())
	if o.file == nil {
		return err
	}
	err = errors.Join(err, o.file.Sync(), o.file.Close())
	if err != nil {
		_ = os.Remove(o.file.Name())
		return err
	}
	return os.Rename(o.file.Name(), o.name)
}
