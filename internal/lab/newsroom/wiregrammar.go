package newsroom

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A wireGrammar is data/wire-LANG.txt, compiled so that an article takes microseconds.
// Its text has marks where house styles differ (wirestyle.go).
type wireGrammar struct {
	lang   string
	spaced bool // sentences and paragraphs are joined by a space
	rules  map[string][]wireChoice

	given, surname, town       [][]string // parts of names; the middle is used when ends are exhausted
	orgs                       []string   // forms of organisations, with * for a name
	person                     string     // G and S for given name and surname
	series                     []string   // rules that are templates of a series
	quotes                     [][2]string
	dashes, thousands, percent []string
	numerals                   []string   // words of the numbers from 0
	zero                       rune       // of its own digits, 0 if it has none
	units                      [][]string // forms of each unit
}

// A wireChoice is one choice of a rule: a phrase for each of its fields.
type wireChoice [][]wirePart

// A wirePart is literal text or a slot.
type wirePart struct {
	kind  wireSlot
	upper bool   // the slot begins with a capital
	key   uint64 // 0: drawn anew; 1: the same within the phrase; others: the same throughout the event
	text  string
	rule  []wireChoice
	name  string

	id      uint64 // hash of the name
	topical bool   // an event has choices of its own
	field   int
	lo, hi  int
}

type wireSlot uint8

const (
	slotText wireSlot = iota
	slotRule
	slotNumber
	slotPerson
	slotSurname
	slotTown
	slotOrg
)

// wireSlots are the slots that are no rules of a data file.
var wireSlots = map[string]wireSlot{
	"n": slotNumber, "per": slotPerson, "sur": slotSurname, "town": slotTown, "org": slotOrg,
}

// wireNumbers are the ranges of the numbers that belong to an event.
var wireNumbers = map[string][2]int{
	"a": {3, 12}, "b": {13, 78}, "c": {110, 990}, "d": {10100, 98900}, "e": {2, 95},
}

// topicalRules are the rules whose words depend on the event.
var topicalRules = []string{"head", "adj", "side", "verb", "state", "role"}

// wireLangs are the languages of the wire, in a stable order.
var wireLangs = []string{"ar", "de", "el", "en", "fr", "he", "hi", "ja", "ko", "ru", "tr", "vi", "zh"}

var wireGrammars = sync.OnceValue(func() map[string]*wireGrammar {
	all := map[string]*wireGrammar{}
	for _, lang := range wireLangs {
		all[lang] = newWireGrammar(lang, readData("wire-"+lang+".txt"))
	}
	return all
})

// newWireGrammar panics if the file is invalid, which is a bug of this package.
func newWireGrammar(lang, src string) *wireGrammar {
	lists := map[string][]string{}
	rule := ""
	for line := range strings.SplitSeq(src, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && line[len(line)-1] == ']':
			rule = strings.Trim(line, "[]")
		default:
			lists[rule] = append(lists[rule], strings.Split(line, " / ")...)
		}
	}
	g := &wireGrammar{lang: lang, rules: map[string][]wireChoice{}, zero: map[string]rune{"ar": '٠', "hi": '०'}[lang]}
	for rule, lines := range lists {
		g.rules[rule] = make([]wireChoice, len(lines))
		if strings.HasPrefix(rule, "series") {
			g.series = append(g.series, rule)
		}
	}
	for rule, lines := range lists {
		for i, line := range lines {
			for text := range strings.SplitSeq(line, "|") {
				g.rules[rule][i] = append(g.rules[rule][i], g.compile(text))
			}
		}
	}
	g.readLists(lists)
	return g
}

// readLists sets what is no grammar: parts of names, and house styles.
func (g *wireGrammar) readLists(lists map[string][]string) {
	names := func(name string) (parts [][]string) {
		for _, n := range []string{"1", "2", "3"} {
			list := slices.Clone(lists[name+n])
			for i := range list {
				if list[i] == "-" {
					list[i] = ""
				} else if list[0][0] == ' ' && i > 0 {
					list[i] = " " + list[i]
				}
			}
			parts = append(parts, list)
		}
		return parts
	}
	g.given, g.surname, g.town = names("given"), names("sur"), names("town")
	g.orgs, g.person = lists["org"], lists["person"][0]
	g.spaced = len(lists["unspaced"]) == 0
	for _, q := range lists["quotes"] {
		open, end, _ := strings.Cut(q, "…")
		g.quotes = append(g.quotes, [2]string{open, end})
	}
	unquote := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, strings.Trim(s, `"`))
		}
		return out
	}
	g.dashes, g.thousands, g.percent = unquote(lists["dash"]), unquote(lists["thousands"]), unquote(lists["percent"])
	g.numerals = lists["numeral"]
	for _, u := range lists["unit"] {
		g.units = append(g.units, unquote(strings.Split(u, "|")))
	}
}

// wireMarks replaces what house styles write differently by marks.
var wireMarks = strings.NewReplacer("“", string(rune(markOpen)), "”", string(rune(markClose)), " — ", string(rune(markDash)), "%", string(rune(markPercent)))

func (g *wireGrammar) compile(text string) []wirePart {
	parsed, err := parsePhrase(text)
	if err != nil {
		panic("newsroom: data/wire-" + g.lang + ".txt: " + err.Error())
	}
	var parts []wirePart
	for _, x := range parsed {
		if x.rule == "" {
			parts = append(parts, wirePart{text: wireUnits(wireMarks.Replace(x.text))})
			continue
		}
		p := wirePart{kind: slotRule, field: x.field - 1, lo: x.lo, hi: x.hi}
		p.name, p.upper = strings.CutPrefix(x.rule, "^")
		p.id = hash(p.name)
		p.topical = slices.Contains(topicalRules, p.name)
		switch {
		case x.key == "*":
			p.key = 1
		case x.key != "":
			p.key = hash(x.key)
		}
		if kind, ok := wireSlots[p.name]; ok {
			p.kind = kind
		} else if p.rule = g.rules[p.name]; p.rule == nil {
			panic("newsroom: data/wire-" + g.lang + ".txt: unknown rule " + p.name)
		}
		if p.kind == slotNumber && x.key != "" {
			p.lo, p.hi = wireNumbers[x.key][0], wireNumbers[x.key][1]
		}
		parts = append(parts, p)
	}
	return parts
}

// wireUnits replaces @1 to @9 by the mark of a unit.
func wireUnits(s string) string {
	for k := range 9 {
		s = strings.ReplaceAll(s, "@"+strconv.Itoa(k+1), string([]byte{markUnit, byte('1' + k)}))
	}
	return s
}

// wireRand is a splitmix64 generator: it is a number, so that a generator for any part
// of the stream costs nothing.
type wireRand uint64

func (r *wireRand) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intN returns a number below n, 0 if n is 0.
func (r *wireRand) intN(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// chance returns true in so many of a hundred cases.
func (r *wireRand) chance(percent int) bool { return r.intN(100) < percent }

// mix derives a seed from others.
func mix(seed uint64, parts ...uint64) uint64 {
	for _, p := range parts {
		r := wireRand(seed ^ p*fnvPrime)
		seed = r.next()
	}
	return seed
}

// wireFacts are the details that all articles on an event share: names, places and
// numbers. They are derived from seeds and never stored.
type wireFacts struct {
	seed     uint64
	thing    uint64            // seed of the rules with keys: what the event is about
	known    int               // grows with the stream, and the number of distinct names with it
	replaced map[uint64]uint64 // seeds of corrected facts, by key
}

// rand returns the random numbers of the fact with a key.
func (f *wireFacts) rand(kind wireSlot, key uint64) wireRand {
	seed := f.seed
	switch kind {
	case slotRule:
		seed = f.thing
	case slotSurname:
		kind = slotPerson
	}
	if s, ok := f.replaced[key^uint64(kind)]; ok {
		seed = s
	}
	return wireRand(mix(seed, uint64(kind), key))
}

// wireNames is the number of names of a kind: some have the same parts.
const wireNames = 200_000

// nameID draws a name. As in the news, half of the names are seldom seen and
// the others are those of few, and both grow in number.
func (f *wireFacts) nameID(r *wireRand) int {
	if r.chance(45) {
		return int(mix(r.next()%uint64(2000+40*f.known), 3) >> 20 % wireNames)
	}
	u := r.intN(1 << 16)
	known := u * u >> 16 * (60 + f.known/8) >> 16
	return int(mix(uint64(known), 2) >> 20 % wireNames)
}

// A wireFiller fills phrases.
type wireFiller struct {
	g     *wireGrammar
	facts *wireFacts
	out   []byte

	familiar int // of a hundred names, how many are those of the event
}

// familiarKeys are the keys of the names of an event.
var familiarKeys = [...]uint64{hash("1"), hash("2"), hash("3"), hash("4")}

// sentence appends a phrase as a sentence, with a capital.
func (w *wireFiller) sentence(r *wireRand, c wireChoice) {
	start := len(w.out)
	w.phrase(r, c, 0)
	w.capital(start)
}

// capital changes the first letter after start to upper case.
func (w *wireFiller) capital(start int) {
	if start >= len(w.out) {
		return
	}
	switch c, n := utf8.DecodeRune(w.out[start:]); {
	case c >= 'a' && c <= 'z':
		w.out[start] -= 'a' - 'A'
	case c >= utf8.RuneSelf && unicode.IsLower(c):
		w.out = append(w.out[:start], string(unicode.ToUpper(c))+string(w.out[start+n:])...)
	}
}

func (w *wireFiller) phrase(r *wireRand, c wireChoice, field int) {
	local := uint64(0)
	parts := c[min(field, len(c)-1)]
	for i := range parts {
		p := &parts[i]
		if p.kind == slotText {
			w.out = append(w.out, p.text...)
			continue
		}
		draw, familiar := r, w.familiar
		var own wireRand
		switch key := w.key(r, p); key {
		case 0:
		case 1:
			if local == 0 {
				local = r.next() | 1
			}
			own = wireRand(mix(local, p.id))
			draw = &own
		default:
			own = w.facts.rand(p.kind, key)
			draw = &own
			w.familiar = 0 // the fact must not depend on the text that it is in
		}
		start := len(w.out)
		w.slot(draw, p)
		w.familiar = familiar
		if p.upper {
			w.capital(start)
		}
	}
}

// topicWords is how many choices of a rule an event has of its own.
const topicWords = 6

// choice draws a choice of a rule. An event has a part of the vocabulary: what is written
// about a strike has few words of what is written about a flood.
func (w *wireFiller) choice(r *wireRand, p *wirePart) int {
	n := len(p.rule)
	if !p.topical || r.chance(15) {
		return r.intN(n)
	}
	return int(mix(w.facts.thing, p.id, uint64(r.intN(topicWords))) % uint64(n))
}

// key returns the key of a slot. In texts about the event, names that are not
// those of its facts in the grammar often are after all, as in any story.
func (w *wireFiller) key(r *wireRand, p *wirePart) uint64 {
	if p.key != 0 || w.familiar == 0 {
		return p.key
	}
	switch p.kind {
	case slotPerson, slotTown, slotOrg:
		if r.chance(w.familiar) {
			return familiarKeys[r.intN(len(familiarKeys))]
		}
	}
	return 0
}

func (w *wireFiller) slot(r *wireRand, p *wirePart) {
	switch p.kind {
	case slotRule:
		w.phrase(r, p.rule[w.choice(r, p)], p.field)
	case slotNumber:
		w.out = append(w.out, markNumber)
		w.out = strconv.AppendInt(w.out, int64(p.lo+r.intN(p.hi-p.lo+1)), 10)
		w.out = append(w.out, markNumberEnd)
	case slotTown:
		w.name(w.g.town, w.facts.nameID(r))
	case slotOrg:
		id := w.facts.nameID(r)
		form := w.g.orgs[id%len(w.g.orgs)]
		before, after, _ := strings.Cut(form, "*")
		w.out = append(w.out, before...)
		w.name(w.g.surname, id*7+3)
		w.out = append(w.out, after...)
	case slotSurname:
		w.name(w.g.surname, w.facts.nameID(r))
	case slotPerson:
		id := w.facts.nameID(r)
		given := int(mix(uint64(id), 1) >> 40)
		for i := range len(w.g.person) {
			switch w.g.person[i] {
			case 'G':
				w.name(w.g.given, given%(len(w.g.given[0])*max(1, len(w.g.given[1]))))
			case 'S':
				w.name(w.g.surname, id)
			default:
				w.out = append(w.out, w.g.person[i])
			}
		}
	}
}

// name appends name number id: a beginning, an end, and between them middles, the more the
// rarer it is.
func (w *wireFiller) name(parts [][]string, id int) {
	first, last, middle := parts[0], parts[1], parts[2]
	w.out = append(w.out, first[id%len(first)]...)
	id /= len(first)
	if len(last) == 0 {
		return
	}
	if w.g.spaced && len(last) > 1 && len(middle) > 0 {
		w.out = append(w.out, middle[id%len(middle)]...)
		id /= len(middle)
	}
	end := last[id%len(last)]
	id /= len(last)
	for ; id > 0 && len(middle) > 0; id /= len(middle) + 1 {
		if m := id % (len(middle) + 1); m > 0 {
			w.out = append(w.out, middle[m-1]...)
		}
	}
	w.out = append(w.out, end...)
}
