package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/stories"
)

func TestNames(t *testing.T) {
	s, err := Open(t.TempDir()+"/s.db", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []string
	for i := range 40 {
		a := &stories.Article{ID: fmt.Sprint(i), Title: fmt.Sprintf("Title%d of%d", i, i), Text: fmt.Sprintf("word%d thing%d place%d", i, i*7, i*11), Lang: "en"}
		m, err := s.Add(t.Context(), s.Prepare(a))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.Story)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	var summaries []string
	for summary, err := range s.Summaries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		story, err := s.Story(t.Context(), summary.ID)
		if err != nil || summary.Articles != story.Articles || !summary.Start.Equal(story.Start) || !summary.End.Equal(story.End) {
			t.Errorf("%+v, the story is of %v to %v with %d articles: %v", summary, story.Start, story.End, story.Articles, err)
		}
		summaries = append(summaries, summary.ID)
	}
	if !slices.Equal(summaries, all) {
		t.Errorf("%d summaries, want %d", len(summaries), len(all))
	}
	for range s.Summaries(t.Context()) {
		break // which must end it
	}
	names := func(prefix string, n int) []string {
		list, err := s.Names(t.Context(), prefix, n)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if got := names("", 1000); !slices.Equal(got, all) {
		t.Errorf("%d names, want %d", len(got), len(all))
	}
	for _, name := range all {
		for _, n := range []int{1, 4, len(name)} {
			want := slices.Clone(all)
			want = slices.DeleteFunc(want, func(s string) bool { return !strings.HasPrefix(s, name[:n]) })
			if got := names(name[:n], 1000); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name[:n], got, want)
			}
		}
	}
	if got := names("", 3); !slices.Equal(got, all[:3]) {
		t.Errorf("the first three: %v", got)
	}
	for _, prefix := range []string{"UPPER", "l", all[0] + "0", "ü"} {
		if got := names(prefix, 10); len(got) != 0 {
			t.Errorf("%s: %v", prefix, got)
		}
	}
}

// A late original unites the stories of its copies. The ids that they had still lead to
// it.
func TestEndedStoriesAreFound(t *testing.T) {
	s, err := Open(t.TempDir()+"/s.db", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	half := func(seed int) string {
		var words []string
		for i := range 200 {
			words = append(words, fmt.Sprintf("word%d", (i*7919+seed*104729)%100_003))
		}
		return strings.Join(words, " ")
	}
	day := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	var told []string
	for i, text := range []string{half(1), half(2), half(1) + "\n" + half(2)} {
		a := &stories.Article{ID: fmt.Sprint(i), Text: text, Lang: "en", Published: day.AddDate(0, 0, -10*i)}
		m, err := s.Add(t.Context(), s.Prepare(a))
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, m.Story)
	}
	ended := 0
	for _, id := range told {
		if _, err := s.Story(t.Context(), id); errors.Is(err, ErrNotFound) {
			ended++
		}
		story, err := s.Find(t.Context(), id)
		if err != nil || len(story.Members) != 3 {
			t.Errorf("%s: %v", id, err)
		}
	}
	if ended == 0 {
		t.Errorf("no story has ended: %v", told)
	}
}
