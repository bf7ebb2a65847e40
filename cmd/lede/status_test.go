package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
)

func TestStatusLine(t *testing.T) {
	for _, c := range []struct {
		line statusLine
		want string
	}{
		{statusLine{what: "measuring", done: 50, total: 200, unit: "pages", share: 0.25, speed: "5.0 pages/s", left: 30 * time.Second}, "measuring  50/200 pages   25%  5.0 pages/s  30s left"},
		{statusLine{what: "features", done: 3, total: 4, share: 0.75, left: -1}, "features  3/4   75%"},
		{statusLine{what: "all pages, search 1 of 2", done: 7, unit: "evaluations", share: -1, left: -1, more: []string{"round 2", "best 0.9753"}},
			"all pages, search 1 of 2  7 evaluations  round 2  best 0.9753"},
		{statusLine{done: 9, unit: "pages", share: -1, left: -1}, "9 pages"},
	} {
		if got := c.line.String(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestStatus(t *testing.T) {
	var out bytes.Buffer
	s := &status{w: newConsole(&out), live: true}
	last := func() string { return out.String()[strings.LastIndex(out.String(), "\r"):] }
	s.step("reading", 10, 200, "pages")
	if got, want := last(), "\r\x1b[Kreading  10/200 pages    5%"; got != want {
		t.Errorf("at the beginning: %q, want %q", got, want)
	}
	s.since, s.last = time.Now().Add(-20*time.Second), time.Time{}
	s.step("reading", 110, 200, "pages")
	if got, want := last(), "\r\x1b[Kreading  110/200 pages   55%  5.0 pages/s  18s left"; got != want {
		t.Errorf("later: %q, want %q", got, want)
	}
	n := out.Len()
	s.last = time.Now().Add(time.Hour) // as if a line had just been written
	if s.step("reading", 111, 200, "pages"); out.Len() != n {
		t.Error("two lines at once")
	}
	if s.step("training", 0, 3, ""); last() != "\r\x1b[Ktraining  0/3    0%" {
		t.Errorf("the next step: %q", last())
	}
	if s.clear(); last() != "\r\x1b[K" {
		t.Errorf("cleared: %q", last())
	}
	quiet := newStatus(&out)
	n = out.Len()
	quiet.step("reading", 1, 2, "pages")
	quiet.clear()
	if out.Len() != n {
		t.Error("a line where there is no terminal")
	}
}

// Where standard error is no terminal, commands print their messages and no escape codes.
func TestNoProgressWithoutTerminal(t *testing.T) {
	dir := t.TempDir()
	if err := newsroom.New(1).Write(dir, newsroom.WriteOptions{Pages: 1, Sites: []string{"marston-gazette", "le-fanal"}}); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"eval DIR", "tune nce DIR --folds=1 --rounds=1 --restarts=0", "train story DIR --trees=3 --out=DIR/m.bin", "train wrapper DIR --out=DIR/m.json",
		"site learn DIR --site-store=DIR/sites.db", "newsroom write --pages=1 DIR/more.warc.gz", "batch DIR --out=DIR/out.jsonl",
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(strings.ReplaceAll(args, "DIR", dir)), strings.NewReader(""), &out, &errs); code != exitOK {
			t.Errorf("%s: status %d: %s", args, code, errs.String())
		}
		if strings.ContainsAny(errs.String(), "\r\x1b") {
			t.Errorf("%s: %q", args, errs.String())
		}
	}
}
