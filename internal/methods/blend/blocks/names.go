package blocks

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// eachToken calls do with every run of letters and digits in a class or id
// attribute, and whether it is made of words. What a program made up is not:
// numbers, hashes, UUIDs, and the endings that compilers of style sheets add.
func eachToken(name string, do func(token string, hasWords bool)) {
	afterHex := false // a group of a UUID or hash and a hyphen precede
	for i := 0; i < len(name); {
		from := i
		for i < len(name) && name[i] >= 'a' && name[i] <= 'z' {
			i++
		}
		if i > from && !afterHex && (i == len(name) || name[i] == '-' || name[i] == '_') {
			do(name[from:i], true) // as most tokens are; a twentieth of the time of Select
			continue
		}
		i = from
		var t shape
		for i < len(name) && t.add(name[i]) {
			i++
		}
		if from == i { // a separator
			afterHex = afterHex && name[i] == '-' && name[i-1] != '-'
			i++
			continue
		}
		madeUp := t.isMadeUp() || afterHex && t.isHexGroup()
		afterHex = madeUp && t.isHexGroup()
		do(name[from:i], !madeUp)
	}
}

// eachWord calls do with every word of a token such as "shareBar2", and its hash
// in lower case. A single letter is not a word.
func eachWord(token string, do func(word string, hash uint32)) {
	for i := 0; i < len(token); {
		h, from := uint32(seed), i
		for i < len(token) && isLetter(token[i]) && (i == from || !isUpper(token[i]) || isUpper(token[i-1])) {
			h = (h ^ uint32(token[i]|0x20)) * step
			i++
		}
		switch i - from {
		case 0:
			i++
		case 1:
		default:
			do(token[from:i], h)
		}
	}
}

// eachName calls do with the hash of every word of a class or id attribute.
func eachName(name string, do func(hash uint32)) {
	eachToken(name, func(token string, hasWords bool) {
		if hasWords {
			eachWord(token, func(_ string, hash uint32) { do(hash) })
		}
	})
}

// shape describes the characters of a token.
type shape struct {
	letters, digits int
	uppers          int  // capital letters after the first character
	otherHex        int  // letters beyond f, also the x of a size
	leading         int  // digits before the first letter
	runs            int  // runs of letters, without the x of a size such as 300x250
	afterX          bool // the last character is such an x, or may become one
	piece, longest  int  // letters of the current word, and of the longest
	last            byte
}

// add adds a character, unless it ends the token.
func (t *shape) add(c byte) bool {
	switch {
	case isLetter(c):
		if !isLetter(t.last) {
			t.runs++
			t.afterX = t.digits > 0 && c == 'x'
		} else {
			t.afterX = false
		}
		if isUpper(c) && t.last != 0 {
			t.uppers++
		}
		if !isLetter(t.last) || isUpper(c) && !isUpper(t.last) {
			t.piece = 0
		}
		t.piece++
		t.longest = max(t.longest, t.piece)
		if c|0x20 > 'f' {
			t.otherHex++
		}
		t.letters++
	case c >= '0' && c <= '9':
		if t.afterX {
			t.runs--
			t.letters--
			t.afterX = false
		}
		if t.letters == 0 {
			t.leading++
		}
		t.digits++
	default:
		return false
	}
	t.last = c
	return true
}

// isHexGroup reports whether a token may be a group of a UUID.
func (t *shape) isHexGroup() bool { return t.otherHex == 0 && t.letters+t.digits >= 4 }

// isMadeUp reports whether a token is not made of words: a number, digits
// between letters, a long hexadecimal number, or capital letters all over. Of
// several words between capital letters, one must be long enough to be no accident.
func (t *shape) isMadeUp() bool {
	const longHex, minLetters, minWord = 6, 3, 4
	n := t.letters + t.digits
	switch {
	case t.letters == 0 || t.runs > 1:
		return true
	case t.digits > 0 && t.otherHex == 0 && n >= longHex:
		return true
	case t.leading > 0 && (t.uppers > 0 || t.letters < minLetters):
		return true
	}
	allUpper := t.uppers >= t.letters-1
	return !allUpper && (3*t.uppers >= t.letters || t.uppers > 0 && t.longest < minWord)
}

// LowName returns the class or id around block i that articles are found under
// least, or "".
func (v *View) LowName(i int) string { return v.extremeName(v.elements[v.Blocks[i].First].worst, -1) }

// HighName returns the class or id around block i that articles are found under
// most, or "".
func (v *View) HighName(i int) string { return v.extremeName(v.elements[v.Blocks[i].First].best, 1) }

// extremeName returns the class or id of an element with the largest score of a sign.
func (v *View) extremeName(n dom.Node, sign int16) (name string) {
	most := int16(0)
	for s := range strings.FieldsSeq(v.Doc.Attr(n, "class") + " " + v.Doc.Attr(n, "id")) {
		r := nameReader{names: &v.tables.Names}
		eachToken(s, r.read)
		if x := max(sign*r.low, sign*r.high); x > most {
			name, most = s, x
		}
	}
	return name
}
