package metadata

import (
	"time"

	"github.com/lede-news/lede/article"
)

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
