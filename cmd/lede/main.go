// Command lede takes a news page and gives back the article.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
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
