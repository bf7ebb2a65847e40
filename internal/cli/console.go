package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// console is where messages, reports and progress are written. Names of files,
// addresses and texts of pages may contain control characters, which could change
// the terminal or the text on it, so a console writes them in visible form.
type Console struct {
	Raw  io.Writer
	mu   sync.Mutex
	rest []byte // an incomplete character at the end of the last Write
}

func NewConsole(w io.Writer) *Console {
	if c, ok := w.(*Console); ok {
		return c
	}
	return &Console{Raw: w}
}

// newOutput returns the standard output for results. They are written as they are,
// unless they go to a terminal.
func newOutput(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return NewConsole(w)
	}
	return w
}

// isTerminal reports whether w is a terminal or a console on one.
func IsTerminal(w io.Writer) bool {
	if c, ok := w.(*Console); ok {
		w = c.Raw
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (c *Console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := append(c.rest, p...)
	end := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if tail := text[len(text)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				end -= i
			}
			break
		}
	}
	c.rest = bytes.Clone(text[end:])
	if _, err := c.Raw.Write(Printable(text[:end])); err != nil {
		return 0, err
	}
	return len(p), nil
}

// live replaces the last line of a terminal.
func (c *Console) Live(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintf(c.Raw, "\r\x1b[K%s", Printable([]byte(text)))
}

// printable returns a text with control characters other than newline and tab, and
// bytes that are no text, as escape sequences of Go, such as \x1b.
func Printable(text []byte) []byte {
	if !bytes.ContainsFunc(text, isControl) {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case !isControl(r) || r == utf8.RuneError && size > 1:
			b.Write(text[:size])
		case size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[size:]
	}
	return b.Bytes()
}

// isControl reports whether a character must not reach a terminal. It may be a
// replacement character, which stands for an invalid byte.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError
}
