package metadata

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// firstYear is that of the first news on the web, or a little before.
const firstYear = 1990

// calendar knows how the page's country writes dates.
type calendar struct {
	monthFirst bool    // 5/3/2024 is the third of May
	tokens     []token // room for those of one text after another
}

// find is the first date in a text, and where it begins; -1 if there is none.
func (c *calendar) find(s string) (article.Date, int) {
	if !hasDigit(s) {
		return article.Date{}, -1
	}
	if c.tokens == nil {
		const few = 32 // of most rows
		c.tokens = make([]token, 0, few)
	}
	c.tokens = appendTokens(c.tokens[:0], clip(s, 2000))
	r := dateReader{tokens: c.tokens, monthFirst: c.monthFirst}
	for i := range r.tokens {
		if date, ok := r.date(i); ok {
			return date, r.tokens[i].at
		}
	}
	return article.Date{}, -1
}

// machine reads a value that is meant to be a date and nothing else.
func (c *calendar) machine(s string) (article.Date, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 200 {
		return article.Date{}, false
	}
	if date, ok := unixDate(s); ok {
		return date, true
	}
	date, at := c.find(s)
	return date, at >= 0
}

// unixDate reads seconds or milliseconds since 1970.
func unixDate(s string) (article.Date, bool) {
	if len(s) != 10 && len(s) != 13 {
		return article.Date{}, false
	}
	var n int64
	for i := range len(s) {
		if !isDigit(s[i]) {
			return article.Date{}, false
		}
		if i < 10 {
			n = n*10 + int64(s[i]-'0')
		}
	}
	t := time.Unix(n, 0).UTC()
	return article.Date{Time: t}, t.Year() >= firstYear
}

// dateReader finds dates in tokens.
type dateReader struct {
	tokens     []token
	monthFirst bool
}

func (r *dateReader) at(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{}
	}
	return r.tokens[i]
}

// date reads a date that begins at token i.
func (r *dateReader) date(i int) (article.Date, bool) {
	if r.at(i).glued && r.at(i-1).kind == numberToken {
		return article.Date{}, false
	}
	y, m, d, next := r.day(i)
	if next == 0 {
		return article.Date{}, false
	}
	day := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y < firstYear || y > 2200 || m < 1 || m > 12 || day.Day() != d {
		return article.Date{}, false
	}
	if clock, zone, ok := r.clock(next); ok {
		at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, zone)
		return article.Date{Time: at.Add(clock)}, true
	}
	return article.Date{Time: day, DayOnly: true}, true
}

// day reads the day in any of its forms; next is the token after it, or 0.
func (r *dateReader) day(i int) (y, m, d, next int) {
	t := r.at(i)
	switch {
	case t.digits(4, 4):
		return r.yearFirst(i)
	case t.digits(8, 8): // 20240503
		if v := t.value; v/10000 >= firstYear {
			return v / 10000, v / 100 % 100, v % 100, i + 1
		}
	case t.digits(1, 2):
		if y, m, d, next = r.threeNumbers(i); next > 0 {
			return y, m, d, next
		}
		return r.dayMonthYear(i)
	case t.kind == wordToken && (r.at(i+1).kind == numberToken || r.at(i+2).kind == numberToken):
		return r.monthDayYear(i)
	}
	return 0, 0, 0, 0
}

// yearFirst reads 2024-05-03, 2024年5月3日, 2024년 5월 3일 and 2024 May 3.
func (r *dateReader) yearFirst(i int) (y, m, d, next int) {
	y = r.at(i).value
	switch t := r.at(i + 1); {
	case t.isSign("-/.‐–") && r.at(i+2).digits(1, 2) && r.at(i+3).text == t.text && r.at(i+4).digits(1, 2):
		return y, r.at(i + 2).value, r.at(i + 4).value, i + 5
	case t.isWord("年", "년") && r.at(i+2).digits(1, 2) && r.at(i+3).isWord("月", "월") && r.at(i+4).digits(1, 2):
		return y, r.at(i + 2).value, r.at(i + 4).value, i + 6
	}
	j := i + 1
	if r.at(j).isSign(".,-/") {
		j++
	}
	if m, j = r.month(j); m > 0 {
		if r.at(j).isSign("-/.") {
			j++
		}
		if r.at(j).digits(1, 2) {
			return y, m, r.at(j).value, j + 1
		}
	}
	return 0, 0, 0, 0
}

// threeNumbers reads 3.5.2024, 3/5/2024, 3-5-24.
func (r *dateReader) threeNumbers(i int) (y, m, d, next int) {
	a, sign, b, c := r.at(i), r.at(i+1), r.at(i+2), r.at(i+4)
	if !sign.isSign("./-") || !b.digits(1, 2) || r.at(i+3).text != sign.text || !(c.digits(4, 4) || c.digits(2, 2)) {
		return 0, 0, 0, 0
	}
	y = c.value
	if c.digits(2, 2) {
		if !c.glued || r.at(i+5).isSign("./-:") && r.at(i+5).glued {
			return 0, 0, 0, 0 // more than three numbers
		}
		y += 2000
		if c.value >= 90 {
			y -= 100
		}
	}
	d, m = a.value, b.value
	if m > 12 || r.monthFirst && d <= 12 && sign.text != "." {
		d, m = m, d
	}
	return y, m, d, i + 5
}

// dayMonthYear reads 3 May 2024, 3. Mai 2024, 3 de mayo de 2024, 3rd of May, 2024.
func (r *dateReader) dayMonthYear(i int) (y, m, d, next int) {
	j := i + 1
	if r.at(j).isWord("st", "nd", "rd", "th", "er", "ος", "η", "го", "º") && r.at(j).glued {
		j++
	}
	if r.at(j).isSign(".-/º°,") {
		j++
	}
	if r.at(j).isWord("of", "de", "di", "d", "ta") {
		j++
	}
	if m, j = r.month(j); m == 0 {
		return 0, 0, 0, 0
	}
	if r.at(j).isSign(".,-/'’") {
		j++
	}
	if r.at(j).isWord("de", "del", "of", "του") {
		j++
	}
	if y, j = r.year(j); y == 0 {
		return 0, 0, 0, 0
	}
	return y, m, r.at(i).value, j
}

// monthDayYear reads May 3, 2024 and May 3rd 2024.
func (r *dateReader) monthDayYear(i int) (y, m, d, next int) {
	m, j := r.month(i)
	if m == 0 {
		return 0, 0, 0, 0
	}
	if r.at(j).isSign(".-/") {
		j++
	}
	if !r.at(j).digits(1, 2) {
		return 0, 0, 0, 0
	}
	d = r.at(j).value
	j++
	if r.at(j).isWord("st", "nd", "rd", "th") && r.at(j).glued {
		j++
	}
	for r.at(j).isSign(",.-/'’") {
		j++
	}
	if y, j = r.year(j); y == 0 {
		return 0, 0, 0, 0
	}
	return y, m, d, j
}

// year reads a year of four digits, or of two after an apostrophe or a hyphen.
func (r *dateReader) year(j int) (y, next int) {
	switch t := r.at(j); {
	case t.digits(4, 4):
		return t.value, j + 1
	case t.digits(2, 2) && t.glued && r.at(j-1).isSign("-/'’"):
		return 2000 + t.value, j + 1
	}
	return 0, j
}

// month reads the name of a month, of one word or two.
func (r *dateReader) month(j int) (m, next int) {
	t := r.at(j)
	if t.kind != wordToken {
		return 0, j
	}
	if m := monthOf(t.text); m > 0 {
		return m, j + 1
	}
	if two := r.at(j + 1); two.kind == wordToken {
		if m := monthNames()[t.text+"_"+two.text]; m > 0 {
			return m, j + 2
		}
	}
	return 0, j
}

// clock reads the time of day after a date. Without a zone it is worth
// nothing: nobody knows which moment it means.
func (r *dateReader) clock(i int) (sinceMidnight time.Duration, zone *time.Location, ok bool) {
	// "T", "at", "um", a comma or a bar may stand before it.
	for skipped := 0; skipped < 4; skipped++ {
		t := r.at(i)
		if t.kind == numberToken || t.kind == endToken || t.kind == wordToken && utf8.RuneCountInString(t.text) > 4 {
			break
		}
		i++
	}
	hour, minute := r.at(i), r.at(i+2)
	if !hour.digits(1, 2) || !minute.digits(2, 2) || !(r.at(i+1).isSign(":.") || r.at(i+1).isWord("h")) {
		return r.compactClock(i)
	}
	sinceMidnight = time.Duration(hour.value)*time.Hour + time.Duration(minute.value)*time.Minute
	i += 3
	if r.at(i).isSign(":") && r.at(i+1).digits(2, 2) {
		sinceMidnight += time.Duration(r.at(i+1).value) * time.Second
		i += 2
		if r.at(i).isSign(".,") && r.at(i).glued && r.at(i+1).kind == numberToken && r.at(i+1).glued {
			sinceMidnight += fraction(r.at(i + 1).text)
			i += 2
		}
	}
	if half, next := r.half(i); next > i {
		sinceMidnight = sinceMidnight % (12 * time.Hour)
		sinceMidnight += half
		i = next
	}
	if hour.value > 24 || minute.value > 59 {
		return 0, nil, false
	}
	zone, ok = r.zone(i)
	return sinceMidnight, zone, ok
}

// compactClock reads the 154742Z of 20240503T154742Z.
func (r *dateReader) compactClock(i int) (time.Duration, *time.Location, bool) {
	t := r.at(i)
	if !t.digits(6, 6) && !t.digits(4, 4) || !t.glued {
		return 0, nil, false
	}
	v := t.value
	if t.digits(4, 4) {
		v *= 100
	}
	if v/10000 > 24 || v/100%100 > 59 {
		return 0, nil, false
	}
	zone, ok := r.zone(i + 1)
	return time.Duration(v/10000)*time.Hour + time.Duration(v/100%100)*time.Minute + time.Duration(v%100)*time.Second, zone, ok
}

// fraction is that of a second, to the millisecond.
func fraction(digits string) time.Duration {
	var ms time.Duration
	for i := range 3 {
		ms *= 10
		if i < len(digits) && isDigit(digits[i]) {
			ms += time.Duration(digits[i] - '0')
		}
	}
	return ms * time.Millisecond
}

// half reads am, pm, a.m. and p.m.; next is i if there is none of them.
func (r *dateReader) half(i int) (half time.Duration, next int) {
	t := r.at(i)
	if t.isWord("pm") || t.isWord("p") && r.at(i+2).isWord("m") {
		half = 12 * time.Hour
	}
	switch {
	case t.isWord("am", "pm"):
		return half, i + 1
	case t.isWord("a", "p") && r.at(i+1).isSign(".") && r.at(i+2).isWord("m"):
		i += 3
		if r.at(i).isSign(".") {
			i++
		}
		return half, i
	}
	return 0, i
}

// zone reads Z, +02:00, -0500, GMT, (CET), UTC+1.
func (r *dateReader) zone(i int) (*time.Location, bool) {
	if r.at(i).isSign("(,") || r.at(i).isWord("uhr") {
		i++
	}
	base, named := 0, false
	if t := r.at(i); t.kind == wordToken {
		if base, named = zoneNames()[strings.ToLower(t.text)]; named {
			i++
		}
	}
	if minutes, ok := r.offset(i, named); ok {
		return fixedZone(base + minutes), true
	}
	if !named {
		return nil, false
	}
	return fixedZone(base), true
}

// offset reads +02:00, +0200 and +02, and +2 after a name.
func (r *dateReader) offset(i int, named bool) (minutes int, ok bool) {
	sign, t := r.at(i), r.at(i+1)
	if !sign.isSign("+-−") || !t.glued {
		return 0, false
	}
	switch {
	case t.digits(4, 4):
		minutes = t.value/100*60 + t.value%100
	case t.digits(2, 2) && r.at(i+2).isSign(":") && r.at(i+3).digits(2, 2):
		minutes = t.value*60 + r.at(i+3).value
	case t.digits(2, 2) && sign.glued, named && t.digits(1, 2):
		minutes = t.value * 60
	default:
		return 0, false
	}
	if minutes > 14*60 {
		return 0, false
	}
	if sign.text != "+" {
		minutes = -minutes
	}
	return minutes, true
}

func fixedZone(minutes int) *time.Location {
	if minutes == 0 {
		return time.UTC
	}
	return time.FixedZone("", minutes*60)
}

// token is a number, a word or a sign of a text that may hold a date.
type token struct {
	text  string
	value int // of a number with at most nine digits
	at    int // where it begins
	kind  tokenKind
	glued bool // nothing stands between it and the token before
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	wordToken
	signToken
)

// appendTokens cuts a text into tokens. Han and Kana characters are words by themselves.
func appendTokens(out []token, s string) []token {
	const mostTokens = 400
	glued := false
	for i := 0; i < len(s) && len(out) < mostTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		t := token{glued: glued, at: i}
		glued = true
		switch {
		case unicode.IsSpace(r) || r == 0x200E || r == 0x200F || r == 0xFEFF:
			glued = false
			i += n
			continue
		case digitOf(r) >= 0:
			t.kind = numberToken
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				v := digitOf(r)
				if v < 0 {
					break
				}
				if end-i < 9 {
					t.value = t.value*10 + v
				}
				end += n
			}
			t.text = s[i:end]
		case ideograph(r):
			t.kind, t.text = wordToken, s[i:i+n]
		case unicode.IsLetter(r):
			t.kind = wordToken
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				if ideograph(r) || !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) {
					break
				}
				end += n
			}
			t.text = s[i:end]
		default:
			t.kind, t.text = signToken, s[i:i+n]
		}
		i += len(t.text)
		out = append(out, t)
	}
	return out
}

// hasDigit reports whether a text has a digit of digitOf.
func hasDigit(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if isDigit(c) {
				return true
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if digitOf(r) >= 0 {
			return true
		}
		i += n
	}
	return false
}

// digitOf is the value of a digit in the scripts that newspapers print dates
// in, or -1.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r < 0x660:
	case r <= 0x669: // Arabic
		return int(r - 0x660)
	case r >= 0x6F0 && r <= 0x6F9: // Persian
		return int(r - 0x6F0)
	case r >= '０' && r <= '９':
		return int(r - '０')
	}
	return -1
}

func (t token) isSign(signs string) bool {
	return t.kind == signToken && strings.Contains(signs, t.text)
}

func (t token) isWord(list ...string) bool {
	if t.kind != wordToken {
		return false
	}
	for _, w := range list {
		if strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// digits reports whether t is a number of so many digits.
func (t token) digits(least, most int) bool {
	if t.kind != numberToken {
		return false
	}
	n := utf8.RuneCountInString(t.text)
	return least <= n && n <= most
}

//go:embed data/months.txt
var monthsFile string

//go:embed data/zones.txt
var zonesFile string

//go:embed data/updated.txt
var updatedFile string

var monthNames = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for row := range dataRows(monthsFile) {
		f := strings.Fields(row)
		n, err := strconv.Atoi(f[0])
		if err != nil {
			panic("metadata: months.txt: " + row)
		}
		for _, name := range f[1:] {
			m[name] = n
		}
	}
	return m
})

var zoneNames = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for row := range dataRows(zonesFile) {
		name, minutes, _ := strings.Cut(row, " ")
		n, err := strconv.Atoi(minutes)
		if err != nil {
			panic("metadata: zones.txt: " + row)
		}
		m[name] = n
	}
	return m
})

//go:embed data/published.txt
var publishedFile string

var updatedWords = sync.OnceValue(func() []string { return slices.Collect(dataRows(updatedFile)) })

var publishedWords = sync.OnceValue(func() []string { return slices.Collect(dataRows(publishedFile)) })

// monthOf is the number of the month that a word names, or 0.
func monthOf(word string) int {
	var low [32]byte
	if n := monthNames()[string(appendLower(low[:0], word))]; n > 0 {
		return n
	}
	if isASCII(word) {
		return 0 // what follows is for other letters
	}
	word = strings.ToLower(word)
	if n := monthNames()[greekPlain.Replace(word)]; n > 0 {
		return n
	}
	// Hebrew puts the word for "in" before the name, as one word with it.
	if rest, ok := strings.CutPrefix(word, "ב"); ok {
		return monthNames()[rest]
	}
	return 0
}

// greekPlain drops the accents that capitals do not have. It is read only.
var greekPlain = strings.NewReplacer(
	"ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ϊ", "ι", "ΐ", "ι", "ό", "ο", "ύ", "υ", "ϋ", "υ", "ώ", "ω", "i̇", "i")
