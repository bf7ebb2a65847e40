package batch

import (
	"io"

	"github.com/lede-news/lede/warc"
)

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
