package frame

import "strings"

// withoutTags returns a style sheet in which nothing looks like a tag to a browser,
// whatever element it takes for the parent of the text. It escapes only what CSS
// has in strings and addresses.
func withoutTags(sheet string) string {
	i := strings.IndexByte(sheet, '<')
	if i < 0 {
		return sheet
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(sheet, '<') {
		b.WriteString(sheet[:i])
		sheet = sheet[i+1:]
		if sheet != "" && (isLetter(sheet[0]) || strings.IndexByte("/!?", sheet[0]) >= 0) {
			b.WriteString(`\3c `)
		} else {
			b.WriteByte('<') // (width < 40em)
		}
	}
	b.WriteString(sheet)
	return b.String()
}

// withoutRequests returns a style sheet that loads nothing. It does not parse the
// sheet: a word that loads something is replaced wherever it is, since what browsers
// take for a string or a comment can differ from what a parser does.
func withoutRequests(sheet string) string {
	sheet = unescapeLetters(sheet)
	i, word := findRequest(sheet)
	if word == "" {
		return sheet
	}
	var b strings.Builder
	for ; word != ""; i, word = findRequest(sheet) {
		b.WriteString(sheet[:i])
		sheet = sheet[i+len(word):]
		switch word {
		case "url(":
			url, n := address(sheet)
			b.WriteString(url)
			sheet = sheet[n:]
		case "@import":
			b.WriteString("@blocked")
		default:
			b.WriteString("blocked(")
		}
	}
	b.WriteString(sheet)
	return b.String()
}

// findRequest returns the first word in s that loads something, in lower case, or "".
func findRequest(s string) (i int, word string) {
	for i := range len(s) {
		switch s[i] {
		case 'u', 'U', 's', 'S', 'i', 'I', '@':
			for _, word := range [...]string{"url(", "src(", "image(", "image-set(", "@import"} {
				if len(s)-i >= len(word) && strings.EqualFold(s[i:i+len(word)], word) {
					return i, word
				}
			}
		}
	}
	return 0, ""
}

// address returns a replacement of "url(" and the n bytes of s after it: the same if
// it is a picture or a font in the sheet or a part of the page, else an empty one.
func address(s string) (url string, n int) {
	start := len(s) - len(strings.TrimLeft(s, " \t\r\n\f"))
	value, end := "", start
	if start < len(s) && (s[start] == '"' || s[start] == '\'') {
		end = start + 1
		for end < len(s) && s[end] != s[start] && s[end] != '\n' && s[end] != '\r' && s[end] != '\f' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) || s[end] != s[start] {
			return "blocked(", 0
		}
		value = s[start+1 : end]
		end++
	} else {
		for end < len(s) && strings.IndexByte(" \t\r\n\f\"'()\\", s[end]) < 0 {
			end++
		}
		value = s[start:end]
	}
	for end < len(s) && strings.IndexByte(" \t\r\n\f", s[end]) >= 0 {
		end++
	}
	if end == len(s) || s[end] != ')' {
		return "blocked(", 0
	}
	end++
	if _, word := findRequest(value); word == "" && isLocal(value) {
		return "url(" + s[:end], end
	}
	return `url("data:,")`, end
}

// isLocal reports whether an address in a style sheet needs no request.
func isLocal(address string) bool {
	if strings.HasPrefix(address, "#") {
		return true
	}
	for _, prefix := range [...]string{"data:image/", "data:font/", "data:application/font", "data:application/x-font", "data:application/vnd.ms-fontobject"} {
		if len(address) >= len(prefix) && strings.EqualFold(address[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

// unescapeLetters replaces the escapes of ASCII letters and hyphens in a style
// sheet, which mean the same without, so that words can be found.
func unescapeLetters(sheet string) string {
	i := strings.IndexByte(sheet, '\\')
	if i < 0 {
		return sheet
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(sheet, '\\') {
		b.WriteString(sheet[:i])
		sheet = sheet[i+1:]
		n, code := 0, 0
		for n < len(sheet) && n < 6 && isHex(sheet[n]) {
			code = code<<4 | hexValue(sheet[n])
			n++
		}
		switch {
		case n == 0 && sheet != "" && isLetter(sheet[0]): // \u, but not \b
		case n > 0 && code < 0x80 && (isLetter(byte(code)) || code == '-'):
			b.WriteByte(byte(code))
			if strings.HasPrefix(sheet[n:], "\r\n") {
				n++
			}
			if n < len(sheet) && strings.IndexByte(" \t\r\n\f", sheet[n]) >= 0 {
				n++
			}
			sheet = sheet[n:]
		default:
			b.WriteByte('\\')
			if n == 0 && sheet != "" { // an escaped backslash does not escape
				b.WriteByte(sheet[0])
				sheet = sheet[1:]
			}
		}
	}
	b.WriteString(sheet)
	return b.String()
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f' }

func hexValue(b byte) int {
	if b <= '9' {
		return int(b - '0')
	}
	return int(b|0x20-'a') + 10
}
