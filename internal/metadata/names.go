package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitNames takes a byline apart: "By Ann Lee, Bo Ek and Cy Fox" is three
// names. A visible byline is read with more care than a field that is meant
// for names: it holds dates, places and buttons as well.
func splitNames(s string, visible bool) []string {
	s = tidy(s)
	if len(s) > 300 {
		return nil
	}
	s = dropBy(s)
	s = cutAsides(s)
	var names []string
	for _, piece := range splitList(s) {
		whole := strings.TrimSpace(piece)
		piece = trimName(dropBy(piece))
		if visible {
			piece = trimName(cutDate(piece))
		}
		switch {
		case piece == "" || bylineWords().nobody[strings.ToLower(piece)]:
		case len(names) > 0 && isDegree(piece):
			names[len(names)-1] += ", " + whole // with the full stop of "Ph.D."
		case len(names) > 0 && isRole(piece) || allRoles(piece):
		case visible && !looksLikeName(piece):
			if len(names) == 0 {
				return nil
			}
		case visible && len(names) > 0 && oneWord(piece) && !oneWord(names[0]):
			// A place: "Ann Lee, Berlin".
		case !visible && !plausible(piece):
		default:
			names = append(names, piece)
		}
	}
	return names
}

// dropBy cuts "By", "Von:" and their like off the front.
func dropBy(s string) string {
	s = strings.TrimLeft(s, " -–—|•·:,.")
	for _, w := range bylineWords().by {
		if len(s) <= len(w) || w[0] < utf8.RuneSelf && s[0]|0x20 != w[0] || !strings.EqualFold(s[:len(w)], w) {
			continue
		}
		rest := s[len(w):]
		r, n := utf8.DecodeRuneInString(rest)
		last, _ := utf8.DecodeLastRuneInString(w)
		switch {
		case r == ':' || r == '：' || r == '/' || r == '／':
			return strings.TrimSpace(rest[n:])
		case unicode.IsSpace(r):
			// "Von Trier" may be a name, "von Ann Lee" is not.
			rest = strings.TrimLeft(rest, " :-–")
			if strings.Contains(rest, " ") || ideograph(last) || asciiWord(w, "by") {
				return rest
			}
			return s
		case ideograph(last) && ideograph(r) && utf8.RuneCountInString(w) > 1:
			return rest
		}
	}
	return s
}

func asciiWord(w, suffix string) bool { return w == suffix || strings.HasSuffix(w, " "+suffix) }

// cutAsides drops what stands in brackets, after a bar or a dash, and
// addresses.
func cutAsides(s string) string {
	for _, sep := range [...]string{" | ", "|", " • ", "•", " · ", " – ", " — ", " - ", "\n", " // "} {
		if i := strings.Index(s, sep); i > 0 {
			s = s[:i]
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
	if !strings.ContainsAny(s, "@/") {
		return s
	}
	var keep []string
	for w := range strings.FieldsSeq(s) {
		if !strings.Contains(w, "@") && !strings.Contains(w, "://") && !strings.HasPrefix(w, "www.") {
			keep = append(keep, w)
		}
	}
	return strings.Join(keep, " ")
}

// splitList cuts at commas and words for "and".
func splitList(s string) []string {
	var out []string
	s = strings.ReplaceAll(s, " / ", ", ") // but "dpa/abc" is one
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return strings.ContainsRune(",;&+，、；／،", r)
	}) {
		fields := strings.Fields(part)
		from := 0
		for i, w := range fields {
			if !bylineWords().and[strings.ToLower(w)] {
				continue
			}
			if i == from {
				if i == 0 && len(fields) > 2 && w == strings.ToLower(w) {
					from = 1 // after a comma: "A, B, and C"
				}
				continue
			}
			// "Ortega y Gasset" is one name: a short word parts only what are
			// two words on both sides.
			if utf8.RuneCountInString(w) <= 2 && (i-from < 2 || len(fields)-i-1 < 2) {
				continue
			}
			if w != strings.ToLower(w) && w != strings.ToUpper(w) {
				continue // "En" and "Con" are names as well
			}
			out = append(out, strings.Join(fields[from:i], " "))
			from = i + 1
		}
		out = append(out, strings.Join(fields[from:], " "))
	}
	return out
}

// trimName drops what clings to a name.
func trimName(s string) string {
	s = strings.Trim(foldSpace(s), " .:-–—*\"'“”„«»|•·_")
	// "Ann Lee in Berlin"
	for _, in := range [...]string{" in ", " aus ", " à ", " en ", " for ", " at "} {
		if i := strings.Index(s, in); i > 0 && strings.Contains(s[:i], " ") {
			s = s[:i]
		}
	}
	return s
}

// isDegree reports whether a piece after a comma belongs to the name before:
// MD, Ph.D., RDN, Jr.
func isDegree(s string) bool {
	if len(s) > 9 || strings.Contains(s, " ") && len(s) > 7 {
		return false
	}
	switch strings.ToLower(strings.Trim(s, ".")) {
	case "jr", "sr", "phd", "ph.d", "md", "esq", "ii", "iii", "iv", "msc", "bsc", "dds", "psyd", "dr", "pharmd":
		return true
	case "dpa", "afp", "ap", "upi", "ians", "pti", "ansa", "efe", "apa", "sda", "kna", "epd", "sid", "ani":
		return false // news agencies
	}
	upper := 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r) && upper == 0, unicode.IsDigit(r):
			return false
		}
	}
	return upper >= 2 && len(s) <= 7 && s[0] < utf8.RuneSelf
}

func isRole(s string) bool {
	for _, w := range words(s) {
		if bylineWords().role[w] {
			return true
		}
	}
	return false
}

// allRoles reports whether there is no name beside what somebody does.
func allRoles(s string) bool {
	list := words(s)
	for _, w := range list {
		if !bylineWords().role[w] {
			return false
		}
	}
	return len(list) > 1
}

func oneWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !strings.Contains(s, " ") && !ideograph(r)
}

// plausible refuses what cannot be a name, wherever it stands.
func plausible(s string) bool {
	if utf8.RuneCountInString(s) < 2 || len(s) > 120 || len(strings.Fields(s)) > 9 {
		return false
	}
	if strings.Contains(s, "://") || strings.HasPrefix(s, "www.") || strings.ContainsAny(s, "{}$:=") {
		return false
	}
	if strings.Count(s, ".") > 2 && !strings.Contains(s, " ") && s == strings.ToLower(s) {
		return false // page.head.author
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2
}
