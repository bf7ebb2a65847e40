package metadata

import (
	"strings"
	"time"
)

// ParseTime returns the time that a feed or a sitemap gives, in any of the forms of
// RFC 3339, RFC 1123 and RFC 850 and in the sloppy ones that sites write. A time
// without a zone is taken to be in UTC, and a day, a month or a year is its beginning.
func ParseTime(s string) (t time.Time, ok bool) {
	const longest = 100
	if s = strings.TrimSpace(s); s == "" || len(s) > longest {
		return time.Time{}, false
	}
	t, ok = parseLayouts(s)
	if !ok {
		var p dateParser
		d, found := p.parse(s)
		if found && d.DayOnly {
			if utc, ok := p.parse(s + " UTC"); ok {
				d = utc
			}
		}
		t, ok = d.Time, found
	}
	if !ok || t.Year() < firstYear || t.Year() > 2200 { // such as the zero of a database
		return time.Time{}, false
	}
	return t, true
}

// parseLayouts parses the most common forms, which is faster, and those that the
// parser of written dates does not know.
func parseLayouts(s string) (time.Time, bool) {
	for _, layout := range [...]string{time.RFC3339, time.DateOnly, "2006-01", "2006", time.ANSIC, time.RubyDate} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// PlainText returns the text of a title in a feed or sitemap in one line, without
// markup and entities.
func PlainText(s string) string { return cleanText(s) }
