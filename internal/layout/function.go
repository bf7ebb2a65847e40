package layout

import "strings"

// maxFunctions is how deep functions may nest in a value.
const maxFunctions = 8

// function is the value of a function (CSS Values 4 §10): the arithmetic of
// lengths, and the words of grids that only matter for their arguments.
func (c *viewport) function(name, args string, depth int) (value, bool) {
	if depth == 0 {
		return value{}, false
	}
	switch name {
	case "calc", "-webkit-calc", "-moz-calc":
		return c.sum(args, depth)
	case "min", "max", "clamp":
		return c.choose(name, args, depth)
	case "minmax", "fit-content", "repeat", "env", "rect", "inset", "translate", "translatex", "translatey":
		return value{kind: isText, text: name + "(" + args + ")"}, true
	}
	return value{}, false
}

// choose is min(), max() or clamp(): the argument that wins on a usual page.
func (c *viewport) choose(name, args string, depth int) (value, bool) {
	var all []value
	for args != "" && len(all) < 8 {
		i := topLevel(args, ',')
		v, ok := c.sum(args[:i], depth)
		if !ok {
			return value{}, false
		}
		all = append(all, v)
		args = args[min(i+1, len(args)):]
	}
	nominal := func(i int) float64 { return all[i].rel.nominal(c.screen) }
	switch {
	case len(all) == 0:
		return value{}, false
	case name == "clamp" && len(all) == 3:
		if nominal(1) > nominal(2) {
			all[1] = all[2]
		}
		if nominal(1) < nominal(0) {
			return all[0], true
		}
		return all[1], true
	}
	best := 0
	for i := range all {
		if name == "min" && nominal(i) < nominal(best) || name == "max" && nominal(i) > nominal(best) {
			best = i
		}
	}
	return all[best], true
}

// sum is the inside of calc(): products joined by + and -, which white space
// surrounds.
func (c *viewport) sum(s string, depth int) (value, bool) {
	total := value{kind: isNumber}
	sign := float32(1)
	for n := 0; ; n++ {
		v, rest, ok := c.product(s, depth)
		if !ok || n > 16 {
			return value{}, false
		}
		if v.kind == isLength {
			total.kind = isLength
		}
		total.rel = total.rel.add(v.rel, sign)
		if s = trim(rest); s == "" {
			return total, true
		}
		if s[0] != '+' && s[0] != '-' {
			return value{}, false
		}
		sign = 1
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
}

func (c *viewport) product(s string, depth int) (value, string, bool) {
	v, rest, ok := c.operand(s, depth)
	for n := 0; ok && n < 16; n++ {
		t := trim(rest)
		if t == "" || t[0] != '*' && t[0] != '/' {
			break
		}
		var by value
		by, rest, ok = c.operand(t[1:], depth)
		switch {
		case t[0] == '/' && by.rel.px != 0:
			v.rel = v.rel.times(1 / by.rel.px)
		case t[0] == '/':
			return v, rest, false
		case v.kind == isNumber:
			v = value{kind: by.kind, rel: by.rel.times(v.rel.px)}
		default:
			v.rel = v.rel.times(by.rel.px)
		}
	}
	return v, rest, ok
}

func (c *viewport) operand(s string, depth int) (value, string, bool) {
	s = trim(s)
	if s == "" {
		return value{}, "", false
	}
	if num, n := number(s); n > 0 {
		end := n
		for end < len(s) && (s[end] == '%' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
			end++
		}
		v, ok := c.dimension(num, s[n:end])
		return v, s[end:], ok && v.kind != isText
	}
	open := strings.IndexByte(s, '(')
	if open < 0 {
		return value{}, "", false
	}
	end := open + 1 + topLevel(s[open+1:], ')')
	name := lower(trim(s[:open]))
	if name == "" {
		name = "calc"
	}
	v, ok := c.function(name, s[open+1:min(end, len(s))], depth-1)
	return v, s[min(end+1, len(s)):], ok && v.kind != isText
}

// topLevel is where b stands outside of all parentheses in s, or len(s).
func topLevel(s string, b byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == b && depth == 0:
			return i
		case s[i] == '(' || s[i] == '[':
			depth++
		case s[i] == ')' || s[i] == ']':
			depth--
		case s[i] == '"' || s[i] == '\'':
			i = stringEnd(s, i) - 1
		case s[i] == '\\':
			i++
		}
	}
	return len(s)
}
