// Package words says what a word is, for all of lede: which characters are part of one, how
// words are compared, and which words the name of a class has.
package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Class is the meaning of a character for words.
type Class uint8

const (
	Other Class = iota
	Letter
	Digit
	Ideograph // a word by itself, in scripts without spaces between words
	Comma     // punctuation inside a sentence
	Stop      // punctuation that ends a sentence
	Space
	Joiner  // inside a word, such as an apostrophe or a hyphen
	Ignored // invisible
)

// ASCII holds the classes of ASCII characters. Read only.
var ASCII = func() (t [256]Class) {
	for c := range utf8.RuneSelf {
		switch r := rune(c); {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == '\v':
			t[c] = Space
		case r < ' ' || r == 0x7f:
			t[c] = Ignored
		case r >= '0' && r <= '9':
			t[c] = Digit
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_':
			t[c] = Letter
		case r == '.' || r == '!' || r == '?':
			t[c] = Stop
		case r == ',' || r == ';' || r == ':':
			t[c] = Comma
		case r == '\'' || r == '-':
			t[c] = Joiner
		}
	}
	return t
}()

// ClassOf returns the class of a character. Common scripts are recognized by range, which is
// faster than the tables of package unicode.
func ClassOf(r rune) Class {
	switch {
	case r < 0:
		return Other
	case r < utf8.RuneSelf:
		return ASCII[r]
	case r < 0xC0:
		return latin1Class(r)
	case r == 0xD7 || r == 0xF7:
		return Other
	case r < 0x370: // Latin
		return Letter
	case r >= 0x400 && r < 0x482 || r >= 0x48A && r < 0x530: // Cyrillic
		return Letter
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r >= 0x3400 && r <= 0x4DBF:
		return Ideograph
	case r >= 0xAC00 && r <= 0xD7A3: // Hangul is written with spaces
		return Letter
	}
	return rareClass(r)
}

func latin1Class(r rune) Class {
	switch r {
	case 0xA0:
		return Space
	case 0xAD:
		return Ignored // soft hyphen
	case 0xAA, 0xB5, 0xBA:
		return Letter
	}
	if r < 0xA0 {
		return Ignored
	}
	return Other
}

func rareClass(r rune) Class {
	switch r {
	case 0x2028, 0x2029, 0x3000, 0x202F, 0x205F, 0x1680:
		return Space
	case 0x200B, 0x2060, 0xFEFF:
		return Ignored
	case 0x200C, 0x200D, 0x200E, 0x200F: // Persian, Indic and bidirectional words have them
		return Joiner
	case '’', 'ʼ', '‐', '‑':
		return Joiner
	case '。', '！', '？', '．', '؟', '۔', '।', '॥', '…', '։', '።', '｡':
		return Stop
	case '，', '、', '；', '：', '،', '؛', '·', '׀', '׃', '､':
		return Comma
	case '々', '〆', 'ー', '〇':
		return Ideograph
	}
	if r >= 0x2000 && r <= 0x200A {
		return Space
	}
	switch {
	case r >= 0x20000 && r <= 0x3FFFF:
		return Ideograph
	case unicode.IsLetter(r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Mc, r):
		return Letter
	case unicode.IsDigit(r):
		return Digit
	}
	return Other
}

// IsIdeograph reports whether r is a Han or Kana character, which counts as a word.
func IsIdeograph(r rune) bool { return r >= 0x3005 && ClassOf(r) == Ideograph }

// IsWord reports whether r is a letter, digit or ideograph.
func IsWord(r rune) bool {
	c := ClassOf(r)
	return c == Letter || c == Digit || c == Ideograph
}

// Lower returns r in lower case. Greek letters lose their accents and a sigma its final form, as
// they do in capitals.
func Lower(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r | 0x20
	case r < utf8.RuneSelf:
		return r
	}
	switch r = unicode.ToLower(r); r {
	case 'ά':
		return 'α'
	case 'έ':
		return 'ε'
	case 'ή':
		return 'η'
	case 'ί':
		return 'ι'
	case 'ό':
		return 'ο'
	case 'ύ':
		return 'υ'
	case 'ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	}
	return r
}

// All iterates over the words of s: runs of letters and digits with joiners inside, and single
// ideographs.
func All(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := Reader{Text: s}
		for w, ok := r.Next(); ok; w, ok = r.Next() {
			if !yield(s[w.From:w.To]) {
				return
			}
		}
	}
}

// Count returns the number of words of s, but at most limit.
func Count(s string, limit int) (n int) {
	r := Reader{Text: s}
	for n < limit {
		if _, ok := r.Next(); !ok {
			break
		}
		n++
	}
	return n
}

// Word is a word of a text.
type Word struct {
	From, To int    // in the text
	Hash     uint32 // of its letters and digits in lower case, without joiners
	Letters  int    // their number
	Class    Class  // of the first character: Letter, Digit or Ideograph
}

// Reader reads the words of a text.
type Reader struct {
	Text string
	At   int // where the next word is searched

	// SplitNumbers makes digits words of their own, as in "10 km" and "10km".
	SplitNumbers bool
	// SplitJoined makes words of both parts of "crash-lands" and "ferry's".
	SplitJoined bool
}

// Next returns the next word, or false at the end.
func (r *Reader) Next() (w Word, ok bool) {
	const seed, prime = 2166136261, 16777619 // FNV-1a over characters
	w.Hash = seed
	for i := r.At; i < len(r.Text); {
		c, size := rune(r.Text[i]), 1
		class := ASCII[byte(c)]
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(r.Text[i:])
			class = ClassOf(c)
		}
		switch class {
		case Letter, Digit:
			if w.Letters == 0 {
				w.From, w.Class = i, class
			} else if r.SplitNumbers && class != w.Class {
				r.At = i
				return w, true
			}
			w.Hash = (w.Hash ^ uint32(Lower(c))) * prime
			w.Letters++
			for class == Letter && i+size < len(r.Text) && r.Text[i+size] >= 'a' && r.Text[i+size] <= 'z' { // as most letters are
				w.Hash = (w.Hash ^ uint32(r.Text[i+size])) * prime
				w.Letters++
				size++
			}
			w.To = i + size
		case Ideograph:
			if w.Letters > 0 {
				r.At = i
				return w, true
			}
			r.At = i + size
			return Word{i, i + size, (seed ^ uint32(c)) * prime, 1, Ideograph}, true
		case Joiner, Ignored:
			if isVisible := c&^3 != 0x200C; r.SplitJoined && class == Joiner && isVisible && w.Letters > 0 {
				r.At = i
				return w, true
			}
		default:
			if w.Letters > 0 {
				r.At = i
				return w, true
			}
		}
		i += size
	}
	r.At = len(r.Text)
	return w, w.Letters > 0
}

// Fold returns the letters and digits of s in lower case, for comparisons.
func Fold(s string) string {
	var short [128]byte // enough for most texts
	return string(AppendFold(short[:0], s))
}

// AppendFold appends Fold(s).
func AppendFold(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
				b = append(b, c)
			case c >= 'A' && c <= 'Z':
				b = append(b, c|0x20)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if IsWord(r) {
			b = utf8.AppendRune(b, Lower(r))
		}
	}
	return b
}

// Phrase returns the letters of s in lower case, with a space between words. It is for comparing
// short texts, such as those of buttons, without their numbers and signs.
func Phrase(s string) string {
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), isNoLetter), " ")
}

// BeginsWithWord reports whether the first character of s is a letter, digit or ideograph.
func BeginsWithWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return IsWord(r)
}

// EndsInWord reports whether the last character of s is a letter, digit or ideograph.
func EndsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return IsWord(r)
}
