// Package lines reads lines of bounded length, pages as lines of JSON, and the lines of
// embedded files, and recognises lists of addresses.
package lines

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"
	"unicode/utf8"
)

// Data iterates over the lines of an embedded file, without empty lines and those
// that begin with #.
func Data(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(file) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// ErrTooLong is returned for a line that is longer than the limit.
var ErrTooLong = errors.New("the line is too long")

// Read reads a line of up to limit bytes, including the line break, and returns its
// size. A longer line is read, but not returned. The last line need not end in a line
// break.
func Read(r *bufio.Reader, limit int64) (line []byte, size int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if size += int64(len(part)); size > limit {
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
		case size > limit:
			return nil, size, ErrTooLong
		}
		return line, size, nil
	}
}

// AreAddresses reports whether the beginning of a file is a list of web addresses,
// one on each line. Empty lines and lines that begin with # may be between them.
func AreAddresses(head []byte) bool {
	n := 0
	for line := range Data(strings.TrimPrefix(string(head), "\ufeff")) {
		line = strings.ToLower(line)
		isAddress := strings.HasPrefix(line, "http://") || strings.HasPrefix(line, "https://")
		if !isAddress || strings.ContainsAny(line, " \t<>") {
			return false
		}
		n++
	}
	return n > 0
}

// Shorten returns a text as one line of at most n characters. What is cut ends with
// an ellipsis.
func Shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
