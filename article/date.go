package article

import (
	"fmt"
	"time"
)

// Date is a moment, or just a day when the page tells no more.
type Date struct {
	Time time.Time
	// DayOnly is set when the page gave no time of day.
	DayOnly bool
}

// IsZero reports whether there is no date at all.
func (d Date) IsZero() bool { return d.Time.IsZero() }

// String is RFC 3339, or the plain day (2006-01-02), or empty.
func (d Date) String() string {
	switch {
	case d.IsZero():
		return ""
	case d.DayOnly:
		return d.Time.Format(time.DateOnly)
	}
	return d.Time.Format(time.RFC3339)
}

// MarshalText writes what String gives.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Date) UnmarshalText(b []byte) error {
	s := string(b)
	if s == "" {
		*d = Date{}
		return nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		*d = Date{Time: t, DayOnly: true}
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("article: %q is neither a day (2006-01-02) nor RFC 3339", s)
	}
	*d = Date{Time: t}
	return nil
}
