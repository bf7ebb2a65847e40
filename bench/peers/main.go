// Command peers measures the quality and the speed of lede and other extractors on
// the same pages, in the same order, on one core each.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/bench/peers/rivals"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/eval/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runtime.GOMAXPROCS(1) // one core for Go libraries, as for other programs
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "peers: %s\n", strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	var r run
	cmd := &cobra.Command{
		Use:   "peers CORPUS…",
		Short: "Measure lede and other extractors on corpora",
		Long: `Measure the quality and the speed of lede and other extractors on corpora:
folders of pages with known article texts. Every page goes to every system in turn,
so that other load on the machine affects all systems equally. Times are those of
the libraries, without pipes; that of lede from Python includes its own process.

Rivals: ` + strings.Join(rivals.Names(rivals.All()), ", ") + `.
Go libraries are compiled in; install.sh installs the others.`,
		Example: `  go run . ../../../shared/corpora/daniel
  go run . ../../../shared/corpora/* --rivals go --methods blend,nce --limit 100
  go run . ../../../shared/corpora/daniel --rivals trafilatura,newspaper4k --report report.html`,
		Args:          cobra.MinimumNArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.corpora, r.out, r.err = args, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return r.evaluate(cmd.Context())
		},
	}
	var known []string
	for _, m := range measure.All() {
		known = append(known, m.Name)
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&r.rivals, "rivals", []string{"all"}, "comma-separated `RIVALS`; all: those installed, go: Go libraries, none: none")
	fl.StringSliceVar(&r.methods, "methods", []string{lede.DefaultMethod}, "comma-separated `METHODS` of lede; times are relative to the first")
	fl.StringSliceVar(&r.measures, "measure", []string{"bag"}, "comma-separated `MEASURES` of quality: "+strings.Join(known, ", "))
	fl.StringVar(&r.report, "report", "", "write an HTML report to `FILE`")
	fl.StringVar(&r.json, "json", "", "write all figures as JSON to `FILE`")
	fl.StringVar(&r.save, "save", "", "write the outputs to `FOLDER`/CORPUS/SYSTEM.jsonl")
	fl.IntVar(&r.limit, "limit", 0, "use the first `N` pages of each corpus only")
	fl.StringVar(&r.home, "home", ".", "`FOLDER` of this module, where the rivals are installed")
	cmd.AddCommand(newRace(), newChart())
	return cmd
}

// run has the flags of a run.
type run struct {
	corpora                   []string
	rivals, methods, measures []string
	report, json, save        string
	home                      string
	limit                     int
	out, err                  io.Writer
}

func (r *run) evaluate(ctx context.Context) error {
	quality := slices.DeleteFunc(slices.Clone(r.measures), func(name string) bool { return name == "time" })
	if len(quality) == 0 {
		return errors.New("--measure needs a measure of quality besides time")
	}
	measures, err := measure.Find(append(quality, "time")...)
	if err != nil {
		return err
	}
	corpora, err := r.openCorpora()
	if err != nil {
		return err
	}
	systems, err := r.openSystems()
	defer closeAll(systems)
	if err != nil {
		return err
	}
	files, err := r.openFiles(systems)
	if err != nil {
		return err
	}
	warmUp(ctx, corpora[0], systems)
	same := newSame(systems, r.logf)
	res, err := eval.Run(ctx, corpora, systems, measures, eval.Options{
		Workers: 1, Problem: r.problem,
		Each: func(page *eval.Page) {
			files.add(page)
			same.add(page)
		},
		Progress: func(done, total int) {
			if done%100 == 0 {
				r.logf("%d of %d pages", done, total)
			}
		},
	})
	if err == nil {
		err = printTables(r.out, res)
		same.print(r.out)
	}
	return errors.Join(err, files.finish(res))
}

func (r *run) logf(format string, args ...any) { fmt.Fprintf(r.err, "peers: "+format+"\n", args...) }

func (r *run) problem(p corpus.Problem) { r.logf("%v", p) }

func (r *run) openCorpora() ([]*corpus.Corpus, error) {
	var list []*corpus.Corpus
	for _, dir := range r.corpora {
		c, err := corpus.Open(dir, corpus.Options{Problem: r.problem})
		if err != nil {
			return nil, err
		}
		if r.limit > 0 {
			left := r.limit
			c = c.Only(func(*corpus.Gold) bool { left--; return left >= 0 })
		}
		list = append(list, c)
	}
	return list, nil
}

// openSystems returns lede's methods and the rivals. A rival that does not start is
// left out with a message.
func (r *run) openSystems() ([]eval.System, error) {
	systems, err := methods(r.methods)
	if err != nil {
		return nil, err
	}
	chosen, err := rivals.Choose(r.home, r.rivals...)
	if err != nil {
		return systems, err
	}
	if _, missing := rivals.Installed(r.home); len(missing) > 0 && slices.Contains(r.rivals, "all") {
		r.logf("not installed: %s; run install.sh", strings.Join(rivals.Names(missing), ", "))
	}
	for _, rival := range chosen {
		s, err := rival.Open(r.home)
		if err != nil {
			r.logf("left out: %v", err)
			continue
		}
		systems = append(systems, fresh{s})
		if known, ok := s.(interface{ Info() eval.PipeInfo }); ok {
			r.logf("%s %s, %s", s.Name(), strings.TrimPrefix(known.Info().Version, "v"), rival.Language)
		}
	}
	if len(systems) == 0 {
		return nil, errors.New("nothing to measure; set --methods or --rivals")
	}
	return systems, nil
}

func closeAll(systems []eval.System) {
	for _, s := range systems {
		if c, ok := s.(fresh).System.(interface{ Close() }); ok {
			c.Close()
		}
	}
}

// files are the output files of a run. They are created before it starts, so that
// invalid names are reported at once.
type files struct {
	json, html *os.File
	report     *report.Report
	saver      *eval.Saver
	err        error // of the saver
}

func (r *run) openFiles(systems []eval.System) (f *files, err error) {
	f = &files{}
	create := func(name string) (file *os.File) {
		if name != "" && err == nil {
			file, err = os.Create(name)
		}
		return file
	}
	f.json, f.html = create(r.json), create(r.report)
	if f.html != nil {
		f.report = report.New("lede and other extractors")
	}
	if r.save != "" && err == nil {
		names := make([]string, len(systems))
		for i, s := range systems {
			names[i] = s.Name()
		}
		f.saver, err = eval.NewSaver(r.save, names)
	}
	return f, err
}

// add adds a page with the outputs of all systems.
func (f *files) add(page *eval.Page) {
	if f.report != nil {
		f.report.Add(page)
	}
	if f.saver != nil && f.err == nil {
		f.err = f.saver.Add(page)
	}
}

// finish writes the result, if there is one, and closes the files.
func (f *files) finish(res *eval.Result) error {
	errs := []error{f.err}
	if f.saver != nil {
		errs = append(errs, f.saver.Close())
	}
	end := func(file *os.File, write func(io.Writer) error) {
		if file == nil {
			return
		}
		if res != nil {
			errs = append(errs, write(file))
		}
		errs = append(errs, file.Close())
	}
	end(f.json, func(w io.Writer) error { return res.WriteJSON(w, "") })
	end(f.html, func(w io.Writer) error { return f.report.Write(w, res) })
	return errors.Join(errs...)
}
