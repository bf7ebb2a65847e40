package blocks

import (
	"unicode"
	"unicode/utf8"
)

// textStats describes a block by its characters and its first and last words.
type textStats struct {
	words, capitalized int16 // words, and those that begin with an upper-case letter
	last               charKind
	year, clock        bool
	questions          int16
	low, high          int16 // lowest and highest score of the first and last words
	sum                int16
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
const maxScan = 300

func (l *textStats) read(text string, t *Tables) {
	l.last = lastKind(text)
	var n number
	inWord := false
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
				inWord = true
			}
			for i < end && isLetter(text[i]) {
				i++
			}
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
				inWord = true
			}
			continue
		}
		inWord = inWord && (r == '\'' || r == '’' || r == '-')
		if r == '?' || r == '？' {
			l.questions++
		}
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

// Characters below this one, which are those of most texts with letters, have their kinds
// and folds in tables.
const tabled = 0x980

// kinds holds the kinds of characters. Read only.
var kinds = func() (t [tabled]charKind) {
	for i := range t {
		t[i] = findKind(rune(i))
	}
	return t
}()

func kindOf(r rune) charKind {
	switch {
	case r >= 0 && r < tabled:
		return kinds[r]
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
			if f := folds[c]; f != 0 {
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

// folds holds the results of fold, or 0. Read only.
var folds = func() (t [tabled]uint16) {
	for c := range t {
		if f, ok := findFold(rune(c)); ok {
			t[c] = uint16(f)
		}
	}
	return t
}()

// fold returns a character in lower case and reports whether it is part of a
// word. Every digit becomes a zero, since dates and counters differ from page to
// page.
func fold(r rune) (rune, bool) {
	switch {
	case r >= 0 && r < tabled:
		f := folds[r]
		return rune(f), f != 0
	case isIdeograph(r):
		return r, true
	}
	return findFold(r)
}

func findFold(r rune) (rune, bool) {
	switch {
	case r >= '0' && r <= '9':
		return '0', true
	case r == '©':
		return r, true
	case unicode.IsLetter(r):
		return unicode.ToLower(r), true
	}
	return 0, false
}

func isIdeograph(r rune) bool { return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF }
