package neighbours

import (
	"slices"
	"testing"
)

func TestCategory(t *testing.T) {
	for address, want := range map[string]string{
		"https://paper.example/sport/2024/05/06/story-1": "sport",
		"https://paper.example/2024/05/sport/story.html": "sport",
		"https://paper.example/2024-05-06/story.html":    "",
		"https://paper.example/story.html":               "",
		"https://paper.example/":                         "",
		"https://paper.example/sport/":                   "",
		"https://paper.example//sport//story":            "sport",
		"":                                               "",
		"http://[::1":                                    "",
	} {
		if got := Category(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	categories := []string{"a", "b", "a", "b", "a"}
	for _, c := range []struct {
		at, n int
		want  []int
	}{
		{0, 3, []int{2, 4, 1}}, {2, 2, []int{4, 0}}, {4, -1, []int{0, 2, 1, 3}}, {1, 9, []int{3, 2, 4, 0}}, {1, 0, []int{}},
	} {
		if got := Nearest(categories, c.at, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d near %d: %v, want %v", c.n, c.at, got, c.want)
		}
	}
	if got := Nearest([]string{""}, 0, -1); len(got) != 0 {
		t.Errorf("one page has the neighbours %v", got)
	}
}
