package format

import (
	"regexp"
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
	isReference := strings.IndexByte("~=:", c) >= 0
	switch c {
	case '<':
		e.out.WriteString("&lt;")
		return
	case '&':
		e.out.WriteString("&amp;")
		return
	case '|':
		isReference = e.at != inCell // there it is the table that reads the backslash
	case '[', ']':
		isReference = e.inLink || e.at == inLabel
	}
	if isReference {
		e.out.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		return
	}
	e.out.WriteByte('\\')
	e.out.WriteByte(c)
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
		return entityStart.MatchString(s)
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

// blockMark matches what would begin a block at the start of a line: a heading, a quote, an
// underline or a column of a table, a list, or a numbered list, as in "1986. A great year".
var blockMark = regexp.MustCompile(`^(?:[#>=|]|[-+:](?:[^0-9A-Za-z\x{80}-\x{10FFFF}]|$)|[0-9]{1,9}[.)](?:[ \n]|$))`)

// blockStart escapes what would begin a block at the start of a line. It returns
// the rest of s.
func (e *escaper) blockStart(s string) string {
	if !blockMark.MatchString(s) {
		return s
	}
	sign := strings.IndexAny(s, "#>=|-+:.)")
	e.out.WriteString(s[:sign])
	e.char(s[sign])
	return s[sign+1:]
}

// entity matches a character reference such as &amp; or the start of a number: some parsers add
// a missing semicolon to &#60.
var (
	entity      = regexp.MustCompile(`&(?:#[0-9xX]|[0-9A-Za-z]+;)`)
	entityStart = regexp.MustCompile(`^` + entity.String())
)

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
	const maxWord = 200 // bytes; a longer word is escaped
	word := s[i:min(i+maxWord, len(s))]
	if end := strings.IndexAny(word, " \n"); end >= 0 {
		word = word[:end]
	}
	end := i + len(word)
	if isLast := end == len(s); len(word) < maxWord && (!isLast || e.last) && !strings.ContainsAny(word, "\\`*_~[]<>&|!") {
		e.out.WriteString(word)
		return end
	}
	start := urlStart(s[i:])
	if start[0]|0x20 == 'h' && !e.inLink && e.at != inLabel {
		// Parsers do not agree on what &lt; means in <…>.
		if n := bareURL(s[i:]); n > len(start) && !entity.MatchString(s[i:i+n]) {
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

// bareURL returns the length of the URL at the start of s, without the punctuation
// that ends its sentence.
func bareURL(s string) int {
	const chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@!$&'()*+,;=%"
	n := len(s) - len(strings.TrimLeft(s, chars))
	spare := strings.Count(s[:n], ")") - strings.Count(s[:n], "(")
	for n > 0 && (strings.IndexByte("?!.,:;*_~'", s[n-1]) >= 0 || s[n-1] == ')' && spare > 0) {
		if s[n-1] == ')' {
			spare--
		}
		n--
	}
	return n
}

// A picture in a link ends at a bracket for some parsers.
var destinationEscaper = strings.NewReplacer(`(`, `\(`, `)`, `\)`, `\`, `\\`, `[`, "&#91;", `]`, "&#93;")

// escapeDestination escapes a URL that linkURL or imageURL allows.
func escapeDestination(url string) string {
	// Some parsers resolve a reference with a backslash.
	url = entity.ReplaceAllStringFunc(url, func(s string) string { return "&amp;" + s[1:] })
	return destinationEscaper.Replace(url)
}
