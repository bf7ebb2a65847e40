package metadata

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
)

// firstYear is the year of the first news on the web, with some margin.
const firstYear = 1990

// dateParser parses dates in many languages.
type dateParser struct {
	monthFirst bool           // 5/3/2024 is May 3
	persian    bool           // years may be those of the solar Hijri calendar
	thai       bool           // years may count from the death of Buddha
	noZone     *time.Location // of a time without a zone; nil if the time is then unknown
	tokens     []token        // of the current text; the memory is reused
}

// find returns the first date in a text and its position, or -1 if there is
// none.
func (p *dateParser) find(s string) (article.Date, int) {
	if !hasDigit(s) {
		return article.Date{}, -1
	}
	p.tokens = appendTokens(p.tokens[:0], truncate(s, 2000))
	for i := range p.tokens {
		if date, ok := p.date(i); ok {
			return date, p.tokens[i].at
		}
	}
	return article.Date{}, -1
}

// parse returns the date in a value that should contain nothing else.
func (p *dateParser) parse(s string) (article.Date, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 200 {
		return article.Date{}, false
	}
	if date, ok := unixDate(s); ok {
		return date, true
	}
	date, at := p.find(s)
	return date, at >= 0
}

// unixDate parses seconds or milliseconds since 1970.
func unixDate(s string) (article.Date, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil || len(s) != 10 && len(s) != 13:
		return article.Date{}, false
	case len(s) == 13:
		n /= 1000
	}
	t := time.Unix(n, 0).UTC()
	return article.Date{Time: t}, t.Year() >= firstYear
}

// at returns token i, or the zero token if there is none. It must not be changed.
func (p *dateParser) at(i int) *token {
	if i < 0 || i >= len(p.tokens) {
		return &noToken
	}
	return &p.tokens[i]
}

var noToken token // read only

// date parses the date that begins at token i.
func (p *dateParser) date(i int) (article.Date, bool) {
	if t := p.at(i); t.kind == signToken || t.glued && p.at(i-1).kind == numberToken {
		return article.Date{}, false
	}
	y, m, d, next := p.day(i)
	if next == 0 {
		return article.Date{}, false
	}
	y, m, d = p.gregorian(y, m, d)
	day := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y < firstYear || y > 2200 || m < 1 || m > 12 || day.Day() != d {
		return article.Date{}, false
	}
	if clock, zone, ok := p.clock(next); ok {
		at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, zone)
		return article.Date{Time: at.Add(clock)}, true
	}
	return article.Date{Time: day, DayOnly: true}, true
}

// day parses a day in any format: three fields with separators between them. next is the token
// after it, or 0 if there is none.
func (p *dateParser) day(i int) (y, m, d, next int) {
	if t := p.at(i); t.digits(8, 8) { // 20240503
		return t.value / 10000, t.value / 100 % 100, t.value % 100, i + 1
	}
	a, j := p.field(i)
	if a.kind == noField {
		return 0, 0, 0, 0 // most words
	}
	sep, j := p.separator(j)
	b, j := p.field(j)
	if b.kind == noField {
		return 0, 0, 0, 0
	}
	sep2, j := p.separator(j)
	c, next := p.field(j)
	if c.kind == noField {
		return 0, 0, 0, 0
	}
	numbers := sep != "" && (sep == sep2 && strings.Contains("./-‐–", sep) || slices.Contains([]string{"年", "년", "tháng", "thg"}, sep))
	switch kinds := [...]fieldKind{a.kind, b.kind, c.kind}; {
	case kinds == [...]fieldKind{yearField, smallField, smallField} && numbers, // 2024-05-03, 2024年5月3日
		kinds == [...]fieldKind{yearField, monthField, smallField}: // 2024 May 3
		if p.at(next).isWord("日", "일", "号", "號") {
			next++
		}
		return a.value, b.value, c.value, next
	case kinds == [...]fieldKind{smallField, monthField, yearField}: // 3 May 2024
		return c.value, b.value, a.value, next
	case kinds == [...]fieldKind{monthField, smallField, yearField}: // May 3, 2024
		return c.value, a.value, b.value, next
	case a.kind == monthField && p.at(next).isSign(":"): // Nov 23 16:00:00 EDT 2014
		const longest = 9 // tokens of 16:00:00 GMT+02:00
		for k := next + 2; k < next+longest; k++ {
			if t := p.at(k); t.digits(4, 4) && !t.glued {
				return t.value, a.value, b.value, j
			}
		}
	case c.kind == smallField && !p.isShortYear(next-1):
	case kinds == [...]fieldKind{smallField, monthField, smallField}: // 3-May-24
		return shortYear(c.value), b.value, a.value, next
	case a.kind == smallField && b.kind == smallField && numbers: // 3.5.2024, 3/5/24, 3 tháng 5 năm 2024
		y, m, d = c.value, b.value, a.value
		if c.kind == smallField {
			y = shortYear(y)
		}
		if m > 12 || p.monthFirst && d <= 12 && sep != "." {
			d, m = m, d
		}
		return y, m, d, next
	}
	return 0, 0, 0, 0
}

// field is a part of a date.
type field struct {
	kind  fieldKind
	value int
}

type fieldKind uint8

const (
	noField    fieldKind = iota
	smallField           // a number of one or two digits
	yearField            // a number of four digits
	monthField           // the name of a month
)

// field parses the field at token i. next is i if there is none.
func (p *dateParser) field(i int) (f field, next int) {
	t := p.at(i)
	switch {
	case t.digits(1, 2):
		return field{smallField, t.value}, i + 1
	case t.digits(4, 4):
		return field{yearField, t.value}, i + 1
	case t.kind == wordToken:
		if m := monthOf(t.text); m > 0 {
			return field{monthField, m}, i + 1
		}
		if two := p.at(i + 1); two.kind == wordToken {
			if m := monthOf(t.text, two.text); m > 0 {
				return field{monthField, m}, i + 2
			}
		}
	}
	return field{}, i
}

// separator skips what may stand between two fields: signs, the endings of ordinal numbers, and
// words such as "of". It returns the first of them that is not such an ending.
func (p *dateParser) separator(i int) (first string, next int) {
	const most = 5 // พ.ศ. and a comma
	for n := 0; n < most; n++ {
		t := p.at(i + n)
		switch {
		case t.glued && t.isWord("st", "nd", "rd", "th", "er", "ος", "η", "го", "º"):
			continue
		case t.isSign("./-‐–,،'’°"),
			t.isWord("of", "de", "del", "di", "d", "ta", "του", "năm", "tháng", "thg", "年", "月", "년", "월", "พ", "ศ"):
			if first == "" {
				first = t.text
			}
		default:
			return first, i + n
		}
	}
	return first, i + most
}

// isShortYear reports whether token i, of two digits, is a year: it follows a sign, and no further
// number is joined to it, except a time of day (03/05/24-10:18).
func (p *dateParser) isShortYear(i int) bool {
	after := p.at(i + 1)
	clock := after.isSign("-") && p.at(i+2).digits(1, 2) && p.at(i+3).isSign(":")
	return p.at(i).digits(2, 2) && p.at(i).glued && p.at(i-1).isSign("./-'’") && (clock || !after.isSign("./-:") || !after.glued)
}

// shortYear returns the year of two digits.
func shortYear(y int) int {
	if y >= firstYear%100 {
		return 1900 + y
	}
	return 2000 + y
}

// gregorian converts a date that has the year of another calendar: on Thai pages that
// of Buddha, on Persian pages the solar Hijri one.
func (p *dateParser) gregorian(y, m, d int) (int, int, int) {
	const buddhist = 543
	switch {
	case p.thai && y >= firstYear+buddhist:
		return y - buddhist, m, d
	case p.persian && y >= 1369 && y < 1480 && m >= 1 && m <= 12 && d <= 31 && (m <= 6 || d <= 30):
		// Eight leap years in 33 years; the first of these that matter is 1309. Six months have 31 days.
		days := 79 + 365*(y-1) + (8*y+21)/33 + 30*(m-1) + min(m-1, 6) + d // since 1 January 622
		t := time.Date(622, time.January, days, 0, 0, 0, 0, time.UTC)
		return t.Year(), int(t.Month()), t.Day()
	}
	return y, m, d
}

// clock parses the time of day after a date. ok is false if the point in time is unknown.
func (p *dateParser) clock(i int) (sinceMidnight time.Duration, zone *time.Location, ok bool) {
	// "T", "at", "um", a comma or a bar may precede it.
	for skipped := 0; skipped < 4; skipped++ {
		t := p.at(i)
		if t.kind == numberToken || t.kind == endToken || t.kind == wordToken && utf8.RuneCountInString(t.text) > 4 {
			break
		}
		i++
	}
	hour, minute, second := p.at(i).value, p.at(i+2).value, 0
	switch {
	case p.at(i).digits(1, 2) && p.at(i+2).digits(2, 2) && (p.at(i+1).isSign(":.") || p.at(i+1).isWord("h")):
		if i += 3; p.at(i).isSign(":") && p.at(i+1).digits(2, 2) {
			second = p.at(i + 1).value
			if i += 2; p.at(i).isSign(".,") && p.at(i+1).kind == numberToken && p.at(i+1).glued {
				i += 2 // a fraction
			}
		}
	case p.at(i).glued && p.at(i).digits(6, 6): // 20240503T154742Z
		hour, minute, second = p.at(i).value/10000, p.at(i).value/100%100, p.at(i).value%100
		i++
	case p.at(i).glued && p.at(i).digits(4, 4): // 20240503T1547Z
		hour, minute = p.at(i).value/100, p.at(i).value%100
		i++
	default:
		return 0, nil, false
	}
	if hour > 24 || minute > 59 {
		return 0, nil, false
	}
	if half, next := p.amPM(i); next > i {
		hour, i = hour%12+half, next
	}
	if zone, ok = p.zone(i); !ok {
		zone, ok = p.noZone, p.noZone != nil
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second, zone, ok
}

// amPM parses am, pm, a.m. and p.m. next is i if there is none of them.
func (p *dateParser) amPM(i int) (half, next int) {
	t := p.at(i)
	if t.isWord("pm", "p") {
		half = 12
	}
	switch {
	case t.isWord("am", "pm"):
		return half, i + 1
	case t.isWord("a", "p") && p.at(i+1).isSign(".") && p.at(i+2).isWord("m"):
		if p.at(i + 3).isSign(".") {
			i++
		}
		return half, i + 3
	}
	return 0, i
}

// zone parses Z, +02:00, -0500, GMT, (CET) and UTC+1.
func (p *dateParser) zone(i int) (*time.Location, bool) {
	if p.at(i).isSign("(,") || p.at(i).isWord("uhr") {
		i++
	}
	base, named := 0, false
	if t := p.at(i); t.kind == wordToken {
		if base, named = zoneNames()[words.Fold(t.text)]; named {
			i++
		}
	}
	if minutes, ok := p.offset(i, named); ok {
		return fixedZone(base + minutes), true
	}
	if !named {
		return nil, false
	}
	return fixedZone(base), true
}

// offset parses +02:00, +0200 and +02, and +2 after the name of a zone.
func (p *dateParser) offset(i int, named bool) (minutes int, ok bool) {
	sign, t := p.at(i), p.at(i+1)
	if !sign.isSign("+-−") || !t.glued {
		return 0, false
	}
	switch {
	case t.digits(4, 4):
		minutes = t.value/100*60 + t.value%100
	case t.digits(2, 2) && p.at(i+2).isSign(":") && p.at(i+3).digits(2, 2):
		minutes = t.value*60 + p.at(i+3).value
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

var (
	//go:embed data/months.txt
	monthsFile string
	//go:embed data/zones.txt
	zonesFile string
	//go:embed data/updated.txt
	updatedFile string
	//go:embed data/published.txt
	publishedFile string
)

var (
	monthNames = sync.OnceValue(func() map[string]int { return readNumbers(monthsFile) })
	zoneNames  = sync.OnceValue(func() map[string]int { return readNumbers(zonesFile) })

	updatedWords   = sync.OnceValue(func() []string { return slices.Collect(lines.Data(updatedFile)) })
	publishedWords = sync.OnceValue(func() []string { return slices.Collect(lines.Data(publishedFile)) })
)

// readNumbers reads a file that has a number and its names on each line. Names are folded.
func readNumbers(file string) map[string]int {
	m := map[string]int{}
	for line := range lines.Data(file) {
		f := strings.Fields(line)
		n, err := strconv.Atoi(f[0])
		if err != nil {
			panic("metadata: no number: " + line)
		}
		for _, name := range f[1:] {
			m[words.Fold(name)] = n
		}
	}
	return m
}

// monthOf returns the number of the month that a word or several name, or 0.
func monthOf(parts ...string) int {
	var room [64]byte
	name := room[:0]
	for _, part := range parts {
		name = words.AppendFold(name, part)
	}
	return monthNames()[string(name)]
}
