package warc

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

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
