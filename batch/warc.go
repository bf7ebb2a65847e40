package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"

	growing "github.com/lede-news/lede/internal/output/archive"
	"github.com/lede-news/lede/warc"
)

// readWARC reads the pages of a WARC file. A position in it is the offset of a
// record that can be read by itself, and the number of steps after it. A step is a
// record or a damaged range.
func (a *archive) readWARC(r io.Reader) {
	first, skip := a.at.Offset, a.at.Record
	var faults []*warc.Error
	w := warc.NewReader(r, warc.Options{MaxPage: a.src.maxBytes(), OnError: func(e *warc.Error) { faults = append(faults, e) }})
	steps := int64(0)
	a.at.Record = 0
	step := func(p *Input, t tally) bool {
		if steps++; steps <= skip {
			return true
		}
		a.tally.add(t)
		return p == nil || a.emit(*p)
	}
	var damaged *Input // waits until the next record shows how much is lost
	var about metadata // the last record, if it is one of lede follow
	for {
		rec, err := w.Next()
		here := first + w.Stats().Bytes
		if a.input.n = here; a.until > 0 {
			a.input.n = min(here, a.until) // the rest belongs to the next part
		}
		if first > 0 && errors.Is(err, warc.ErrNotWARC) {
			err = io.EOF // there were records before first
		}
		failed := err != nil && err != io.EOF // err then stands for all faults
		if len(faults) > 0 && (damaged != nil || !failed) {
			d := a.damage(faults[0], rec, here)
			t := tally{records: 1}
			if damaged == nil {
				t = tally{damaged: 1}
				a.at.Record++
				damaged = &Input{ID: fmt.Sprintf("%s@%d", a.file.archiveName(), d.fault.Offset)}
			}
			damaged.Err, damaged.Lost = d, d.lost
			if !step(damaged, t) {
				return
			}
		}
		if failed {
			a.fail(err)
		}
		if err != nil {
			return
		}
		if len(faults) > 0 {
			about = metadata{} // a run that is resumed after the damage has not read it
		}
		if a.until > 0 && rec.Offset >= a.until {
			if about.page == "" {
				a.next = rec.Offset
				return
			}
			a.until = rec.Offset + 1 // a page is in the same part as what is known about it
			a.input.n = min(here, a.until)
		}
		faults, damaged = faults[:0], nil
		known := about
		about = readMetadata(rec)
		p := recordInput(rec, fmt.Sprintf("%s#%d", a.file.archiveName(), max(rec.Offset, a.at.Offset+a.at.Record)))
		if p != nil && known.page != "" && known.page == rec.ID {
			p.found, p.LinkText, p.KnownSite = known.found, known.found.LinkText, known.found.Site
		}
		switch {
		case a.file.kind == streamFile: // which cannot be read from an offset
			a.at.Record++
		case rec.Offset >= 0 && rec.Size > 0:
			a.at.Offset, a.at.Record = rec.Offset+rec.Size, 0
		case rec.Offset >= 0:
			a.at.Offset, a.at.Record = rec.Offset, 1
		default:
			a.at.Record++
		}
		switch {
		case len(faults) > 0 && p != nil:
			damaged = p
		case p == nil:
			step(nil, tally{records: 1, skipped: 1})
		case !step(p, tally{records: 1}):
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
	fields, err := rec.Fields()
	if found := growing.ReadFound(fields); err == nil && !found.IsZero() {
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

// damage is the error of a range of an archive that cannot be read.
type damage struct {
	name  string      // of the archive
	fault *warc.Error // the first in the range
	lost  int64       // bytes up to the next record; 0 if unknown
	next  int64       // offset of the next record; -1 if there is none
}

// damage returns the damage between a fault and the record after it, or the end.
func (a *archive) damage(fault *warc.Error, after *warc.Record, end int64) *damage {
	d := &damage{name: a.file.shown, fault: fault, next: -1}
	if d.name == "-" {
		d.name = "standard input"
	}
	if after != nil {
		end, d.next = after.Offset, after.Offset
	}
	if fault.Offset >= 0 {
		d.lost = max(end-fault.Offset, 0)
	}
	return d
}

func (d *damage) Error() string {
	text := fmt.Sprintf("%s is damaged: %v", d.name, d.fault)
	switch {
	case d.next >= 0:
		text += fmt.Sprintf("; %d bytes were skipped, and reading continued at byte %d", d.lost, d.next)
	case d.lost > 0:
		text += fmt.Sprintf("; the last %d bytes are lost", d.lost)
	}
	return text
}

func (d *damage) Unwrap() []error { return []error{ErrSource, d.fault} }

// Decompressing an archive takes one core for about every eight that extract. A
// large archive is therefore read in parts, concurrently. The beginning of the first
// record of a part is a guess, which is only used if the part before it ends at the
// same offset. The pages and their order are thus the same as without parts.

// defaultPartBytes is the size of a part, as stored.
const defaultPartBytes = 4 << 20

func (a *archive) partBytes() int64 { return cmp.Or(a.src.partBytes, defaultPartBytes) }

// inParts reports whether the archive is large enough to be read in parts.
func (a *archive) inParts() bool {
	return a.src.Readers > 1 && a.file.size-a.at.Offset > 2*a.partBytes()
}

// readParts reads a WARC file in parts.
func (a *archive) readParts() {
	size := a.partBytes()
	end := a.at.Offset + size // of the last part so far
	current := a.startPart(a.at, end)
	var ahead []*part
	defer func() {
		for _, p := range append(ahead, current) {
			p.abandon()
		}
	}()
	for {
		for len(ahead) < a.src.Readers-1 && end < a.file.size {
			ahead = append(ahead, a.guessPart(end, end+size))
			end += size
		}
		for p := range current.all() {
			if a.tally.add(p.tally); !a.yieldCounted(p) {
				return
			}
		}
		a.tally.add(current.rest)
		offset := current.next
		if offset < 0 {
			return
		}
		for len(ahead) > 0 && ahead[0].until <= offset {
			ahead[0].abandon()
			ahead = ahead[1:]
		}
		next := position{Input: a.at.Input, File: a.at.File, Offset: offset}
		if len(ahead) == 0 {
			end = offset + size
			current = a.startPart(next, end)
			continue
		}
		current, ahead = ahead[0], ahead[1:]
		if <-current.start != offset {
			current.abandon()
			current = a.startPart(next, current.until)
		}
	}
}

// yieldCounted yields a page of a part with the counts since the page before, and reports
// whether to continue.
func (a *archive) yieldCounted(p Input) bool {
	p.tally = a.tally.take()
	a.stopped = !a.yield(p)
	return !a.stopped
}

// startPart starts to read a part at a known position.
func (a *archive) startPart(at position, until int64) *part {
	p := newPart(until)
	go p.read(a, at)
	return p
}

// guessPart starts to read a part at the first record that is found after from.
func (a *archive) guessPart(from, until int64) *part {
	p := newPart(until)
	at := position{Input: a.at.Input, File: a.at.File}
	go func() {
		at.Offset = a.findRecord(from, until)
		p.start <- at.Offset
		p.read(a, at)
	}()
	return p
}

// part is a part of an archive. Its pages are buffered until those before it are
// taken.
type part struct {
	until int64      // records from this offset on belong to the next part
	start chan int64 // of a guessed part: the offset where it begins, or -1
	next  int64      // at the end: the offset of the first record after it; -1 at the end of the archive
	rest  tally      // at the end: of the records after the last page

	mu        sync.Mutex
	changed   sync.Cond
	pages     []Input
	bytes     int // of pages
	over      bool
	abandoned bool
}

// maxPartBytes is how much of a part is buffered.
const maxPartBytes = 4 << 20

func newPart(until int64) *part {
	p := &part{until: until, start: make(chan int64, 1), next: -1}
	p.changed.L = &p.mu
	return p
}

// read reads the part from a position on, unless its offset is -1.
func (p *part) read(a *archive, at position) {
	own := &archive{src: a.src, file: a.file, at: at, until: p.until, next: -1, yield: p.put}
	if at.Offset >= 0 {
		if err := own.open(); err != nil {
			own.fail(err)
		} else {
			own.readWARC(own.raw)
			own.raw.Close()
		}
	}
	p.mu.Lock()
	p.next, p.rest, p.over = own.next, own.tally, true
	p.changed.Broadcast()
	p.mu.Unlock()
}

// put waits for space in the buffer, adds a page and reports whether to continue.
func (p *part) put(page Input) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.bytes > maxPartBytes && !p.abandoned {
		p.changed.Wait()
	}
	p.pages = append(p.pages, page)
	p.bytes += cap(page.Body)
	p.changed.Broadcast()
	return !p.abandoned
}

// all returns the pages of the part.
func (p *part) all() iter.Seq[Input] {
	return func(yield func(Input) bool) {
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

// abandon makes put return false.
func (p *part) abandon() {
	p.mu.Lock()
	p.abandoned = true
	p.changed.Broadcast()
	p.mu.Unlock()
}
