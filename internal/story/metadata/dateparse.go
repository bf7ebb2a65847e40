package metadata

import (
	"bytes"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/page/lines"
)

// firstYear is the year of the first news on the web, with some margin.
const firstYear = 1990

// dateParser parses dates in many languages.
type dateParser struct {
	monthFirst bool    // 5/3/2024 is May 3
	islamic    bool    // years may count from the Hijra
	thai       bool    // years may count from the death of Buddha
	tokens     []token // of the current text; the memory is reused
}

// find returns the first date in a text and its position, or -1 if there is
// none.
func (p *dateParser) find(s string) (article.Date, int) {
	if !hasDigit(s) && !strings.Contains(s, "年") { // 二〇二四年
		return article.Date{}, -1
	}
	if p.tokens == nil {
		p.tokens = make([]token, 0, 32) // enough for most lines
	}
	p.tokens = appendTokens(p.tokens[:0], truncate(s, 2000))
	for i := range p.tokens {
		if p.tokens[i].kind == signToken {
			continue
		}
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

// at returns token i, or the zero token if there is none. It must not be changed.
func (p *dateParser) at(i int) *token {
	if i < 0 || i >= len(p.tokens) {
		return &noToken
	}
	return &p.tokens[i]
}

var noToken token // read only

// skipSign returns the token after i if that is one of the signs, or else i.
func (p *dateParser) skipSign(i int, signs string) int {
	if p.at(i).isSign(signs) {
		i++
	}
	return i
}

// date parses the date that begins at token i.
func (p *dateParser) date(i int) (article.Date, bool) {
	if p.at(i).glued && p.at(i-1).kind == numberToken {
		return article.Date{}, false
	}
	y, m, d, next := p.day(i)
	if next == 0 {
		y, m, d, next = p.yearLast(i)
	}
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

// day parses a day in any format. next is the token after it, or 0 if there is
// none.
func (p *dateParser) day(i int) (y, m, d, next int) {
	t := p.at(i)
	switch {
	case t.digits(4, 4):
		return p.yearFirst(i)
	case t.digits(8, 8): // 20240503
		if v := t.value; v/10000 >= firstYear {
			return v / 10000, v / 100 % 100, v % 100, i + 1
		}
	case t.digits(1, 2):
		if y, m, d, next = p.threeNumbers(i); next > 0 {
			return y, m, d, next
		}
		if y, m, d, next = p.dayMonthYear(i); next > 0 {
			return y, m, d, next
		}
		return p.otherCalendar(i)
	case t.kind == wordToken && isHanDateStart(t.text):
		return p.hanDate(i)
	case t.kind == wordToken && (p.at(i+1).kind == numberToken || p.at(i+2).kind == numberToken):
		return p.monthDayYear(i)
	}
	return 0, 0, 0, 0
}

// yearFirst parses 2024-05-03, 2024年5月3日, 2024년 5월 3일 and 2024 May 3.
func (p *dateParser) yearFirst(i int) (y, m, d, next int) {
	y = p.at(i).value
	switch t := p.at(i + 1); {
	case t.isSign("-/.‐–") && p.at(i+2).digits(1, 2) && p.at(i+3).text == t.text && p.at(i+4).digits(1, 2):
		return y, p.at(i + 2).value, p.at(i + 4).value, i + 5
	case t.isWord("年", "년") && p.at(i+2).digits(1, 2) && p.at(i+3).isWord("月", "월") && p.at(i+4).digits(1, 2):
		return y, p.at(i + 2).value, p.at(i + 4).value, i + 6
	}
	if m, j := p.month(p.skipSign(i+1, ".,-/")); m > 0 {
		if j = p.skipSign(j, "-/."); p.at(j).digits(1, 2) {
			return y, m, p.at(j).value, j + 1
		}
	}
	return 0, 0, 0, 0
}

// threeNumbers parses 3.5.2024, 3/5/2024 and 3-5-24.
func (p *dateParser) threeNumbers(i int) (y, m, d, next int) {
	a, sign, b, c := p.at(i), p.at(i+1), p.at(i+2), p.at(i+4)
	if !sign.isSign("./-") || !b.digits(1, 2) || p.at(i+3).text != sign.text || !(c.digits(4, 4) || c.digits(2, 2)) {
		return 0, 0, 0, 0
	}
	y = c.value
	if c.digits(2, 2) {
		clock := p.at(i+5).isSign("-") && p.at(i+6).digits(1, 2) && p.at(i+7).isSign(":") // 03/05/24-10:18
		if !c.glued || p.at(i+5).isSign("./-:") && p.at(i+5).glued && !clock {
			return 0, 0, 0, 0 // more than three numbers
		}
		y += 2000
		if c.value >= 90 {
			y -= 100
		}
	}
	d, m = a.value, b.value
	if m > 12 || p.monthFirst && d <= 12 && sign.text != "." {
		d, m = m, d
	}
	return y, m, d, i + 5
}

// dayMonthYear parses 3 May 2024, 3. Mai 2024, 3 de mayo de 2024, 3rd of May, 2024
// and 3 tháng 5 năm 2024.
func (p *dateParser) dayMonthYear(i int) (y, m, d, next int) {
	j := i + 1
	if p.at(j).isWord("st", "nd", "rd", "th", "er", "ος", "η", "го", "º") && p.at(j).glued {
		j++
	}
	j = p.skipSign(j, ".-/º°,")
	if p.at(j).isWord("of", "de", "di", "d", "ta") {
		j++
	}
	if p.at(j).isWord("tháng", "thg") && p.at(j+1).digits(1, 2) { // 3 tháng 5 năm 2024
		m, j = p.at(j+1).value, j+2
	} else if m, j = p.month(j); m == 0 {
		return 0, 0, 0, 0
	}
	j = p.skipSign(j, ".,-/'’")
	switch {
	case p.at(j).isWord("de", "del", "of", "του", "năm"):
		j++
	case p.at(j).isWord("พ") && p.at(j+2).isWord("ศ"): // พ.ศ. 2567
		j = p.skipSign(j+3, ".")
	}
	if y, j = p.year(j); y == 0 {
		return 0, 0, 0, 0
	}
	return y, m, p.at(i).value, j
}

// monthDayYear parses May 3, 2024 and May 3rd 2024.
func (p *dateParser) monthDayYear(i int) (y, m, d, next int) {
	m, j := p.month(i)
	j = p.skipSign(j, ".-/")
	if m == 0 || !p.at(j).digits(1, 2) {
		return 0, 0, 0, 0
	}
	d = p.at(j).value
	j++
	if p.at(j).isWord("st", "nd", "rd", "th") && p.at(j).glued {
		j++
	}
	for p.at(j).isSign(",.-/'’") {
		j++
	}
	if y, j = p.year(j); y == 0 {
		return 0, 0, 0, 0
	}
	return y, m, d, j
}

// yearLast parses Nov 23 16:00:00 EDT 2014. next is the token of the time of day.
func (p *dateParser) yearLast(i int) (y, m, d, next int) {
	m, j := p.month(i)
	if m == 0 || !p.at(j).digits(1, 2) || !p.at(j+1).digits(2, 2) || !p.at(j+2).isSign(":") {
		return 0, 0, 0, 0
	}
	const longest = 10 // tokens of 16:00:00 GMT+02:00
	for k := j + 4; k <= j+longest; k++ {
		if t := p.at(k); t.digits(4, 4) && !t.glued {
			return t.value, m, p.at(j).value, j + 1
		}
	}
	return 0, 0, 0, 0
}

// year parses a year of four digits, or of two after an apostrophe, hyphen or
// slash.
func (p *dateParser) year(j int) (y, next int) {
	switch t := p.at(j); {
	case t.digits(4, 4):
		return t.value, j + 1
	case t.digits(2, 2) && t.glued && p.at(j-1).isSign("-/'’"):
		return 2000 + t.value, j + 1
	}
	return 0, j
}

// month parses the name of a month, which may have two words.
func (p *dateParser) month(j int) (m, next int) {
	t := p.at(j)
	if t.kind != wordToken {
		return 0, j
	}
	if m := monthOf(t.text); m > 0 {
		return m, j + 1
	}
	if two := p.at(j + 1); two.kind == wordToken {
		if m := monthNames()[t.text+"_"+two.text]; m > 0 {
			return m, j + 2
		}
	}
	return 0, j
}

// clock parses the time of day after a date. ok is false if it has no zone,
// because the point in time is then unknown.
func (p *dateParser) clock(i int) (sinceMidnight time.Duration, zone *time.Location, ok bool) {
	// "T", "at", "um", a comma or a bar may precede it.
	for skipped := 0; skipped < 4; skipped++ {
		t := p.at(i)
		if t.kind == numberToken || t.kind == endToken || t.kind == wordToken && utf8.RuneCountInString(t.text) > 4 {
			break
		}
		i++
	}
	hour, minute := p.at(i), p.at(i+2)
	if !hour.digits(1, 2) || !minute.digits(2, 2) || !(p.at(i+1).isSign(":.") || p.at(i+1).isWord("h")) {
		return p.compactClock(i)
	}
	sinceMidnight = time.Duration(hour.value)*time.Hour + time.Duration(minute.value)*time.Minute
	i += 3
	if p.at(i).isSign(":") && p.at(i+1).digits(2, 2) {
		sinceMidnight += time.Duration(p.at(i+1).value) * time.Second
		i += 2
		if p.at(i).isSign(".,") && p.at(i).glued && p.at(i+1).kind == numberToken && p.at(i+1).glued {
			sinceMidnight += fraction(p.at(i + 1).text)
			i += 2
		}
	}
	if half, next := p.amPM(i); next > i {
		sinceMidnight = sinceMidnight%(12*time.Hour) + half
		i = next
	}
	if hour.value > 24 || minute.value > 59 {
		return 0, nil, false
	}
	zone, ok = p.zone(i)
	return sinceMidnight, zone, ok
}

// compactClock parses the 154742Z of 20240503T154742Z.
func (p *dateParser) compactClock(i int) (time.Duration, *time.Location, bool) {
	t := p.at(i)
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
	zone, ok := p.zone(i + 1)
	return time.Duration(v/10000)*time.Hour + time.Duration(v/100%100)*time.Minute + time.Duration(v%100)*time.Second, zone, ok
}

// fraction parses the fraction of a second, in milliseconds.
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

// amPM parses am, pm, a.m. and p.m. next is i if there is none of them.
func (p *dateParser) amPM(i int) (half time.Duration, next int) {
	t := p.at(i)
	if t.isWord("pm") || t.isWord("p") && p.at(i+2).isWord("m") {
		half = 12 * time.Hour
	}
	switch {
	case t.isWord("am", "pm"):
		return half, i + 1
	case t.isWord("a", "p") && p.at(i+1).isSign(".") && p.at(i+2).isWord("m"):
		return half, p.skipSign(i+3, ".")
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
		if base, named = zoneNames()[strings.ToLower(t.text)]; named {
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

// readNumbers reads a file that has a number and its names on each line.
func readNumbers(file string) map[string]int {
	m := map[string]int{}
	for line := range lines.Data(file) {
		f := strings.Fields(line)
		n, err := strconv.Atoi(f[0])
		if err != nil {
			panic("metadata: no number: " + line)
		}
		for _, name := range f[1:] {
			m[name] = n
		}
	}
	return m
}

// monthOf returns the number of the month that a word names, or 0.
func monthOf(word string) int {
	var room [32]byte
	low, names := appendLower(room[:0], word), monthNames()
	if n := names[string(low)]; n > 0 || len(low) == 0 {
		return n
	}
	// In Hebrew, "in" is a prefix of the name.
	if rest, ok := bytes.CutPrefix(low, []byte("ב")); ok {
		return names[string(rest)]
	}
	if low[0] == "ά"[0] || low[0] == "ώ"[0] || bytes.Contains(low, []byte("i̇")) {
		return names[unaccented.Replace(string(low))]
	}
	return 0
}

// unaccented removes the accents that Greek capitals do not have, and the dot that
// Turkish ones have.
var unaccented = strings.NewReplacer(
	"ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ϊ", "ι", "ΐ", "ι", "ό", "ο", "ύ", "υ", "ϋ", "υ", "ώ", "ω", "i̇", "i")
