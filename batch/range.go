package batch

import (
	"cmp"
	"io"
	"math"

	"github.com/lede-news/lede/warc"
)

// Range is a range of a WARC file. It has the records that begin between two
// offsets, so that ranges which follow each other have each record once. The page
// of a metadata record of lede follow is in the range of that record.
//
// Unless Exact is set or From is 0, the first record at or after From is searched for.
// What is found may be no record but a page that shows one. It is one if the range
// before, read to its end, has the same offset as Stats.Next that this one has as
// Stats.Begin; otherwise the range must be read again from Stats.Next of the one before,
// with Exact. A range in which no record begins has a Begin of -1; it is right if Next of
// the range before is -1 or not before Until.
type Range struct {
	From int64
	// Until is the offset where the next range begins; 0 is the end of the file.
	Until int64
	// Exact says that a record begins at From. If it is not before Until, or
	// negative, the range is empty.
	Exact bool
}

func (r Range) isZero() bool { return r == Range{} }

// isEmpty reports whether no record can begin in the range.
func (r Range) isEmpty() bool { return r.From < 0 || r.Until > 0 && r.From >= r.Until }

// tally counts records on their way to a result.
type tally struct {
	records int // that were read
	skipped int // of these, records that are not pages
	damaged int // pages that stand for no record
}

func (t *tally) add(u tally) {
	t.records += u.records
	t.skipped += u.skipped
	t.damaged += u.damaged
}

// take returns what was counted, and begins again.
func (t *tally) take() tally {
	u := *t
	*t = tally{}
	return u
}

// ending is what is known of a source after its last page.
type ending struct {
	tally       // of the records after it
	begin, next int64
}

// Rest adds to the statistics of Run what a source knows only after the last of its
// Inputs: the records after the last page, and where its Range begins and ends.
// Journal.Run does so itself.
func (s *Source) Rest(stats *Stats) {
	if e := s.ending.Load(); e != nil {
		stats.addTally(e.tally)
		stats.Begin, stats.Next = e.begin, e.next
	}
}

// isPart reports whether the source is a part of a larger run, so that it may be without
// pages.
func (s *Source) isPart() bool { return s.Name != "" || s.Origin != "" || !s.Range.isZero() }

// Follows reports whether a Range with these statistics and this end was read from the
// right offset: next, which is Stats.Next of the last range before it that is not empty.
func (s Stats) Follows(next, until int64) bool {
	if s.Begin < 0 {
		return next < 0 || until > 0 && next >= until
	}
	return s.Begin == next
}

// readRange reads the Range of a WARC file.
func (a *archive) readRange() {
	r, resumed := a.src.Range, a.at
	if r.isEmpty() {
		a.begin, a.next = -1, r.From
		return
	}
	a.begin, a.until = r.From, r.Until
	if !r.Exact && r.From > 0 {
		a.begin = a.findRecord(r.From, cmp.Or(r.Until, math.MaxInt64))
	}
	a.at.Offset = a.begin
	if resumed.Offset > 0 || resumed.Record > 0 {
		a.at = resumed
	}
	if a.begin < 0 || resumed.Over {
		return
	}
	if _, err := a.raw.Seek(a.at.Offset, io.SeekStart); err != nil {
		a.fail(describe(err))
		return
	}
	a.reported, a.input.n = a.at.Offset, a.at.Offset
	a.readWARC(a.raw)
}

// searchBytes is how far the search for a record looks beyond the end of a part: its
// header may be there, or the beginning of what it is compressed to.
const searchBytes = 1 << 20

// findRecord returns the offset of the first record that begins between two offsets, or
// -1.
func (a *archive) findRecord(from, until int64) int64 {
	own := &archive{src: a.src, file: a.file}
	if err := own.open(); err != nil {
		return -1
	}
	defer own.raw.Close()
	section := io.NewSectionReader(own.raw, 0, min(until, math.MaxInt64-searchBytes)+searchBytes)
	if _, err := section.Seek(from, io.SeekStart); err != nil {
		return -1
	}
	r := warc.NewReader(section, warc.Options{})
	for {
		switch rec, err := r.Next(); {
		case err != nil || rec.Offset >= until:
			return -1
		case rec.Offset >= 0:
			return rec.Offset
		}
	}
}
