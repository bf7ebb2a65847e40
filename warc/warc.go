// Package warc reads and writes web archives in the WARC format (ISO 28500),
// versions 1.0 and 1.1, uncompressed or compressed with gzip or zstd.
//
// # Reading
//
// A [Reader] reads an archive from beginning to end. Memory use does not depend on
// the archive: the block of a record is streamed, and only [Record.Page] holds a
// page in memory, up to Options.MaxPage bytes.
//
//	r := warc.NewReader(file, warc.Options{})
//	for {
//		rec, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		if err != nil {
//			return err // the rest of the input cannot be read
//		}
//		page, err := rec.Page()
//		if errors.Is(err, warc.ErrNotPage) {
//			continue
//		}
//		…
//	}
//
// # Damaged archives
//
// A record that is truncated, has a wrong length or is in corrupt compressed data
// is skipped, counted in [Stats] and reported to Options.OnError. Reading
// continues with the next record that can be found. Next returns a record before
// its end has been read, so the damage may only show while its block is read:
// the block then ends with [ErrTruncated] or [ErrMalformed], and the next call of
// Next continues after it.
//
// The search starts inside the damaged record, so that records covered by a wrong
// length, and those after a truncated gzip member, are found. In an input that is not an
// [io.Seeker] it starts at most 256 KiB before the place where the damage was detected.
//
// Records with the same ID are not merged: Next returns each of them.
package warc

import (
	"errors"
	"fmt"
	"strings"
)

// Options are the options for reading an archive. The zero value is ready to use.
type Options struct {
	// MaxPage is the size of the largest page that Record.Page returns, in bytes,
	// both before and after decoding (default: 20 MiB).
	MaxPage int64

	// OnError, if not nil, is called with every damage that Stats counts.
	OnError func(*Error)
}

// Stats counts what a Reader has read so far.
type Stats struct {
	Records int64 // returned by Next
	Bytes   int64 // read from the input

	// Damaged is the number of damaged places, however many errors lie between two
	// good records. If the damage showed in the block of a record, the record is
	// in Records too.
	Damaged int64
}

// Errors for errors.Is. The errors returned are of type *Error.
var (
	ErrNotWARC   = errors.New("warc: no record found")
	ErrNotPage   = errors.New("warc: record holds no page")
	ErrStatus    = fmt.Errorf("%w: the status of the response is not that of a page", ErrNotPage)
	ErrTooLarge  = errors.New("warc: page is too large")
	ErrMalformed = errors.New("warc: malformed")
	ErrTruncated = errors.New("warc: truncated")
	ErrInput     = errors.New("warc: input cannot be read")
)

// Error describes what is wrong with a record or the input. It wraps
// both Kind and Err.
type Error struct {
	Offset int64  // where the record or the damage begins in the input; -1 if unknown
	ID     string // of the record, if known
	Kind   error  // one of the Err variables
	Reason string
	Err    error // the cause, if any
}

// Error returns the description on one line.
func (e *Error) Error() string {
	text := "warc: "
	if e.Offset >= 0 {
		text += fmt.Sprintf("at byte %d: ", e.Offset)
	}
	if e.ID != "" {
		text += escape(e.ID) + ": "
	}
	text += e.Reason
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// Unwrap returns Kind and Err.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// escape shortens a text of the archive and escapes control characters in it, since it may
// be printed to a terminal.
func escape(s string) string { return strings.Trim(fmt.Sprintf("%.300q", s), `"`) }
