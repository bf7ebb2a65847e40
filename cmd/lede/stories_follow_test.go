package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestFollowStoriesKill kills lede follow with --stories at random moments. After each
// complete run the index has the articles of the output and no others, and the story of
// each record is found in it.
func TestFollowStoriesKill(t *testing.T) {
	testkit.SkipRace(t)
	w := newFollowWorld(t, 3)
	ref := &reference{w: w, dir: t.TempDir()}
	k := followKiller{w: w, dir: t.TempDir(), random: rand.New(rand.NewPCG(18, 17)), left: testkit.Kills(4, 1)}
	k.out = filepath.Join(k.dir, "out", "out.jsonl")
	index := filepath.Join(k.dir, "stories.db")
	k.more = []string{"--stories", index}
	for day := 0; k.left > 0 || day < 2; day++ {
		requests, want := ref.at(t, day)
		k.day(t, requests)
		k.check(t, want)
		written, known := map[string]bool{}, map[string]bool{}
		for line := range bytes.Lines(exportStories(t, index)) {
			var s storyLine
			if err := json.Unmarshal(line, &s); err != nil {
				t.Fatal(err)
			}
			for _, a := range s.Articles {
				known[a.ID] = true
			}
		}
		s, err := openForReading(index)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range readLines(t, k.out) {
			written[l.ID] = true
			if _, err := s.Find(t.Context(), l.Story); err != nil || l.StoryScore <= 0 {
				t.Errorf("%s has the story %q with the score %v: %v", l.ID, l.Story, l.StoryScore, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if !maps.Equal(written, known) {
			t.Errorf("%d articles in the output, %d in the index, or others", len(written), len(known))
		}
		w.turn(t, k.state(), 24*time.Hour)
	}
	t.Logf("%d kills, %d of them after the first commit of a run; %d complete runs, %d records", k.done, k.later, k.runs, k.records)
}

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
	// Stories may have been united since.
	if pages := len(archivedPages(t, archive)); stories == 0 || len(lines) < stories || pages < len(lines) {
		t.Errorf("%d records of %d stories and %d pages", len(lines), stories, pages)
	}
}
