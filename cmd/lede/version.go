package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/version"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  lede version\n  lede --version",
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

// versionLine returns the version of lede, of Go and of the platform.
func versionLine() string {
	return fmt.Sprintf("lede %s %s %s/%s", ledeVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// ledeVersion returns the version of lede.
func ledeVersion() string {
	info, _ := debug.ReadBuildInfo()
	return cmp.Or(version.Linked(), buildVersion(info))
}

// buildVersion returns the version of the module, or "devel" if it has none, and
// the commit if lede was built from a clone. info may be nil.
func buildVersion(info *debug.BuildInfo) string {
	if info == nil {
		return "devel"
	}
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	var commit, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	if commit != "" {
		v += " (commit " + commit + modified + ")"
	}
	return v
}
