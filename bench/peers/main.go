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
folders of pages with known article texts, compared as bags of words. Every page
goes to every system in turn, so that other load on the machine affects all systems
equally. Times are those of the libraries, without pipes; that of lede from Python
includes its own process.
A page without text counts as an empty text.

Rivals: ` + strings.Join(rivals.Names(rivals.All()), ", ") + `.
Go libraries are compiled in; install.sh installs the others.`,
		Example: `  go run . ../../../shared/corpora/daniel
  go run . ../../../shared/corpora/* --rivals go --methods blend,nce --limit 100
  go run . ../../../shared/corpora/daniel --rivals trafilatura,newspaper4k --json figures.json`,
		Args:          cobra.MinimumNArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.corpora, r.out, r.err = args, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return r.evaluate(cmd.Context())
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&r.rivals, "rivals", []string{"all"}, "comma-separated `RIVALS`; all: those installed, go: Go libraries, none: none")
	fl.StringSliceVar(&r.methods, "methods", []string{lede.DefaultMethod}, "comma-separated `METHODS` of lede")
	fl.StringVar(&r.json, "json", "", "write all figures as JSON to `FILE`")
	fl.IntVar(&r.limit, "limit", 0, "use the first `N` pages of each corpus only")
	fl.StringVar(&r.home, "home", ".", "`FOLDER` of this module, where the rivals are installed")
	cmd.AddCommand(newChart())
	return cmd
}

// run has the flags of a run.
type run struct {
	corpora, rivals, methods []string
	json, home               string
	limit                    int
	out, err                 io.Writer
}

func (r *run) evaluate(ctx context.Context) error {
	measures, err := measure.Find("bag", "time")
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
	warmUp(ctx, corpora[0], systems)
	res, err := eval.Run(ctx, corpora, systems, measures, eval.Options{
		Workers: 1, Problem: r.problem,
		Progress: func(done, total int) {
			if done%100 == 0 {
				r.logf("%d of %d pages", done, total)
			}
		},
	})
	if err == nil {
		_, err = fmt.Fprint(r.out, res.Table(true))
	}
	if err != nil || r.json == "" {
		return err
	}
	f, err := os.Create(r.json)
	if err != nil {
		return err
	}
	return errors.Join(res.WriteJSON(f), f.Close())
}

func (r *run) logf(format string, args ...any) { fmt.Fprintf(r.err, "peers: "+format+"\n", args...) }

func (r *run) problem(err error) { r.logf("%v", err) }

func (r *run) openCorpora() ([]*corpus.Corpus, error) {
	var list []*corpus.Corpus
	for _, dir := range r.corpora {
		c, err := corpus.Open(dir)
		if err != nil {
			return nil, err
		}
		if r.limit > 0 {
			c.Gold = c.Gold[:min(r.limit, len(c.Gold))]
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
	if missing := rivals.Missing(r.home); len(missing) > 0 && slices.Contains(r.rivals, "all") {
		r.logf("not installed: %s; run install.sh", strings.Join(missing, ", "))
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
