package metadata

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
)

// splitNames returns the names in a byline: three for "By Ann Lee, Bo Ek and Cy Fox". A visible
// byline is parsed more strictly than metadata, because it may contain dates, places and
// buttons as well.
func splitNames(s string, visible bool) (names []string) {
	const maxLen = 300
	if s = cleanText(s); len(s) > maxLen {
		return nil
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "[at]", "@"), "(at)", "@")
	s = cutHelpers(trimBy(s))
	for _, part := range splitList(cutExtras(s, visible)) {
		whole := strings.TrimSpace(part)
		part = trimName(trimBy(part))
		if visible {
			part = trimName(cutDate(part))
			if name, _, ok := strings.Cut(part, "/"); ok && isPerson(name) && looksLikeName(name) {
				part = strings.TrimSpace(name) // "Ann Lee/Coast Wire"
			}
		}
		part = cutButtons(cutRole(part, visible))
		switch {
		case part == "" || isKind(part, placeholderWord) || visible && hasDigit(s) && monthOf(part) > 0:
		case len(names) > 0 && isDegree(part):
			names[len(names)-1] += ", " + whole // with the full stop of "Ph.D."
		case len(names) > 0 && hasRole(part) || isJobTitle(part, 0) || visible && isJobTitle(part, 5):
		case visible && !looksLikeName(part):
			if len(names) == 0 {
				return nil
			}
		case visible && len(names) > 0 && isOneWord(part) && !isOneWord(names[0]):
			// A place: "Ann Lee, Berlin".
		case !visible && !isPlausibleName(part):
		case len(names) > 0 && isPerson(names[0]) && isPhrase(part):
			// "Ann Lee, a reader from Leeds"
		default:
			names = append(names, part)
		}
	}
	return names
}

// isPerson reports whether a name may be the full name of a person. A single word may be a
// login.
func isPerson(name string) bool { return !isOneWord(name) && !isGroup(name) }

// cutBefore cuts a text before the first word for which stop is true, except the very first.
func cutBefore(s string, stop func(word, rest string) bool) string {
	for at := 0; at < len(s); {
		word, rest, _ := strings.Cut(s[at:], " ")
		if at > 0 && stop(word, rest) {
			return strings.TrimRight(s[:at], " ,")
		}
		at += len(word) + 1
	}
	return s
}

// cutHelpers cuts a byline before the first name of somebody who helped: "Ann Lee. Photos by
// Bo Ek".
func cutHelpers(s string) string {
	if startsWithHelper(s) {
		return ""
	}
	names := cutBefore(s, func(word, rest string) bool { return startsWithHelper(strings.TrimSpace(word + " " + rest)) })
	if names != s {
		names = strings.TrimRight(names, " .,;:(/|-–—")
	}
	return names
}

// startsWithHelper reports whether a text begins with a phrase that precedes the name of a
// helper.
func startsWithHelper(s string) bool {
	const longest = 4 // words of a phrase
	s = strings.TrimLeft(s, "(/")
	for n, at := 0, 0; n < longest && at < len(s); n++ {
		word, _, _ := strings.Cut(s[at:], " ")
		at += len(word)
		phrase := strings.TrimRight(s[:at], ":：.,")
		if isKind(phrase, helperWord) {
			return true
		}
		if n == 0 && !isKind(phrase, firstHelperWord) {
			return false
		}
		at++
	}
	return false
}

// endsWithHelper reports whether a text ends with a phrase that precedes the name of a helper.
func endsWithHelper(s string) bool {
	for at := len(s); at > 0; {
		at = strings.LastIndexByte(s[:at], ' ') // of the word before
		if isKind(s[at+1:], helperWord) {
			return true
		}
	}
	return false
}

// cutRole removes a job title beside a name: "Ann Lee Senior Reporter". In metadata it must
// have two words, because "Luxury Travel Expert" may be meant as a name.
func cutRole(s string, visible bool) string {
	if role, name, ok := strings.Cut(s, " "); ok && visible && kindsOf(role)&(roleWord|groupWord) == roleWord && isPlainName(name) {
		return name // "Reporter Ann Lee"
	}
	fields := strings.Fields(s)
	for i := 2; i < len(fields); i++ {
		kinds := kindsOf(strings.Trim(fields[i], ".,"))
		if kinds&roleWord == 0 || kinds&groupWord != 0 && !(i+1 < len(fields) && isKind(fields[i+1], roleWord)) {
			continue // "The Harbour Team", but "Ann Lee Staff Writer"
		}
		name := strings.TrimRight(strings.Join(fields[:i], " "), ",")
		if (visible || hasRole(strings.Join(fields[i+1:], " "))) && !isGroup(name) && !hasRole(name) && looksLikeName(name) {
			return name
		}
		break
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
	if i := strings.IndexAny(s, ":："); i > 0 && i < 30 && isKind(strings.TrimSpace(s[:i]), colonWord) {
		return strings.TrimLeft(s[i:], " :：")
	}
	const longest = 40 // bytes, of a phrase
	ends := make([]int, 0, longest)
	for end := range s[:min(len(s), longest)] {
		ends = append(ends, end)
	}
	for _, end := range slices.Backward(ends) {
		by, rest := s[:end], s[end:]
		r, size := utf8.DecodeRuneInString(rest)
		if unicode.IsLetter(r) && !words.IsIdeograph(r) || !isKind(by, byWord) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(by)
		switch {
		case strings.ContainsRune(":：/／", r):
			return strings.TrimSpace(rest[size:])
		case unicode.IsSpace(r):
			rest = strings.TrimLeft(rest, " :-–")
			if beginsLower(rest) && !isKind(by, certainWord) {
				return s // "Contributors to the harbour map"
			}
			// "Von Trier" may be a name, "von Ann Lee" is not.
			if strings.Contains(rest, " ") || words.IsIdeograph(last) || strings.HasSuffix(strings.ToLower(" "+by), " by") {
				return rest
			}
			return s
		case words.IsIdeograph(last) && words.IsIdeograph(r) && utf8.RuneCountInString(by) > 1:
			return rest
		}
	}
	return s
}

// cutExtras removes text in brackets or after a bar or dash, and addresses. In metadata a dash
// after a single word is part of a name.
func cutExtras(s string, visible bool) string {
	if strings.HasPrefix(s, "@") && isLogin(s) {
		return s
	}
	for _, sep := range [...]string{"|", "•", " · ", " – ", " — ", " - ", "\n", " // "} {
		if i := strings.Index(s, sep); i > 0 && (visible || sep != " - " || strings.Contains(s[:i], " ")) {
			s = strings.TrimSpace(s[:i])
		}
	}
	for {
		open := strings.IndexAny(s, "([<")
		if open < 0 {
			break
		}
		end := strings.IndexAny(s[open:], ")]>")
		if end < 0 {
			s = s[:open]
			break
		}
		s = s[:open] + " " + s[open+end+1:]
	}
	keep := slices.DeleteFunc(strings.Fields(s), func(w string) bool {
		return strings.Contains(w, "@") || strings.Contains(w, "://") || strings.HasPrefix(w, "www.")
	})
	return strings.Join(keep, " ")
}

// splitList splits a list at commas and words for "and".
func splitList(s string) (out []string) {
	s = strings.ReplaceAll(s, " / ", ", ") // but "dpa/abc" is one name
	if low := strings.ToLower(s); len(low) == len(s) {
		for _, w := range bylineWords().between {
			if i := strings.Index(low, w); i > 0 {
				s = s[:i] + ", " + s[i+len(w):]
				break
			}
		}
	}
	add := func(fields []string) {
		if len(fields) > 0 {
			out = append(out, strings.Join(fields, " "))
		}
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(",;+，、；／،", r) }) {
		if len(out) > 0 && isOffice(part) {
			continue // "Ann Lee, Head of Sales and Market Research"
		}
		fields, from := strings.Fields(part), 0
		for i, w := range fields {
			before, after := i-from, len(fields)-i-1
			switch rest := cutPrefixedAnd(w); {
			case rest != w && before >= 2 && after >= 1:
				add(fields[from:i])
				fields[i], from = rest, i
			case !isKind(w, andWord) || w != strings.ToLower(w) && w != strings.ToUpper(w): // "En" and "Con" are names as well
			case before == 0:
				if i == 0 && len(fields) > 2 && w == strings.ToLower(w) {
					from = 1 // after a comma: "A, B, and C"
				}
			case utf8.RuneCountInString(w) <= 2 && w != "&" && (before < 2 || after < 2):
				// "Ortega y Gasset" is one name: a short word separates names only if there
				// are two words on both sides.
			default:
				add(fields[from:i])
				from = i + 1
			}
		}
		add(fields[from:])
	}
	return out
}

// cutPrefixedAnd removes "and" from the beginning of a word in Arabic and Hebrew, where it is not
// a word of its own. Names may begin with the same letter, so this separates names only
// between names of two words.
func cutPrefixedAnd(w string) string {
	for _, and := range [...]string{"و", "ו"} {
		if rest, ok := strings.CutPrefix(w, and); ok && utf8.RuneCountInString(rest) >= 2 {
			return rest
		}
	}
	return w
}

// trimName removes punctuation and places around a name.
func trimName(s string) string {
	const signs = " :-–—*\"'“”„«»|•·_"
	whole := strings.TrimRight(spaceInitials(collapseSpace(s)), signs)
	s = strings.Trim(whole, signs+".")
	if endsWithInitial(s) && strings.HasSuffix(whole, s+".") {
		s += "." // "Ann L."
	}
	// "Ann Lee in Berlin"
	for _, in := range [...]string{" in ", " aus ", " à ", " en ", " for ", " at "} {
		if i := strings.Index(s, in); i > 0 && strings.Contains(s[:i], " ") {
			s = s[:i]
		}
	}
	return s
}

// spaceInitials adds the space that "Ann L.Lee" lacks.
func spaceInitials(s string) string {
	for i := 2; i+2 < len(s); i++ {
		if s[i] == '.' && isUpper(s[i-1]) && s[i-2] == ' ' && isUpper(s[i+1]) && isLower(s[i+2]) {
			return s[:i+1] + " " + s[i+1:]
		}
	}
	return s
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
	if line = strings.Trim(line, " -–—|•·:,."); line == "" {
		return "", false
	}
	if name, ok = beginsWithBy(line); ok {
		return name, true
	}
	if hasDigit(line) {
		for _, sep := range [...]string{" - ", " – ", " | ", " · ", " • "} {
			if _, rest, found := strings.Cut(line, sep); found {
				if name, ok = beginsWithBy(strings.TrimLeft(rest, " |")); ok {
					return name, true
				}
			}
		}
	}
	for at := strings.IndexByte(line, ' ') + 1; at > 0 && at < len(line); {
		const longest = 16 // bytes, of such a word in any script
		word, rest, _ := strings.Cut(line[at:], " ")
		if by := strings.TrimRight(word, ":："); len(by) <= longest && isKind(by, certainWord) {
			before := line[:at-1]
			last := before[strings.LastIndexByte(before, ' ')+1:]
			if last != "" && (hasDigit(before) || isKind(last+" "+by, certainWord)) {
				return strings.TrimSpace(rest), true
			}
		}
		at += len(word) + 1
	}
	return "", false
}

// beginsWithBy is afterBy for the beginning of a line. It tries the longest phrase first.
func beginsWithBy(line string) (name string, ok bool) {
	const longest = 4 // words
	ends := make([]int, 0, longest)
	for i := 0; i <= len(line) && len(ends) < longest; i++ {
		if i < len(line) && line[i] != ' ' && line[i] != ':' && !strings.HasPrefix(line[i:], "：") {
			continue
		}
		if len(ends) == 0 && !isKind(line[:i], firstWord) {
			return "", false // rejects most lines
		}
		ends = append(ends, i)
	}
	for _, end := range slices.Backward(ends) {
		rest := line[end:]
		colon := strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
		if kinds := kindsOf(line[:end]); kinds&certainWord != 0 || colon && kinds&(colonWord|byWord) != 0 {
			return strings.TrimLeft(rest, " :："), true
		}
	}
	return "", false
}

// startsAfterName reports whether a text begins with what stands after the name in a byline: a
// separator, a date, or a word for the time or the section.
func startsAfterName(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	switch strings.ToLower(word) {
	case "|", "·", "•", "-", "–", "—", "/", "@", "on", "in", "at", "under", "am", "um", "unter",
		"le", "à", "dans", "el", "en", "il", "op", "den", "kl", "i", "w":
		return true
	}
	return hasDigit(word) || isKind(word, tailWord)
}

// cutDate removes a date after a name.
func cutDate(s string) string {
	return cutBefore(s, func(word, rest string) bool {
		return hasDigit(word) || monthOf(strings.Trim(word, ".,")) > 0 && startsWithDigit(rest) || isDateLabel(word) && hasDigit(rest)
	})
}

// cutAfterNames removes what follows the names after "by".
func cutAfterNames(s string) string {
	return cutBefore(cutDate(s), func(word, _ string) bool { return beginsLower(word) && !isKind(word, andWord|groupWord) })
}

func startsWithDigit(s string) bool { return s != "" && isDigit(s[0]) }

// appendLower appends s in lower case. Unlike strings.ToLower it does not allocate if the
// buffer is on the stack.
func appendLower(b []byte, s string) []byte {
	for _, r := range s {
		b = utf8.AppendRune(b, unicode.ToLower(r))
	}
	return b
}
