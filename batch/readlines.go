package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// lines reads pages from lines of JSON with the fields html and url, and maybe
// id and site.
func (a *archive) lines() {
	if err := a.seek(a.at.Offset); err != nil {
		a.fail(err)
		return
	}
	r, packed, err := unpack(a.input)
	if err != nil {
		a.fail(err)
		return
	}
	a.linesOf(bufio.NewReaderSize(r, 64<<10), packed || a.raw == nil)
}

// linesOf reads lines; those of a packed file, or of a pipe, from the start.
func (a *archive) linesOf(r *bufio.Reader, fromStart bool) {
	var number, skip int64
	if number = a.at.Record; fromStart {
		number, skip = 0, a.at.Record
	}
	for {
		line, size, err := readLine(r, 2*a.in.maxBytes+1<<16)
		large := errors.Is(err, ErrTooLarge)
		switch {
		case err == io.EOF:
			return
		case err != nil && !large:
			a.fail(err)
			return
		}
		if number++; number <= skip {
			continue
		}
		if a.at.Record = number; !fromStart {
			a.at.Offset += size
		}
		p := Page{ID: fmt.Sprintf("%s:%d", a.name(), number), Body: line}
		switch {
		case large:
			p.Err = fmt.Errorf("%w: a line of %d bytes", err, size)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			p.load = (*Page).readJSON
		}
		if !a.emit(p) {
			return
		}
	}
}

// readLine reads a line, of which it keeps no more than limit bytes; size is
// what was read. A last line without its end is a line.
func readLine(r *bufio.Reader, limit int64) (line []byte, size int64, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if long = long || int64(len(line)+len(part)) > limit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && size == 0:
			return nil, 0, io.EOF
		case err != nil && err != io.EOF:
			return nil, size, err
		case long:
			return nil, size, ErrTooLarge
		}
		return line, size, nil
	}
}

// readJSON makes a page of its line.
func (p *Page) readJSON() error {
	var l struct {
		ID   string  `json:"id"`
		URL  string  `json:"url"`
		Site string  `json:"site"`
		HTML *string `json:"html"`
	}
	err := json.Unmarshal(p.Body, &l)
	p.Body = nil
	if err != nil {
		return fmt.Errorf("%s is not a line of JSON: %w", p.ID, err)
	}
	p.URL, p.Site = l.URL, l.Site
	if l.HTML == nil {
		err = fmt.Errorf("%s has no field html", p.ID)
	} else {
		p.Body, p.Charset = []byte(*l.HTML), "utf-8" // whatever the page says, JSON is in UTF-8
	}
	p.ID = cmp.Or(l.ID, p.ID)
	return err
}
