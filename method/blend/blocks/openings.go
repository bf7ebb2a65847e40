package blocks

import (
	"unicode"
	"unicode/utf8"
)

// Openings looks at this many words from the front of a block and from its end.
const (
	openers = 6
	closers = 2
)

// eachOpening calls do with the place of every word that a text begins or ends
// with, and of the pair of its first two. A digit counts as a zero, since dates
// and counters differ from page to page.
func eachOpening(text string, do func(place uint32)) {
	var last uint32
	n := 0
	forward(text, func(h uint32) bool {
		do(place(h))
		if n == 1 {
			do(place(last*step ^ h))
		}
		last = h
		n++
		return n < openers
	})
	if n < openers {
		return // the whole text was read
	}
	n = 0
	backward(text, func(h uint32) bool {
		do(place(h*step + 1)) // a word at the end is not the same as at the front
		n++
		return n < closers
	})
}

// forward calls do with the hash of one word after the other until it says no.
func forward(text string, do func(h uint32) bool) {
	h, in := uint32(seed), false
	for _, r := range text {
		if r, ok := fold(r); ok {
			h, in = (h^uint32(r))*step, true
			if isIdeograph(r) {
				if !do(h) {
					return
				}
				h, in = seed, false
			}
			continue
		}
		if in && !do(h) {
			return
		}
		h, in = seed, false
	}
	if in {
		do(h)
	}
}

// backward is forward from the end of the text.
func backward(text string, do func(h uint32) bool) {
	end := len(text)
	for end > 0 {
		from := end
		for from > 0 {
			r, size := utf8.DecodeLastRuneInString(text[:from])
			if _, ok := fold(r); !ok || isIdeograph(r) && from < end {
				break
			}
			from -= size
		}
		if from < end {
			more := true
			forward(text[from:end], func(h uint32) bool { more = do(h); return false })
			if !more {
				return
			}
			end = from
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
}

// fold gives a character as it counts in a word, and whether it does.
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
