package testkit

import (
	"syscall"
	"time"
)

// ProcessTime returns the processor time of the process so far, on all cores and with
// that of the garbage collector. It does not depend on what else runs on the machine.
func ProcessTime() time.Duration { return usage(syscall.RUSAGE_SELF) }

// threadTime returns the processor time of the current thread.
func threadTime() time.Duration { return usage(syscall.RUSAGE_THREAD) }

func usage(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
