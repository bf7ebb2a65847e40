package blocks

import (
	"unicode"
	"unicode/utf8"
)

// look is what the characters of a block tell.
type look struct {
	letters, uppers, capital int16 // letters; upper-case ones; words that begin with one
	words                    int16
	first, last              kind
	year, clock              bool
	at, bar, copyright       bool
	questions, quotes        int16
	low, high                int16 // of the openings
	sum                      int16
	longest                  int16 // of the words, in bytes
}

// kind sorts the characters that a text begins or ends with.
type kind uint8

const (
	otherKind kind = iota
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

// far is how much of a block is looked at: the rest of a long one is like it.
const far = 600

func (l *look) read(text string, t *Tables) {
	l.first, l.last = firstKind(text), lastKind(text)
	var n number
	inWord := false
	run := 0 // letters of the word so far
	end := min(len(text), far+1)
	for i := 0; i < end; {
		c := text[i]
		if c == ' ' {
			n.end(l, text, i, ' ')
			inWord = false
			i++
			continue
		}
		if isLetter(c) { // a run of plain letters, the bulk of most blocks, at once
			n.end(l, text, i, 'a')
			if !inWord {
				l.begin(isUpper(c))
				inWord, run = true, 0
			}
			from, uppers := i, 0
			for ; i < end && isLetter(text[i]); i++ {
				uppers += int(text[i]>>5&1 ^ 1) // the bit that tells small letters from capitals
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
				l.begin(k == upperKind)
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
		l.sign(r)
	}
	if n.digits < 4 || len(text) <= far { // else it may be part of a longer one
		n.end(l, text, len(text), 0)
	}
	var room [mostOpenings]uint32
	for _, p := range appendOpenings(room[:0], text) {
		x := int16(t.Openings[p])
		l.low, l.high = min(l.low, x), max(l.high, x)
		l.sum += x
	}
}

// begin notes that a word does.
func (l *look) begin(upper bool) {
	l.words++
	if upper {
		l.capital++
	}
}

// sign notes a character that is no part of a word.
func (l *look) sign(r rune) {
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

// number is a run of digits that the text is in.
type number struct {
	digits int
	colon  bool // the one before it is an hour, as far as can be told
}

// end looks at the number that ends at i, where r follows it, if there is one.
func (n *number) end(l *look, text string, i int, r rune) {
	if n.digits == 0 {
		return
	}
	short := n.digits <= 2
	l.year = l.year || n.digits == 4 && isYear(text[i-4:i])
	l.clock = l.clock || short && n.colon
	*n = number{colon: short && r == ':'}
}

// firstKind and lastKind tell what a text begins and ends with, blanks aside.
func firstKind(text string) kind {
	for i, r := range text {
		if i > far {
			break
		}
		if r != ' ' && r != '\n' {
			return kindOf(r)
		}
	}
	return otherKind
}

func lastKind(text string) kind {
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

// asciiKinds are the kinds of the first characters. Read only.
var asciiKinds = func() (t [utf8.RuneSelf]kind) {
	for i := range t {
		t[i] = findKind(rune(i))
	}
	return t
}()

func kindOf(r rune) kind {
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

func findKind(r rune) kind {
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

// Openings looks at this many words from the front of a block and from its end.
const (
	openers = 6
	closers = 2

	mostOpenings = openers + 1 + closers
)

// appendOpenings adds the place of every word that a text begins or ends with,
// and of the pair of its first two.
func appendOpenings(places []uint32, text string) []uint32 {
	w := words{text: text}
	var last uint32
	for n := range openers {
		h, ok := w.next()
		if !ok {
			return places // the whole text was read
		}
		places = append(places, place(h))
		if n == 1 {
			places = append(places, place(last*step^h))
		}
		last = h
	}
	for range closers {
		h, before, ok := lastWord(text)
		if !ok {
			break
		}
		places = append(places, place(h*step+1)) // a word at the end is not the same as at the front
		text = before
	}
	return places
}

// words goes through the words of a text from at on, by their hashes.
type words struct {
	text string
	at   int
}

// next is the hash of the next word, if there is one.
func (w *words) next() (hash uint32, ok bool) {
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

// lastWord is the hash of the last word of a text, if there is one, and what
// stands before it.
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
			w := words{text: text[from:end]}
			hash, ok = w.next()
			return hash, text[:from], ok
		}
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return 0, "", false
}

// asciiFolds is what fold gives for the first characters, or 0. Read only.
var asciiFolds = func() (t [256]uint8) {
	for c := range rune(utf8.RuneSelf) {
		if f, ok := fold(c); ok {
			t[c] = uint8(f)
		}
	}
	return t
}()

// fold gives a character as it counts in a word, and whether it does. A digit
// counts as a zero, since dates and counters differ from page to page.
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
