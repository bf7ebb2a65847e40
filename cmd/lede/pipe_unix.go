//go:build unix

package main

import (
	"os"
	"time"

	"github.com/lede-news/lede/internal/cli"
)

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
