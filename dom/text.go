package dom

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
)

// separator is what separates the next words from those before.
type separator uint8

const (
	noSeparator   separator = iota
	weakSeparator           // an inline element begins or ends: see weakSeparates
	edgeSeparator           // one inline element ends and the next begins: see edgeSeparates
	spaceSeparator
	lineSeparator
)

// textWriter writes the text of a page as a reader sees it.
type textWriter struct {
	buf    []byte
	next   separator // before the next words
	indent int       // spaces at the start of a line of preformatted text
	closed bool      // an inline element ended and nothing was written since
	inWord bool      // the last character written belongs to a word
	depth  int       // number of open elements
	edge   int       // depth of the element whose start set edgeSeparator
}

func (t *textWriter) space() { t.next = max(t.next, spaceSeparator) }

// boundary notes that an element begins or ends here.
func (t *textWriter) boundary(tag Tag, begins bool) {
	if begins {
		t.depth++
	} else {
		if t.next == edgeSeparator && t.edge == t.depth && tag != Img {
			t.next = noSeparator // the element is empty
		}
		t.depth--
	}
	switch {
	case tag.is(block):
		t.next, t.indent = lineSeparator, 0
	case tag.is(spaced):
		t.space()
	case tag == Wbr || tag == Sub || tag == Sup:
		// These occur inside words: H<sub>2</sub>O.
		t.closed = false
	case begins:
		if (t.closed || tag == Img) && t.next < edgeSeparator {
			t.next, t.edge = edgeSeparator, t.depth
		}
		t.next = max(t.next, weakSeparator)
	default:
		t.closed = true
		t.next = max(t.next, weakSeparator)
	}
}

// write appends the words of s and counts them. It returns the offset of the first
// one.
func (t *textWriter) write(s string, pre bool, c *Counts) int {
	start := -1
	for i := 0; i < len(s); {
		k, n := classAt(s, i)
		switch {
		case k == words.Ignored:
			i += n
			continue
		case k == words.Space:
			if pre {
				t.keepSpace(s[i], start >= 0, c)
			} else {
				t.space()
			}
			i += n
			continue
		case start < 0:
			start = t.begin(s[i:], k)
		case t.next != noSeparator:
			c.Chars += t.flush() // a space inside the node is one of its characters
		}
		n = t.count(s[i:], c)
		t.buf = append(t.buf, s[i:i+n]...)
		i += n
	}
	if start < 0 {
		start = len(t.buf)
	}
	return start
}

// count counts the characters up to the first one that is not written as it is, and
// returns their length. Words with single spaces between them are written as they
// are. This is the bulk of a page, so ASCII is counted without branches, which makes
// writing a seventh faster.
func (t *textWriter) count(s string, c *Counts) int {
	const most = 1 << 15 // of one character, for the 16 bits of a sum
	s = s[:min(len(s), most)]
	var sums, found, inWord, last uint64
	if t.inWord {
		inWord = 1
	}
	i, more := 0, 0 // more is how many more bytes than characters there are
	for i < len(s) {
		a := asciiCounts[s[i]]
		if a&(countsRarely|last&countsSpace) == 0 {
			found += a & countsWord &^ inWord
			inWord = a&countsWord | a>>1&inWord
			sums += a >> 16
			last = a
			i++
			continue
		}
		k, n := classAt(s, i)
		if k == words.Space || k == words.Ignored {
			break
		}
		a = classCounts[k]
		found += a & countsWord &^ inWord
		if k == words.Ideograph {
			found++
		}
		inWord = a&countsWord | a>>1&inWord
		sums += a >> 16
		last = a
		i += n
		more += n - 1
	}
	if last&countsSpace != 0 {
		i-- // another space may follow, or nothing
	}
	t.inWord = inWord != 0
	c.Chars += int32(i - more)
	c.Words += int32(found)
	c.Digits += int32(sums & 0xffff)
	c.Punct += int32(sums >> 16 & 0xffff)
	c.Stops += int32(sums >> 32)
	return i
}

// What a character counts for. The upper three quarters are numbers.
const (
	countsWord   uint64 = 1 << iota // is part of a word
	countsJoiner                    // is part of a word if it is in one
	countsSpace                     // is a single space
	countsRarely                    // is not ASCII, or not written as it is
	countsDigit  = 1 << 16
	countsPunct  = 1 << 32
	countsStop   = 1 << 48
)

// classCounts has what the characters of a class count for.
var classCounts = [words.Ignored + 1]uint64{
	words.Letter: countsWord, words.Digit: countsWord | countsDigit, words.Comma: countsPunct, words.Stop: countsPunct | countsStop,
	words.Space: countsRarely, words.Joiner: countsJoiner, words.Ignored: countsRarely,
}

var asciiCounts = func() (t [256]uint64) {
	for b := range t {
		if t[b] = countsRarely; b < utf8.RuneSelf {
			t[b] = classCounts[words.ASCII[b]]
		}
	}
	t[' '] = countsSpace
	return t
}()

// classAt returns the class and the length of the character at i.
func classAt(s string, i int) (k words.Class, bytes int) {
	if s[i] < utf8.RuneSelf {
		return words.ASCII[s[i]], 1
	}
	return classAfterASCII(s[i:])
}

func classAfterASCII(s string) (k words.Class, bytes int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return words.Ignored, 1 // only FromNode can get invalid UTF-8
	}
	return words.ClassOf(r), n
}

// begin separates the words of a text node from what was written before.
func (t *textWriter) begin(text string, first words.Class) int {
	if t.next == edgeSeparator && !t.edgeSeparates(text, first) || t.next == weakSeparator && !t.weakSeparates(text) {
		t.next = noSeparator
	}
	t.flush()
	t.closed = false
	return len(t.buf)
}

// flush writes the separator and returns the number of its characters.
func (t *textWriter) flush() int32 {
	if t.next == noSeparator {
		return 0
	}
	before := len(t.buf)
	if before > 0 {
		if t.next == lineSeparator {
			t.buf = append(t.buf, '\n')
			for ; t.indent > 0; t.indent-- {
				t.buf = append(t.buf, ' ')
			}
		} else {
			t.buf = append(t.buf, ' ')
		}
	}
	t.next, t.indent, t.inWord = noSeparator, 0, false
	return int32(len(t.buf) - before)
}

// keepSpace writes a white space character of preformatted text. Blank lines are
// dropped.
func (t *textWriter) keepSpace(b byte, inside bool, c *Counts) {
	const tabWidth, maxIndent = 4, 80
	switch {
	case b == '\r':
	case b >= utf8.RuneSelf:
		t.space()
	case b == '\n':
		t.next, t.indent = lineSeparator, 0
	case t.next == lineSeparator:
		if b == '\t' {
			t.indent += tabWidth - 1
		}
		t.indent = min(t.indent+1, maxIndent)
	case inside && t.next == noSeparator:
		t.buf = append(t.buf, ' ')
		c.Chars++
		t.inWord = false
	default:
		t.space()
	}
}

// edgeSeparates reports whether two adjacent inline elements are two words, as in
// <span>By</span><span>Ann</span>, or one, as in <b>L</b><i>ede</i>. They are one
// if either side is a single letter, unless that is a capital or a digit after a
// word, as in <b>Plan</b><b>B</b>.
func (t *textWriter) edgeSeparates(text string, first words.Class) bool {
	if !t.inWord || first != words.Letter && first != words.Digit {
		return false
	}
	next, n := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[n:])
	last, n := utf8.DecodeLastRune(t.buf)
	before, _ := utf8.DecodeLastRune(t.buf[:len(t.buf)-n])
	return isWordRune(before) && (isWordRune(second) || unicode.IsLower(last) && !unicode.IsLower(next))
}

// weakSeparates reports whether two words meet at the edge of an inline element, without
// a space, as in <span>National demo</span>The ninth of July: a word in lower case
// and a capitalized one with others after it. Names such as <b>Mac</b>Donald have
// shorter parts.
func (t *textWriter) weakSeparates(text string) bool {
	const minLetters = 4
	first, n := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[n:])
	if !t.inWord || !unicode.IsUpper(first) || !unicode.IsLower(second) || strings.IndexByte(text, ' ') < 0 {
		return false
	}
	before := t.buf
	for range minLetters - 1 {
		last, n := utf8.DecodeLastRune(before)
		if !unicode.IsLower(last) {
			return false
		}
		before = before[:len(before)-n]
	}
	last, _ := utf8.DecodeLastRune(before)
	return unicode.IsLetter(last)
}

func isWordRune(r rune) bool {
	k := words.ClassOf(r)
	return k == words.Letter || k == words.Digit
}

// isBlank reports whether s has only white space and invisible characters.
func isBlank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			continue
		}
		if s[i] < 128 {
			return false
		}
		return isBlankUnicode(s[i:])
	}
	return true
}

func isBlankUnicode(s string) bool {
	for _, r := range s {
		if k := words.ClassOf(r); k != words.Space && k != words.Ignored && (r < 0x200C || r > 0x200F) {
			return false
		}
	}
	return true
}
