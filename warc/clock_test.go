package warc

import "time"

// clock adds up the time that something takes.
type clock struct{ total time.Duration }

func (c *clock) run(f func()) {
	start := time.Now()
	f()
	c.total += time.Since(start)
}
