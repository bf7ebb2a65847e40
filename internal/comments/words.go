package comments

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede/dom"
)

//go:embed names.txt
var nameList string

//go:embed phrases.txt
var phraseList string

//go:embed said.txt
var saidList string

// role is what a name says of its element.
type role uint8

const (
	place role = 1 << iota // of comments
	other
	beside
	apart
	form
	tool
	single
)

// pattern is a part of words: their beginning, or any.
type pattern struct {
	text   string
	begins bool
	role   role
}

// exact and patterns are names.txt, phrases is phrases.txt. Read only.
var (
	exact, patterns = readNames(nameList)
	phrases         = readPhrases(phraseList)
	instructions    = slices.Collect(maps.Keys(readPhrases(saidList)))
)

func readNames(list string) (map[string]role, []pattern) {
	roles := map[string]role{"place": place, "other": other, "beside": beside, "apart": apart, "form": form, "tool": tool, "single": single}
	exact, patterns := map[string]role{}, []pattern(nil)
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) < 2 || roles[f[0]] == 0 {
			continue
		}
		for _, w := range f[1:] {
			text := strings.Trim(w, "*")
			if text == w {
				exact[w] |= roles[f[0]]
				continue
			}
			patterns = append(patterns, pattern{text, w[0] != '*', roles[f[0]]})
		}
	}
	return exact, patterns
}

func readPhrases(list string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out[line] = true
		}
	}
	return out
}

// rolesOf reads one class or id, such as "comment-reply-link" or "CommentForm".
func rolesOf(name string) role {
	var all role
	for start, i := 0, 0; i <= len(name); i++ {
		if i < len(name) && isLetter(name[i]) && !(i > start && isUpper(name[i]) && !isUpper(name[i-1])) {
			continue
		}
		all |= roleOf(strings.ToLower(name[start:i]))
		if start = i; i < len(name) && !isLetter(name[i]) {
			start++
		}
	}
	return all
}

func roleOf(word string) role {
	if len(word) < 2 {
		return 0
	}
	r := exact[word] &^ single
	if r&other != 0 {
		return r
	}
	for _, p := range patterns {
		if strings.HasPrefix(word, p.text) || !p.begins && strings.Contains(word, p.text) {
			r |= p.role
		}
	}
	return r
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }

// isPhrase reports whether words are for the reader's hand: nothing but a
// number, or what stands on a button.
func isPhrase(s string) bool {
	const long = 60 // bytes: no button has more
	if len(s) > long {
		return false
	}
	letters := strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }), " ")
	return letters == "" || phrases[letters]
}

// isInstruction reports whether the page speaks to those who may comment.
func isInstruction(s string) bool {
	const long = 700 // bytes
	low := strings.ToLower(s)
	return len(s) < long && !hasDate(low) && slices.ContainsFunc(instructions, func(i string) bool { return strings.Contains(low, i) })
}

// clocks are times of day and times ago, and dates those and days: what
// comments are marked with, in the digits of any script.
var (
	clocks = regexp.MustCompile(`(?i)\p{Nd}:\p{Nd}\p{Nd}|\d (second|minute|hour|day|week|month|year)s? ago|\b(vor|il y a|hace|há|fa) \d|\d \S+ (geleden|temu|назад|sedan|siden)`)
	dates  = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\b(19|20)\d\d\b|\d[./-]\d\d?[./-]|\p{Nd} ?[年月日]`)
)

func hasClock(s string) bool { return clocks.MatchString(s) }
func hasDate(s string) bool  { return hasClock(s) || dates.MatchString(s) }

// IsNamed reports whether the page calls n the place of comments, or a comment.
func IsNamed(d *dom.Document, n dom.Node) bool {
	if saysComment(d, n) {
		return true
	}
	for _, key := range []string{"id", "class"} {
		for name := range strings.FieldsSeq(d.AttrOr(n, key)) {
			if rolesOf(name)&(place|other|beside) == place {
				return true
			}
		}
	}
	return false
}

func isTool(t dom.Tag) bool {
	switch t {
	case dom.Form, dom.Button, dom.Select, dom.Textarea, dom.Input, dom.Label, dom.Nav, dom.Fieldset:
		return true
	}
	return false
}

// isToolBox reports whether n is named for what is pressed.
func isToolBox(d *dom.Document, n dom.Node) bool {
	const long = 25 // words: a name says little of a box of prose
	if isTool(d.Tag(n)) {
		return true
	}
	if d.Words(n) > long {
		return hasRole(d, n, form)
	}
	return hasRole(d, n, tool|form)
}

// hasRole reports whether a class or the id of n says one of the roles.
func hasRole(d *dom.Document, n dom.Node, r role) bool {
	for _, key := range []string{"id", "class"} {
		for name := range strings.FieldsSeq(d.AttrOr(n, key)) {
			if rolesOf(name)&r != 0 {
				return true
			}
		}
	}
	return false
}
