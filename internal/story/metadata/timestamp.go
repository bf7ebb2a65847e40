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
	for _, layout := range [...]string{time.RFC3339, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, isPlausibleYear(t)
		}
	}
	p := dateParser{noZone: time.UTC}
	if strings.HasSuffix(s, "CST") {
		p.noZone = time.FixedZone("", -6*60*60) // RFC 822; in pages it may be that of China
	}
	d, ok := p.parse(s)
	return d.Time, ok && isPlausibleYear(d.Time)
}

// isPlausibleYear rejects such times as the zero of a database.
func isPlausibleYear(t time.Time) bool { return t.Year() >= firstYear && t.Year() <= 2200 }

// PlainText returns the text of a title in a feed or sitemap in one line, without
// markup and entities.
func PlainText(s string) string { return cleanText(s) }
