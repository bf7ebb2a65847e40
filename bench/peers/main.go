// Command peers measures lede and its rivals on the same pages, in the same
// order, on one core each, and prints how good and how fast they are.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/bench/peers/rivals"
	"github.com/lede-news/lede/internal/eval/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runtime.GOMAXPROCS(1) // what is compiled in gets no more than the others
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "peers: %s\n", strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	var r run
	cmd := &cobra.Command{
		Use:   "peers CORPUS…",
		Short: "Measure lede and its rivals on pages whose story is known",
		Long: `Measure lede and its rivals on corpora: folders of pages whose story is known.
Every page goes to every system in turn, so that whatever else the machine does
disturbs all of them alike. Times are those of the libraries, without pipes.

Rivals: ` + strings.Join(rivals.Names(rivals.All()), ", ") + `.
Those in Go are compiled in; install.sh installs the others.`,
		Example: `  go run . ../../corpora/daniel
  go run . ../../corpora/* --rivals go --methods blend,nce --limit 100
  go run . ../../corpora/daniel --rivals trafilatura,newspaper4k --report report.html`,
		Args:          cobra.MinimumNArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.corpora, r.out, r.err = args, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return r.do(cmd.Context())
		},
	}
	var known []string
	for _, m := range measure.All() {
		known = append(known, m.Name)
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&r.rivals, "rivals", []string{"all"}, "`RIVALS` by name; all is those that are installed, go those that are compiled in, none none")
	fl.StringSliceVar(&r.methods, "methods", []string{lede.DefaultMethod}, "`METHODS` of lede; the first is what times are held against")
	fl.StringSliceVar(&r.measures, "measure", []string{"bag"}, "`MEASURES` of quality: "+strings.Join(known, ", "))
	fl.StringVar(&r.report, "report", "", "write a page to look at, with every page's gold beside the outputs, to this HTML `FILE`")
	fl.StringVar(&r.json, "json", "", "write all figures, of corpora and of pages, to this JSON `FILE`")
	fl.StringVar(&r.save, "save", "", "write what each system gave to FOLDER/CORPUS/SYSTEM.jsonl in this `FOLDER`")
	fl.IntVar(&r.limit, "limit", 0, "only the first `N` pages of each corpus")
	fl.StringVar(&r.home, "home", ".", "`FOLDER` of this module, under which the rivals are installed")
	cmd.AddCommand(newRace())
	return cmd
}
