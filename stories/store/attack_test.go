package store

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/stories"
)

// attacks are streams of articles that try to make an index slow.
var attacks = map[string]func(w writer, i int) stories.Article{
	"one word changed, the latest first": func(w writer, i int) stories.Article {
		return stories.Article{Title: "One", Text: w.change(newWriter(1).text(1, 150), 1), Published: testStart.Add(-time.Duration(i) * time.Second)}
	},
	"each a version of the one before": func(w writer, i int) stories.Article {
		words := strings.Fields(newWriter(1).text(1, 150))
		for k := range words {
			words[k] = word(k*1000 + (i+k)/len(words))
		}
		return stories.Article{ID: "same", Title: "One", Text: strings.Join(words, " ")}
	},
	"the same rare words": func(w writer, i int) stories.Article {
		return stories.Article{Title: word(900_000) + " " + word(900_001), Text: w.text(900_000, 60)}
	},
	"no text": func(w writer, i int) stories.Article { return stories.Article{Title: "Photo"} },
}

// TestAttacks adds many articles of one kind. The cost of each must not grow.
func TestAttacks(t *testing.T) {
	n := 960
	if os.Getenv("LEDE_LONG") != "" {
		n = 32_000
	} else if testing.Short() || testkit.Race {
		n = 320
	}
	for name, article := range attacks {
		t.Run(name, func(t *testing.T) {
			var last *Store
			testkit.Linear(t, n, func(n int) func() {
				w := newWriter(2)
				probe := newStore(t)
				var list []*Prepared
				for i := range n {
					a := article(w, i)
					if a.ID == "" {
						a.ID = fmt.Sprint("a", i)
					}
					if a.Published.IsZero() {
						a.Published = testStart.Add(time.Duration(i) * time.Second)
					}
					a.Lang = "en"
					list = append(list, probe.Prepare(&a))
				}
				return func() {
					last = newStore(t)
					for _, p := range list {
						if _, err := last.Add(t.Context(), p); err != nil {
							t.Fatal(err)
						}
					}
				}
			})
			st, err := last.Find(t.Context(), cmpID(name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, "changed") {
				if st.Articles != n {
					t.Errorf("%d of %d articles are one story", st.Articles, n)
				}
				for _, m := range st.Members[1:] {
					if m.CopyOf != st.First.ID {
						t.Fatalf("%s is a copy of %q, want %q", m.ID, m.CopyOf, st.First.ID)
					}
				}
			}
			checkFile(t, last)
		})
	}
}

// cmpID returns the id of an article of an attack.
func cmpID(name string) string {
	if strings.HasPrefix(name, "each a version") {
		return "same"
	}
	return "a0"
}
