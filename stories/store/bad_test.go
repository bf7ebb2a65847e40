package store

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/stories"
)

// badCopies is 1,000,000 in make stories-bad.
var badCopies = flag.Int("bad.copies", 3000, "number of copies of one article")

// wireText returns a made-up article.
func wireText(tb testing.TB, seed uint64) stories.Article {
	tb.Helper()
	for a := range newsroom.NewWire(seed, newsroom.WireOptions{Langs: []string{"en"}}).Articles() {
		if a.Kind == newsroom.WireOriginal && len(a.Text) > 1500 {
			return toArticle(&a)
		}
	}
	panic("unreachable: the wire does not end")
}

// Whatever an article has, it is added, found and read again, and the same again changes
// nothing.
func TestBadArticles(t *testing.T) {
	t.Parallel()
	text := wireText(t, 1).Text
	long := strings.Repeat(text+"\n", 1<<20/len(text))
	texts := map[string]string{
		"empty": "", "white space": " \n\t\u00a0\u3000\n", "punctuation": strings.Repeat("... !? — ", 100), "word": "Fire",
		"NUL": "a\x00b\x00" + text, "invalid UTF-8": "\xff\xfe" + strings.Repeat("caf\xe9 \xc3\x28 ", 80) + text[:len(text)/2] + "\xe2\x82",
		"surrogates": strings.Repeat("\xed\xa0\x80", 500), "accents": "e" + strings.Repeat("\u0301", 100_000), "one letter": strings.Repeat("a", 1<<20),
		"one word": strings.Repeat("fire ", 1<<18), "lines": strings.Repeat("\n", 1<<20), "emoji": strings.Repeat("🔥🚒 ", 1<<14),
		"mixed": text[:500] + "\n火灾发生在岚溪市，两名工人受伤。\nВ городе Белоречье горит склад.\nاندلع حريق في المستودع\n" + text[500:900],
		"1 MB":  long, "1 MB without spaces": strings.Repeat("火灾发生在岚溪市两名工人受伤", 1<<20/42), "digits": strings.Repeat("0123456789", 1<<17),
	}
	times := []time.Time{
		{}, testStart, time.Unix(0, 0), time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(290_000_000, 1, 1, 0, 0, 0, 0, time.UTC), testStart.AddDate(3, 0, 0),
	}
	langs := []string{"en", "", "zh-Hant-TW", "tlh", strings.Repeat("x", 5000), "\xff"}
	s := newStore(t)
	var list []stories.Article
	for name, text := range texts {
		for i, at := range times {
			if len(text) > 1<<18 && i > 1 {
				break
			}
			list = append(list, stories.Article{
				ID: fmt.Sprintf("%s %d", name, i), URL: "https://bad.example/\xff" + name, Title: name + "\xfe", Text: text,
				Lang: langs[i%len(langs)], Published: at, FirstSeen: times[(i*3+1)%len(times)],
			})
		}
	}
	list = append(list, stories.Article{}) // not even an id
	slices.SortFunc(list, func(a, b stories.Article) int { return strings.Compare(a.ID, b.ID) })
	for _, a := range list {
		first := add(t, s, a)
		if again := add(t, s, a); again != first {
			t.Errorf("%s: added again: %+v, before %+v", a.ID, again, first)
		}
		if !utf8.ValidString(first.Reason) || first.Score < 0 || first.Score > 1 || first.Story == "" {
			t.Errorf("%s: membership %+v", a.ID, first)
		}
		if strings.TrimSpace(a.Text) == "" && first.CopyOf != "" {
			t.Errorf("%s: an empty text is a copy of %s", a.ID, first.CopyOf)
		}
	}
	for _, a := range list {
		story, err := s.Find(t.Context(), a.ID)
		if err != nil {
			t.Fatalf("%s: %v", a.ID, err)
		}
		i := slices.IndexFunc(story.Members, func(m Member) bool { return m.ID == a.ID })
		if i < 0 {
			t.Fatalf("%s is not in its story", a.ID)
		}
		if got, err := s.Text(t.Context(), story.Members[i].Number); err != nil || got != a.Text {
			t.Errorf("%s: text of %d bytes, want %d: %v", a.ID, len(got), len(a.Text), err)
		}
	}
	if _, err := s.Find(t.Context(), "no such article"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Find of nothing: %v", err)
	}
	checkFile(t, s)
}

// An excerpt of a text of 10 MB is a copy of it.
func TestLongText(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	w := newWriter(10)
	for b.Len() < 10<<20 {
		b.WriteString(w.text(w.IntN(50), 400) + "\n")
	}
	s := newStore(t)
	long := stories.Article{ID: "long", Text: b.String(), Lang: "en", Published: testStart}
	add(t, s, long)
	excerpt := stories.Article{ID: "excerpt", Text: long.Text[2<<20 : 7<<20], Lang: "en", Published: testStart.Add(time.Hour)}
	if m := add(t, s, excerpt); m.CopyOf != "long" || m.Overlap.InA < .99 {
		t.Errorf("half of a text of 10 MB: %+v", m)
	}
}

// A million copies of one article cost a row each.
func TestManyCopies(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a := wireText(t, 2)
	p := s.Prepare(&a)
	start := a.Published
	for i := range *badCopies {
		c := *p
		c.article.ID, c.article.URL = fmt.Sprintf("copy-%07d", i), fmt.Sprintf("https://paper%d.example/%d", i%100, i)
		c.rank.published = start.Add(time.Duration(i) * time.Second).UnixMilli()
		m, err := s.Add(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && (m.CopyOf != "copy-0000000" || m.Overlap.InA != 1 || m.First) {
			t.Fatalf("copy %d: %+v", i, m)
		}
	}
	story, err := s.Find(t.Context(), "copy-0000001")
	if err != nil {
		t.Fatal(err)
	}
	if story.Articles != *badCopies || len(story.Members) != min(*badCopies, MaxMembers) || story.First.ID != "copy-0000000" {
		t.Errorf("story of %d articles, %d members, first %s", story.Articles, len(story.Members), story.First.ID)
	}
	checkFile(t, s)
}

// Copies with one changed word each share almost all keys: an attack on the buckets. They
// are all found, in order of time and against it.
func TestNearCopies(t *testing.T) {
	t.Parallel()
	a := wireText(t, 3)
	words := strings.Split(a.Text, " ")
	for _, backwards := range []bool{false, true} {
		s := newStore(t)
		stories := map[string]int{}
		n := min(*badCopies/6, 20_000)
		for i := range n {
			c := a
			changed := slices.Clone(words)
			changed[i%len(words)] = word(i)
			c.ID, c.Text = fmt.Sprintf("near-%07d", i), strings.Join(changed, " ")
			c.Published = a.Published.Add(time.Duration(i) * time.Second)
			if backwards {
				c.Published = a.Published.Add(-time.Duration(i) * time.Second)
			}
			m := add(t, s, c)
			stories[m.Story]++
			if !backwards && i > 0 && m.CopyOf != "near-0000000" {
				t.Fatalf("near copy %d is a copy of %q", i, m.CopyOf)
			}
		}
		if len(stories) != 1 {
			t.Errorf("backwards %v: %d stories", backwards, len(stories))
		}
		story, err := s.Find(t.Context(), "near-0000001")
		if err != nil {
			t.Fatal(err)
		}
		if story.Articles != n {
			t.Errorf("backwards %v: story of %d articles, want %d", backwards, story.Articles, n)
		}
		checkFile(t, s)
	}
}

// A paragraph that thousands of articles share neither makes them copies, nor hides those that
// are.
func TestSharedBoilerplate(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	w := newWriter(4)
	boilerplate := w.text(0, 60)
	n := min(*badCopies/6, 20_000)
	var copied int
	for i := range n {
		text := w.text(1+i, 150)
		at := testStart.Add(time.Duration(i) * time.Minute)
		first := add(t, s, stories.Article{ID: fmt.Sprintf("a%d", i), Text: text + "\n" + boilerplate, Lang: "en", Published: at})
		if first.CopyOf != "" {
			copied++
		}
		if i%10 == 0 {
			m := add(t, s, stories.Article{ID: fmt.Sprintf("b%d", i), Text: w.change(text, 3) + "\n" + boilerplate, Lang: "en", Published: at.Add(time.Second)})
			if m.CopyOf != fmt.Sprintf("a%d", i) {
				t.Errorf("copy of a%d with boilerplate: %+v", i, m)
			}
		}
	}
	if copied > 0 {
		t.Errorf("%d of %d articles with the same boilerplate are copies", copied, n)
	}
	checkFile(t, s)
}
