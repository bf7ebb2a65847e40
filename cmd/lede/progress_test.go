package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/batch"
)

func someStats() batch.Stats {
	return batch.Stats{Done: 50, Failed: 3, Bytes: 5e6, Input: 1000,
		Errors: map[string]int{"empty": 2, "timeout": 1}, Types: map[string]int{"article": 47}, Langs: map[string]int{"en": 40, "a\"b": 7}}
}

func TestProgressLine(t *testing.T) {
	p := &progress{began: time.Now().Add(-10 * time.Second)}
	p.bytes.Store(4000)
	want := "50 pages  25%  5 pages/s  0.5 MB/s  30s left  3 failed (2 empty, 1 timeout)"
	if got := p.line(someStats()); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	p.bytes.Store(-1) // a pipe
	p.what = "learning"
	if got := p.line(someStats()); !strings.HasPrefix(got, "learning  50 pages  5 pages/s") || strings.Contains(got, "left") {
		t.Errorf("from a pipe: %q", got)
	}
	p.bytes.Store(4000)
	p.resumed(batch.Stats{Done: 40, Bytes: 4e6, Input: 900})
	p.began = p.began.Add(-10 * time.Second)
	if got := p.line(someStats()); !strings.Contains(got, "  1 pages/s  0.1 MB/s  5m0s left") {
		t.Errorf("resumed: %q", got)
	}
}

func TestProgressWithoutTerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newProgress(&out, false)
	p.printed = time.Now().Add(-time.Minute)
	for range 2 {
		p.update(someStats())
	}
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "lede: 50 pages  ") {
		t.Errorf("not one line: %q", got)
	}
	quiet := newProgress(&out, true)
	quiet.printed = time.Now().Add(-time.Minute)
	n := out.Len()
	if quiet.update(someStats()); out.Len() != n {
		t.Error("a line with --quiet")
	}
}
