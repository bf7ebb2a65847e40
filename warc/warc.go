// Package warc reads and writes web archives: WARC 1.0 and 1.1, plain, packed
// with gzip or with zstd.
//
// # Reading
//
// A [Reader] goes through an archive from its beginning; [At] opens the one
// record that an index ([CDX]) points to. Memory stays the same whatever the
// input: a record's body streams, and only [Record.Page] holds a page in memory,
// within Options.MaxPage.
//
//	r := warc.NewReader(file, warc.Options{})
//	for {
//		rec, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		if err != nil {
//			return err // the input as a whole cannot be read on
//		}
//		page, err := rec.Page()
//		if errors.Is(err, warc.ErrNotPage) {
//			continue
//		}
//		…
//	}
//
// # Broken archives
//
// A record that is cut off, says a wrong length or is packed in broken data is
// passed over, counted in [Stats] and told to Options.OnFault; reading goes on
// with the next record that can be found. A record is handed out before its end
// is seen, so the fault may show while its body is read: the body then ends with
// [ErrTruncated] or [ErrMalformed], and the next call of Next goes on behind it.
//
// When the input is an [io.Seeker], the search starts within the broken record,
// so that records which a wrong length has swallowed are found. From a pipe it
// starts where the fault was noticed.
//
// Two records with one id are two records: both are handed out.
package warc

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Options bound and direct the reading of an archive. The zero value is good.
type Options struct {
	// MaxPage is the size of the largest page that Page takes, before and after
	// its encodings are undone. 0 means 20 MiB.
	MaxPage int64

	// CheckDigests compares the digests that a record carries with its bytes.
	// That of the block is known when the body was read to its end, that of the
	// payload only to Page. Digests made by algorithms other than MD5 and the
	// SHA family are passed over.
	CheckDigests bool

	// OnFault, if set, is told of everything that Stats counts as a fault.
	OnFault func(*Error)
}

const defaultMaxPage = 20 << 20

func (o Options) withDefaults() Options {
	if o.MaxPage <= 0 {
		o.MaxPage = defaultMaxPage
	}
	if o.OnFault == nil {
		o.OnFault = func(*Error) {}
	}
	return o
}

// What can go wrong, for errors.Is. The errors returned say more: at which
// byte, in which record, and what to do about it.
var (
	ErrNotWARC   = errors.New("warc: no record found")
	ErrNotPage   = errors.New("warc: record holds no page")
	ErrTooLarge  = errors.New("warc: page is too large")
	ErrMalformed = errors.New("warc: malformed")
	ErrTruncated = errors.New("warc: cut off")
	ErrDigest    = errors.New("warc: digest does not match")
	ErrInput     = errors.New("warc: input cannot be read")
	ErrLeft      = errors.New("warc: record was left behind")
)

// Error is a fault in one record. It matches its Kind and its cause with
// errors.Is.
type Error struct {
	Offset int64  // where in the input the record or the fault begins; -1 if that is not known
	ID     string // of the record, if it was seen
	Kind   error  // one of the Err values
	Reason string
	Err    error // the cause, if there is one beneath
}

// Error is one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("warc")
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": at byte %d", e.Offset)
	}
	if e.ID != "" {
		b.WriteString(": " + e.ID)
	}
	b.WriteString(": " + e.Reason)
	if e.Err != nil {
		b.WriteString(" (" + e.Err.Error() + ")")
	}
	return oneLine(b.String())
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// oneLine keeps what an archive says from filling the screen or moving the cursor.
func oneLine(s string) string {
	const limit = 500
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

// Stats tell what a Reader has seen so far.
type Stats struct {
	Records int64 // handed out by Next
	Skipped Skipped
	Digests int64 // that did not match, if they were checked
	Bytes   int64 // of the input, as far as it was read
}

// Skipped counts, by reason, records that were passed over in whole or in part.
// Those whose body broke were handed out before, and so are in Records too.
// What lies between one fault and the next good record counts once.
type Skipped struct {
	Truncated int64 // the input ended within the record
	Header    int64 // no usable WARC header
	Length    int64 // the record ended elsewhere than its Content-Length said
	Packing   int64 // compressed data that cannot be unpacked
}

// Total is the sum over the reasons.
func (s Skipped) Total() int64 {
	return s.Truncated + s.Header + s.Length + s.Packing
}
