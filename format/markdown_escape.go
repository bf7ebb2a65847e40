package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// escaper writes words so that a Markdown reader reads them as words.
type escaper struct {
	at        place
	inLink    bool
	lineStart bool // nothing stands before the words in their line
	last      bool // nothing follows the words in their paragraph
	out       strings.Builder

	wordEnd    int // of the last word with a URL in it
	wordMarked bool
}

func (at place) lineBreak() string {
	switch at {
	case inParagraph:
		return "\\\n"
	case inCell:
		return "<br>"
	}
	return " "
}

func (e *escaper) escape(s string) string {
	if e.lineStart && e.at == inParagraph {
		s = e.blockStart(s)
	}
	from, prev := 0, rune(0) // s[from:] is not written yet
	for i, r := range s {
		if i < from {
			prev = r
			continue
		}
		switch {
		case r == '\n':
			e.out.WriteString(s[from:i])
			e.out.WriteString(e.at.lineBreak())
			from = i + 1
			if e.at == inParagraph {
				from = len(s) - len(e.blockStart(s[i+1:]))
			}
		case e.special(r, prev, s[i:]):
			e.out.WriteString(s[from:i])
			if strings.HasPrefix(s[i:], "\\\n") {
				e.out.WriteString("&#92;") // not every reader counts the backslashes at the end of a line
			} else {
				e.out.WriteByte('\\')
				e.out.WriteRune(r)
			}
			from = i + utf8.RuneLen(r)
		case startsURL(s[i:], prev):
			e.out.WriteString(s[from:i])
			from = e.url(s, i)
		}
		prev = r
	}
	e.out.WriteString(s[from:])
	return e.out.String()
}

// special reports whether r, after prev and at the start of s, could be read
// as markup anywhere in a line.
func (e *escaper) special(r, prev rune, s string) bool {
	switch r {
	case '\\', '`', '*', '~', '[', ']', '<':
		return true
	case '_':
		next, _ := utf8.DecodeRuneInString(s[1:])
		return !isWordRune(prev) || !isWordRune(next) // snake_case is no emphasis
	case '&':
		return isEntity(s)
	case '!':
		return len(s) == 1 && !e.last // before a link it would make a picture
	case '#':
		return e.at == inHeading && !isWordRune(prev)
	case '|':
		return e.at == inCell
	}
	return false
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// blockStart writes what would start a block at the start of a line, and
// gives back the rest of s.
func (e *escaper) blockStart(s string) string {
	if s == "" {
		return s
	}
	next := byte(' ')
	if len(s) > 1 {
		next = s[1]
	}
	switch c := s[0]; {
	case c == '#' || c == '>' || c == '=' || c == '|':
	case c == '-' || c == '+' || c == ':': // lists, rules, underlines, columns of a table
		if isLetter(next) || isDigit(next) || next >= utf8.RuneSelf {
			return s
		}
	case isDigit(c):
		return e.numberStart(s)
	default:
		return s
	}
	e.out.WriteByte('\\')
	e.out.WriteByte(s[0])
	return s[1:]
}

// numberStart escapes the sign after a number that would start a list, as
// in "1986. A great year".
func (e *escaper) numberStart(s string) string {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n > 9 || n == len(s) || s[n] != '.' && s[n] != ')' {
		return s
	}
	if n+1 < len(s) && s[n+1] != ' ' && s[n+1] != '\n' {
		return s
	}
	e.out.WriteString(s[:n])
	e.out.WriteByte('\\')
	e.out.WriteByte(s[n])
	return s[n+1:]
}

// isEntity reports whether s starts as a character reference such as &amp;.
func isEntity(s string) bool {
	const longest = 40 // &CounterClockwiseContourIntegral; and some
	for i := 1; i < len(s) && i < longest; i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case c == '#' && i == 1, isLetter(c), isDigit(c):
		default:
			return false
		}
	}
	return false
}
