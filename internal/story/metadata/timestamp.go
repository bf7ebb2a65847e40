package metadata

import (
	"strings"
	"time"
	"unicode"
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
		t, ok = parseWritten(s)
	}
	if !ok || t.Year() < firstYear || t.Year() > 2200 { // such as the zero of a database
		return time.Time{}, false
	}
	return t, true
}

// parseWritten parses what the parser of dates in pages knows. That takes a time of day
// without a zone for unknown, so it is given one.
func parseWritten(s string) (time.Time, bool) {
	var p dateParser
	d, ok := p.parse(s)
	if !ok || !d.DayOnly {
		return d.Time, ok
	}
	zone := "UTC"
	clock := strings.TrimRightFunc(s, unicode.IsLetter)
	if s[len(clock):] == "CST" {
		zone = "-0600" // RFC 822; in pages it may be that of China
	}
	for _, s := range [...]string{s + " " + zone, clock + " " + zone} { // the zone is missing, or unknown
		if utc, ok := p.parse(s); ok && !utc.DayOnly {
			return utc.Time, true
		}
	}
	return d.Time, true
}

// parseLayouts parses the most common forms, which is faster, and those that the
// parser of written dates does not know.
func parseLayouts(s string) (time.Time, bool) {
	for _, layout := range [...]string{time.RFC3339, time.DateOnly, "2006-01", "2006", time.ANSIC, time.UnixDate, time.RubyDate} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// PlainText returns the text of a title in a feed or sitemap in one line, without
// markup and entities.
func PlainText(s string) string { return cleanText(s) }
