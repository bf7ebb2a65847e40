// Package steps ends the long loops over a page when the context of the page is
// done.
package steps

import "context"

// Interval is the number of steps between two looks at the context. A step takes
// less than a microsecond on most pages, and a look some nanoseconds.
const Interval = 1024

// Counter counts the steps of the stages of one page. A nil Counter and the zero
// value never end them. It is not safe for concurrent use.
type Counter struct {
	ctx  context.Context
	left int // steps until the next look
	over bool
}

// New returns a counter that ends with ctx. Its first step looks at ctx.
func New(ctx context.Context) *Counter { return &Counter{ctx: ctx} }

// Done counts a step and reports whether the context is done. Once it is, every
// further step is.
func (c *Counter) Done() bool {
	if c == nil {
		return false
	}
	if c.left--; c.left >= 0 {
		return c.over
	}
	return c.look()
}

func (c *Counter) look() bool {
	c.left = Interval - 1
	if !c.over && c.ctx != nil {
		c.over = c.ctx.Err() != nil
	}
	return c.over
}

// Look looks at the context, whatever the number of steps, and returns its cause if
// it is done. It is called between two stages, so that the next is not begun.
func (c *Counter) Look() error {
	if c != nil {
		c.look()
	}
	return c.Err()
}

// Err returns the cause for which the loops ended, or nil if they did not.
func (c *Counter) Err() error {
	if c == nil || !c.over {
		return nil
	}
	return context.Cause(c.ctx)
}
