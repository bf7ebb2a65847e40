package blocks

import (
	"strings"
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

// maxScan is the number of bytes of a block that are read: the rest of a long
// block is similar.
const maxScan = 300

func (l *textStats) read(text string, t *Tables) {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \n"))
	l.last = charOf(last).kind
	var n number
	inWord := false
	for i, r := range text {
		if i > maxScan {
			break
		}
		if inWord && uint32(r) < utf8.RuneSelf && isLetter(byte(r)) {
			continue // as most characters are
		}
		kind := charOf(r).kind
		if kind == digitKind {
			n.digits++
			inWord = false
			continue
		}
		n.end(l, text, i, r)
		switch {
		case kind != lowerKind && kind != upperKind && kind != ideographKind:
			inWord = inWord && (r == '\'' || r == '’' || r == '-')
			if r == '?' || r == '？' {
				l.questions++
			}
		case !inWord:
			inWord = true
			l.words++
			if kind == upperKind {
				l.capitalized++
			}
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
	l.year = l.year || n.digits == 4 && (text[i-4:i-2] == "19" || text[i-4:i-2] == "20")
	l.clock = l.clock || short && n.colon
	*n = number{colon: short && r == ':'}
}

// charKind is the kind of a character. The model knows the numbers.
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

// signs holds the kinds of characters that are not part of words.
var signs = func() map[rune]charKind {
	m := map[rune]charKind{}
	for kind, list := range map[charKind]string{
		stopKind: ".!?。！？؟।", colonKind: ":：", ellipsisKind: "…", quoteKind: "\"'“”„«»’‘「」『』", commaKind: ",;，、；-–—",
		bracketKind: "()[]（）【】", arrowKind: ">›→▸▶←<‹+#*•|·",
	} {
		for _, r := range list {
			m[r] = kind
		}
	}
	return m
}()

// char is what matters of a character.
type char struct {
	kind charKind
	// fold is the character in lower case if it is part of a word, or else 0. Every digit
	// becomes a zero, since dates and counters differ from page to page.
	fold rune
}

// chars holds the first characters, which are those of most texts with letters. Read only.
var chars = func() (t [0x980]char) {
	for i := range t {
		t[i] = findChar(rune(i))
	}
	return t
}()

func charOf(r rune) char {
	if uint32(r) < uint32(len(chars)) {
		return chars[r]
	}
	return findChar(r)
}

func findChar(r rune) char {
	switch {
	case isIdeograph(r):
		return char{ideographKind, r}
	case r >= '0' && r <= '9':
		return char{digitKind, '0'}
	case r == '©':
		return char{otherKind, r}
	case unicode.IsUpper(r):
		return char{upperKind, unicode.ToLower(r)}
	case unicode.IsLetter(r):
		return char{lowerKind, unicode.ToLower(r)}
	}
	return char{signs[r], 0}
}

func isIdeograph(r rune) bool { return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF }

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
		var word string
		text, word = cutLastWord(text)
		if w = (wordReader{text: word}); word != "" {
			h, _ := w.next()
			hashes = append(hashes, h*step+1) // the same word has another hash at the end
		}
	}
	return hashes
}

// wordReader reads the hashes of the words of a text. Unlike package words, it splits words at
// apostrophes and hyphens, as the model was trained.
type wordReader struct {
	text string
	at   int
}

// next returns the hash of the next word, if there is one.
func (w *wordReader) next() (hash uint32, ok bool) {
	text, h, i := w.text, uint32(seed), w.at
	for i < len(text) {
		f, size := rune(0), 1
		if c := text[i]; c < utf8.RuneSelf {
			f = chars[c].fold
		} else {
			f, size = utf8.DecodeRuneInString(text[i:])
			f = charOf(f).fold
		}
		i += size
		if f != 0 {
			h, ok = (h^uint32(f))*step, true
			if size > 1 && isIdeograph(f) {
				break
			}
		} else if ok {
			break
		}
	}
	w.at = i
	return h, ok
}

// cutLastWord returns the last word of a text, or "", and the text before it.
func cutLastWord(text string) (before, word string) {
	from := len(text)
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		isPart := charOf(r).fold != 0
		if from < len(text) && (!isPart || isIdeograph(r)) {
			break
		}
		if from -= size; !isPart {
			text = text[:from] // what follows the word
		}
	}
	return text[:from], text[from:]
}
