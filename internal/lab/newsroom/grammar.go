package newsroom

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed data
var dataFiles embed.FS

// A grammar is the data file of one language: rules with their choices, and the
// labels of templates.
type grammar struct {
	rules map[string][]phrase
	ui    map[string]string
}

// A phrase is one choice of a rule, parsed into its parts.
type phrase []part

// A part is literal text or a slot.
type part struct {
	text   string // literal text, if rule is empty
	rule   string // "n" is a number from lo to hi
	field  int    // number of the field between bars
	key    string // name of the fact
	lo, hi int
}

// facts are the details that a story keeps using: its town, its people, its
// subject.
type facts map[string]string

var grammars = sync.OnceValue(func() map[string]*grammar {
	all := map[string]*grammar{}
	for _, s := range slices.Concat(allSites(), clutteredList()) {
		if all[s.Lang] != nil {
			continue
		}
		g, err := parseGrammar(readData(s.Lang+".txt") + readData("boxes.txt") + readData("boxes-"+s.Lang+".txt"))
		if err != nil {
			panic(fmt.Sprintf("newsroom: data/%s.txt: %v", s.Lang, err))
		}
		all[s.Lang] = g
	}
	return all
})

// readData returns a file of the folder data.
func readData(name string) string {
	src, err := dataFiles.ReadFile("data/" + name)
	if err != nil {
		panic("newsroom: " + err.Error())
	}
	return string(src)
}

func parseGrammar(src string) (*grammar, error) {
	g := &grammar{rules: map[string][]phrase{}, ui: map[string]string{}}
	rule := ""
	for n, line := range strings.Split(src, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && line[len(line)-1] == ']':
			rule = strings.Trim(line, "[]")
		case rule == "ui":
			k, v, ok := strings.Cut(line, " =")
			if !ok {
				return nil, fmt.Errorf("line %d: not of the form name = label", n+1)
			}
			g.ui[k] = strings.TrimPrefix(v, " ")
		default:
			p, err := parsePhrase(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			g.rules[rule] = append(g.rules[rule], p)
		}
	}
	for rule, phrases := range g.rules {
		for _, p := range phrases {
			for _, x := range p {
				if x.rule != "" && x.rule != "n" && len(g.rules[x.rule]) == 0 {
					return nil, fmt.Errorf("rule %s: unknown rule %s", rule, x.rule)
				}
			}
		}
	}
	return g, nil
}

func parsePhrase(line string) (phrase, error) {
	var p phrase
	for line != "" {
		text, rest, ok := strings.Cut(line, "{")
		if text != "" {
			p = append(p, part{text: text})
		}
		if !ok {
			break
		}
		slot, after, ok := strings.Cut(rest, "}")
		if !ok {
			return nil, fmt.Errorf("unclosed slot: %q", rest)
		}
		line = after
		x := part{field: 1}
		slot, x.key, _ = strings.Cut(slot, "#")
		slot, span, isNumber := strings.Cut(slot, ":")
		slot, field, hasField := strings.Cut(slot, ".")
		x.rule = slot
		if hasField {
			x.field, _ = strconv.Atoi(field)
		}
		if isNumber {
			if _, err := fmt.Sscanf(span, "%d-%d", &x.lo, &x.hi); err != nil || x.hi < x.lo {
				return nil, fmt.Errorf("invalid range of numbers %q", span)
			}
		}
		p = append(p, x)
	}
	return p, nil
}

// generate fills the slots of a random choice of the rule.
func (g *grammar) generate(r *rand.Rand, f facts, rule string) string {
	phrases := g.rules[rule]
	return g.fill(r, f, phrases[r.IntN(len(phrases))])
}

func (g *grammar) fill(r *rand.Rand, f facts, p phrase) string {
	if len(p) == 1 && p[0].rule == "" {
		return p[0].text
	}
	var b strings.Builder
	for _, x := range p {
		switch {
		case x.rule == "":
			b.WriteString(x.text)
		case x.rule == "n":
			b.WriteString(g.number(x.lo + r.IntN(x.hi-x.lo+1)))
		default:
			b.WriteString(field(g.slot(r, f, x), x.field))
		}
	}
	return b.String()
}

// slot fills a slot. A slot with a key has the same text throughout a story.
func (g *grammar) slot(r *rand.Rand, f facts, x part) string {
	if x.key == "" {
		return g.generate(r, f, x.rule)
	}
	k := x.rule + "#" + x.key
	if v, ok := f[k]; ok {
		return v
	}
	v := g.generate(r, f, x.rule)
	f[k] = v
	return v
}

// field returns the n-th of the fields between bars, or the last.
func field(s string, n int) string {
	for ; n > 1; n-- {
		_, rest, ok := strings.Cut(s, "|")
		if !ok {
			break
		}
		s = rest
	}
	s, _, _ = strings.Cut(s, "|")
	return s
}

// number formats n in the language.
func (g *grammar) number(n int) string {
	s := strconv.Itoa(n)
	if n >= 10000 && g.ui["thousands"] != "" {
		s = s[:len(s)-3] + g.ui["thousands"] + s[len(s)-3:]
	}
	return g.digits(s)
}

// digits replaces the digits of s by those of the language.
func (g *grammar) digits(s string) string {
	zero, ok := map[string]rune{"arab": '٠', "deva": '०'}[g.ui["digits"]]
	if !ok {
		return s
	}
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c - '0' + zero
		}
		return c
	}, s)
}
