package words

import (
	"iter"
	"strings"
)

// Set is a set of words in lower case.
type Set map[string]bool

// NewSet returns the words of a list that are separated by spaces.
func NewSet(list string) Set {
	s := Set{}
	for w := range strings.FieldsSeq(list) {
		s[w] = true
	}
	return s
}

// InName iterates over the words of a class or id, in lower case: of "c-authorBox__image2" they
// are c, author, box and image.
func InName(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := 0
		for i := range len(name) + 1 {
			switch {
			case i == len(name) || !isLetter(name[i]):
				if i > from && !yield(strings.ToLower(name[from:i])) {
					return
				}
				from = i + 1
			case i > from && name[i] < 'a' && name[i-1] >= 'a': // aB
				if !yield(strings.ToLower(name[from:i])) {
					return
				}
				from = i
			}
		}
	}
}

// IsInName reports whether a class or id has a word of the set. Words with capitals only inside
// of letters and digits, as in a hash, are none if they are short.
func (s Set) IsInName(name string) bool {
	const maxName, minCamel = 512, 4
	name = name[:min(len(name), maxName)]
	for from := 0; from < len(name); {
		to := from
		for to < len(name) && (isLetter(name[to]) || name[to] >= '0' && name[to] <= '9') {
			to++
		}
		part := name[from:to]
		if from = to + 1; part == "" {
			continue
		}
		if s.has(part) {
			return true
		}
		for start, i := 0, 1; i <= len(part); i++ {
			if i < len(part) && !(isUpper(part[i]) && !isUpper(part[i-1])) {
				continue
			}
			if piece := part[start:i]; len(piece) >= minCamel && len(piece) < len(part) && s.has(piece) {
				return true
			}
			start = i
		}
	}
	return false
}

// has looks up a word of any case.
func (s Set) has(word string) bool {
	var room [24]byte // more than any word of a set has
	if len(word) > len(room) {
		return false
	}
	for i := range len(word) {
		c := word[i]
		if isUpper(c) {
			c |= 0x20
		}
		room[i] = c
	}
	return s[string(room[:len(word)])]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
