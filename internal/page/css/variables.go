package css

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// properties are custom properties of one rule: values by name.
type properties map[string]string

// scope is the custom properties of an element and its descendants.
type scope struct {
	parent *scope
	sets   []*properties            // from the weakest to the strongest
	done   map[string]*substitution // values that have variables in them
}

// substitution is the value of a custom property whose variables are replaced.
type substitution struct {
	value  string
	ok     bool
	busy   bool // being replaced
	cyclic bool
}

// variables replaces var() in values.
type variables struct {
	scopes []*scope // by node, once an element has custom properties
	sets   []*properties
	busy   []*substitution
}

// enter returns the scope of n, to which v.sets apply. An element to which the
// same rules apply as to its parent shares its scope.
func (v *variables) enter(d *dom.Document, n dom.Node) *scope {
	var s *scope
	if v.scopes != nil {
		s = v.scopes[d.Parent(n)]
	}
	if len(v.sets) > 0 && (s == nil || !slices.Equal(s.sets, v.sets)) {
		s = &scope{parent: s, sets: slices.Clone(v.sets)}
	}
	if s != nil && v.scopes == nil {
		v.scopes = make([]*scope, d.Len())
	}
	if v.scopes != nil {
		v.scopes[n] = s
	}
	return s
}

// substitute replaces var() in a value (CSS Variables 1 §3). ok is false if a
// variable without a fallback is not set, or the value becomes too long. Each
// step costs some of the budget.
func (v *variables) substitute(value string, s *scope, budget *int) (string, bool) {
	if *budget -= 1 + len(value)/16; *budget < 0 || len(value) > maxValue {
		return "", false
	}
	var b strings.Builder
	for {
		i := strings.Index(value, "var(")
		if i < 0 {
			b.WriteString(value)
			return strings.TrimSpace(b.String()), b.Len() <= maxValue
		}
		end := blockEnd(value, i+len("var"))
		name, fallback, hasFallback := Cut(strings.TrimSuffix(value[i+len("var("):end], ")"), ',')
		with, ok := v.lookup(name, s, budget)
		if !ok && hasFallback {
			with, ok = v.substitute(fallback, s, budget)
		}
		if !ok || b.Len()+len(with) > maxValue {
			return "", false
		}
		if i == 0 && end == len(value) && b.Len() == 0 {
			return with, true
		}
		// Spaces, since what is replaced never joins what stands beside it.
		b.WriteString(value[:i])
		b.WriteByte(' ')
		b.WriteString(with)
		b.WriteByte(' ')
		value = value[end:]
	}
}

// lookup returns the value of a custom property.
func (v *variables) lookup(name string, s *scope, budget *int) (string, bool) {
	for ; s != nil; s = s.parent {
		for _, set := range slices.Backward(s.sets) {
			*budget--
			value, ok := (*set)[name]
			if !ok {
				continue
			}
			switch value {
			case "initial":
				return "", false
			case "inherit", "unset":
				return v.lookup(name, s.parent, budget)
			}
			if !strings.Contains(value, "var(") {
				return value, true
			}
			return v.replaced(name, value, s, budget)
		}
	}
	return "", false
}

// replaced returns the value of a custom property of s that has variables in
// it. Properties that depend on themselves have no value (§2.3).
func (v *variables) replaced(name, value string, s *scope, budget *int) (string, bool) {
	sub := s.done[name]
	if sub == nil {
		sub = &substitution{busy: true}
		if s.done == nil {
			s.done = map[string]*substitution{}
		}
		s.done[name] = sub
		v.busy = append(v.busy, sub)
		if len(v.busy) <= maxVariables {
			sub.value, sub.ok = v.substitute(value, s, budget)
		}
		v.busy = v.busy[:len(v.busy)-1]
		sub.busy = false
	} else if sub.busy {
		for _, b := range v.busy[slices.Index(v.busy, sub):] {
			b.cyclic = true
		}
	}
	return sub.value, sub.ok && !sub.cyclic
}
