package blend

import "github.com/lede-news/lede/internal/blend/blocks"

// desk is the memory that the work on a page takes. It is much, and needed for a
// moment only, so that the next page is laid on the same desk.
type desk struct {
	view blocks.View
	rows []float32
	bins []uint8
}

// clear makes a desk ready for the next page. One that a huge page has made too
// large goes.
func (b *Blend) clear(d *desk) {
	const most = 1 << 20 // a usual page needs a twentieth
	if d.view.Forget() && cap(d.rows) <= most {
		b.desks.Put(d)
	}
}
