//go:build !linux

package testkit

import "time"

var started = time.Now()

// ProcessTime returns the time, because the syscall package has no such clock on all systems.
func ProcessTime() time.Duration { return time.Since(started) }

func threadTime() time.Duration { return time.Since(started) }
