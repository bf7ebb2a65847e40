package newsroom

import (
	"fmt"
	"strings"
	"time"
)

// newest is the day before which every story was published; no clock is read.
var newest = time.Date(2026, time.March, 2, 14, 5, 0, 0, time.UTC)

// when gives the time of story i: stories go back from newest and start again
// after twelve years, so that a site of a million pages stays in living memory.
func when(i, jitter int) time.Time {
	const span = 12 * 365 * 24 * 60
	return newest.Add(-time.Duration((i%span*97+jitter)%span) * time.Minute)
}

// formatDate writes t by a pattern in the manner of strftime, with the names
// and figures of the language. A day or month keeps no leading zero where the
// language writes none.
func (g *grammar) formatDate(t time.Time, pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' || i+1 == len(pattern) {
			b.WriteByte(pattern[i])
			continue
		}
		i++
		switch pattern[i] {
		case 'd':
			fmt.Fprint(&b, t.Day())
		case 'm':
			b.WriteString(t.Format("1"))
		case 'F':
			b.WriteString(t.Format(time.DateOnly))
		case 'Y':
			fmt.Fprint(&b, t.Year())
		case 'H':
			b.WriteString(t.Format("15"))
		case 'I':
			b.WriteString(t.Format("3"))
		case 'M':
			b.WriteString(t.Format("04"))
		case 'p':
			b.WriteString(t.Format("PM"))
		case 'B':
			b.WriteString(g.name("months", int(t.Month())-1, 1))
		case 'b':
			b.WriteString(g.name("months", int(t.Month())-1, 2))
		case 'A':
			b.WriteString(g.name("weekdays", int(t.Weekday()), 1))
		}
	}
	return g.digits(b.String())
}

// name returns one entry of a plain list such as the months.
func (g *grammar) name(rule string, i, n int) string {
	return field(g.rules[rule][i][0].text, n)
}
