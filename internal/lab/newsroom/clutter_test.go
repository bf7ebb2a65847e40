package newsroom

import (
	"html"
	"strings"
	"testing"
	"time"
)

// TestLooks checks that a few seeds have every way to name classes and every box.
func TestLooks(t *testing.T) {
	t.Parallel()
	naming, boxes := map[int]int{}, map[string]int{}
	for seed := range uint64(4) {
		for _, s := range Cluttered(seed).Sites() {
			naming[s.look.naming]++
			for kind, ok := range s.look.boxes {
				if ok {
					boxes[kind]++
				}
			}
		}
	}
	for n := nameWords; n <= nameNone; n++ {
		if naming[n] < 3 {
			t.Errorf("%d sites name their classes in way %d", naming[n], n)
		}
	}
	for _, kind := range boxKinds {
		if boxes[kind] < 10 {
			t.Errorf("%d sites have the box %s", boxes[kind], kind)
		}
	}
}

// TestSecondStory checks that the text of a second story is not in the gold.
func TestSecondStory(t *testing.T) {
	t.Parallel()
	seconds := 0
	for _, s := range Cluttered(1).Sites() {
		for i := range 10 {
			p := s.Page(i)
			parts := strings.Split(string(p.HTML), `"`+s.look.class("headline")+`"`)
			if s.look.class("headline") == "" || len(parts) < 3 {
				continue
			}
			seconds++
			_, second, _ := strings.Cut(parts[len(parts)-1], ">")
			second, _, _ = strings.Cut(second, "<")
			second = html.UnescapeString(second)
			if second == "" || second == p.Gold.Title || strings.Contains(p.Gold.Text, second) {
				t.Errorf("%s: second headline %q in the gold", p.Gold.ID, second)
			}
		}
	}
	if seconds < 20 {
		t.Errorf("%d pages with a second story", seconds)
	}
}

func TestCalendars(t *testing.T) {
	t.Parallel()
	g := grammars()["ar"]
	for _, c := range []struct{ day, pattern, want string }{
		{"2026-03-02", "%h", "١٣ رمضان ١٤٤٧ هـ"},
		{"2025-06-27", "%h", "١ محرم ١٤٤٧ هـ"},
		{"2024-07-06", "%h", "٢٩ ذو الحجة ١٤٤٥ هـ"},
		{"2026-03-02", "%J", "令和٨年"},
		{"2019-04-30", "%J", "平成٣١年"},
		{"2019-05-01", "%J", "令和١年"},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.formatDate(day, c.pattern); got != c.want {
			t.Errorf("%s as %s: got %s, want %s", c.day, c.pattern, got, c.want)
		}
	}
}
