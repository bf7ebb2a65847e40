// Package command is the command line of lede-lab.
package command

import (
	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/version"
)

// New returns the command lede-lab.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:   "lede-lab",
		Short: "Measure, train and tune the methods of lede",
		Long: `lede-lab is the laboratory of lede: it measures methods on pages with known articles,
repeats the experiments of the papers, trains models, and makes synthetic news sites.`,
		Example: `  lede-lab eval ../shared/corpora/wcxb
  lede-lab experiment coreex ../shared/corpora/l3s-gn1
  lede-lab newsroom write made/`,
		Version:       version.Get(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newEval(), newExperiment(), newTrain(), newTune(), newLabel(), newNewsroom())
	cli.FinishRoot(root)
	return root
}
