package layout

import "strings"

// media reports whether a media query list holds on the screen (Media
// Queries 4). An empty list does.
func (c *viewport) media(list string) bool {
	if list = trim(list); list == "" {
		return true
	}
	for n := 0; list != "" && n < 64; n++ {
		i := topLevel(list, ',')
		if c.mediaQuery(lower(trim(list[:i]))) {
			return true
		}
		list = list[min(i+1, len(list)):]
	}
	return false
}

func (c *viewport) mediaQuery(q string) bool {
	negate := false
	if rest, ok := strings.CutPrefix(q, "not "); ok {
		q, negate = trim(rest), true
	}
	q = trim(strings.TrimPrefix(q, "only "))
	holds := true
	for n := 0; q != "" && n < 16; n++ {
		var part string
		if q[0] == '(' {
			i := 1 + topLevel(q[1:], ')')
			part, q = q[1:i], trim(q[min(i+1, len(q)):])
			holds = holds && c.mediaFeature(trim(part))
		} else {
			part, q, _ = strings.Cut(q, " ")
			q = trim(q)
			switch part {
			case "and", "all", "screen":
			case "or":
				if holds {
					return !negate
				}
				holds = true
			case "not":
				return negate != (holds && !c.mediaQuery(q))
			default: // print, speech, and what nobody knows
				holds = false
			}
		}
	}
	return holds != negate
}

func (c *viewport) mediaFeature(f string) bool {
	if strings.HasPrefix(f, "(") || strings.HasPrefix(f, "not ") {
		return c.mediaQuery(f)
	}
	if strings.ContainsAny(f, "<>") {
		return c.mediaRange(f)
	}
	name, val, _ := strings.Cut(f, ":")
	name, val = trim(name), trim(val)
	size := func() float64 {
		v, _, ok := c.component(val)
		if r, isLen := v.asLength(); ok && isLen {
			return r.nominal(c.screen)
		}
		return -1
	}
	switch strings.Replace(name, "device-", "", 1) {
	case "min-width":
		return c.screen.Width >= size()
	case "max-width":
		return c.screen.Width <= size()
	case "width":
		return val == "" || c.screen.Width == size()
	case "min-height":
		return c.screen.Height >= size()
	case "max-height":
		return c.screen.Height <= size()
	case "orientation":
		return (val == "landscape") == (c.screen.Width > c.screen.Height)
	case "hover", "any-hover":
		return val == "hover" || val == ""
	case "pointer", "any-pointer":
		return val == "fine" || val == ""
	case "prefers-color-scheme":
		return val == "light"
	case "prefers-reduced-motion", "prefers-contrast", "prefers-reduced-data":
		return val == "no-preference"
	case "color":
		return true
	case "scripting":
		return val == "enabled"
	}
	return false
}

// mediaRange is "width >= 600px" or "400px <= width < 700px" (§2.4.3).
func (c *viewport) mediaRange(f string) bool {
	value := func(s string) (float64, bool) {
		switch s = trim(s); s {
		case "width":
			return c.screen.Width, true
		case "height":
			return c.screen.Height, true
		}
		v, _, ok := c.component(s)
		r, isLen := v.asLength()
		return r.nominal(c.screen), ok && isLen
	}
	i := strings.IndexAny(f, "<>")
	a, ok := value(f[:i])
	for n := 0; ok && n < 2 && i >= 0; n++ {
		less, equal := f[i] == '<', i+1 < len(f) && f[i+1] == '='
		f = strings.TrimPrefix(f[i+1:], "=")
		i = strings.IndexAny(f, "<>")
		operand := f
		if i >= 0 {
			operand = f[:i]
		}
		var b float64
		if b, ok = value(operand); !ok {
			break
		}
		if !(less && a < b || !less && a > b || equal && a == b) {
			return false
		}
		a = b
	}
	return ok
}
