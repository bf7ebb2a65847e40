package testkit

import (
	"runtime"
	"testing"
	"time"
)

// Linear checks that the work for n things is not quadratic in n. It compares the
// processor time for n things with that for a sixteenth of them: linear work takes
// 16 times as much, quadratic work 256 times. Processor time does not depend on
// what else runs on the machine, and a difference must show several times.
// prepare returns the work for n things, which must not use other goroutines. So there is
// nothing for the race detector, whose own cost is not linear: its short form skips the test.
func Linear(tb testing.TB, n int, prepare func(n int) (work func())) {
	tb.Helper()
	SkipRace(tb)
	const (
		times = 16
		slack = 4 // for caches and the garbage collector
		tries = 12
		least = time.Millisecond // for clocks that tick slowly
	)
	few, many := prepare(n/times), prepare(n)
	var short, long time.Duration
	for range tries {
		short, long = min(cpuTime(few), cpuTime(few)), cpuTime(many)
		if long <= slack*times*max(short, least) {
			return
		}
	}
	tb.Errorf("work for %d takes %v of processor time, for %d %v: more than linear", n/times, short, n, long)
}

// cpuTime returns the processor time that work takes.
func cpuTime(work func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	work()
	return threadTime() - start
}
