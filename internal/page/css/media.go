package css

import "strings"

// Limits of media queries.
const (
	maxQueries       = 64
	maxQueryFeatures = 16
)

// Matches reports whether a media query list holds on the screen (Media
// Queries 4). An empty list does.
func (m Screen) Matches(queries string) bool {
	queries = strings.ToLower(strings.TrimSpace(queries))
	if queries == "" {
		return true
	}
	n := 0
	for q := range Split(queries) {
		if n++; n > maxQueries {
			break
		}
		if m.query(q, maxNesting) {
			return true
		}
	}
	return false
}

func (m Screen) query(q string, depth int) bool {
	if depth == 0 || q == "" {
		return false
	}
	holds, negated := true, false
	if rest, ok := strings.CutPrefix(q, "not "); ok {
		q, negated = strings.TrimSpace(rest), true
	}
	q = strings.TrimSpace(strings.TrimPrefix(q, "only "))
	for n := 0; q != "" && n < maxQueryFeatures; n++ {
		var word string
		if q[0] == '(' {
			end := blockEnd(q, 0)
			holds = m.feature(strings.TrimSpace(strings.TrimSuffix(q[1:end], ")")), depth) && holds
			q = strings.TrimSpace(q[end:])
			continue
		}
		word, q = nameOf(q)
		q = strings.TrimSpace(q)
		switch word {
		case "all", "screen":
		case "and":
			if q == "" {
				return false
			}
		case "or":
			if holds {
				return !negated
			}
			holds = true
		case "not":
			return negated != (holds && !m.query(q, depth-1))
		case "":
			return false
		default: // print, speech and others
			holds = false
		}
	}
	return holds != negated
}

func (m Screen) feature(f string, depth int) bool {
	if strings.HasPrefix(f, "(") || strings.HasPrefix(f, "not ") {
		return m.query(f, depth-1)
	}
	if strings.ContainsAny(f, "<>=") {
		return m.inRange(f)
	}
	name, value, _ := strings.Cut(f, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	size, ok := m.size(value)
	side := m.Width
	if strings.HasSuffix(name, "height") {
		side = m.Height
	}
	switch strings.Replace(name, "device-", "", 1) {
	case "min-width", "min-height":
		return ok && side >= size
	case "max-width", "max-height":
		return ok && side <= size
	case "width", "height":
		return value == "" || ok && side == size
	case "orientation":
		return (value == "landscape") == (m.Width > m.Height)
	case "hover", "any-hover":
		return value == "hover" || value == ""
	case "pointer", "any-pointer":
		return value == "fine" || value == ""
	case "prefers-color-scheme":
		return value == "light"
	case "prefers-reduced-motion", "prefers-contrast", "prefers-reduced-data":
		return value == "no-preference"
	case "color":
		return true
	case "scripting":
		return value == "enabled"
	}
	return false
}

// size reads a length, or the name of one of the sizes of the screen.
func (m Screen) size(s string) (px float64, ok bool) {
	switch s = strings.TrimSpace(s); s {
	case "width":
		return m.Width, true
	case "height":
		return m.Height, true
	}
	v, _, ok := m.Component(s)
	return m.nominal(v.Length), ok && (v.Kind == Size || v.Kind == Number)
}

// inRange evaluates "width >= 600px" or "400px <= width < 700px" (Media
// Queries 4 §2.4.3).
func (m Screen) inRange(f string) bool {
	i := strings.IndexAny(f, "<>=")
	a, ok := m.size(f[:i])
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
		if b, ok = m.size(operand); !ok {
			return false
		}
		if !(operator == '<' && a < b || operator == '>' && a > b || equal && a == b) {
			return false
		}
		a = b
	}
	return ok
}
