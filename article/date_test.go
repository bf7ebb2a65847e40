package article

import (
	"testing"
	"time"
)

func TestDateRoundTrip(t *testing.T) {
	for _, s := range []string{
		"", "2024-05-01", "1999-12-31", "2024-02-29", "2024-05-01T09:30:00Z", "2024-05-01T23:59:59+05:30", "2024-05-01T00:00:00-04:00",
	} {
		var d Date
		if err := d.UnmarshalText([]byte(s)); err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if d.String() != s {
			t.Errorf("%q came back as %q", s, d)
		}
		if d.IsZero() != (s == "") || d.DayOnly != (len(s) == 10) {
			t.Errorf("%q: zero %v, day only %v", s, d.IsZero(), d.DayOnly)
		}
		text, err := d.MarshalText()
		if err != nil || string(text) != s {
			t.Errorf("%q is written as %q (%v)", s, text, err)
		}
	}
}

func TestDateReadsFractions(t *testing.T) {
	var d Date
	if err := d.UnmarshalText([]byte("2024-05-01T09:30:00.25Z")); err != nil {
		t.Fatal(err)
	}
	if got := d.String(); got != "2024-05-01T09:30:00Z" {
		t.Errorf("got %q", got)
	}
}

func TestDateIsTheDayWhereThePageIs(t *testing.T) {
	d := Date{Time: time.Date(2024, 5, 1, 1, 0, 0, 0, time.FixedZone("", 7200)), DayOnly: true}
	if got := d.String(); got != "2024-05-01" {
		t.Errorf("got %q", got)
	}
}

func TestDateErrors(t *testing.T) {
	for _, s := range []string{"yesterday", "2024-13-01", "2024-02-30", "01.05.2024", "2024-05-01T09:30", " 2024-05-01"} {
		d := Date{DayOnly: true}
		if err := d.UnmarshalText([]byte(s)); err == nil {
			t.Errorf("%q is taken for %v", s, d)
		}
		if !d.DayOnly {
			t.Errorf("%q: the date changed on an error", s)
		}
	}
}
