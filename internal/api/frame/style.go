package frame

import (
	"regexp"
	"strconv"
)

// tag matches what looks like a tag to a browser in a style sheet.
var tag = regexp.MustCompile(`<([A-Za-z/!?])`)

// withoutTags returns a style sheet in which nothing looks like a tag to a browser,
// whatever element it takes for the parent of the text. It escapes only what CSS
// has in strings and addresses, and leaves (width < 40em) alone.
func withoutTags(sheet string) string { return tag.ReplaceAllString(sheet, `\3c $1`) }

// loading matches the words of CSS that load something.
var loading = regexp.MustCompile(`(?i)(url|src|image|image-set)\(|@import`)

// withoutRequests returns a style sheet that loads nothing. It does not parse the
// sheet: a word that loads something is replaced wherever it is, since what browsers
// take for a string or a comment can differ from what a parser does.
func withoutRequests(sheet string) string {
	return loading.ReplaceAllStringFunc(unescapeLetters(sheet), func(word string) string {
		if word[0] == '@' {
			return "@blocked"
		}
		return "blocked("
	})
}

// escape matches an escape of CSS: a code with the white space that ends it, or any other
// character, so that an escaped backslash escapes nothing.
var escape = regexp.MustCompile(`(?s)\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|.)`)

// unescapeLetters replaces the escapes of ASCII letters and hyphens in a style
// sheet, which mean the same without, so that words can be found.
func unescapeLetters(sheet string) string {
	return escape.ReplaceAllStringFunc(sheet, func(s string) string {
		code := escape.FindStringSubmatch(s)[1]
		n, _ := strconv.ParseUint(code, 16, 32)
		switch {
		case code == "" && isLetter(s[1]): // \u, but not \b
			return s[1:]
		case code != "" && n < 0x80 && (isLetter(byte(n)) || n == '-'):
			return string(rune(n))
		}
		return s
	})
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
