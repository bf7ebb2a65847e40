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

// class sorts characters by what they mean for counting.
type class uint8

const (
	other class = iota
	letter
	digit
	ideograph // a word by itself: scripts that put no space between words
	comma     // punctuation inside a sentence
	stop      // punctuation that ends a sentence
	space
	joiner    // inside a word: the apostrophe and the hyphen
	invisible // shown as nothing, and nothing to keep
)

var asciiClass = func() (t [256]class) {
	for c := range utf8.RuneSelf {
		switch r := rune(c); {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == '\v':
			t[c] = space
		case r < ' ' || r == 0x7f:
			t[c] = invisible
		case r >= '0' && r <= '9':
			t[c] = digit
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_':
			t[c] = letter
		case r == '.' || r == '!' || r == '?':
			t[c] = stop
		case r == ',' || r == ';' || r == ':':
			t[c] = comma
		case r == '\'' || r == '-':
			t[c] = joiner
		}
	}
	return t
}()

// classOf sorts any character. The common scripts of news are told by range;
// the tables of package unicode decide the rest.
func classOf(r rune) class {
	switch {
	case r < 128:
		return asciiClass[r]
	case r < 0xC0:
		return latin1Class(r)
	case r == 0xD7 || r == 0xF7:
		return other
	case r < 0x370: // Latin
		return letter
	case r >= 0x400 && r < 0x482 || r >= 0x48A && r < 0x530: // Cyrillic
		return letter
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r >= 0x3400 && r <= 0x4DBF:
		return ideograph
	case r >= 0xAC00 && r <= 0xD7A3: // Hangul is written with spaces
		return letter
	}
	return rareClass(r)
}

func latin1Class(r rune) class {
	switch r {
	case 0xA0:
		return space
	case 0xAD:
		return invisible // soft hyphen
	case 0xAA, 0xB5, 0xBA:
		return letter
	}
	if r < 0xA0 {
		return invisible
	}
	return other
}

func rareClass(r rune) class {
	switch r {
	case 0x2028, 0x2029, 0x3000, 0x202F, 0x205F, 0x1680:
		return space
	case 0x200B, 0x2060, 0xFEFF:
		return invisible
	case 0x200C, 0x200D, 0x200E, 0x200F: // Persian, Indic and bidirectional words have them
		return joiner
	case '’', 'ʼ', '‐', '‑':
		return joiner
	case '。', '！', '？', '．', '؟', '۔', '।', '॥', '…', '։', '።', '｡':
		return stop
	case '，', '、', '；', '：', '،', '؛', '·', '׀', '׃', '､':
		return comma
	case '々', '〆', 'ー', '〇':
		return ideograph
	}
	if r >= 0x2000 && r <= 0x200A {
		return space
	}
	switch {
	case r >= 0x20000 && r <= 0x3FFFF:
		return ideograph
	case unicode.IsLetter(r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Mc, r):
		return letter
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			continue
		}
		if s[i] < 128 {
			return false
		}
		return blankWide(s[i:])
	}
	return true
}

func blankWide(s string) bool {
	for _, r := range s {
		if k := classOf(r); k != space && k != invisible && (r < 0x200C || r > 0x200F) {
			return false
		}
	}
	return true
}
