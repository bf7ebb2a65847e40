package main

import (
	"bytes"
	"path/filepath"
	"testing"
)

// TestFollowOnePerStory keeps one record of each story, and all pages in the archive.
func TestFollowOnePerStory(t *testing.T) {
	w := newFollowWorld(t, 3)
	dir := t.TempDir()
	out, index, archive := filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "stories.db"), filepath.Join(dir, "archive")
	w.run(t, w.follow("--out", out, "--stories", index, "--one-per-story", "--warc", archive)...)
	lines := readLines(t, out)
	seen := map[string]bool{}
	for _, l := range lines {
		if seen[l.Story] || l.Story == "" || l.CopyOf != "" {
			t.Errorf("%s is one more of story %q, or a copy of %q", l.ID, l.Story, l.CopyOf)
		}
		seen[l.Story] = true
	}
	stories := bytes.Count(exportStories(t, index), []byte("\n"))
	if pages := len(archivedPages(t, archive)); stories == 0 || len(lines) != stories || pages < len(lines) {
		t.Errorf("%d records of %d stories and %d pages", len(lines), stories, pages)
	}
}
