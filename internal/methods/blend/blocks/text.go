package blocks

import (
	"unicode"
	"unicode/utf8"
)

// textStats describes a block by its characters and its first and last words.
type textStats struct {
	letters, uppers, capitalized int16 // letters, upper-case letters, words that begin with one
	words                        int16
	first, last                  charKind
	year, clock                  bool
	at, bar, copyright           bool
	questions, quotes            int16
	low, high                    int16 // lowest and highest score of the first and last words
	sum                          int16
	longest                      int16 // word, in letters
}

// charKind is the kind of the first or last character of a block.
type charKind uint8

const (
	otherKind charKind = iota
	lowerKind
	upperKind
	digitKind
	stopKind
	colonKind
	ellipsisKind
	quoteKind
	commaKind
	bracketKind
	arrowKind
	ideographKind
)

// maxScan is the number of bytes of a block that are read: the rest of a long
// block is similar.
const maxScan = 600

func (l *textStats) read(text string, t *Tables) {
	l.first, l.last = firstKind(text), lastKind(text)
	var n number
	inWord := false
	run := 0 // letters in the current word
	end := min(len(text), maxScan+1)
	for i := 0; i < end; {
		c := text[i]
		if c == ' ' {
			n.end(l, text, i, ' ')
			inWord = false
			i++
			continue
		}
		if isLetter(c) { // a fast path for ASCII letters, the bulk of most blocks
			n.end(l, text, i, 'a')
			if !inWord {
				l.startWord(isUpper(c))
				inWord, run = true, 0
			}
			from, uppers := i, 0
			for ; i < end && isLetter(text[i]); i++ {
				uppers += int(text[i]>>5&1 ^ 1) // the bit that distinguishes lower from upper case
			}
			l.letters += int16(i - from)
			l.uppers += int16(uppers)
			run += i - from
			l.longest = max(l.longest, int16(run))
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		k := kindOf(r)
		if k == digitKind {
			n.digits++
			inWord = false
			i += size
			continue
		}
		n.end(l, text, i, r)
		i += size
		if k == lowerKind || k == upperKind || k == ideographKind {
			if !inWord {
				l.startWord(k == upperKind)
				inWord, run = true, 0
			}
			l.letters++
			if k == upperKind {
				l.uppers++
			}
			run++
			l.longest = max(l.longest, int16(run))
			continue
		}
		inWord = inWord && (r == '\'' || r == '’' || r == '-')
		l.addSign(r)
	}
	if n.digits < 4 || len(text) <= maxScan { // otherwise it may be part of a longer number
		n.end(l, text, len(text), 0)
	}
	var room [maxOpenings]uint32
	for _, p := range appendOpenings(room[:0], text) {
		x := t.Openings.score(p)
		l.low, l.high = min(l.low, x), max(l.high, x)
		l.sum += x
	}
}

// startWord counts a word.
func (l *textStats) startWord(upper bool) {
	l.words++
	if upper {
		l.capitalized++
	}
}

// addSign records a character that is no part of a word.
func (l *textStats) addSign(r rune) {
	switch r {
	case '@':
		l.at = true
	case '|', '·', '•', '›', '»', '→', '/':
		l.bar = true
	case '©':
		l.copyright = true
	case '?', '？':
		l.questions++
	case '"', '“', '”', '„', '«':
		l.quotes++
	}
}

// number is the run of digits at the current position.
type number struct {
	digits int
	colon  bool // follows one or two digits and a colon
}

// end ends the number, if there is one, at position i before r.
func (n *number) end(l *textStats, text string, i int, r rune) {
	if n.digits == 0 {
		return
	}
	short := n.digits <= 2
	l.year = l.year || n.digits == 4 && isYear(text[i-4:i])
	l.clock = l.clock || short && n.colon
	*n = number{colon: short && r == ':'}
}

// firstKind returns the kind of the first character that is not white space.
func firstKind(text string) charKind {
	for i, r := range text {
		if i > maxScan {
			break
		}
		if r != ' ' && r != '\n' {
			return kindOf(r)
		}
	}
	return otherKind
}

// lastKind returns the kind of the last character that is not white space.
func lastKind(text string) charKind {
	for end := len(text); end > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if r != ' ' && r != '\n' {
			return kindOf(r)
		}
		end -= size
	}
	return otherKind
}

func isYear(s string) bool { return s[:2] == "19" || s[:2] == "20" }

// asciiKinds holds the kinds of the ASCII characters. Read only.
var asciiKinds = func() (t [utf8.RuneSelf]charKind) {
	for i := range t {
		t[i] = findKind(rune(i))
	}
	return t
}()

func kindOf(r rune) charKind {
	switch {
	case r >= 0 && r < utf8.RuneSelf:
		return asciiKinds[r]
	case r >= 0x430 && r <= 0x44F, r >= 0x3B1 && r <= 0x3C9: // most letters of Cyrillic and Greek
		return lowerKind
	case isIdeograph(r):
		return ideographKind
	}
	return findKind(r)
}

func findKind(r rune) charKind {
	switch {
	case r >= 'a' && r <= 'z':
		return lowerKind
	case r >= 'A' && r <= 'Z':
		return upperKind
	case r >= '0' && r <= '9':
		return digitKind
	}
	switch r {
	case '.', '!', '?', '。', '！', '？', '؟', '।':
		return stopKind
	case ':', '：':
		return colonKind
	case '…':
		return ellipsisKind
	case '"', '\'', '“', '”', '„', '«', '»', '’', '‘', '「', '」', '『', '』':
		return quoteKind
	case ',', ';', '，', '、', '；', '-', '–', '—':
		return commaKind
	case '(', ')', '[', ']', '（', '）', '【', '】':
		return bracketKind
	case '>', '›', '→', '▸', '▶', '←', '<', '‹', '+', '#', '*', '•', '|', '·':
		return arrowKind
	}
	switch {
	case r < utf8.RuneSelf:
		return otherKind
	case unicode.IsUpper(r):
		return upperKind
	case unicode.IsLetter(r):
		return lowerKind
	}
	return otherKind
}

// The number of words at the start and at the end of a block that are looked up.
const (
	headWords = 6
	tailWords = 2

	maxOpenings = headWords + 1 + tailWords
)

// appendOpenings appends the hashes of the first and last words of a text, and of
// the pair of its first two words.
func appendOpenings(hashes []uint32, text string) []uint32 {
	w := wordReader{text: text}
	var last uint32
	for n := range headWords {
		h, ok := w.next()
		if !ok {
			return hashes // the text has no more words
		}
		hashes = append(hashes, h)
		if n == 1 {
			hashes = append(hashes, last*step^h)
		}
		last = h
	}
	for range tailWords {
		h, before, ok := lastWord(text)
		if !ok {
			break
		}
		hashes = append(hashes, h*step+1) // the same word has another hash at the end
		text = before
	}
	return hashes
}

// wordReader reads the hashes of the words of a text.
type wordReader struct {
	text string
	at   int
}

// next returns the hash of the next word, if there is one.
func (w *wordReader) next() (hash uint32, ok bool) {
	text, i := w.text, w.at
	h, in := uint32(seed), false
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			if f := asciiFolds[c]; f != 0 {
				h, in = (h^uint32(f))*step, true
				continue
			}
			if in {
				break
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if r, ok := fold(r); ok {
			h, in = (h^uint32(r))*step, true
			if isIdeograph(r) {
				break
			}
		} else if in {
			break
		}
	}
	w.at = i
	return h, in
}

// lastWord returns the hash of the last word of a text, if there is one, and the
// text before it.
func lastWord(text string) (hash uint32, before string, ok bool) {
	for end := len(text); end > 0; {
		from := end
		for from > 0 {
			r, size := utf8.DecodeLastRuneInString(text[:from])
			if _, ok := fold(r); !ok || isIdeograph(r) && from < end {
				break
			}
			from -= size
		}
		if from < end {
			w := wordReader{text: text[from:end]}
			hash, ok = w.next()
			return hash, text[:from], ok
		}
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return 0, "", false
}

// asciiFolds holds the results of fold for ASCII characters, or 0. Read only.
var asciiFolds = func() (t [256]uint8) {
	for c := range rune(utf8.RuneSelf) {
		if f, ok := fold(c); ok {
			t[c] = uint8(f)
		}
	}
	return t
}()

// fold returns a character in lower case and reports whether it is part of a
// word. Every digit becomes a zero, since dates and counters differ from page to
// page.
func fold(r rune) (rune, bool) {
	switch {
	case r >= 'a' && r <= 'z':
		return r, true
	case r >= 'A' && r <= 'Z':
		return r | 0x20, true
	case r >= '0' && r <= '9':
		return '0', true
	case r == '©':
		return r, true
	case r < utf8.RuneSelf:
		return 0, false
	case r >= 0x430 && r <= 0x44F, r >= 0x3B1 && r <= 0x3C9, isIdeograph(r): // most of what is not Latin
		return r, true
	case r >= 0x410 && r <= 0x42F:
		return r + 0x20, true
	case unicode.IsLetter(r):
		return unicode.ToLower(r), true
	}
	return 0, false
}

func isIdeograph(r rune) bool { return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF }
