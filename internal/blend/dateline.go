package blend

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isDateline reports whether a line tells who wrote the story, and when: it is
// short, has a year and a time of day, and does not end like a sentence.
func isDateline(line string) bool {
	const longest = 200 // bytes
	if len(line) > longest {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, unicode.IsSpace))
	if strings.ContainsRune(".!?…。！？؟।\"”»“", last) {
		return false
	}
	year, clock := false, false
	for i := 0; i < len(line); {
		n := digits(line[i:])
		if n == 0 {
			i++
			continue
		}
		run := line[i : i+n]
		year = year || n == 4 && (run[:2] == "19" || run[:2] == "20")
		i += n
		if n <= 2 && i+2 < len(line) && line[i] == ':' && digits(line[i+1:]) == 2 {
			clock = true
			i += 3
		}
	}
	return year && clock
}

// digits counts those that s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
