package twcem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"港口大桥", "港口的桥", 1},
	} {
		if got := editDistance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := randomRunes(r, 9), randomRunes(r, 9)
		if got, want := editDistance(a, b), slowEditDistance(a, b); got != want {
			t.Fatalf("%c, %c: %d, want %d", a, b, got, want)
		}
	}
}

func randomRunes(r *rand.Rand, most int) []rune {
	s := make([]rune, r.IntN(most))
	for i := range s {
		s[i] = 'a' + r.Int32N(3)
	}
	return s
}

// slowEditDistance is formula (1) as it is written, but for the slip.
func slowEditDistance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	flag := 1
	if a[0] == b[0] {
		flag = 0
	}
	return min(slowEditDistance(a[1:], b)+1, slowEditDistance(a, b[1:])+1, slowEditDistance(a[1:], b[1:])+flag)
}

func TestLCS(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		title := randomWords(r, 1+r.IntN(12))
		if r.IntN(10) == 0 {
			title = randomWords(r, maxWords)
		}
		rows := make([][]string, 1+r.IntN(4))
		g := newVocabulary(strings.Join(title, " "), false)
		for i := range rows {
			rows[i] = append(randomWords(r, r.IntN(12)), "elsewhere")
			g.read(strings.Join(rows[i], ", "))
		}
		for a := range rows {
			for b := a; b < len(rows); b++ {
				if got, want := g.lcs(a, b), slowLCS(title, slices.Concat(rows[a:b+1]...)); got != want {
					t.Fatalf("%v in %v, rows %d to %d: %d, want %d", title, rows, a, b, got, want)
				}
			}
		}
		if same, of := g.compare(strings.Join(rows[0], " ")); same != slowLCS(title, rows[0]) || of != len(rows[0]) {
			t.Fatalf("%v in %v: %d of %d", title, rows[0], same, of)
		}
	}
}

func randomWords(r *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%c", 'a'+r.IntN(5))
	}
	return words
}

func slowLCS(a, b []string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				table[i+1][j+1] = table[i][j] + 1
			} else {
				table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
			}
		}
	}
	return table[len(a)][len(b)]
}

// TestLongTitle checks that words beyond the bits of a machine word are cut off
// and do no harm.
func TestLongTitle(t *testing.T) {
	var words []string
	for i := range 2 * maxWords {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	g := newVocabulary(strings.Join(words, " "), false)
	g.read(strings.Join(words, " "))
	if got := g.lcs(0, 0); got != maxWords {
		t.Errorf("%d words", got)
	}
}

// TestStopWordRules checks which words of a title count.
func TestStopWordRules(t *testing.T) {
	for title, want := range map[string]int{
		"EU at war":         1,
		"The end of flying": 1,
		"Ferry with 22 men": 2,
		"A B C":             0,
		"ЕС и НАТО":         2,
		"大桥关闭":              4,
		"다리 폐쇄":             2,
		"في بيت جديد":       1,
	} {
		if g := newVocabulary(title, true); g.size != want {
			t.Errorf("%q: %d words count, want %d", title, g.size, want)
		}
	}
}
