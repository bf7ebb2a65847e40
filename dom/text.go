package dom

import (
	"unicode"
	"unicode/utf8"
)

// gap is what parts the next words from those before.
type gap uint8

const (
	glued  gap = iota
	byEdge     // one inline element ends and the next begins: see edgeParts
	bySpace
	byRow
)

// textState writes the page's text as a reader sees it.
type textState struct {
	buf    []byte
	gap    gap
	indent int  // spaces that a row of preformatted text begins with
	closed bool // an inline element ended and nothing was written since
	inWord bool // the last character written belongs to a word
	depth  int  // open elements
	edge   int  // depth of the element whose beginning set the gap byEdge
}

func (t *textState) space() {
	if t.gap < bySpace {
		t.gap = bySpace
	}
}

// boundary notes that an element begins or ends here.
func (t *textState) boundary(tag Tag, begins bool) {
	if begins {
		t.depth++
	} else {
		if t.gap == byEdge && t.edge == t.depth && tag != Img {
			t.gap = glued // nothing came of it: the element is empty
		}
		t.depth--
	}
	switch {
	case tag.is(block):
		t.gap, t.indent = byRow, 0
	case tag.is(spaced):
		t.space()
	case tag == Wbr || tag == Sub || tag == Sup:
		// They stand inside words: H<sub>2</sub>O.
		t.closed = false
	case begins:
		if (t.closed || tag == Img) && t.gap == glued {
			t.gap, t.edge = byEdge, t.depth
		}
	default:
		t.closed = true
	}
}

// write appends the words of s and counts them; it returns where they begin.
func (t *textState) write(s string, pre bool, c *Counts) int {
	start := -1
	for i := 0; i < len(s); {
		k, n, chars, words := piece(s[i:])
		at := i
		i += n
		switch {
		case k == invisible:
			continue
		case k == space:
			if pre {
				t.keepSpace(s[at], start >= 0, c)
			} else {
				t.space()
			}
			continue
		case start < 0:
			start = t.open(s[at:], k)
		case t.gap != glued:
			c.Chars += t.flush() // a space within the node is a character of it
		}
		t.buf = append(t.buf, s[at:i]...)
		c.Chars += chars
		c.Words += words
		t.count(k, c)
	}
	if start < 0 {
		start = len(t.buf)
	}
	return start
}

// piece takes the next character off s, or a whole run of words in ASCII
// letters with single spaces, the bulk of most pages. It counts the words
// after the first.
func piece(s string) (k class, bytes int, chars, words int32) {
	b := s[0]
	if b >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			return invisible, 1, 0, 0 // of a tree that somebody handed in
		}
		return classOf(r), n, 1, 0
	}
	if k = asciiClass[b]; k != letter {
		return k, 1, 1, 0
	}
	for bytes = 1; bytes < len(s); bytes++ {
		if asciiClass[s[bytes]] == letter {
			continue
		}
		if s[bytes] != ' ' || bytes+1 == len(s) || asciiClass[s[bytes+1]] != letter {
			break
		}
		words++
	}
	return letter, bytes, int32(bytes), words
}

// open parts the words of a text node from what was written before.
func (t *textState) open(words string, first class) int {
	if t.gap == byEdge && !t.edgeParts(words, first) {
		t.gap = glued
	}
	t.flush()
	t.closed = false
	return len(t.buf)
}

// flush writes the gap and tells how many characters it took.
func (t *textState) flush() int32 {
	if t.gap == glued {
		return 0
	}
	before := len(t.buf)
	if before > 0 {
		if t.gap == byRow {
			t.buf = append(t.buf, '\n')
			for ; t.indent > 0; t.indent-- {
				t.buf = append(t.buf, ' ')
			}
		} else {
			t.buf = append(t.buf, ' ')
		}
	}
	t.gap, t.indent, t.inWord = glued, 0, false
	return int32(len(t.buf) - before)
}

// keepSpace keeps white space as it is in preformatted text, but for empty rows.
func (t *textState) keepSpace(b byte, inside bool, c *Counts) {
	const tab, most = 4, 80
	switch {
	case b == '\r':
	case b >= utf8.RuneSelf:
		t.space()
	case b == '\n':
		t.gap, t.indent = byRow, 0
	case t.gap == byRow:
		if b == '\t' {
			t.indent += tab - 1
		}
		t.indent = min(t.indent+1, most)
	case inside && t.gap == glued:
		t.buf = append(t.buf, ' ')
		c.Chars++
		t.inWord = false
	default:
		t.space()
	}
}

// edgeParts decides whether two inline elements that touch are two words, as
// in <span>By</span><span>Ann</span>, or one, as in <b>L</b><i>ede</i>: one if
// either side is a single letter, but for capitals and numbers that follow a
// word, as in <b>Plan</b><b>B</b>.
func (t *textState) edgeParts(words string, first class) bool {
	if !t.inWord || first != letter && first != digit {
		return false
	}
	next, n := utf8.DecodeRuneInString(words)
	second, _ := utf8.DecodeRuneInString(words[n:])
	last, n := utf8.DecodeLastRune(t.buf)
	before, _ := utf8.DecodeLastRune(t.buf[:len(t.buf)-n])
	return inWord(before) && (inWord(second) || unicode.IsLower(last) && !unicode.IsLower(next))
}

func inWord(r rune) bool {
	k := classOf(r)
	return k == letter || k == digit
}

func (t *textState) count(k class, c *Counts) {
	switch k {
	case letter:
		if !t.inWord {
			c.Words++
			t.inWord = true
		}
	case digit:
		c.Digits++
		if !t.inWord {
			c.Words++
			t.inWord = true
		}
	case ideograph:
		c.Words++
		t.inWord = false
	case stop:
		c.Stops++
		c.Punct++
		t.inWord = false
	case comma:
		c.Punct++
		t.inWord = false
	case joiner:
	default:
		t.inWord = false
	}
}
