package main

import (
	"io/fs"
	"maps"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/internal/newsroom"
)

// TestFollowAgain runs lede follow again with nothing new. It makes conditional
// requests only, none for robots.txt, and leaves outputs as they are.
func TestFollowAgain(t *testing.T) {
	w := newFollowWorld(t, 8)
	dir := t.TempDir()
	for _, out := range []string{"out.jsonl", "out.parquet"} {
		args := w.follow("--state", filepath.Join(dir, filepath.Base(out)+".db"), "--out", filepath.Join(dir, "out")+"/"+out, "--warc", filepath.Join(dir, "out", "archive", filepath.Base(out)))
		w.run(t, args...)
		w.run(t, args...) // forms of addresses that were learned may show more
		before := contents(t, filepath.Join(dir, "out"))
		w.press.ResetLog()
		w.run(t, args...)
		if !maps.Equal(before, contents(t, filepath.Join(dir, "out"))) {
			t.Errorf("%s: the outputs are not as they were", out)
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
