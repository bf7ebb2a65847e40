package neighbours

import (
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/crawl/storylinks"
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

func toLinks(addresses ...string) []storylinks.Verdict {
	var list []storylinks.Address
	for _, a := range addresses {
		address, text, _ := strings.Cut(a, " ")
		list = append(list, storylinks.Address{URL: address, Text: text})
	}
	return storylinks.JudgeAddresses("https://paper.example/", list)
}

func TestSection(t *testing.T) {
	const home = "https://paper.example"
	found := toLinks(home+"/ Home", home+"/sport Sport", home+"/sport/football/ Football", home+"/2024/05/ May", home+"/kultur Kultur & Kino")
	for _, c := range []struct{ address, name, want string }{
		{home + "/sport/story-1.html", "", home + "/sport"},
		{home + "/sport/football/story-1.html", "", home + "/sport/football/"},
		{home + "/politics/story-1.html", "", home + "/politics/"},
		{home + "/2024/05/story", "", ""},
		{home + "/2024/05/story", "Sport", home + "/sport"},
		{home + "/story?id=1", "kultur & kino", home + "/kultur"},
		{home + "/story", "Unheard of", ""},
		{"", "", ""},
	} {
		if got := Section(c.address, c.name, found); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.address, c.name, got, c.want)
		}
	}
}

func TestRank(t *testing.T) {
	const home = "https://paper.example"
	found := toLinks(home+"/ The Paper of the Town", home+"/sport/ Sport", home+"/about/us About us",
		home+"/politics/council-buys-a-bell-17.html Council buys a bell", home+"/sport/rowers-win-again-12.html Rowers win again at Marston",
		home+"/sport/table.pdf The table of the league", home+"/sport/gulls-lose-again-9.html#comments 3", home+"/sport/ferry-cup-3.html The cup of the ferry",
		home+"/feed.xml All of our headlines", home+"/login?back=/sport/ferry-cup-3.html Log in")
	var got []string
	for _, l := range Rank(home+"/sport/ferry-cup-3.html", found) {
		got = append(got, strings.TrimPrefix(l, home))
	}
	want := []string{"/sport/rowers-win-again-12.html", "/sport/gulls-lose-again-9.html#comments"}
	if len(got) < 3 || !slices.Equal(got[:2], want) || slices.Contains(got, "/sport/ferry-cup-3.html") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzRank checks that no address makes Section or Rank fail.
func FuzzRank(f *testing.F) {
	f.Add("https://paper.example/sport/1", "https://paper.example/sport/2", "Sport")
	f.Add("//x", "%zz", "")
	f.Fuzz(func(t *testing.T, page, link, text string) {
		found := toLinks(link + " " + text)
		Section(page, text, found)
		if got := Rank(page, found); len(got) > 1 {
			t.Errorf("%d links of one", len(got))
		}
		Category(page)
	})
}
