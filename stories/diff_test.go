package stories

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func diffText(before, after string) string {
	var b strings.Builder
	for _, e := range Diff(before, after) {
		b.WriteString(e.String() + "\n")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	const (
		p1 = "The harbour of Oldmouth was closed on Monday after a ferry ran aground, the coast guard said."
		p2 = "Nobody was hurt. The 340 passengers were taken ashore in boats, and most of them went home by bus."
		p3 = "The ferry, the Maid of Orrin, was built in 1987."
		p4 = "“We were lucky with the tide”, said Ann Brill, who commands the station."
	)
	text := func(ps ...string) string { return strings.Join(ps, "\n") }
	for _, c := range []struct{ name, before, after, want string }{
		{"empty", "", "\n\n", ""},
		{"same", text(p1, p2), text(p1, p2), "  " + p1 + "\n  " + p2 + "\n"},
		{"house style", p4, `"We were lucky with the tide," said Ann Brill, who commands the station.`, "  \"We were lucky with the tide,\" said Ann Brill, who commands the station.\n"},
		{"cut and added", text(p1, p2, p3), text(p4, p1, p3), "+ " + p4 + "\n  " + p1 + "\n- " + p2 + "\n  " + p3 + "\n"},
		{"moved", text(p1, p2, p3, p4), text(p1, p4, p2, p3), "  " + p1 + "\n+ " + p4 + "\n  " + p2 + "\n  " + p3 + "\n- " + p4 + "\n"},
		{"corrected", text(p1, p2), text(p1, strings.Replace(p2, "340", "about 350", 1)), "  " + p1 + "\n~ Nobody was hurt. The [-340-] {+about 350+} passengers were taken ashore in boats, and most of them went home by bus.\n"},
		{"joined", text(p1, p2, p3), text(p1+" "+p2, p3), "  " + p1 + " " + p2 + "\n  " + p3 + "\n"},
		{"split", text(p1+" "+p2, p3), text(p1, p2, p3), "  " + p1 + "\n  " + p2 + "\n  " + p3 + "\n"},
		{"short", text(p1, "He is 40.", p2), text(p1, "He is 41.", p2), "  " + p1 + "\n~ He is [-40.-]{+41.+}\n  " + p2 + "\n"},
	} {
		if got := diffText(c.before, c.after); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// wordsOf returns the hashes of the words of a text.
func wordsOf(text string) []uint64 {
	var hashes []uint64
	for _, w := range newSide(text).words {
		hashes = append(hashes, w.hash)
	}
	return hashes
}

// checkDiff checks that an edit script leads from one text to the other.
func checkDiff(t *testing.T, before, after string) []Edit {
	t.Helper()
	edits := Diff(before, after)
	var later strings.Builder
	cut := map[uint64]int{}
	for _, h := range wordsOf(before) {
		cut[h]++
	}
	for _, e := range edits {
		if (e.Before != "") != (e.Op != Add) || (e.After != "") != (e.Op != Cut) || (e.Op == Change) != (len(e.Words) > 0) {
			t.Fatalf("%+v", e)
		}
		if e.After != "" {
			later.WriteString(e.After + "\n")
		}
		for _, h := range wordsOf(e.Before) {
			cut[h]--
		}
		if e.Op == Keep && !slices.Equal(wordsOf(e.Before), wordsOf(e.After)) {
			t.Fatalf("kept, but differs: %+v", e)
		}
		if e.Op != Change {
			continue
		}
		var kept strings.Builder
		for _, w := range e.Words {
			if w.Op == Change {
				t.Fatalf("%+v", e)
			}
			if w.Op != Cut {
				kept.WriteString(w.Text)
			}
		}
		if kept.String() != e.After {
			t.Fatalf("the words make %q of %q", kept.String(), e.After)
		}
		if e.Added+e.Cut == 0 {
			t.Fatalf("changed, but nothing was: %+v", e)
		}
	}
	for h, n := range cut {
		if n != 0 {
			t.Fatalf("word %x of the earlier text is %d times in no edit", h, n)
		}
	}
	var want strings.Builder
	for line := range strings.Lines(after) {
		if line = strings.TrimSpace(line); line != "" {
			want.WriteString(line + "\n")
		}
	}
	if later.String() != want.String() {
		t.Fatalf("the edits make %q, want %q", later.String(), want.String())
	}
	return edits
}

// TestDiffRandom edits made-up texts at random.
func TestDiffRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		var ps []string
		for range 1 + r.IntN(12) {
			ps = append(ps, strings.Join(someWords(r, 1+r.IntN(60)), " ")+".")
		}
		edited := slices.Clone(ps)
		for range r.IntN(5) {
			i := r.IntN(len(edited))
			switch r.IntN(5) {
			case 0:
				edited = slices.Delete(edited, i, i+1)
			case 1:
				edited = slices.Insert(edited, i, strings.Join(someWords(r, 30), " "))
			case 2:
				k := r.IntN(len(edited))
				edited[i], edited[k] = edited[k], edited[i]
			case 3:
				words := strings.Fields(edited[i])
				words[r.IntN(len(words))] = "changed"
				edited[i] = strings.Join(words, " ")
			case 4:
				if i > 0 {
					edited[i-1] += " " + edited[i]
					edited = slices.Delete(edited, i, i+1)
				}
			}
			if len(edited) == 0 {
				break
			}
		}
		checkDiff(t, strings.Join(ps, "\n"), strings.Join(edited, "\n"))
		for _, e := range checkDiff(t, strings.Join(ps, "\n"), strings.Join(ps, "\n\n")) {
			if e.Op != Keep {
				t.Fatalf("nothing was changed: %+v", e)
			}
		}
	}
}

// TestDiffHostile compares long texts that would take quadratic time.
func TestDiffHostile(t *testing.T) {
	n := 150_000
	if testing.Short() {
		n = 40_000
	}
	r := rand.New(rand.NewPCG(13, 14))
	two := func(a, b string) string {
		var s strings.Builder
		for range n {
			s.WriteString([]string{a, b}[r.IntN(2)])
		}
		return s.String()
	}
	for name, texts := range map[string][2]string{
		"two words":            {two("a ", "b "), two("a ", "b ")},
		"two paragraphs":       {two("a\n", "b\n"), two("b\n", "a\n")},
		"a paragraph repeated": {strings.Repeat("one two three four\n", n/4), strings.Repeat("one two three five\n", n/4)},
		"one long paragraph":   {strings.Join(someWords(r, n), " "), strings.Join(someWords(r, n), " ")},
		"nothing":              {strings.Repeat("\n", n), strings.Repeat(".\n", n)},
		"no words":             {strings.Repeat("-", n), strings.Repeat("\xff", n)},
	} {
		if edits := checkDiff(t, texts[0], texts[1]); len(edits) == 0 {
			t.Errorf("%s: no edits", name)
		}
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("One paragraph.\nAnother one.", "Another one.\nOne short paragraph.")
	f.Add("新しい橋\n「来月」開通", "新しい橋が\n来月 開通。")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkDiff(t, before, after)
	})
}

func FuzzShingles(f *testing.F) {
	f.Add("The U.S. paid 1,200.50 for l’homme", "THE US paid 1200,50 for l'homme")
	f.Add("ｶﾞｽ 東京", "کتاب ที่นี่")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := NewShingles(a), NewShingles(b)
		o, back := Compare(x, y), Compare(y, x)
		if o.IsCopy() != back.IsCopy() || o.Score() != back.Score() || o.Score() < 0 || o.Score() > 1 {
			t.Fatalf("%+v, %+v", o, back)
		}
		if (o.Likeness == 1) != (x.Len() > 0 && slices.Equal(x.hashes, y.hashes)) {
			t.Fatalf("%+v", o)
		}
		if n := len(x.Keys()); n > maxKeys || n > x.Len() || (n > 0) != (x.Len() > 0) {
			t.Fatalf("%d keys of %d shingles", n, x.Len())
		}
	})
}

// TestDiffFewWords compares texts of four words, of which every paragraph is
// like many others and may be joined to several.
func TestDiffFewWords(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	text := func() string {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString([]string{"a", "b", "c", "d"}[r.IntN(4)] + []string{" ", " ", " ", "\n"}[r.IntN(4)])
		}
		return b.String()
	}
	for range 1000 {
		checkDiff(t, text(), text())
	}
}
