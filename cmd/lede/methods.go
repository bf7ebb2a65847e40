package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/cli"
)

func newMethods() *cobra.Command {
	return &cobra.Command{
		Use:   "methods [NAME]…",
		Short: "List the extraction methods and their settings",
		Long: `List the extraction methods or, if methods are named, their settings and
defaults, with the range in which lede-lab tune searches. Choose a method with
--method and change a setting with --set.`,
		Example: `  lede methods
  lede methods coreex
  lede extract --method coreex --set threshold=0.8 page.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if _, err := lede.NewMethod(name); err != nil {
					return err
				}
			}
			w := cmd.OutOrStdout()
			for _, m := range lede.Methods() {
				if len(args) == 0 {
					fmt.Fprintf(w, "%-16s %s\n", m.Name, m.About)
				} else if slices.Contains(args, m.Name) {
					describe(w, m)
				}
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(cli.MethodNames(), cobra.ShellCompDirectiveNoFileComp),
	}
}

func describe(w io.Writer, m lede.MethodInfo) {
	fmt.Fprintf(w, "%s: %s\n", m.Name, m.About)
	params := m.Params()
	for _, p := range params {
		about := p.About
		if p.Step > 0 {
			about += fmt.Sprintf(" (range %g to %g)", p.Min, p.Max)
		}
		fmt.Fprintf(w, "  %-16s %-8s %s\n", p.Name, p.Value, about)
	}
	if len(params) == 0 {
		fmt.Fprintln(w, "  no settings")
	}
}
