package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestFollowAgain runs lede follow again with nothing new. It makes conditional
// requests only, none for robots.txt, and leaves outputs as they are.
func TestFollowAgain(t *testing.T) {
	testkit.SkipRace(t)
	w := newFollowWorld(t, 4)
	dir := t.TempDir()
	args := w.follow("--state", filepath.Join(dir, "follow.db"), "--out", filepath.Join(dir, "out", "out.jsonl"), "--warc", filepath.Join(dir, "out", "archive"))
	w.run(t, args...)
	w.run(t, args...) // forms of addresses that were learned may show more
	before := contents(t, filepath.Join(dir, "out"))
	w.press.ResetLog()
	w.run(t, args...)
	if !maps.Equal(before, contents(t, filepath.Join(dir, "out"))) {
		t.Error("the outputs are not as they were")
	}
	conditional := 0
	for _, r := range w.press.Log() {
		if r.Possible && !r.Conditional || r.Kind == newsroom.RobotsPage || r.Kind == newsroom.StoryPage {
			t.Errorf("%s%s: a %s page, conditional: %v", r.Host, r.Path, r.Kind, r.Conditional)
		}
		if r.Conditional {
			conditional++
		}
	}
	if conditional < len(w.sites) {
		t.Errorf("%d conditional requests to %d sites", conditional, len(w.sites))
	}
}

// contents returns the files below a folder with their contents.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files[path] = string(readFile(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFollowDamaged damages the state of lede follow. It is kept under another name,
// which is said, a new one is begun, and the outputs keep what they have.
func TestFollowDamaged(t *testing.T) {
	testkit.SkipRace(t)
	w := newFollowWorld(t, 1)
	dir := t.TempDir()
	state, out, archive := filepath.Join(dir, "follow.db"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "archive")
	args := w.follow("--state", state, "--out", out, "--warc", archive)
	w.run(t, args...)
	pages, lines := archivedPages(t, archive), readLines(t, out)
	if err := os.WriteFile(state, bytes.Repeat([]byte("words "), 2000), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := w.tool(t, args...).CombinedOutput()
	if err != nil || strings.Count(string(b), "\n") != 1 || !strings.Contains(string(b), "the state file was damaged; it is kept as ") {
		t.Fatalf("%v: %s", err, b)
	}
	if got := readLines(t, out); len(got) != 2*len(lines) || !reflect.DeepEqual(got[:len(lines)], lines) {
		t.Errorf("%d records became %d", len(lines), len(got))
	}
	if got := archivedPages(t, archive); len(got) != 2*len(pages) || !slices.Equal(got[:len(pages)], pages) {
		t.Errorf("%d pages in the archive became %d", len(pages), len(got))
	}
}
