// Package cli has what the commands of lede and lede-lab share: running a command line,
// its errors and exit codes, messages, progress, and flags for fetching pages.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// runMain runs the command line of the process and ends it.
func RunMain(root *cobra.Command) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C ends the program immediately.
	context.AfterFunc(ctx, stop)
	os.Exit(RunRoot(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	ExitOK      = 0
	ExitFailed  = 1 // the work was finished, but some page failed
	ExitUsage   = 2 // the command line is wrong
	ExitAborted = 3 // the work could not be done, or was stopped
)

// runRoot runs a command line and returns the exit code.
func RunRoot(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout, stderr = newOutput(stdout), NewConsole(stderr)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var f Failure
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &f):
		if f.err == nil {
			return ExitFailed
		}
		fmt.Fprintf(stderr, "%s: %s\n", root.Name(), OneLine(f.err))
		return ExitAborted
	}
	fmt.Fprintf(stderr, "%s: %s\n", root.Name(), OneLine(err))
	fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	return ExitUsage
}

// failure is an error that is not due to the command line. If err is nil, the work
// was finished, but some page failed, which has been printed already.
type Failure struct{ err error }

func (f Failure) Error() string {
	if f.err == nil {
		return "some pages failed"
	}
	return f.err.Error()
}

func (f Failure) Unwrap() error { return f.err }

// errSomeFailed says that the work was finished, but some page failed.
var ErrSomeFailed error = Failure{}

// fail returns err as a failure, or nil.
func Fail(err error) error {
	if err == nil || errors.As(err, new(Failure)) {
		return err
	}
	return Failure{err}
}

// complete makes the shell complete a flag with the given values.
func Complete(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// finishRoot gives a root command and its subcommands their help and their errors.
func FinishRoot(root *cobra.Command) {
	subcommands(root)
	for _, c := range root.Commands() {
		if c.HasSubCommands() && c.RunE == nil {
			subcommands(c)
		}
	}
	root.SetFlagErrorFunc(FlagError)
	examples := "{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}"
	usage := strings.Replace(root.UsageTemplate(), examples, "", 1)
	root.SetUsageTemplate(strings.Replace(usage, "{{if .Runnable}}", `{{if and .Runnable (not (index .Annotations "`+IsGroup+`"))}}`, 1))
	root.SetHelpTemplate(helpTemplate)
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

func OneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
