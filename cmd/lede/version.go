package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/version"
)

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
