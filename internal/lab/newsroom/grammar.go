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
		if all[s.Lang] == nil {
			all[s.Lang] = readGrammar(s.Lang+".txt", "boxes.txt", "boxes-"+s.Lang+".txt")
		}
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

// readRules returns the lines of data files by the rules, in brackets, that they follow.
func readRules(files ...string) map[string][]string {
	rules, rule := map[string][]string{}, ""
	for _, file := range files {
		for line := range strings.SplitSeq(readData(file), "\n") {
			switch {
			case line == "" || line[0] == '#':
			case line[0] == '[' && line[len(line)-1] == ']':
				rule = strings.Trim(line, "[]")
			default:
				rules[rule] = append(rules[rule], line)
			}
		}
	}
	return rules
}

func readGrammar(files ...string) *grammar {
	g := &grammar{rules: map[string][]phrase{}, ui: map[string]string{}}
	for rule, lines := range readRules(files...) {
		for _, line := range lines {
			if rule == "ui" {
				name, label, _ := strings.Cut(line, " =")
				g.ui[name] = strings.TrimPrefix(label, " ")
			} else {
				g.rules[rule] = append(g.rules[rule], parsePhrase(line))
			}
		}
	}
	return g
}

// parsePhrase parses a line of a data file. Its slots are {rule}, {rule.2} for a field,
// {rule#key} for a fact and {n:1-9} for a number.
func parsePhrase(line string) phrase {
	var p phrase
	for line != "" {
		text, rest, _ := strings.Cut(line, "{")
		slot, after, _ := strings.Cut(rest, "}")
		if text != "" {
			p = append(p, part{text: text})
		}
		if slot != "" {
			x := part{field: 1}
			slot, x.key, _ = strings.Cut(slot, "#")
			slot, span, _ := strings.Cut(slot, ":")
			rule, field, _ := strings.Cut(slot, ".")
			x.rule = rule
			fmt.Sscanf(field, "%d", &x.field)
			fmt.Sscanf(span, "%d-%d", &x.lo, &x.hi)
			p = append(p, x)
		}
		line = after
	}
	return p
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
