package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	growing "github.com/lede-news/lede/internal/output/archive"
	"github.com/lede-news/lede/warc"
)

// readWARC reads the pages of a WARC file. A damaged range is a page with an error.
func (a *archive) readWARC(r io.Reader) {
	var faults []*warc.Error
	w := warc.NewReader(r, warc.Options{MaxPage: a.src.maxBytes(), OnError: func(e *warc.Error) { faults = append(faults, e) }})
	var damaged *Input // waits until the next record shows how much is lost
	var about metadata // the last record, if it is one of lede follow
	for {
		rec, err := w.Next()
		a.input.n = w.Stats().Bytes
		failed := err != nil && err != io.EOF // err then stands for all faults
		if len(faults) > 0 && (damaged != nil || !failed) {
			if damaged == nil {
				damaged = &Input{ID: fmt.Sprintf("%s@%d", a.file.archiveName(), faults[0].Offset)}
			}
			a.setDamage(damaged, faults[0], rec)
			if !a.emit(*damaged) {
				return
			}
		}
		if failed {
			a.fail(err)
		}
		if err != nil {
			return
		}
		faults, damaged = faults[:0], nil
		known := about
		about = readMetadata(rec)
		p := recordInput(rec, fmt.Sprintf("%s#%d", a.file.archiveName(), w.Stats().Records))
		if p != nil && known.page != "" && known.page == rec.ID {
			p.found, p.LinkText = known.found, known.found.LinkText
		}
		switch {
		case p == nil:
		case len(faults) > 0:
			damaged = p
		case !a.emit(*p):
			return
		}
	}
}

// metadata is what a metadata record of lede follow says about the page in the next
// record. The zero value is no such record.
type metadata struct {
	page  string // ID of the record
	found growing.Found
}

// readMetadata reads a record. It returns the zero value if it is another one.
func readMetadata(rec *warc.Record) (m metadata) {
	if rec.Type != "metadata" {
		return m
	}
	fields, _ := rec.Fields() // what can be read is enough
	if found, ok := growing.ReadFound(fields); ok {
		m = metadata{strings.Trim(rec.Header.Get("WARC-Concurrent-To"), "<>"), found}
	}
	return m
}

// recordInput returns the page of a record, or nil if the record is not about a page. It
// recovers from a panic of a decoder, since the run would be stopped otherwise and
// the journal could not tell which page was the cause.
func recordInput(rec *warc.Record, id string) (p *Input) {
	p = &Input{ID: cmp.Or(rec.ID, id), URL: rec.TargetURI, Body: []byte{}} // not nil, which would mean a file
	defer func() {
		if x := recover(); x != nil {
			p.Err = fmt.Errorf("%w: while it was decoded: %v", ErrCrash, x)
		}
	}()
	page, err := rec.Page()
	switch {
	case errors.Is(err, warc.ErrStatus):
		p.Err = fmt.Errorf("%w: %w", ErrStatus, err)
	case errors.Is(err, warc.ErrNotPage):
		return nil
	case errors.Is(err, warc.ErrTooLarge):
		p.Err = fmt.Errorf("%w: %w", ErrTooLarge, err)
	case err != nil:
		p.Err = fmt.Errorf("%w: %w", ErrSource, err)
	default:
		p.URL, p.Charset = cmp.Or(page.URL, p.URL), page.Charset
		p.Partial = page.TruncatedReason
		if page.Body != nil {
			p.Body = page.Body
		}
	}
	return p
}

// setDamage sets the error of a range of the archive that cannot be read: from a fault
// to the record after it, or to the end.
func (a *archive) setDamage(p *Input, fault *warc.Error, after *warc.Record) {
	end := a.input.n
	if after != nil {
		end = after.Offset
	}
	if fault.Offset >= 0 {
		p.Lost = max(end-fault.Offset, 0)
	}
	p.Err = fmt.Errorf("%w: %s is damaged: %w; %d bytes are lost", ErrSource, a.file.archiveName(), fault, p.Lost)
}
