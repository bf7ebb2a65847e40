// Package owned reads pages that are in memory and do not change any more. lede
// parses such a page where it is: in a batch, the copy of every page would cost as
// much as composing its article.
package owned

import "bytes"

// Reader reads a page.
type Reader struct {
	bytes.Reader
	page []byte
}

// NewReader returns a reader of a page, which must not be changed any more.
func NewReader(page []byte) *Reader {
	return &Reader{*bytes.NewReader(page), page}
}

// Rest returns what has not been read.
func (r *Reader) Rest() []byte { return r.page[len(r.page)-r.Len():] }

// Close does nothing.
func (r *Reader) Close() error { return nil }
