package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
)

// visibleDates are those that readers see: near the headline, else where the
// page's own names for its elements say that there is one.
func (p *page) visibleDates(cal calendar) (published, modified article.Date) {
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
		published = modified
	}
	return published, modified
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
