package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/stories"
)

var testStart = time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)

// open opens a store that is closed after the test.
func open(tb testing.TB, path string, opts Options) *Store {
	tb.Helper()
	s, err := Open(path, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func newStore(tb testing.TB) *Store {
	tb.Helper()
	return open(tb, filepath.Join(tb.TempDir(), "stories.db"), Options{})
}

func add(tb testing.TB, s *Store, a stories.Article) Membership {
	tb.Helper()
	m, err := s.Add(tb.Context(), s.Prepare(&a))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// writer makes up texts. A subject has words of its own.
type writer struct{ *rand.Rand }

func newWriter(seed uint64) writer { return writer{rand.New(rand.NewPCG(seed, 18))} }

const syllables = "ba ke lo mi nu pra ste tri vo xa zel dor fin gol hum jas kop lir mon nes"

// word returns the nth word of a language without meaning.
func word(n int) string {
	list := strings.Fields(syllables)
	var b strings.Builder
	for n += 400; n > 0; n /= len(list) {
		b.WriteString(list[n%len(list)])
	}
	return b.String()
}

// text makes up a text on a subject: every fourth word is one of its own twelve.
func (w writer) text(subject, words int) string {
	var b strings.Builder
	for i := range words {
		switch {
		case i%60 == 59:
			b.WriteString(".\n")
		case i%15 == 14:
			b.WriteString(". ")
		case i > 0:
			b.WriteString(" ")
		}
		if i%4 == 3 {
			b.WriteString(word(100_000 + subject*12 + w.IntN(12)))
		} else {
			b.WriteString(word(int(3000 * w.Float64() * w.Float64())))
		}
	}
	return b.String()
}

// title makes up a headline.
func (w writer) title(subject int) string {
	return strings.Join([]string{word(100_000 + subject*12), word(100_000 + subject*12 + 1 + w.IntN(3)), word(w.IntN(3000))}, " ")
}

// change replaces some words of a text.
func (w writer) change(text string, n int) string {
	words := strings.Split(text, " ")
	for range n {
		words[w.IntN(len(words))] = word(w.IntN(3000))
	}
	return strings.Join(words, " ")
}

// excerpt returns a part of a text.
func (w writer) excerpt(text string) string {
	words := strings.Split(text, " ")
	n := len(words)/2 + w.IntN(len(words)/3)
	from := w.IntN(len(words) - n)
	return strings.Join(words[from:from+n], " ")
}

// press makes up articles of several subjects in order of time, with copies of many
// kinds.
func (w writer) press(n int) []stories.Article {
	var list []stories.Article
	for i := range n {
		subject := i/12 + w.IntN(3)
		a := stories.Article{
			ID: fmt.Sprintf("a%d", i), URL: fmt.Sprintf("https://paper%d.example/%d", i%7, i), Site: fmt.Sprintf("paper%d.example", i%7),
			Title: w.title(subject), Text: w.text(subject, 80+w.IntN(200)), Lang: "en", Published: testStart.Add(time.Duration(i) * 17 * time.Minute),
		}
		if i > 0 && w.IntN(2) == 0 {
			of := list[max(0, i-1-w.IntN(10))]
			a.Title = of.Title
			switch w.IntN(5) {
			case 0:
				a.Text = of.Text
			case 1, 2:
				a.Text = w.change(of.Text, 1+w.IntN(6))
			case 3:
				a.Text = w.excerpt(of.Text)
			case 4:
				a.Text = of.Text + "\n" + w.text(subject, 40)
			}
			if a.Text != of.Text && w.IntN(8) == 0 {
				a.ID = of.ID
			}
		}
		switch w.IntN(10) {
		case 0:
			a.FirstSeen = a.Published
			a.Published = time.Time{}
		case 1:
			a.FirstSeen = a.Published.Add(time.Hour)
		case 2:
			a.FirstSeen = a.Published
			a.Published = a.Published.AddDate(1, 0, 0) // not believed
		}
		list = append(list, a)
	}
	return list
}
