package css

import (
	"regexp"
	"slices"
	"strings"
)

// matchesMedia reports whether a media query list holds on the screen (Media Queries 4). An
// empty list does.
func matchesMedia(queries string) bool {
	queries = strings.ToLower(strings.TrimSpace(queries))
	if queries == "" {
		return true
	}
	for q := range split(queries) {
		if q != "" && query(q) {
			return true
		}
	}
	return false
}

// query evaluates conditions joined by "and". Those joined by "or" are rare.
func query(q string) bool {
	negated, holds := false, true
	for n := 0; q != ""; n++ {
		word, rest := CutComponent(q)
		switch {
		case n == 0 && word == "not":
			negated = true
		case n == 0 && word == "only", word == "all", word == "screen":
		case word == "and" && n > 0 && rest != "":
		case word[0] == '(':
			holds = feature(strings.Trim(word, "() ")) && holds
		default: // print, speech and others
			holds = false
		}
		q = rest
	}
	return holds != negated
}

// comparison is an operator of a range, as in "400px <= width < 700px".
var comparison = regexp.MustCompile(`[<>]=?|=`)

// features are the other conditions that hold on the screen of a desktop.
var features = []string{
	"orientation:landscape", "hover:hover", "hover", "pointer:fine", "color", "scripting:enabled", "prefers-color-scheme:light",
	"prefers-reduced-motion:no-preference",
}

func feature(f string) bool {
	name, value, _ := strings.Cut(strings.Replace(f, "device-", "", 1), ":")
	if side, ok := strings.CutPrefix(name, "min-"); ok && value != "" {
		f = side + ">=" + value
	} else if side, ok := strings.CutPrefix(name, "max-"); ok && value != "" {
		f = side + "<=" + value
	}
	operators, terms := comparison.FindAllString(f, -1), comparison.Split(f, -1)
	for i, operator := range operators {
		a, isSize := screenSize(terms[i])
		b, ok := screenSize(terms[i+1])
		isEqual := a == b && strings.HasSuffix(operator, "=")
		if !isSize || !ok || !(operator[0] == '<' && a < b || operator[0] == '>' && a > b || isEqual) {
			return false
		}
	}
	return len(operators) > 0 || slices.Contains(features, strings.ReplaceAll(f, " ", ""))
}

// screenSize reads a length, or the name of one of the sizes of the screen.
func screenSize(s string) (px float64, ok bool) {
	switch s = strings.TrimSpace(s); s {
	case "width":
		return width, true
	case "height":
		return height, true
	}
	return Units{InitialFontSize, InitialFontSize, width}.Length(s)
}
