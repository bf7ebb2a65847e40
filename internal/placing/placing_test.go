package placing

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/stories"
)

// oddArticle returns an article that differs from others in few ways.
func oddArticle(r *rand.Rand) *stories.Article {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	at := func() time.Time {
		switch r.IntN(4) {
		case 0:
			return time.Time{}
		case 1:
			return time.Date(1869, 5, 10, 0, 0, r.IntN(2), r.IntN(2)*1000, time.UTC)
		}
		return time.Date(2026, 11, 16+r.IntN(3), 8, 0, 0, r.IntN(2)*1_000_000, time.UTC)
	}
	text := strings.Repeat(pick("one two three four five six ", "one two three four five sex "), pick2(r, 1, 2, 9))
	return &stories.Article{
		ID: pick("a", "a\x00", "a\x01", "a\x02", "ab", "a ", "", "ä", "\U0001f600", "\uffff"), URL: pick("", "u"), Site: pick("", "s"), Title: pick("t", ""), Lang: pick("en", ""),
		Text: text, Published: at(), FirstSeen: at(),
	}
}

func pick2(r *rand.Rand, list ...int) int { return list[r.IntN(len(list))] }

// The text of an order, the order of articles and that of nodes are one.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for range 60_000 {
		a, b := NewArticle(oddArticle(r)), NewArticle(oddArticle(r))
		if r.IntN(2) == 0 { // near ones
			c := *a.Article
			switch r.IntN(4) {
			case 0:
				c.Text = strings.Replace(c.Text, "two", "twp", 1)
			case 1:
				c.Title += "x"
			case 2:
				c.ID += "b"
			}
			b = NewArticle(&c)
		}
		want := a.Compare(b)
		if got := strings.Compare(OrderText(a.Article, &a.Rank, *a.textHash()), OrderText(b.Article, &b.Rank, *b.textHash())); got != want {
			t.Fatalf("%+v\n%+v\nordered %d as text, %d as articles", a.Article, b.Article, got, want)
		}
		if back := b.Compare(a); back != -want {
			t.Fatalf("%+v\n%+v\ncompare as %d and %d", a.Article, b.Article, want, back)
		}
		if want == 0 && (a.Rank.ID != b.Rank.ID || a.Text != b.Text || a.Title != b.Title || a.URL != b.URL) {
			t.Fatalf("%+v\n%+v\nhave the same place", a.Article, b.Article)
		}
	}
}

func TestOrderOfTimes(t *testing.T) {
	day := time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)
	list := []*stories.Article{ // in order
		{ID: "z", Published: day},
		{ID: "y", Published: day, FirstSeen: day, Text: "long"}, // known ones before unknown ones
		{ID: "x", Published: day.Add(48 * time.Hour), FirstSeen: day},
		{ID: "w", FirstSeen: day.Add(time.Hour), Text: "long"},
		{ID: "v", FirstSeen: day.Add(time.Hour)},
		{ID: "u", Published: day.Add(2 * time.Hour)},
		{ID: "a"},
		{ID: "b"},
	}
	list[0], list[1] = list[1], list[0]
	for i := range len(list) - 1 {
		if a, b := NewArticle(list[i]), NewArticle(list[i+1]); a.Compare(b) >= 0 {
			t.Errorf("%s is not before %s", a.Article.ID, b.Article.ID)
		}
	}
}

func TestKeys(t *testing.T) {
	long := NewText(&stories.Article{ID: "1", Text: strings.Repeat("no word of this text is new to it, ", 3) + "but some of these are, which makes it long enough for copies to be told from notices"})
	short := NewText(&stories.Article{ID: "1", Text: "Subscribers only"})
	if !long.Shared || short.Shared || len(short.Keys) != 1 || len(long.Keys) < 5 {
		t.Fatalf("%+v, %+v", long, short)
	}
	for _, text := range []*Text{long, short} {
		for i, k := range text.Keys {
			if k > KeyMask || (k&wholeText != 0) != (i == 0) || slices.Contains(text.Keys[:i], k) {
				t.Errorf("key %d is %x", i, k)
			}
		}
	}
	if other := NewText(&stories.Article{ID: "2", Text: "Subscribers only"}); other.Hash == short.Hash {
		t.Error("a short text is shared by two articles")
	}
}

func TestWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var w weights
	for range 50 {
		want := map[uint32]uint32{}
		for range r.IntN(3000) {
			n, weight := uint32(r.IntN(1000))*0x10001, uint32(1+r.IntN(24))
			want[n] += weight
			w.add(n, weight)
		}
		var order []uint32
		for n := range want {
			order = append(order, n)
		}
		slices.SortFunc(order, func(a, b uint32) int { return cmp.Or(cmp.Compare(want[b], want[a]), cmp.Compare(b, a)) })
		got := w.best(24)
		if len(got) != min(24, len(order)) {
			t.Fatalf("%d of %d numbers", len(got), len(order))
		}
		for i, n := range got {
			if n != int64(order[i]) {
				t.Fatalf("number %d is %d, want %d", i, n, order[i])
			}
		}
	}
}

// What is kept does not grow with the number of articles but with those of the window.
func TestWindowForgets(t *testing.T) {
	w := NewWindow(Era)
	kept := 0
	const perEra, eras = 200, 30
	for i := range perEra * eras {
		at := int64(20_000+i/perEra)*Era + int64(i%perEra)*Era/perEra
		a := stories.Article{ID: fmt.Sprint(i), Title: fmt.Sprintf("Word%c Name%c", 'a'+i%3, 'a'+i%3), Text: "common words of all", Lang: "en", Published: FromMillis(at)}
		rank := NewRank(&a)
		if _, err := w.Add(a.ID, Hash{byte(i), byte(i >> 8)}, at, NewTerms(&a, &rank)); err != nil {
			t.Fatal(err)
		}
		if len(w.eras) > 3 {
			t.Fatalf("%d eras are kept", len(w.eras))
		}
	}
	vectors := 0
	for _, e := range w.eras {
		kept += len(e.nodes)
		for i := range e.nodes {
			if e.nodes[i].vector != nil {
				vectors++
			}
		}
	}
	// Postings have the last articles only, and no list leads to the others.
	if kept > 3*perEra || vectors == kept || vectors == 0 {
		t.Errorf("%d articles are kept, %d with vectors", kept, vectors)
	}
	if len(w.stories) > 3*perEra {
		t.Errorf("%d stories are kept", len(w.stories))
	}
	if _, err := w.Add("late", Hash{}, 0, new(stories.Terms)); err == nil {
		t.Error("an article of the past is added")
	}
	if _, err := w.Add("far", Hash{}, 1<<62, new(stories.Terms)); err == nil {
		t.Error("an article of the far future is added")
	}
}

// An id that was taken long ago is not given again.
func TestTakenIDs(t *testing.T) {
	w := NewWindow(Era)
	ids := map[int64]bool{}
	for i := range 3000 {
		a := stories.Article{ID: "the same", Text: fmt.Sprintf("Only%d Here%d", i, i)}
		rank := NewRank(&a)
		p, err := w.Add(a.ID, Hash{byte(i), byte(i >> 8)}, int64(i)*4*Era, NewTerms(&a, &rank))
		if err != nil {
			t.Fatal(err)
		}
		if !p.Opens || ids[p.Story] {
			t.Fatalf("article %d: %+v", i, p)
		}
		ids[p.Story] = true
		if id, ok := ParseName(StoryName(p.Story)); !ok || id != p.Story {
			t.Fatalf("%d is written as %s", p.Story, StoryName(p.Story))
		}
	}
}
