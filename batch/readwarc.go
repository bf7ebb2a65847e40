package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/lede-news/lede/warc"
)

// warc reads the pages of a web archive. A place in it is the offset of a
// record that can be found by itself, and how many steps, records or stretches
// that cannot be read, there were since.
func (a *archive) warc(r io.Reader) {
	first, skip := a.at.Offset, a.at.Record
	if err := a.seek(first); err != nil {
		a.fail(err)
		return
	}
	var faults []*warc.Error
	w := warc.NewReader(r, warc.Options{MaxPage: a.in.maxBytes, OnFault: func(e *warc.Error) { faults = append(faults, e) }})
	steps := int64(0)
	a.at.Record = 0
	step := func(p *Page) bool {
		if steps++; steps <= skip || p == nil {
			return true
		}
		return a.emit(*p)
	}
	var broken *Page // has its line when it is known where reading goes on
	for {
		rec, err := w.Next()
		here := first + w.Stats().Bytes
		if a.input.n = here; a.until > 0 {
			a.input.n = min(here, a.until) // the rest is of the next part
		}
		if first > 0 && errors.Is(err, warc.ErrNotWARC) {
			err = io.EOF // it is one: there were records before
		}
		ended := err != nil && err != io.EOF // by what is told in one line, for all faults
		if len(faults) > 0 && (broken != nil || !ended) {
			s := a.stretch(faults[0], rec, here)
			if broken == nil {
				a.at.Record++
				broken = &Page{ID: fmt.Sprintf("%s@%d", a.name(), s.fault.Offset)}
			}
			broken.Err, broken.Lost = s, s.lost
			if !step(broken) {
				return
			}
		}
		if ended {
			a.fail(err)
		}
		if err != nil {
			return
		}
		if a.until > 0 && rec.Offset >= a.until {
			a.next = rec.Offset
			return
		}
		faults, broken = faults[:0], nil
		p := pageOf(rec, fmt.Sprintf("%s#%d", a.name(), max(rec.Offset, a.at.Offset+a.at.Record)))
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
		if len(faults) > 0 && p != nil {
			broken = p
		} else if !step(p) {
			return
		}
	}
}

// pageOf is the page of a record; nil when it holds none. A decoder that panics
// costs the page and not the run: no journal would know which page it was.
func pageOf(rec *warc.Record, name string) (p *Page) {
	defer func() {
		if x := recover(); x != nil {
			p = &Page{ID: cmp.Or(rec.ID, name), URL: rec.TargetURI, Body: []byte{}, Err: fmt.Errorf("%w: while it was unpacked: %v", ErrCrash, x)}
		}
	}()
	wp, err := rec.Page()
	if errors.Is(err, warc.ErrNotPage) {
		return nil
	}
	p = &Page{ID: cmp.Or(rec.ID, name), URL: rec.TargetURI, Body: []byte{}} // never nil, which would be the file
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
