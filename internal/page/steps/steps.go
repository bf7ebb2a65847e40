// Package steps ends the long loops over a page when the context of the page is
// done, or when more would come out of them than a page of its size can need.
package steps

import (
	"context"
	"errors"
)

// ErrOutput means that the article is many times larger than its page.
var ErrOutput = errors.New("the article is many times larger than its page")

// Interval is the number of steps between two looks at the context. A step takes
// less than a microsecond on most pages, and a look some nanoseconds.
const Interval = 1024

// Counter counts the steps of the stages of one page. A nil Counter and the zero
// value never end them. It is not safe for concurrent use.
type Counter struct {
	ctx     context.Context
	left    int // steps until the next look
	over    bool
	bounded bool
	room    int // bytes of output, if bounded
}

// New returns a counter that ends with ctx. Its first step looks at ctx.
func New(ctx context.Context) *Counter { return &Counter{ctx: ctx} }

// Output returns a counter that ends only if the output is too large.
func Output(size int) *Counter { return New(context.Background()).Bound(size) }

// Bound bounds the bytes that are given to Write for a page of a size: a page of news has
// less than a tenth of that.
func (c *Counter) Bound(size int) *Counter {
	c.bounded, c.room = true, 1<<20+16*size
	return c
}

// Write counts bytes of output that the page does not have in this place: a resolved URL, a
// repeated one, or what nested blocks are indented by. It ends the loops if they are too many,
// and reports whether they are not.
func (c *Counter) Write(n int) bool {
	if c == nil || !c.bounded {
		return true
	}
	c.room -= n
	c.over = c.over || c.room < 0
	return c.room >= 0
}

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
	switch {
	case c == nil || !c.over:
		return nil
	case c.bounded && c.room < 0:
		return ErrOutput
	}
	return context.Cause(c.ctx)
}
