package layout

import "strings"

// Custom properties (CSS Variables 1), in the simple case that nearly all
// pages have: they are set on the root and read anywhere.

const (
	maxVars     = 5000
	maxVarDepth = 8 // var() in the value of a custom property
)

// keepVars keeps the custom properties of a rule for the root or the body.
func (s *sheet) keepVars(prelude string, decls []declaration) {
	if len(decls) == 0 || !forRoot(prelude) {
		return
	}
	for i := range decls {
		d := &decls[i]
		if d.property != custom || d.vars || len(s.vars) >= maxVars {
			continue
		}
		if s.vars == nil {
			s.vars = map[string]string{}
		}
		s.vars[d.name] = d.value.text
	}
}

func forRoot(prelude string) bool {
	for prelude != "" {
		i := topLevel(prelude, ',')
		switch lower(trim(prelude[:i])) {
		case ":root", "html", "body", "*", ":host", ":where(:root)":
			return true
		}
		prelude = prelude[min(i+1, len(prelude)):]
	}
	return false
}

// resolveVars replaces every declaration that has var() in it by what it
// comes to, once all sheets are read: a property may be set after its use.
func (s *sheet) resolveVars() {
	var scratch []declaration
	for r := range s.rules {
		from, to := s.rules[r].from, s.rules[r].to
		any := false
		for i := from; i < to && !any; i++ {
			any = s.decls[i].vars
		}
		if !any {
			continue
		}
		scratch = append(scratch[:0], s.decls[from:to]...)
		s.rules[r].from = int32(len(s.decls))
		s.decls = s.resolve(scratch, s.decls)
		s.rules[r].to = int32(len(s.decls))
	}
}

// resolve appends in to out with every var() replaced. A declaration whose
// variable nobody sets is as if it were not there.
func (s *sheet) resolve(in, out []declaration) []declaration {
	for _, d := range in {
		if !d.vars {
			out = append(out, d)
			continue
		}
		val, ok := s.substitute(d.value.text, maxVarDepth)
		if !ok {
			continue
		}
		from := len(out)
		out = s.expand(d.name, val, out)
		for i := from; i < len(out); i++ {
			out[i].important = d.important
		}
	}
	return out
}

func (s *sheet) substitute(val string, depth int) (string, bool) {
	for n := 0; n < 16; n++ {
		i := strings.Index(val, "var(")
		if i < 0 {
			return trim(val), true
		}
		inside := val[i+len("var("):]
		end := topLevel(inside, ')')
		comma := min(topLevel(inside[:end], ','), end)
		v, ok := s.vars[trim(inside[:comma])]
		if !ok && comma < end {
			v, ok = inside[comma+1:end], true
		}
		if ok && depth > 0 && strings.Contains(v, "var(") {
			v, ok = s.substitute(v, depth-1)
		}
		if !ok || len(v) > maxValue {
			return "", false
		}
		val = val[:i] + v + inside[min(end+1, len(inside)):]
		if len(val) > maxValue {
			return "", false
		}
	}
	return "", false
}
