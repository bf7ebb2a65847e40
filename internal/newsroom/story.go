package newsroom

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A story is what is known of a page before its body is written: enough for a
// link to it.
type story struct {
	i          int
	title      string
	kicker     string
	standfirst string
	section    section
	authors    []string
	date       time.Time
	modified   time.Time // zero when never changed
	tags       []string
	facts      facts
}

// staffSize is how many reporters a site has.
const staffSize = 12

// story makes up story i of the site.
func (s *Site) story(i int) *story {
	r, g := s.stream(streamStory, i), s.grammar
	st := &story{i: i, facts: facts{}}
	st.section = s.sections[r.IntN(len(s.sections))]
	st.title = capital(g.say(r, st.facts, "headline"))
	st.kicker = capital(g.say(r, st.facts, "kicker"))
	st.standfirst = capital(g.say(r, st.facts, "standfirst"))
	st.date = when(i, r.IntN(90)).In(s.zone)
	if s.habits.Modified && chance(r, 2) {
		st.modified = st.date.Add(time.Duration(20+r.IntN(600)) * time.Minute)
	}
	first := r.IntN(staffSize)
	st.authors = []string{s.reporter(first)}
	if chance(r, 5) {
		if second := s.reporter((first + 1 + r.IntN(staffSize-1)) % staffSize); second != st.authors[0] {
			st.authors = append(st.authors, second)
		}
	}
	tags := g.rules["tag"]
	for _, k := range r.Perm(len(tags))[:2+r.IntN(3)] {
		st.tags = append(st.tags, g.fill(r, nil, tags[k]))
	}
	return st
}

// reporter returns the k-th of the staff.
func (s *Site) reporter(k int) string {
	r := s.stream(streamStaff, k)
	return s.person(s.grammar.say(r, nil, "given"), s.grammar.say(r, nil, "surname"))
}

// person joins the names in the order of the language.
func (s *Site) person(given, surname string) string {
	if s.grammar.ui["space"] == "no" {
		return surname + given
	}
	return given + " " + surname
}

// capital writes the first letter of a sentence large.
func capital(s string) string {
	c, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(c)) + s[n:]
}

var unaccent = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "é", "e", "è", "e", "ê", "e",
	"à", "a", "â", "a", "ç", "c", "î", "i", "ô", "o", "û", "u")

// slug makes the part of an address that repeats the headline: Latin letters
// and figures only, so that other scripts give an empty one.
func slug(title string) string {
	words := strings.FieldsFunc(unaccent.Replace(strings.ToLower(title)), func(c rune) bool {
		return c >= utf8.RuneSelf || !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	return strings.Join(words[:min(len(words), 8)], "-")
}
