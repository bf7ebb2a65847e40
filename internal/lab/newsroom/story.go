package newsroom

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A story has what is known of a page before its body is generated: enough for
// a link to it.
type story struct {
	i          int
	title      string
	kicker     string
	standfirst string
	section    section
	authors    []string
	date       time.Time
	modified   time.Time // zero if never changed
	tags       []string
	facts      facts
	version    int // number of changes since publication
}

// staffSize is the number of reporters of a site.
const staffSize = 12

// story generates story i of the site.
func (s *Site) story(i int) *story { return s.newStory(i, i) }

// newStory generates story i from the random numbers of a draft.
func (s *Site) newStory(i, draft int) *story {
	st, r := s.newHeadline(i, draft)
	g := s.grammar
	st.kicker = capitalize(g.generate(r, st.facts, "kicker"))
	st.standfirst = capitalize(g.generate(r, st.facts, "standfirst"))
	st.date = publicationTime(i, r.IntN(90)).In(s.zone)
	if s.config.Modified && oneIn(r, 2) {
		st.modified = st.date.Add(time.Duration(20+r.IntN(600)) * time.Minute)
	}
	first := r.IntN(staffSize)
	st.authors = []string{s.reporter(first)}
	if oneIn(r, 5) {
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

// newHeadline generates section and headline of a story, and returns the random
// numbers for the rest.
func (s *Site) newHeadline(i, draft int) (*story, *rand.Rand) {
	r := s.stream(streamStory, draft)
	st := &story{i: i, facts: facts{}}
	st.section = s.sections[r.IntN(len(s.sections))]
	st.title = capitalize(s.grammar.generate(r, st.facts, "headline"))
	return st, r
}

// reporter returns the name of reporter k.
func (s *Site) reporter(k int) string {
	r := s.stream(streamStaff, k)
	return s.person(s.grammar.generate(r, nil, "given"), s.grammar.generate(r, nil, "surname"))
}

// person joins the names in the order of the language.
func (s *Site) person(given, surname string) string {
	switch {
	case s.grammar.ui["space"] == "no", s.Lang == "ko":
		return surname + given
	case s.grammar.ui["surnamefirst"] == "yes":
		return surname + " " + given
	}
	return given + " " + surname
}

// capitalize returns s with its first letter in upper case.
func capitalize(s string) string {
	c, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(c)) + s[n:]
}

var unaccent = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "é", "e", "è", "e", "ê", "e",
	"à", "a", "â", "a", "ç", "c", "î", "i", "ô", "o", "û", "u")

// slug returns the part of an address that repeats the headline: Latin letters
// and digits only. It is empty for other scripts.
func slug(title string) string { return slugOf(title, 8) }

// slugOf returns a slug of no more than n words.
func slugOf(title string, n int) string {
	words := strings.FieldsFunc(unaccent.Replace(strings.ToLower(title)), func(c rune) bool {
		return c >= utf8.RuneSelf || !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	return strings.Join(words[:min(len(words), n)], "-")
}

// A writer generates the paragraphs of one story and avoids repetition.
type writer struct {
	g      *grammar
	r      *rand.Rand
	facts  facts
	order  map[string][]int // choices of a rule that are not yet used
	used   map[string]bool
	spaced bool
}

func newWriter(s *Site, st *story) *writer {
	return &writer{
		g: s.grammar, r: s.stream(streamBody, st.i), facts: st.facts,
		order: map[string][]int{}, used: map[string]bool{},
		spaced: s.grammar.ui["space"] != "no",
	}
}

// draw generates a line from a rule. Every choice is used once before any is
// used again.
func (w *writer) draw(rule string) string {
	for try := 0; ; try++ {
		if len(w.order[rule]) == 0 {
			w.order[rule] = w.r.Perm(len(w.g.rules[rule]))
		}
		left := w.order[rule]
		w.order[rule] = left[1:]
		line := capitalize(w.g.fill(w.r, w.facts, w.g.rules[rule][left[0]]))
		if !w.used[line] || try > 8 {
			w.used[line] = true
			return line
		}
	}
}

// paragraph generates one to five sentences, some with a quotation.
func (w *writer) paragraph(rule string) string {
	sentences := []string{w.draw(rule)}
	for n := w.r.IntN(5); n > 0; n-- {
		if oneIn(w.r, 4) {
			w.facts["said#q"] = w.draw("said")
			sentences = append(sentences, w.draw("quote"))
		} else {
			sentences = append(sentences, w.draw("sentence"))
		}
	}
	if w.spaced {
		return strings.Join(sentences, " ")
	}
	return strings.Join(sentences, "")
}

// length returns a random number of paragraphs: most stories have 5 to 16, some
// have 2 and some up to 25.
func (w *writer) length() int {
	switch n := w.r.IntN(100); {
	case n < 6:
		return 2
	case n < 14:
		return 18 + w.r.IntN(8)
	default:
		return 5 + w.r.IntN(12)
	}
}

// newest is the date of the newest story.
var newest = time.Date(2026, time.March, 2, 14, 5, 0, 0, time.UTC)

// publicationTime returns the date of story i: they go back from newest and
// start again after twelve years.
func publicationTime(i, jitter int) time.Time {
	const span = 12 * 365 * 24 * 60
	return newest.Add(-time.Duration((i%span*97+jitter)%span) * time.Minute)
}

// dateParts are the parts of dates that Go formats alike in all languages.
var dateParts = map[byte]string{
	'd': "2", 'm': "1", 'D': "02", 'N': "01", 'F': time.DateOnly, 'Y': "2006", 'H': "15", 'I': "3", 'M': "04",
}

// formatDate formats t by a pattern like that of strftime, with the names and
// digits of the language. Days and months have no leading zeros.
func (g *grammar) formatDate(t time.Time, pattern string) string {
	var b strings.Builder
	text, rest, _ := strings.Cut(pattern, "%")
	for b.WriteString(text); rest != ""; b.WriteString(text) {
		switch rest[0] {
		case 'J':
			b.WriteString(japaneseYear(t))
		case 'h':
			y, m, d := hijri(t)
			fmt.Fprintf(&b, "%d %s %d هـ", d, g.name("hijri", m-1, 1), y)
		case 'p':
			b.WriteString(cmp.Or(g.ui[t.Format("pm")], t.Format("PM")))
		case 'B':
			b.WriteString(g.name("months", int(t.Month())-1, 1))
		case 'b':
			b.WriteString(g.name("months", int(t.Month())-1, 2))
		case 'A':
			b.WriteString(g.name("weekdays", int(t.Weekday()), 1))
		default:
			b.WriteString(t.Format(dateParts[rest[0]]))
		}
		text, rest, _ = strings.Cut(rest[1:], "%")
	}
	return g.digits(b.String())
}

// japaneseYear returns the year with its era: 令和8年.
func japaneseYear(t time.Time) string {
	if t.Before(time.Date(2019, time.May, 1, 0, 0, 0, 0, t.Location())) {
		return fmt.Sprintf("平成%d年", t.Year()-1988)
	}
	return fmt.Sprintf("令和%d年", t.Year()-2018)
}

// hijri returns a date in the arithmetical Islamic calendar: years of 354 days, and
// eleven of thirty years have one more.
func hijri(t time.Time) (y, m, d int) {
	epoch := time.Date(622, time.July, 19, 0, 0, 0, 0, time.UTC) // Gregorian, of 16 July in the Julian calendar
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	n := int(day.Unix()/86400 - epoch.Unix()/86400)
	y = (30*n + 10646) / 10631
	first := (y-1)*354 + (3+11*y)/30
	m = min(12, (n-first)*2/59+1)
	return y, m, n - first - (59*(m-1)+1)/2 + 1
}

// name returns a field of entry i of a plain list such as the months.
func (g *grammar) name(rule string, i, n int) string {
	return field(g.rules[rule][i][0].text, n)
}
