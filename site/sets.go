package site

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

func compare(a, b key) int { return cmp.Compare(a, b) }

// distinct sorts keys, takes each once and keeps the smallest n. The smallest
// of a set of hashes are a fair sample of it, and the same one on every page.
func distinct(keys []key, n int) []key {
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.Clip(keys[:min(len(keys), n)])
}

// common counts what two sorted lists share.
func common(a, b []key) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch compare(a[0], b[0]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// clip cuts a text to at most n bytes, between two characters, and copies it
// so that it does not hold on to its page.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	if !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "") // never longer
	}
	return strings.Clone(s)
}
