package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestFollowArchive extracts the archive of lede follow again, which gives the same
// stories in the same order, with every version of a story and what was known when it
// was found.
func TestFollowArchive(t *testing.T) {
	testkit.SkipRace(t)
	w := newFollowWorld(t, 4)
	d := newFollowDirs(t.TempDir())
	args := append(d.args(), "--body", "md")
	for day := range 3 {
		if day > 0 {
			w.turn(t, d.state, 24*time.Hour)
		}
		w.run(t, w.follow(args...)...)
	}
	again := filepath.Join(t.TempDir(), "again.jsonl")
	files, _ := filepath.Glob(filepath.Join(d.archive, "*.warc.gz"))
	runTool(t, append([]string{"batch", "--out", again, "--body", "md", "--quiet"}, files...)...)
	want, got := readLines(t, d.out), readLines(t, again)
	if len(want) != len(got) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	changed := 0
	for i, l := range want {
		if l.Changed {
			changed++
		}
		if !strings.HasPrefix(got[i].ID, "urn:uuid:") || l.LinkText == "" {
			t.Errorf("record %s, link text %q", got[i].ID, l.LinkText)
		}
		g := got[i]
		same := reflect.DeepEqual(l.FoundBy, g.FoundBy) && l.LinkText == g.LinkText && l.FirstSeen == g.FirstSeen && l.Changed == g.Changed
		if l.URL != g.URL || l.Title != g.Title || g.Text == "" || !same {
			t.Errorf("%s:\n%+v\n%+v", l.URL, l, g)
		}
	}
	if changed == 0 {
		t.Error("no story was changed")
	}
}
