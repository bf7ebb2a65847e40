package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"

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
	w := warc.NewReader(r, warc.Options{MaxPage: a.in.maxBytes, OnError: func(e *warc.Error) { faults = append(faults, e) }})
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

// stretch is a part of an archive that cannot be read.
type stretch struct {
	name  string      // of the archive
	fault *warc.Error // the first in it
	lost  int64       // bytes up to the next record; 0 when nobody knows
	next  int64       // where that begins; -1 when there is none
}

// stretch measures what lies between a fault and the record after it, or the end.
func (a *archive) stretch(fault *warc.Error, after *warc.Record, end int64) *stretch {
	s := &stretch{name: a.file.path, fault: fault, next: -1}
	if s.name == "-" {
		s.name = "standard input"
	}
	if after != nil {
		end, s.next = after.Offset, after.Offset
	}
	if fault.Offset >= 0 {
		s.lost = max(end-fault.Offset, 0)
	}
	return s
}

func (s *stretch) Error() string {
	text := fmt.Sprintf("%s is broken: %v", s.name, s.fault)
	switch {
	case s.next >= 0:
		text += fmt.Sprintf("; %d bytes were passed over, and reading went on at byte %d", s.lost, s.next)
	case s.lost > 0:
		text += fmt.Sprintf("; the last %d bytes are lost", s.lost)
	}
	return text
}

func (s *stretch) Unwrap() []error { return []error{ErrSource, s.fault} }

// To unpack a web archive takes a core for every eight or so that extract. A
// large archive is therefore read in parts, side by side. Where the record lies
// that a part begins with is guessed, and believed only when the part before has
// come to the same place: the pages are those of a reader that goes through all
// of it, and in the same order.

// partBytes is how much of an archive is a part, as it lies on the disk.
const partBytes = 4 << 20

// inParts tells whether an archive is worth it.
func (a *archive) inParts() bool {
	return a.in.readers > 1 && a.file.size-a.at.Offset > 2*a.in.partBytes
}

// parts reads a web archive in parts.
func (a *archive) parts() {
	size := a.in.partBytes
	guessed := a.at.Offset + size // as far as there are parts
	now := a.newPart(a.at, guessed)
	var ahead []*part
	defer func() {
		for _, p := range append(ahead, now) {
			p.leave()
		}
	}()
	for {
		for len(ahead) < a.in.readers-1 && guessed < a.file.size {
			ahead = append(ahead, a.guessPart(guessed, guessed+size))
			guessed += size
		}
		for p := range now.all() {
			if !a.yield(p) {
				a.stopped = true
				return
			}
		}
		at := now.next
		if at < 0 {
			return
		}
		for len(ahead) > 0 && ahead[0].until <= at {
			ahead[0].leave()
			ahead = ahead[1:]
		}
		if len(ahead) == 0 {
			guessed = at + size
			now = a.newPart(Place{Input: a.at.Input, File: a.at.File, Offset: at}, guessed)
			continue
		}
		now, ahead = ahead[0], ahead[1:]
		if now.begins() != at {
			now.leave()
			now = a.newPart(Place{Input: a.at.Input, File: a.at.File, Offset: at}, now.until)
		}
	}
}

// newPart begins to read at a place that is known.
func (a *archive) newPart(at Place, until int64) *part {
	p := newPart(until)
	go p.read(a, at)
	return p
}

// guessPart begins to read at the first record that is found behind from.
func (a *archive) guessPart(from, until int64) *part {
	p := newPart(until)
	at := Place{Input: a.at.Input, File: a.at.File, Offset: from}
	go func() {
		at.Offset = a.firstRecord(from, until)
		p.begin <- at.Offset
		p.read(a, at)
	}()
	return p
}

// firstRecord looks for a record between two offsets; -1 when it finds none.
func (a *archive) firstRecord(from, until int64) int64 {
	own := &archive{in: a.in, file: a.file}
	if err := own.open(); err != nil {
		return -1
	}
	defer own.raw.Close()
	within := io.NewSectionReader(own.raw, 0, until)
	if _, err := within.Seek(from, io.SeekStart); err != nil {
		return -1
	}
	rec, err := warc.NewReader(within, warc.Options{}).Next()
	if err != nil {
		return -1
	}
	return rec.Offset
}

// part is a part of an archive that is read by itself. Its pages wait until all
// before them are taken.
type part struct {
	until int64      // the offset from which on records are of the next part
	begin chan int64 // of a part whose place is guessed, where it begins
	next  int64      // when it is over, the first record behind it; -1 at the end of the archive

	mu      sync.Mutex
	changed sync.Cond
	pages   []Page
	bytes   int // of those
	over    bool
	left    bool // nobody wants it
}

// partAhead is how much of pages waits in a part.
const partAhead = 4 << 20

func newPart(until int64) *part {
	p := &part{until: until, begin: make(chan int64, 1), next: -1}
	p.changed.L = &p.mu
	return p
}

// begins is where a part begins that was guessed; -1 when there is none.
func (p *part) begins() int64 { return <-p.begin }

// read reads the part of an archive from a place on.
func (p *part) read(a *archive, at Place) {
	next := int64(-1)
	if own := (&archive{in: a.in, file: a.file, at: at, until: p.until, next: -1, yield: p.put}); at.Offset >= 0 {
		if err := own.open(); err != nil {
			own.fail(err)
		} else {
			own.warc(own.raw)
			own.raw.Close()
		}
		next = own.next
	}
	p.mu.Lock()
	p.next, p.over = next, true
	p.changed.Broadcast()
	p.mu.Unlock()
}

// put waits until there is room, and says no when nobody wants the page.
func (p *part) put(page Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.bytes > partAhead && !p.left {
		p.changed.Wait()
	}
	p.pages = append(p.pages, page)
	p.bytes += cap(page.Body)
	p.changed.Broadcast()
	return !p.left
}

// all takes the pages until the part is over.
func (p *part) all() iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for {
			p.mu.Lock()
			for len(p.pages) == 0 && !p.over {
				p.changed.Wait()
			}
			pages := p.pages
			p.pages, p.bytes = nil, 0
			p.changed.Broadcast()
			p.mu.Unlock()
			if len(pages) == 0 {
				return
			}
			for _, page := range pages {
				if !yield(page) {
					return
				}
			}
		}
	}
}

// leave lets go of a part.
func (p *part) leave() {
	p.mu.Lock()
	p.left = true
	p.changed.Broadcast()
	p.mu.Unlock()
}
