package css

import "strings"

// Limits of media queries.
const (
	maxQueries       = 64
	maxQueryFeatures = 16
)

// matchesMedia reports whether a media query list holds on the screen (Media Queries 4). An
// empty list does.
func matchesMedia(queries string) bool {
	queries = strings.ToLower(strings.TrimSpace(queries))
	if queries == "" {
		return true
	}
	n := 0
	for q := range split(queries) {
		if n++; n > maxQueries {
			break
		}
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
		case n == maxQueryFeatures:
			return false
		case n == 0 && word == "not":
			negated = true
		case n == 0 && word == "only", word == "all", word == "screen":
		case word == "and" && n > 0 && rest != "":
		case word[0] == '(':
			holds = feature(strings.TrimSpace(strings.Trim(word, "()"))) && holds
		default: // print, speech and others
			holds = false
		}
		q = rest
	}
	return holds != negated
}

func feature(f string) bool {
	if strings.ContainsAny(f, "<>=") {
		return inRange(f)
	}
	name, value, _ := strings.Cut(f, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	px, ok := screenSize(value)
	side := float64(width)
	if strings.HasSuffix(name, "height") {
		side = height
	}
	switch strings.Replace(name, "device-", "", 1) {
	case "min-width", "min-height":
		return ok && side >= px
	case "max-width", "max-height":
		return ok && side <= px
	case "width", "height":
		return value == "" || ok && side == px
	}
	is, known := features[name]
	return known && (value == is || value == "" && !strings.HasPrefix(name, "prefers"))
}

// features are the values of other features on the screen of a desktop.
var features = map[string]string{
	"orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine", "color": "",
	"scripting": "enabled", "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference",
	"prefers-contrast": "no-preference", "prefers-reduced-data": "no-preference",
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

// inRange evaluates "width >= 600px" or "400px <= width < 700px" (Media Queries 4 §2.4.3).
func inRange(f string) bool {
	i := strings.IndexAny(f, "<>=")
	a, ok := screenSize(f[:i])
	for n := 0; ok && n < 2 && i >= 0; n++ {
		operator := f[i]
		equal := operator == '=' || strings.HasPrefix(f[i+1:], "=")
		f = strings.TrimPrefix(f[i+1:], "=")
		i = strings.IndexAny(f, "<>=")
		operand := f
		if i >= 0 {
			operand = f[:i]
		}
		var b float64
		if b, ok = screenSize(operand); !ok {
			return false
		}
		if !(operator == '<' && a < b || operator == '>' && a > b || equal && a == b) {
			return false
		}
		a = b
	}
	return ok
}
