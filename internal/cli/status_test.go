package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	var out bytes.Buffer
	s := &Status{W: NewConsole(&out), Live: true}
	last := func() string { return out.String()[strings.LastIndex(out.String(), "\r"):] }
	s.Step("reading", 10, 200, "pages")
	if got, want := last(), "\r\x1b[Kreading  10/200 pages    5%"; got != want {
		t.Errorf("at the beginning: %q, want %q", got, want)
	}
	s.since, s.last = time.Now().Add(-20*time.Second), time.Time{}
	s.Step("reading", 110, 200, "pages")
	if got, want := last(), "\r\x1b[Kreading  110/200 pages   55%  5.0 pages/s  18s left"; got != want {
		t.Errorf("later: %q, want %q", got, want)
	}
	n := out.Len()
	s.last = time.Now().Add(time.Hour) // as if a line had just been written
	if s.Step("reading", 111, 200, "pages"); out.Len() != n {
		t.Error("two lines at once")
	}
	if s.Step("training", 0, 3, ""); last() != "\r\x1b[Ktraining  0/3    0%" {
		t.Errorf("the next step: %q", last())
	}
	if s.Clear(); last() != "\r\x1b[K" {
		t.Errorf("cleared: %q", last())
	}
	quiet := NewStatus(&out)
	n = out.Len()
	quiet.Step("reading", 1, 2, "pages")
	quiet.Clear()
	if out.Len() != n {
		t.Error("a line where there is no terminal")
	}
}
