package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/lede-news/lede/warc"
)

// warc reads the pages of a web archive. A place in it is the offset of a
// record that can be found by itself, and how many steps, records or faults,
// there were since.
func (a *archive) warc(r io.Reader) {
	first, skip := a.at.Offset, a.at.Record
	if err := a.seek(first); err != nil {
		a.fail(err)
		return
	}
	var faults []*warc.Error
	w := warc.NewReader(r, warc.Options{MaxPage: a.in.maxBytes, OnFault: func(e *warc.Error) { faults = append(faults, e) }})
	steps, last := int64(0), ""
	a.at.Record = 0
	step := func(p *Page) bool {
		if steps++; steps <= skip || p == nil {
			return true
		}
		return a.emit(*p)
	}
	for {
		rec, err := w.Next()
		a.input.n = first + w.Stats().Bytes
		if first > 0 && errors.Is(err, warc.ErrNotWARC) {
			err = io.EOF // it is one: there were records before
		}
		if err != nil && err != io.EOF {
			a.fail(err)
			return
		}
		if f := worst(faults, last); f != nil {
			a.at.Record++
			if !step(&Page{ID: fmt.Sprintf("%s@%d", a.name(), f.Offset), Err: fmt.Errorf("%w: %s: %w", ErrSource, a.file.path, f)}) {
				return
			}
		}
		if err == io.EOF {
			return
		}
		p := pageOf(rec, fmt.Sprintf("%s#%d", a.name(), a.at.Offset+a.at.Record))
		faults, last = faults[:0], rec.ID // those of this record are in its page
		switch {
		case a.file.kind == streamFile: // where nothing is found again by its offset
			a.at.Record++
		case rec.Offset >= 0 && rec.Size > 0:
			a.at.Offset, a.at.Record = rec.Offset+rec.Size, 0
		case rec.Offset >= 0:
			a.at.Offset, a.at.Record = rec.Offset, 1
		default:
			a.at.Record++
		}
		if !step(p) {
			return
		}
	}
}

// worst is the first fault that is not about a record that has its line.
func worst(faults []*warc.Error, last string) *warc.Error {
	for _, f := range faults {
		if f.ID == "" || f.ID != last {
			return f
		}
	}
	return nil
}

// pageOf is the page of a record; nil when it holds none.
func pageOf(rec *warc.Record, name string) *Page {
	wp, err := rec.Page()
	if errors.Is(err, warc.ErrNotPage) {
		return nil
	}
	p := &Page{ID: cmp.Or(rec.ID, name), URL: rec.TargetURI, Body: []byte{}} // never nil, which would be the file
	switch {
	case errors.Is(err, warc.ErrTooLarge):
		p.Err = fmt.Errorf("%w: %w", ErrTooLarge, err)
	case err != nil:
		p.Err = fmt.Errorf("%w: %w", ErrSource, err)
	case wp.Status != 0 && (wp.Status < 200 || wp.Status > 299):
		p.Err = fmt.Errorf("%w: HTTP status %d", ErrStatus, wp.Status)
	default:
		p.URL, p.Charset = cmp.Or(wp.URL, p.URL), wp.Charset
		if wp.Body != nil {
			p.Body = wp.Body
		}
	}
	return p
}
