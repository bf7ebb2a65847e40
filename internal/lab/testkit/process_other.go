//go:build !unix

package testkit

import "time"

// ProcessTime returns the time, because the syscall package has no clock for the
// process that is the same on all systems.
func ProcessTime() time.Duration { return time.Since(started) }

var started = time.Now()
