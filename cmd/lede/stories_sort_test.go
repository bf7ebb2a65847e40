package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// Articles come in the same order whatever the order of the input and however many fit
// into memory, and nothing is left behind.
func TestTimeSorter(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 1))
	day := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	var list []*stories.Article
	for i := range 300 {
		a := &stories.Article{ID: fmt.Sprint(i), URL: "https://paper.example/" + fmt.Sprint(i), Site: "Paper", Title: "Ü", Lang: "de", Text: strings.Repeat("word\n", random.IntN(2000))}
		switch i % 4 {
		case 0, 1:
			a.Published = day.Add(time.Duration(random.IntN(40)) * time.Hour)
		case 2:
			a.FirstSeen = day.Add(time.Duration(random.IntN(40)) * time.Hour)
		}
		list = append(list, a, &stories.Article{ID: a.ID, Text: "another version", Published: a.Published, FirstSeen: day})
	}
	want := slices.SortedFunc(slices.Values(list), func(a, b *stories.Article) int { return placing.NewArticle(a).Compare(placing.NewArticle(b)) })
	if last := want[len(want)-1]; !last.Published.IsZero() || !last.FirstSeen.IsZero() {
		t.Errorf("the last one has a time: %v", last.Published)
	}
	for _, limit := range []int{1, 50_000, 1 << 30} {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		folder := t.TempDir()
		s := &timeSorter{folder: folder, limit: limit}
		for _, a := range list {
			if err := s.add(a); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		for a, err := range s.all() {
			if err != nil {
				t.Fatal(err)
			}
			if *a != *want[n] {
				t.Fatalf("limit %d: article %d is %s of %v, want %s of %v", limit, n, a.ID, a.Published, want[n].ID, want[n].Published)
			}
			n++
		}
		if n != len(want) || s.count != n {
			t.Errorf("limit %d: %d articles, %d were counted", limit, n, s.count)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(folder); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestTimeSorterErrors(t *testing.T) {
	s := &timeSorter{folder: "no such folder", limit: 1}
	if err := s.add(&stories.Article{ID: "1"}); err == nil || !strings.Contains(err.Error(), "cannot sort the articles") {
		t.Error(err)
	}
	s = &timeSorter{folder: t.TempDir(), limit: 1}
	for i := range 3 {
		if err := s.add(&stories.Article{ID: fmt.Sprint(i), Text: strings.Repeat("x", 1000)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.file.Truncate(s.size - 20); err != nil {
		t.Fatal(err)
	}
	var failed error
	for _, err := range s.all() {
		failed = err
	}
	if failed == nil {
		t.Error("a file that is cut off passes for a whole one")
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}
