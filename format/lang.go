package format

import "strings"

// languageTag is a BCP 47 tag that can stand in an attribute, or empty.
func languageTag(s string) string {
	s = strings.ReplaceAll(s, "_", "-")
	if len(s) > 35 || s == "" || !isLetter(s[0]) || strings.Trim(s, tagChars) != "" {
		return ""
	}
	return s
}

const tagChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// direction is "rtl" for a language that is written from right to left, and
// otherwise empty. A script in the tag outweighs the language.
func direction(tag string) string {
	parts := strings.Split(strings.ToLower(tag), "-")
	for _, p := range parts[1:] {
		if len(p) != 4 || !isLetter(p[0]) {
			continue
		}
		switch p {
		case "arab", "hebr", "thaa", "syrc", "nkoo", "adlm", "rohg":
			return "rtl"
		}
		return ""
	}
	switch parts[0] {
	case "ar", "fa", "he", "iw", "ur", "yi", "ji", "ps", "sd", "ug", "dv", "ckb":
		return "rtl"
	}
	return ""
}

// languageName is the name of a programming language as it can stand after a
// fence or in a class.
func languageName(s string) string {
	if len(s) > 40 || strings.Trim(s, tagChars+"+#._") != "" {
		return ""
	}
	return s
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
