//go:build unix

package main

import (
	"io"
	"os"
	"syscall"
	"time"

	"github.com/lede-news/lede/internal/cli"
)

// pollable returns a pipe as a file for which Go's scheduler waits, and not a thread: a
// request then goes from its reader to a worker without another thread. Others than pipes
// are returned as they are, since a terminal is shared with other programs.
func pollable(r io.Reader) io.Reader {
	f, ok := r.(*os.File)
	if !ok {
		return r
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return r
	}
	fd := f.Fd()
	if syscall.SetNonblock(int(fd), true) != nil {
		return r
	}
	return os.NewFile(fd, f.Name())
}

// exitWithParent ends the process when the process that started it has ended, until stop
// is called. The end of standard input does not tell: another child of the parent may
// have inherited the other end of the pipe. (A signal at the death of the parent, which
// Linux has, would come when the thread ends that started this process.)
func exitWithParent() (stop func()) {
	parent, done := os.Getppid(), make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if os.Getppid() != parent {
					os.Exit(cli.ExitAborted)
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}
