package newsroom

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func takeWire(seed uint64, opts WireOptions) []WireArticle {
	return slices.Collect(NewWire(seed, opts).Articles())
}

func TestWireIsDeterministic(t *testing.T) {
	t.Parallel()
	opts := WireOptions{Articles: 500}
	a := takeWire(3, opts)
	if len(a) != 500 {
		t.Fatalf("got %d articles, want 500", len(a))
	}
	if !slices.Equal(a, takeWire(3, opts)) {
		t.Error("the same seed gives different articles")
	}
	opts.Articles = 200
	if !slices.Equal(a[:200], takeWire(3, opts)) {
		t.Error("a shorter stream is not the beginning of a longer one")
	}
	if slices.Equal(a[:200], takeWire(4, opts)) {
		t.Error("different seeds give the same articles")
	}
}

func TestWireGold(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs without -short")
	}
	events, ids, kinds, langs := map[int]int{}, map[string]bool{}, map[string]int{}, map[string]int{}
	var last time.Time
	undated := 0
	for _, a := range takeWire(2, WireOptions{Articles: 6000}) {
		if e, ok := events[a.Group]; ok && e != a.Event {
			t.Errorf("%s: group %d is of events %d and %d", a.ID, a.Group, e, a.Event)
		}
		events[a.Group] = a.Event
		if ids[a.ID] || ids[a.URL] {
			t.Errorf("%s: id or address used twice", a.ID)
		}
		ids[a.ID], ids[a.URL] = true, true
		kinds[a.Kind]++
		langs[a.Lang]++
		if a.Seen.Before(last) {
			t.Errorf("%s: seen at %v, after an article of %v", a.ID, a.Seen, last)
		}
		last = a.Seen
		if a.Published.IsZero() {
			undated++
		}
		if a.Published.After(a.Seen) {
			t.Errorf("%s: published at %v, seen at %v", a.ID, a.Published, a.Seen)
		}
		if a.Title == "" || a.Site == "" || strings.Count(a.Text, "\n") < 1 {
			t.Errorf("incomplete article: %+v", a)
		}
		if bad := strings.IndexFunc(a.Title+a.Text, func(c rune) bool { return c < ' ' && c != '\n' || c == '{' || c == '@' || c == utf8.RuneError }); bad >= 0 {
			t.Errorf("%s: mark or slot in %s", a.ID, (a.Title + a.Text)[bad:])
		}
	}
	all := []string{WireOriginal, wireUpdate, wireRelated, wireSubject, wireSeries, wireBackground}
	for _, c := range wireCopies {
		all = append(all, c.kind)
	}
	slices.Sort(all)
	if got := slices.Sorted(maps.Keys(kinds)); !slices.Equal(got, all) {
		t.Errorf("kinds %v, want %v", got, all)
	}
	for _, lang := range wireLanguages {
		if langs[lang] < 6000/len(wireLanguages)/2 {
			t.Errorf("%d articles in %s", langs[lang], lang)
		}
	}
	if undated == 0 || undated > 600 {
		t.Errorf("%d articles without a date", undated)
	}
	if days := last.Sub(wireStart).Hours() / 24; days < 14 {
		t.Errorf("6000 articles in %.0f days", days)
	}
}

// The vocabulary must grow with the stream, or every article would be like all others
// to an index.
func TestWireVocabularyGrows(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs without -short")
	}
	words := map[string]bool{}
	var at []int
	n := 0
	for a := range NewWire(1, WireOptions{Articles: 4000, Langs: []string{"en"}}).Articles() {
		for w := range strings.FieldsSeq(a.Text) {
			words[w] = true
		}
		if n++; n%2000 == 0 {
			at = append(at, len(words))
		}
	}
	if at[0] < 8000 || float64(at[1]) < 1.3*float64(at[0]) {
		t.Errorf("distinct words after 2000 and 4000 articles: %v", at)
	}
}
