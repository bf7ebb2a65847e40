package newsroom

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A wireGrammar is data/wire-LANG.txt. Its texts have marks where house styles differ.
type wireGrammar struct {
	lang  string
	lists map[string][]string
	rules map[string][]wireChoice // the lists, parsed
}

// A wireChoice is one choice of a rule: a phrase for each of its fields.
type wireChoice []phrase

// wireNumbers are the ranges of the numbers that belong to an event.
var wireNumbers = map[string][2]int{
	"a": {3, 12}, "b": {13, 78}, "c": {110, 990}, "d": {10100, 98900}, "e": {2, 95},
}

// topicalRules are the rules whose words depend on the event.
var topicalRules = []string{"head", "adj", "side", "verb", "state", "role"}

// wireGrammars has the grammars by language.
var wireGrammars = sync.OnceValue(func() map[string]*wireGrammar {
	all := map[string]*wireGrammar{}
	for _, lang := range wireLanguages {
		all[lang] = newWireGrammar(lang)
	}
	return all
})

func newWireGrammar(lang string) *wireGrammar {
	g := &wireGrammar{lang: lang, lists: map[string][]string{}, rules: map[string][]wireChoice{}}
	for rule, lines := range readRules("wire-" + lang + ".txt") {
		list := strings.Split(strings.Join(lines, " / "), " / ")
		for _, line := range list {
			var c wireChoice
			for text := range strings.SplitSeq(line, "|") {
				c = append(c, parsePhrase(text))
			}
			g.rules[rule] = append(g.rules[rule], c)
		}
		if strings.HasPrefix(rule, "given") || strings.HasPrefix(rule, "sur") || strings.HasPrefix(rule, "town") {
			// If the first part of names begins with a space, all do, and - is empty.
			for i, line := range list {
				if line == "-" {
					list[i] = ""
				} else if i > 0 && strings.HasPrefix(list[0], " ") {
					list[i] = " " + line
				}
			}
		}
		g.lists[rule] = list
	}
	return g
}

func (g *wireGrammar) spaced() bool { return len(g.lists["unspaced"]) == 0 }

// markThousands stands in numbers where a style separates thousands. The other marks are
// “ ”, " — ", % and the units @1 to @9.
const markThousands = "\x01"

// style returns a house style, which replaces marks. choose returns one of n choices.
func (g *wireGrammar) style(choose func(n int) int) *strings.Replacer {
	pick := func(list []string) string { return strings.Trim(list[choose(len(list))], `"`) }
	open, end, _ := strings.Cut(g.lists["quotes"][choose(len(g.lists["quotes"]))], "…")
	pairs := []string{
		"“", open, "”", end, " — ", pick(g.lists["dash"]), "%", pick(g.lists["percent"]), markThousands, pick(g.lists["thousands"]),
	}
	form := choose(2)
	for i, unit := range g.lists["unit"] {
		forms := strings.Split(unit, "|")
		pairs = append(pairs, "@"+strconv.Itoa(i+1), strings.Trim(forms[min(form, len(forms)-1)], `"`))
	}
	if zero, ok := map[string]rune{"ar": '٠', "hi": '०'}[g.lang]; ok && choose(2) == 0 {
		for digit := range rune(10) {
			pairs = append(pairs, string('0'+digit), string(zero+digit))
		}
	}
	return strings.NewReplacer(pairs...)
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
	seed  uint64
	thing uint64 // seed of the rules with keys: what the event is about
	town  uint64 // seed of the town, if it is not seed
	known int    // grows with the stream, and the number of distinct names with it
}

// rand returns the random numbers of the fact with a key.
func (f *wireFacts) rand(rule, key string) wireRand {
	seed := f.seed
	switch rule {
	case "n", "per", "org":
	case "sur":
		rule = "per"
	case "town":
		if key == "1" && f.town != 0 {
			seed = f.town
		}
	default:
		seed = f.thing
	}
	return wireRand(mix(seed, hash(rule), hash(key)))
}

// nameID draws the number of a name. As in the news, half of the names are seldom seen and
// the others are those of few, and both grow in number.
func (f *wireFacts) nameID(r *wireRand) int {
	const names = 200_000 // of a kind: some have the same parts
	if r.chance(45) {
		return int(mix(r.next()%uint64(2000+40*f.known), 3) >> 20 % names)
	}
	u := r.intN(1 << 16)
	known := u * u >> 16 * (60 + f.known/8) >> 16
	return int(mix(uint64(known), 2) >> 20 % names)
}

// A wireFiller fills phrases.
type wireFiller struct {
	g        *wireGrammar
	facts    *wireFacts
	familiar int // of a hundred names, how many are those of the event
}

// sentence fills a phrase as a sentence, with a capital.
func (w *wireFiller) sentence(r *wireRand, c wireChoice) string { return capitalize(w.phrase(r, c, 1)) }

// line fills a choice of a rule.
func (w *wireFiller) line(r *wireRand, rule string) string {
	list := w.g.rules[rule]
	return w.phrase(r, list[r.intN(len(list))], 1)
}

func (w *wireFiller) phrase(r *wireRand, c wireChoice, field int) string {
	var out strings.Builder
	local := uint64(0)
	for _, x := range c[min(field, len(c))-1] {
		if x.rule == "" {
			out.WriteString(x.text)
			continue
		}
		rule, upper := strings.CutPrefix(x.rule, "^")
		draw, familiar := r, w.familiar
		switch key := w.key(r, rule, x.key); key {
		case "":
		case "*": // the same within the phrase
			if local == 0 {
				local = r.next() | 1
			}
			own := wireRand(mix(local, hash(rule)))
			draw = &own
		default: // the same throughout the event
			own := w.facts.rand(rule, key)
			draw = &own
			w.familiar = 0 // the fact must not depend on the text that it is in
		}
		text := w.slot(draw, rule, x)
		w.familiar = familiar
		if upper {
			text = capitalize(text)
		}
		out.WriteString(text)
	}
	return out.String()
}

// key returns the key of a slot. In texts about the event, names that are not
// those of its facts in the grammar often are after all, as in any story.
func (w *wireFiller) key(r *wireRand, rule, key string) string {
	isName := rule == "per" || rule == "town" || rule == "org"
	if key == "" && isName && w.familiar > 0 && r.chance(w.familiar) {
		return strconv.Itoa(1 + r.intN(4))
	}
	return key
}

func (w *wireFiller) slot(r *wireRand, rule string, x part) string {
	switch rule {
	case "n":
		if x.key != "" {
			x.lo, x.hi = wireNumbers[x.key][0], wireNumbers[x.key][1]
		}
		digits := strconv.Itoa(x.lo + r.intN(x.hi-x.lo+1))
		if len(digits) > 4 {
			digits = digits[:len(digits)-3] + markThousands + digits[len(digits)-3:]
		}
		return digits
	case "town", "sur":
		return w.name(rule, w.facts.nameID(r))
	case "org":
		id, forms := w.facts.nameID(r), w.g.lists["org"]
		return strings.Replace(forms[id%len(forms)], "*", w.name("sur", id*7+3), 1)
	case "per":
		id := w.facts.nameID(r)
		given := mix(uint64(id), 1) >> 40 % uint64(len(w.g.lists["given1"])*max(1, len(w.g.lists["given2"])))
		return strings.NewReplacer("G", w.name("given", int(given)), "S", w.name("sur", id)).Replace(w.g.lists["person"][0])
	}
	list := w.g.rules[rule]
	k := r.intN(len(list))
	// An event has a part of the vocabulary: what is written about a strike has few words of
	// what is written about a flood.
	if slices.Contains(topicalRules, rule) && !r.chance(15) {
		const words = 6
		k = int(mix(w.facts.thing, hash(rule), uint64(r.intN(words))) % uint64(len(list)))
	}
	return w.phrase(r, list[k], x.field)
}

// name returns name number id: a beginning, an end, and between them middles, the more the
// rarer it is.
func (w *wireFiller) name(kind string, id int) string {
	first, last, middle := w.g.lists[kind+"1"], w.g.lists[kind+"2"], w.g.lists[kind+"3"]
	name := first[id%len(first)]
	id /= len(first)
	if len(last) == 0 {
		return name
	}
	if w.g.spaced() && len(last) > 1 && len(middle) > 0 {
		name += middle[id%len(middle)]
		id /= len(middle)
	}
	end := last[id%len(last)]
	for id /= len(last); id > 0 && len(middle) > 0; id /= len(middle) + 1 {
		if m := id % (len(middle) + 1); m > 0 {
			name += middle[m-1]
		}
	}
	return name + end
}
