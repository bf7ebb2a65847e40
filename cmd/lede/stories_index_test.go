package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// storyLines returns the lines of articles, without the fields of stories.
func storyLines(list []newsroom.WireArticle) (lines []batch.Line) {
	for _, a := range list {
		lines = append(lines, batch.Line{ID: a.ID, URL: a.URL, Site: a.Site, Title: a.Title, Text: a.Text, Lang: a.Lang, Type: "article",
			Date: a.Published.Format("2006-01-02T15:04:05Z07:00")})
	}
	return lines
}

// crashAfter places lines as a batch does that is killed again and again after the
// index was committed and before the journal was, and returns what it said in the end.
func crashAfter(t *testing.T, lines []batch.Line, step, lost int, withTold bool) (said []string) {
	t.Helper()
	dir := t.TempDir()
	f := storyFlags{stories: filepath.Join(dir, "stories.db"), onePerStory: true}
	done := 0
	for done < len(lines) {
		x, err := f.open()
		if err != nil {
			t.Fatal(err)
		}
		if withTold {
			if x.told, err = openTold(filepath.Join(dir, "told"), int64(done)); err != nil {
				t.Fatal(err)
			}
		}
		var part []string
		for _, l := range lines[done:min(done+step, len(lines))] {
			keep, err := x.place(&l, x.prepareLine(&l))
			if err != nil {
				t.Fatal(err)
			}
			text := l.ID + " " + l.Story + " " + l.CopyOf
			if !keep {
				text += " left out"
			}
			part = append(part, text)
			if len(part) == step-lost && withTold { // a commit that reaches the journal
				if err := x.told.commit(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if withTold {
			if err := x.told.file.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if done+len(part) < len(lines) {
			part = part[:len(part)-lost]
		}
		done += len(part)
		said = append(said, part...)
	}
	return said
}

// A result that is not in the journal has the same fields when it is done again, even
// if the index has learned meanwhile that it is a copy of a later one.
func TestToldStories(t *testing.T) {
	testkit.SkipRace(t)
	lines := storyLines(wireArticles(160, 5))
	want := strings.Join(crashAfter(t, lines, len(lines), 0, false), "\n")
	for _, lost := range []int{1, 20, 35} {
		if got := strings.Join(crashAfter(t, lines, 40, lost, true), "\n"); got != want {
			t.Errorf("with %d results lost in each crash, others than without crashes", lost)
		}
	}
	if got := strings.Join(crashAfter(t, lines, 40, 35, false), "\n"); got == want {
		t.Error("without the file there is no difference: the test shows nothing")
	}
}

func TestToldStoriesDamaged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told")
	told, err := openTold(file, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c"} {
		if _, err := told.next(toldStory{ID: id, Story: "old"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := told.file.Close(); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, file)
	writeTestFile(t, file, text[:len(text)-5]) // a crash has cut the last line off
	if told, err = openTold(file, 1); err != nil {
		t.Fatal(err)
	}
	defer told.file.Close()
	for _, c := range []struct{ id, want string }{{"b", "old"}, {"c", "new"}, {"d", "new"}} {
		s, err := told.next(toldStory{ID: c.id, Story: "new"})
		if err != nil || s.Story != c.want || s.ID != c.id {
			t.Errorf("%s: %+v, %v", c.id, s, err)
		}
	}
	if _, err := openTold(filepath.Join(file, "below a file"), 0); err == nil || !strings.Contains(err.Error(), "cannot write the result") {
		t.Error(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
