package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/stories"
)

// copies returns the original of each article and what it was compared with, by id and text.
func copies(t *testing.T, s *Store, list []stories.Article) map[string]string {
	t.Helper()
	got := map[string]string{}
	byNumber := map[int64]Member{}
	var all []Member
	for st, err := range s.Stories(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range st.Members {
			byNumber[m.Number] = m
			all = append(all, m)
		}
	}
	key := func(m Member) string {
		text, err := s.Text(t.Context(), m.Number)
		if err != nil {
			t.Fatal(err)
		}
		return m.ID + " " + text
	}
	for _, m := range all {
		of := ""
		if m.Parent != 0 {
			of = key(byNumber[m.Parent])
		}
		got[key(m)] = fmt.Sprintf("%s %.6f %s", m.CopyOf, m.Overlap.Score(), of)
	}
	if len(got) != len(all) || len(all) > len(list) {
		t.Fatalf("%d members, %d different, of %d articles", len(all), len(got), len(list))
	}
	return got
}

// TestCopiesOrder adds the same articles in many orders, with commits, reopened files
// and repetitions in between.
func TestCopiesOrder(t *testing.T) {
	for seed := range uint64(4) {
		list := newWriter(seed).press(100)
		var want map[string]string
		for order := range uint64(4) {
			rnd := rand.New(rand.NewPCG(seed, order))
			if order > 0 {
				rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			}
			path := filepath.Join(t.TempDir(), "s.db")
			opts := Options{}
			if order > 1 { // so that entries are written, and the file is committed, meanwhile
				opts.flushAt, opts.commitAt = 50+rnd.IntN(900), 1+rnd.IntN(20)
			}
			s := open(t, path, opts)
			for i, a := range list {
				switch rnd.IntN(30) {
				case 0:
					if err := s.Commit(); err != nil {
						t.Fatal(err)
					}
				case 1:
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					s = open(t, path, opts)
				case 2:
					add(t, s, list[rnd.IntN(i+1)])
				}
				add(t, s, a)
			}
			got := copies(t, s, list)
			checkFile(t, s)
			if want == nil {
				want = got
				continue
			}
			if !maps.Equal(got, want) {
				for k := range want {
					if got[k] != want[k] {
						t.Errorf("seed %d order %d: %.30q:\n got %.100q\nwant %.100q", seed, order, k, got[k], want[k])
					}
				}
				t.FailNow()
			}
		}
		roots := 0
		for _, of := range want {
			if strings.HasPrefix(of, " ") {
				roots++
			}
		}
		if roots < 25 || roots > 80 {
			t.Errorf("seed %d: %d originals of %d", seed, roots, len(want))
		}
	}
}

// checkFile checks what the tables of a file say about one another.
func checkFile(t *testing.T, s *Store) {
	t.Helper()
	for name, query := range map[string]string{
		"parents precede":        "SELECT count(*) FROM nodes c JOIN nodes p ON p.id = c.parent WHERE p.story <> c.story OR p.family <> c.family OR coalesce(p.published, p.seen, 1 << 62) > coalesce(c.published, c.seen, 1 << 62)",
		"one root for a family":  "SELECT count(*) FROM families f WHERE (SELECT count(*) FROM nodes WHERE family = f.id AND parent = 0) <> 1",
		"the root is known":      "SELECT count(*) FROM families f JOIN nodes n ON n.id = f.root WHERE n.parent <> 0 OR n.family <> f.id",
		"the size of families":   "SELECT count(*) FROM families f WHERE nodes <> (SELECT count(*) FROM nodes WHERE family = f.id)",
		"the articles of a node": "SELECT count(*) FROM nodes n WHERE articles <> (SELECT count(*) FROM articles WHERE node = n.id)",
		"the size of stories":    "SELECT count(*) FROM stories s WHERE articles <> (SELECT sum(articles) FROM nodes WHERE story = s.id)",
		"stories exist":          "SELECT count(*) FROM nodes WHERE story NOT IN (SELECT id FROM stories)",
		"first is its own":       "SELECT count(*) FROM nodes n JOIN articles a ON a.number = n.first WHERE a.node <> n.id OR a.id <> n.first_id",
	} {
		var n int
		if _, err := s.db.Get(query, nil, &n); err != nil || n != 0 {
			t.Errorf("%s: %d rows are wrong (%v)", name, n, err)
		}
	}
}

// TestStreamIsBatch adds articles in order of time: with commits and reopened files
// the stories are the same as without.
func TestStreamIsBatch(t *testing.T) {
	list := newWriter(7).press(400)
	var want []Membership
	for round := range uint64(3) {
		rnd := rand.New(rand.NewPCG(round, 7))
		path := filepath.Join(t.TempDir(), "s.db")
		opts := Options{}
		if round > 0 {
			opts.flushAt, opts.commitAt, opts.countAt = 300*int(round), 30, 50
		}
		s := open(t, path, opts)
		var got []Membership
		for i, a := range list {
			got = append(got, add(t, s, a))
			if round == 0 {
				continue
			}
			switch rnd.IntN(40) {
			case 0:
				if err := s.Commit(); err != nil {
					t.Fatal(err)
				}
			case 1:
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, path, opts)
			case 2:
				n := rnd.IntN(i + 1)
				if m := add(t, s, list[n]); m != got[n] && m.CopyOf == got[n].CopyOf {
					t.Errorf("article %d again: %+v, was %+v", n, m, got[n])
				}
			}
		}
		if round > 0 && s.flush.generation < 3 {
			t.Errorf("entries were written %d times", s.flush.generation)
		}
		if want == nil {
			want = got
		} else if i := slices.IndexFunc(list, func(a stories.Article) bool { i := slices.Index(list, a); return got[i] != want[i] }); i >= 0 {
			t.Errorf("article %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	joined := 0
	for _, m := range want {
		if !m.First && m.CopyOf == "" {
			joined++
		}
	}
	if joined < 20 {
		t.Errorf("%d articles joined a story by likeness", joined)
	}
}

func TestFind(t *testing.T) {
	s := newStore(t)
	w := newWriter(1)
	a := stories.Article{ID: "one", URL: "https://a.example/1", Site: "a.example", Title: "Bridge in Kessel closed", Text: w.text(1, 200), Lang: "en", Published: testStart}
	b := stories.Article{ID: "two", URL: "https://b.example/2", Site: "b.example", Title: "Kessel closes bridge", Text: a.Text + "\nMore of it.", Lang: "en", Published: testStart.Add(time.Hour)}
	first, second := add(t, s, a), add(t, s, b)
	if !first.First || first.CopyOf != "" || second.First || second.CopyOf != "one" || second.Story != first.Story || !strings.HasPrefix(second.Reason, "copy of one: 9") {
		t.Errorf("%+v\n%+v", first, second)
	}
	for _, text := range []string{first.Story, "one", "two", a.URL, b.URL} {
		st, err := s.Find(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if st.ID != first.Story || len(st.Members) != 2 || st.Articles != 2 || !slices.Equal(st.Papers, []string{"a.example", "b.example"}) ||
			!st.Start.Equal(testStart) || !st.End.Equal(b.Published) || st.First.ID != "one" || st.Headline != a.Title || !slices.Equal(st.Languages, []string{"en"}) {
			t.Errorf("%s: %+v", text, st)
		}
		if m := st.Members[1]; m.Parent != st.Members[0].Number || m.Text != "" || m.ID != "two" {
			t.Errorf("%+v", m)
		}
		if text, err := s.Text(t.Context(), st.Members[1].Number); text != b.Text || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	}
	if _, err := s.Find(t.Context(), "three"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := s.Story(t.Context(), "zzzzzzzzzz"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
