package metadata

import (
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
)

// visibleDates are those that readers see: near the headline, else where the
// page's own names for its elements say that there is one.
func (p *page) visibleDates(cal *calendar) (published, modified article.Date) {
	take := func(text string) {
		// In a long row only the dateline at its beginning counts.
		const shortRow, early = 160, 60
		d, at := cal.find(clip(text, shortRow))
		if at < 0 || !p.possible(d) || len(text) > shortRow && at > early {
			return
		}
		switch {
		case saysUpdated(text[:at]):
			if modified.IsZero() {
				modified = d
			}
		case published.IsZero():
			published = d
		}
	}
	first, last := p.around()
	for _, row := range last.rows(p.d) {
		if take(row); !published.IsZero() {
			break
		}
	}
	if published.IsZero() {
		var rows []string
		for _, row := range first.rows(p.d) {
			rows = append(rows, row)
		}
		for _, row := range slices.Backward(rows) {
			take(row) // the nearest to the headline first
		}
	}
	if published.IsZero() {
		hints := p.dateHints()
		// After the headline, or else anywhere.
		for _, early := range [...]bool{false, true} {
			for _, n := range hints {
				if published.IsZero() && n < p.headline == early {
					take(p.d.Text(n))
				}
			}
		}
	}
	if published.IsZero() {
		p.labelledDates(take)
	}
	if published.IsZero() {
		published = modified
	}
	if published.IsZero() {
		published = p.onlyDate(cal)
	}
	return published, modified
}

// labelledDates takes the rows anywhere on the page that say what their date
// means: "Last updated: 3 May 2024".
func (p *page) labelledDates(take func(string)) {
	const shortRow = 80
	for _, row := range (stretch{0, len(p.d.AllText())}).rows(p.d) {
		if len(row) <= shortRow && hasDigit(row) && beginsWithLabel(row) {
			take(row)
		}
	}
}

// onlyDate is the day of all <time> and all rows that are a date and nothing
// else, if they agree.
func (p *page) onlyDate(cal *calendar) (only article.Date) {
	const shortRow, early = 32, 8
	agree := true
	see := func(text string) {
		d, at := cal.find(text)
		if at < 0 || at > early || !p.possible(d) || saysUpdated(text) {
			return
		}
		if only.IsZero() {
			only = d
		}
		agree = agree && only.Time.Format(time.DateOnly) == d.Time.Format(time.DateOnly)
	}
	for _, n := range p.times {
		see(p.timeText(n))
	}
	for _, row := range (stretch{0, len(p.d.AllText())}).rows(p.d) {
		if len(row) <= shortRow && agree {
			see(row)
		}
	}
	if !agree {
		return article.Date{}
	}
	return only
}

// printedDate is the date in a row of its own near the headline, with at most
// a word before it that does not say that it is the date of a change.
func (p *page) printedDate(cal *calendar) article.Date {
	const shortRow, early = 60, 24
	_, after := p.around()
	for _, row := range after.rows(p.d) {
		if len(row) > shortRow {
			continue
		}
		if d, at := cal.find(row); at >= 0 && at <= early && p.possible(d) && !saysUpdated(row) {
			return d
		}
	}
	return article.Date{}
}

// beginsWithLabel reports whether a row begins with a word for publication or
// for a change.
func beginsWithLabel(row string) bool {
	var low [64]byte
	begin := appendLower(low[:0], clip(row, 40))
	for _, list := range [...][]string{publishedWords(), updatedWords()} {
		for _, w := range list {
			if len(w) <= len(begin) && string(begin[:len(w)]) == w {
				return true
			}
		}
	}
	return false
}

// saysUpdated reports whether the words before a date end in one that means
// that the story was changed.
func saysUpdated(lead string) bool {
	lead = strings.ToLower(lead)
	if len(lead) > 60 {
		lead = lead[len(lead)-60:]
	}
	for _, w := range updatedWords() {
		if strings.Contains(lead, w) {
			return true
		}
	}
	return false
}
