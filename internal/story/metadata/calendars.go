package metadata

import (
	_ "embed"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/page/lines"
)

// Calendars other than the Gregorian that newspapers print.
const (
	solarHijri = "solar" // Iran and Afghanistan
	hijri      = "hijri" // Islamic, by the moon
)

//go:embed data/calendars.txt
var calendarsFile string

// calendarMonth is a month of another calendar.
type calendarMonth struct {
	calendar string
	month    int
}

// calendarMonths has the names of the months of other calendars.
var calendarMonths = sync.OnceValue(func() map[string]calendarMonth {
	all := map[string]calendarMonth{}
	count := map[string]int{}
	for line := range lines.Data(calendarsFile) {
		calendar, names, _ := strings.Cut(line, " ")
		count[calendar]++
		for name := range strings.FieldsSeq(names) {
			all[name] = calendarMonth{calendar, count[calendar]}
		}
	}
	return all
})

// otherCalendar parses 13 رمضان 1447 and 11 اسفند 1404, which begin at token i with
// the day, and returns the Gregorian date.
func (p *dateParser) otherCalendar(i int) (y, m, d, next int) {
	at := i + 1
	month, ok := calendarMonths()[p.at(at).text]
	if !ok && p.at(at+1).kind == wordToken {
		month, ok = calendarMonths()[p.at(at).text+"_"+p.at(at+1).text]
		at++
	}
	at = p.skipSign(at+1, ",،")
	if !ok || !p.at(at).digits(4, 4) {
		return 0, 0, 0, 0
	}
	y, m, d = toGregorian(month.calendar, p.at(at).value, month.month, p.at(i).value)
	if y == 0 {
		return 0, 0, 0, 0
	}
	return y, m, d, at + 1
}

// gregorian converts a date that has the year of another calendar: on Thai pages that
// of Buddha, on Persian and Arabic pages that since the Hijra.
func (p *dateParser) gregorian(y, m, d int) (int, int, int) {
	const buddhist = 543
	switch {
	case p.thai && y >= firstYear+buddhist && y < 2700:
		return y - buddhist, m, d
	case p.islamic && y >= 1369 && y < 1410:
		return toGregorian(solarHijri, y, m, d)
	case p.islamic && y >= 1410 && y < 1480:
		return toGregorian(hijri, y, m, d)
	}
	return y, m, d
}

// toGregorian returns zeros if there is no such day.
func toGregorian(calendar string, y, m, d int) (int, int, int) {
	if y < 1300 || y > 1500 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, 0, 0
	}
	var days int // since 1 January 622
	if calendar == solarHijri {
		if m > 6 && d > 30 {
			return 0, 0, 0
		}
		// Eight leap years in 33 years; the first of these that matter is 1309.
		days = 79 + 365*(y-1) + (8*y+21)/33
		if m <= 7 {
			days += 31 * (m - 1)
		} else {
			days += 186 + 30*(m-7)
		}
	} else {
		if d > 30 {
			return 0, 0, 0
		}
		// The arithmetical calendar: eleven leap years in thirty. A printed date,
		// which follows the moon, may be a day away.
		days = 199 + (y-1)*354 + (3+11*y)/30 + (59*(m-1)+1)/2
	}
	t := time.Date(622, time.January, days+d, 0, 0, 0, 0, time.UTC)
	return t.Year(), int(t.Month()), t.Day()
}

// hanDate parses the dates that begin with a Han character: 令和6年5月3日,
// 民國113年5月3日 and 二〇二四年五月三日.
func (p *dateParser) hanDate(i int) (y, m, d, next int) {
	var at int
	switch first, second := p.at(i).text, p.at(i+1).text; {
	case first == "令" && second == "和":
		y, at = p.hanNumber(i + 2)
		y += 2018
	case first == "平" && second == "成":
		y, at = p.hanNumber(i + 2)
		y += 1988
	case first == "民" && (second == "國" || second == "国"):
		y, at = p.hanNumber(i + 2)
		y += 1911
	default:
		y, at = p.hanYear(i)
	}
	if at == 0 || p.at(at).text != "年" {
		return 0, 0, 0, 0
	}
	if m, at = p.hanNumber(at + 1); at == 0 || p.at(at).text != "月" {
		return 0, 0, 0, 0
	}
	if d, at = p.hanNumber(at + 1); at == 0 || !p.at(at).isWord("日", "号", "號") {
		return 0, 0, 0, 0
	}
	return y, m, d, at + 1
}

// hanDigits are the digits of years, and the two characters for ten and for the first
// year of an era.
var hanDigits = map[string]int{"〇": 0, "○": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "元": 1}

// hanYear parses 二〇二四. next is 0 if there is no year.
func (p *dateParser) hanYear(i int) (y, next int) {
	for k := range 4 {
		v, ok := hanDigits[p.at(i+k).text]
		if !ok {
			return 0, 0
		}
		y = 10*y + v
	}
	return y, i + 4
}

// hanNumber parses a number up to 99 in Han characters, or one to three digits.
// next is 0 if there is none.
func (p *dateParser) hanNumber(i int) (n, next int) {
	if p.at(i).digits(1, 3) {
		return p.at(i).value, i + 1
	}
	at := i
	if v, ok := hanDigits[p.at(at).text]; ok {
		n = v
		at++
	}
	if p.at(at).text == "十" {
		n = max(n, 1) * 10
		at++
		if v, ok := hanDigits[p.at(at).text]; ok {
			n += v
			at++
		}
	}
	if at == i {
		return 0, 0
	}
	return n, at
}
