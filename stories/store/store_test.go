package store

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/stories"
)

// checkFile checks what the tables of a file say about one another.
func checkFile(t *testing.T, s *Store) {
	t.Helper()
	for name, query := range map[string]string{
		"a copy has its parent's story": "SELECT count(*) FROM nodes c JOIN nodes p ON p.id = c.parent WHERE p.story <> c.story",
		"parents exist":                 "SELECT count(*) FROM nodes WHERE parent > 0 AND parent NOT IN (SELECT id FROM nodes)",
		"the size of stories":           "SELECT count(*) FROM stories s WHERE articles <> (SELECT count(*) FROM nodes n JOIN articles a ON a.node = n.id WHERE n.story = s.id)",
		"stories exist":                 "SELECT count(*) FROM nodes WHERE story NOT IN (SELECT id FROM stories)",
		"first is its own":              "SELECT count(*) FROM nodes n JOIN articles a ON a.number = n.first WHERE a.node <> n.id OR a.id <> n.first_id",
	} {
		var n int
		if _, err := s.db.Get(query, nil, &n); err != nil || n != 0 {
			t.Errorf("%s: %d rows are wrong (%v)", name, n, err)
		}
	}
}

// TestReopened adds articles in order of time: with commits, reopened files and repetitions
// the stories are the same as without.
func TestReopened(t *testing.T) {
	t.Parallel()
	list := newWriter(7).press(400)
	var want []Membership
	joined := 0
	s := newStore(t)
	for _, a := range list {
		m := add(t, s, a)
		want = append(want, m)
		if !m.First && m.CopyOf == "" {
			joined++
		}
	}
	if joined < 20 {
		t.Errorf("%d articles joined a story by similarity", joined)
	}
	path := filepath.Join(t.TempDir(), "s.db")
	s = open(t, path, Options{})
	rnd := rand.New(rand.NewPCG(1, 7))
	for i, a := range list {
		if m := add(t, s, a); m != want[i] {
			t.Fatalf("article %d: %+v, want %+v", i, m, want[i])
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
			s = open(t, path, Options{})
		case 2:
			n := rnd.IntN(i + 1)
			if m := add(t, s, list[n]); m.Story != want[n].Story || m.First != want[n].First {
				t.Errorf("article %d again: %+v, was %+v", n, m, want[n])
			}
		}
	}
	checkFile(t, s)
}

// TestLate adds articles that are earlier than those with their text: they become the
// originals.
func TestLate(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	w := newWriter(9)
	text := w.text(1, 200)
	article := func(id, text string, hour int) Membership {
		return add(t, s, stories.Article{ID: id, Text: text, Lang: "en", Published: testStart.Add(time.Duration(hour) * time.Hour)})
	}
	first := article("at 9", text, 9)
	article("at 10", text+" A tug came.", 10)
	if m := article("at 8", text+" A boat came.", 8); m.CopyOf != "" || m.Story != first.Story {
		t.Errorf("near copy: %+v", m)
	}
	if m := article("at 7", text, 7); m.CopyOf != "" || m.Story != first.Story { // the text of the article at 9
		t.Errorf("the same text: %+v", m)
	}
	st, err := s.Find(t.Context(), "at 10")
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"at 7", "at 8", "at 9", "at 10"} {
		want := "at 7"
		if i == 0 {
			want = ""
		}
		if m := st.Members[i]; m.ID != id || m.CopyOf != want {
			t.Errorf("%s is a copy of %q, want %q", m.ID, m.CopyOf, want)
		}
	}
	checkFile(t, s)
}

// TestUndated adds articles without a time. They do not change the time of a story.
func TestUndated(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	w := newWriter(2)
	old := time.Date(2011, 12, 14, 8, 0, 0, 0, time.UTC)
	text := w.text(1, 200)
	add(t, s, stories.Article{ID: "old", Text: text, Lang: "en", Published: old})
	add(t, s, stories.Article{ID: "new", Text: w.text(2, 200), Lang: "en", Published: testStart})
	add(t, s, stories.Article{ID: "copy", Text: text + " A tug came.", Lang: "en"})
	add(t, s, stories.Article{ID: "same", Text: text, Lang: "en"})
	add(t, s, stories.Article{ID: "alone", Text: w.text(3, 200), Lang: "en"})
	story, err := s.Find(t.Context(), "copy")
	if err != nil {
		t.Fatal(err)
	}
	if story.Articles != 3 || !story.Start.Equal(old) || !story.End.Equal(old) || story.First.ID != "old" || story.Members[2].CopyOf != "old" {
		t.Errorf("%d articles of %v to %v", story.Articles, story.Start, story.End)
	}
	if story, err := s.Find(t.Context(), "alone"); err != nil || !story.Start.IsZero() || !story.End.IsZero() {
		t.Errorf("%+v, %v", story, err)
	}
	list, err := s.Summaries(t.Context())
	if err != nil || len(list) != 3 || !list[0].End.Equal(old) || !list[2].End.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
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
	for _, name := range []string{"three", "vvvvvvvvvv", "UPPER", ""} {
		if _, err := s.Find(t.Context(), name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestLanguages adds the same names in two languages.
func TestLanguages(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	w := newWriter(11)
	var m [3]Membership
	for i, lang := range []string{"en", "de", "en-GB"} {
		m[i] = add(t, s, stories.Article{ID: lang, Title: "Kessel Bridge Amsel", Text: w.text(1, 120), Lang: lang, Published: testStart.Add(time.Duration(i) * time.Hour)})
	}
	if m[0].Story == m[1].Story || m[0].Story != m[2].Story {
		t.Errorf("%+v", m)
	}
}

// TestWindow adds articles on one subject with longer and longer pauses.
func TestWindow(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	w := newWriter(12)
	words := strings.Fields(w.text(3, 150))
	at := testStart
	var last Membership
	for i, pause := range []time.Duration{0, time.Hour, 3 * 24 * time.Hour, 5 * 24 * time.Hour} {
		at = at.Add(pause)
		w.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] }) // no copy
		m := add(t, s, stories.Article{ID: string(rune('a' + i)), Title: w.title(3), Text: strings.Join(words, " "), Lang: "en", Published: at})
		if joined := m.Story == last.Story; joined != (pause > 0 && pause < DefaultWindow) || joined == m.First {
			t.Errorf("after %v: %+v", pause, m)
		}
		last = m
	}
}
