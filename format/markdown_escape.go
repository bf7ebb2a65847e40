package format

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escaper escapes text for Markdown.
type escaper struct {
	at        context
	inLink    bool
	lineStart bool // the text begins a line
	last      bool // the text ends a paragraph
	out       strings.Builder

	wordEnd    int  // end of the last word that contains a URL
	wordMarked bool // whether it needs escapes
}

func (at context) lineBreak() string {
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
	from, prev := 0, rune(0) // s[:from] is written
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
			from = i + 1
			if strings.HasPrefix(s[i:], "\\\n") {
				e.out.WriteString("&#92;") // not all parsers count the backslashes at the end of a line
			} else {
				e.char(s[i])
			}
		case startsURL(s[i:], prev):
			e.out.WriteString(s[from:i])
			from = e.url(s, i)
		}
		prev = r
	}
	e.out.WriteString(s[from:])
	return e.out.String()
}

// char escapes a character. A character reference is used where some parsers do
// not honour the backslash: Python-Markdown knows only that of some characters,
// and marked removes those of brackets in a link before it reads its text.
func (e *escaper) char(c byte) {
	switch c {
	case '<':
		e.out.WriteString("&lt;")
	case '&':
		e.out.WriteString("&amp;")
	case '~', '=', ':':
		e.reference(c)
	case '|':
		if e.at != inCell { // there it is the table that reads the backslash
			e.reference(c)
			return
		}
		e.backslash(c)
	case '[', ']':
		if e.inLink || e.at == inLabel {
			e.reference(c)
			return
		}
		e.backslash(c)
	default:
		e.backslash(c)
	}
}

func (e *escaper) backslash(c byte) {
	e.out.WriteByte('\\')
	e.out.WriteByte(c)
}

func (e *escaper) reference(c byte) {
	e.out.WriteString("&#")
	e.out.WriteString(strconv.Itoa(int(c)))
	e.out.WriteByte(';')
}

// special reports whether r, which follows prev and begins s, could be markup
// anywhere in a line.
func (e *escaper) special(r, prev rune, s string) bool {
	switch r {
	case '\\', '`', '*', '~', '[', ']', '<', '{': // "{" begins attributes in some dialects
		return true
	case '_':
		next, _ := utf8.DecodeRuneInString(s[1:])
		return !isWordRune(prev) || !isWordRune(next) // snake_case is not emphasis
	case '&':
		return isEntity(s)
	case '!':
		return len(s) == 1 && !e.last // before a link it would be a picture
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

// blockStart escapes what would begin a block at the start of a line. It returns
// the rest of s.
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
	e.char(s[0])
	return s[1:]
}

// numberStart escapes the sign after a number that would begin a list, as in
// "1986. A great year".
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
	e.backslash(s[n])
	return s[n+1:]
}

// isEntity reports whether s begins with a character reference such as &amp; or
// with the start of a number: some parsers add a missing semicolon to &#60.
func isEntity(s string) bool {
	if strings.HasPrefix(s, "&#") && len(s) > 2 && (isDigit(s[2]) || s[2]|0x20 == 'x') {
		return true
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case !isLetter(c) && !isDigit(c):
			return false
		}
	}
	return false
}

func containsEntity(s string) bool {
	for i := range len(s) {
		if s[i] == '&' && isEntity(s[i:]) {
			return true
		}
	}
	return false
}

// urlStarts are how bare URLs begin. Many parsers make links of them and do not
// remove the backslashes of escapes. So a URL that needs escapes is written
// between < and >, or, if that is not possible, its start is escaped.
var urlStarts = [...]string{"https://", "http://", "ftp://", "www."}

// startsURL reports whether s begins with a bare URL.
func startsURL(s string, prev rune) bool {
	switch s[0] | 0x20 {
	case 'h', 'f':
		return urlStart(s) != "" // even after a letter, in scripts without spaces
	case 'w':
		return urlStart(s) != "" && !isWordRune(prev)
	}
	return false
}

func urlStart(s string) string {
	for _, p := range urlStarts {
		if len(s) > len(p) && strings.EqualFold(s[:len(p)], p) {
			return s[:len(p)]
		}
	}
	return ""
}

// url writes the URL at s[i:], or at least its start. It returns the end of what it
// wrote.
func (e *escaper) url(s string, i int) int {
	start := urlStart(s[i:])
	if i >= e.wordEnd {
		e.word(s, i)
	}
	if !e.wordMarked {
		e.out.WriteString(s[i:e.wordEnd])
		return e.wordEnd
	}
	if start[0]|0x20 == 'h' && !e.inLink && e.at != inLabel {
		// Parsers do not agree on what &lt; means in <…>.
		if n := bareURL(s[i:]); n > len(start) && !containsEntity(s[i:i+n]) {
			e.out.WriteString("<" + s[i:i+n] + ">")
			return i + n
		}
	}
	sign := strings.IndexAny(start, ":.")
	e.out.WriteString(start[:sign])
	e.char(start[sign])
	e.out.WriteString(start[sign+1:])
	return i + len(start)
}

// word finds the end of the word at s[i:] and whether it contains or precedes
// markup. It is called once for all URLs in the word.
func (e *escaper) word(s string, i int) {
	n := strings.IndexAny(s[i:], " \n")
	if n < 0 {
		n = len(s) - i
	}
	e.wordEnd = i + n
	e.wordMarked = e.wordEnd == len(s) && !e.last || strings.ContainsAny(s[i:e.wordEnd], "\\`*_~[]<>&|!")
}

// bareURL returns the length of the URL at the start of s, without the punctuation
// that ends its sentence.
func bareURL(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || strings.IndexByte("-._~:/?#@!$&'()*+,;=%", s[n]) >= 0) {
		n++
	}
	spare := strings.Count(s[:n], ")") - strings.Count(s[:n], "(")
	for n > 0 && (strings.IndexByte("?!.,:;*_~'", s[n-1]) >= 0 || s[n-1] == ')' && spare > 0) {
		if s[n-1] == ')' {
			spare--
		}
		n--
	}
	return n
}

// escapeDestination escapes a URL that linkURL or imageURL allows.
func escapeDestination(url string) string {
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		switch c := url[i]; {
		case c == '(' || c == ')' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '[':
			b.WriteString("&#91;")
		case c == ']':
			b.WriteString("&#93;") // a picture in a link ends there for some parsers
		case c == '&' && isEntity(url[i:]):
			b.WriteString("&amp;") // some parsers resolve an escaped one
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
