package blocks

import (
	"unicode"
	"unicode/utf8"
)

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
