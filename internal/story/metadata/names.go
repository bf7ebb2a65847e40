package metadata

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// splitNames returns the names in a byline: three for "By Ann Lee, Bo Ek and Cy Fox". A visible
// byline is parsed more strictly than metadata, because it may contain dates, places and
// buttons as well.
func splitNames(s string, visible bool) (names []string) {
	const maxLen = 300
	if s = cleanText(s); len(s) > maxLen {
		return nil
	}
	for _, part := range splitList(cutExtras(cutHelpers(trimBy(s)), visible)) {
		name := trimName(part)
		if visible {
			name = trimName(cutDate(name))
			if person, _, ok := strings.Cut(name, "/"); ok && isPlainName(person) {
				name = strings.TrimSpace(person) // "Ann Lee/Coast Wire"
			}
		}
		name = cutButtons(cutRole(name, visible))
		switch {
		case name == "" || isKind(name, placeholderWord) || visible && hasDigit(s) && monthOf(name) > 0:
		case len(names) > 0 && isDegree(name):
			names[len(names)-1] += ", " + part // with the full stop of "Ph.D."
		case len(names) > 0 && hasRole(name):
			return names // "Ann Lee, Head of Sales and Market Research"
		case visible && !looksLikeName(name):
			if len(names) == 0 {
				return nil
			}
		case visible && len(names) > 0 && isOneWord(name) && !isOneWord(names[0]):
			// A place: "Ann Lee, Berlin".
		case !isPlausibleName(name):
		case len(names) > 0 && isPerson(names[0]) && isPhrase(name):
			// "Ann Lee, a reader from Leeds"
		default:
			names = append(names, name)
		}
	}
	return names
}

// isPhrase reports whether a text has a word in lower case that names do not have, besides the
// first.
func isPhrase(s string) bool { return slices.ContainsFunc(strings.Fields(s)[1:], beginsLower) }

// firstField returns the text before the first space.
func firstField(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// cutBefore cuts a text before the first word, except the very first, for which stop is true
// of the text from there on.
func cutBefore(s string, stop func(tail string) bool) (before, tail string) {
	for at := len(firstField(s)) + 1; at < len(s); at += len(firstField(s[at:])) + 1 {
		if stop(s[at:]) {
			return strings.TrimRight(s[:at], " ,"), s[at:]
		}
	}
	return s, ""
}

// cutHelpers cuts a byline before the first name of somebody who helped: "Ann Lee. Photos by
// Bo Ek".
func cutHelpers(s string) string {
	if startsWithHelper(s) {
		return ""
	}
	names, _ := cutBefore(s, startsWithHelper)
	return names
}

// startsWithHelper reports whether a text begins with a phrase that precedes the name of a
// helper.
func startsWithHelper(s string) bool {
	phrase, _ := cutPhrase(strings.TrimLeft(s, "(/"), helperWord)
	return phrase != ""
}

// cutRole removes a job title beside a name: "Ann Lee Senior Reporter", "Reporter Ann Lee". In
// metadata it must have two words, because "Luxury Travel Expert" may be meant as a name.
func cutRole(s string, visible bool) string {
	role, name, _ := strings.Cut(s, " ")
	if !visible || kindsOf(role)&(roleWord|groupWord) != roleWord {
		name, _ = cutBefore(s, func(tail string) bool {
			word, rest, _ := strings.Cut(tail, " ")
			kinds := kindsOf(strings.Trim(word, ".,"))
			return kinds&roleWord != 0 && (hasRole(rest) || visible && kinds&groupWord == 0)
		})
	}
	if isPerson(name) && !hasRole(name) && looksLikeName(name) {
		return name
	}
	return s
}

// cutButtons removes links and labels beside a name: "Ann Lee Follow", and all of "More from
// Ann Lee".
func cutButtons(s string) string {
	first, _, more := strings.Cut(s, " ")
	if more && isKind(first, buttonWord) {
		return ""
	}
	for {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 || !isKind(s[i+1:], tailWord) {
			return s
		}
		s = strings.TrimRight(s[:i], " .,")
	}
}

// trimBy removes "By", "Von:" and similar words from the beginning.
func trimBy(s string) string {
	s = strings.TrimLeft(s, " -–—|•·:,.")
	by, rest := cutPhrase(s, byWord|colonWord)
	name := strings.TrimLeft(rest, " :：/／-–")
	switch {
	case by == "" || name == "" || beginsLower(name) && !isKind(by, certainWord):
		return s // "Contributors to the harbour map"
	case strings.ContainsAny(rest[:len(rest)-len(name)], ":：/／"):
		return name
	case isKind(by, byWord) && (strings.Contains(name, " ") || strings.HasSuffix(strings.ToLower(by), "by")):
		return name // "Von Trier" may be a name, "von Ann Lee" is not
	}
	return s
}

var bracketed = regexp.MustCompile(`[(\[<][^)\]>]*[)\]>]?`)

// cutExtras removes text in brackets or after a bar or dash, and addresses. In metadata a dash
// after a single word is part of a name.
func cutExtras(s string, visible bool) string {
	for _, sep := range [...]string{"|", "•", " · ", " – ", " — ", " - ", " / ", " // "} {
		if i := strings.Index(s, sep); i > 0 && (visible || sep != " - " || strings.Contains(s[:i], " ")) {
			s = strings.TrimSpace(s[:i])
		}
	}
	s = strings.NewReplacer("[at]", "@", "(at)", "@").Replace(s)
	keep := slices.DeleteFunc(strings.Fields(bracketed.ReplaceAllString(s, " ")), func(w string) bool {
		return strings.Contains(w, "@") || strings.Contains(w, "://") || strings.HasPrefix(w, "www.")
	})
	return strings.Join(keep, " ")
}

// splitList splits a list at commas and words for "and".
func splitList(s string) (out []string) {
	s = bylineWords().between.ReplaceAllString(s, ", ")
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(",;+，、；／،", r) }) {
		fields, from := strings.Fields(part), 0
		for i, w := range fields {
			low := w == strings.ToLower(w) || w == strings.ToUpper(w) && i > from // "Dan" and "Con" are names as well
			// "Ortega y Gasset" is one name: a short word separates names only if there are two
			// words on both sides.
			if low && isKind(w, andWord) && (utf8.RuneCountInString(w) > 2 || w == "&" || i-from >= 2 && len(fields)-i > 2) {
				if i > from {
					out = append(out, strings.Join(fields[from:i], " "))
				}
				from = i + 1
			}
		}
		if from < len(fields) {
			out = append(out, strings.Join(fields[from:], " "))
		}
	}
	return out
}

// trimName removes punctuation around a name, but for the full stop of "Ann L."
func trimName(s string) string {
	const signs = " :-–—*\"'“”„«»|•·_"
	whole := strings.TrimRight(s, signs)
	name := strings.Trim(whole, signs+".")
	if endsWithInitial(name) && strings.HasSuffix(whole, name+".") {
		name += "."
	}
	return name
}

// isBy reports whether a text is only a word such as "by".
func isBy(s string) bool { return isKind(trimWord(s), byWord) }

// isCertainBy is like isBy, but only for words that are followed by a name even without markup:
// "by", but not "from".
func isCertainBy(s string) bool { return isKind(trimWord(s), certainWord) }

func trimWord(s string) string { return strings.Trim(s, " :：-–—|") }

// afterBy returns what follows "by" in a line. ok reports whether the line has the word at its
// beginning, after a date or in "This was written by Ann Lee".
func afterBy(line string) (name string, ok bool) {
	line = strings.Trim(line, " -–—|•·:,.")
	for at := 0; at < len(line); at += len(firstField(line[at:])) + 1 {
		by, rest := cutPhrase(line[at:], byWord|colonWord)
		name = strings.TrimLeft(rest, " :：")
		colon := strings.ContainsAny(rest[:len(rest)-len(name)], ":：")
		if by != "" && (colon || isKind(by, certainWord)) && (at == 0 || hasDigit(line[:at]) || strings.Contains(by, " ")) {
			return name, true
		}
	}
	return "", false
}

// startsAfterName reports whether a text begins with what stands after the name in a byline: a
// separator, a date, or a word for the time or the section.
func startsAfterName(s string) bool {
	word := firstField(s)
	return hasDigit(word) || isKind(word, afterWord|tailWord)
}

// cutDate removes a date or place after a name.
func cutDate(s string) string {
	name, _ := cutBefore(s, func(tail string) bool {
		word, rest, _ := strings.Cut(tail, " ")
		before := s[:len(s)-len(tail)-1]
		return hasDigit(word) || monthOf(strings.Trim(word, ".,")) > 0 && rest != "" && isDigit(rest[0]) ||
			beginsLower(word) && isKind(word, afterWord) && strings.Contains(before, " ")
	})
	return name
}

// cutAfterNames removes what follows the names after "by".
func cutAfterNames(s string) string {
	names, _ := cutBefore(cutDate(s), func(tail string) bool { return beginsLower(tail) && !isKind(firstField(tail), andWord|groupWord) })
	return names
}
