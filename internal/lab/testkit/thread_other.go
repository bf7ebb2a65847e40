//go:build !linux

package testkit

import "time"

var epoch = time.Now()

// threadTime returns the time, because the syscall package has no clock for the
// current thread.
func threadTime() time.Duration { return time.Since(epoch) }
