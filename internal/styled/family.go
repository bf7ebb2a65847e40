package styled

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxFamilies   = 12 // in a stack
	maxFamilyName = 64 // in characters
)

// generic are the families that a browser knows by a word; a quoted one would
// be the name of a font. The last two are Apple's, which came before the words.
var generic = []string{
	"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math",
	"ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded", "-apple-system", "blinkmacsystemfont",
}

// parseFamilies reads the stack of a font-family. A name with a mark in it that
// names do not have is left out: it is there to end the value.
func parseFamilies(s string) []string {
	if len(s) > 2000 {
		return nil
	}
	var out []string
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		if n := len(name); n >= 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
			name = name[1 : n-1]
		}
		if isFamily(name) && len(out) < maxFamilies && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func isFamily(name string) bool {
	switch strings.ToLower(name) {
	case "", "inherit", "initial", "unset", "revert", "revert-layer", "default":
		return false
	}
	return strings.TrimSpace(name) == name && utf8.RuneCountInString(name) <= maxFamilyName &&
		strings.IndexFunc(name, notInFamily) < 0
}

func notInFamily(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && r != ' ' && r != '-' && r != '_'
}

// familyList is a stack as a style sheet has it, with a family at its end that
// every browser has.
func familyList(names []string) string {
	var out []string
	last := ""
	for _, name := range names {
		if !isFamily(name) || len(out) == maxFamilies {
			continue
		}
		if lower := strings.ToLower(name); slices.Contains(generic, lower) {
			out, last = append(out, name), lower
			continue
		}
		out, last = append(out, `"`+name+`"`), ""
	}
	if end := fallback(names); last != end && !slices.Contains([]string{"serif", "sans-serif", "monospace", "cursive", "fantasy"}, last) {
		out = append(out, end)
	}
	return strings.Join(out, ", ")
}

// fallback is the kind of letters that a stack seems to be of.
func fallback(names []string) string {
	for _, name := range names {
		words := strings.ToLower(name)
		switch {
		case containsAny(words, "mono", "courier", "consolas", "menlo", "code"):
			return "monospace"
		case containsAny(words, "sans", "arial", "helvetica", "verdana", "gothic", "grotesk", "ui", "system", "roboto", "黑"):
			return "sans-serif"
		case containsAny(words, "serif", "times", "georgia", "roman", "garamond", "palatino", "baskerville", "caslon",
			"didot", "bodoni", "cambria", "slab", "book", "text", "mincho", "ming", "song", "明朝", "宋"):
			return "serif"
		}
	}
	return "sans-serif"
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
