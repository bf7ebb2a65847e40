package stories

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestNormalisedWords(t *testing.T) {
	for _, c := range [][2]string{
		{"The “U.S.” said it wouldn’t pay $1,200,000.50", "the us said 'it wouldn't' pay 1.200.000,50"},
		{"10km in 12 300 steps", "10 km in 12,300 steps"},
		{"Erdoğan und Müller", "Erdogan und Mu\u0308ller"},
		{"co-operation — at 14:30", "Co operation, at 14.30"},
		{"ﬁve ｆｉｖｅ", "five five"},
		{"٢٠٢٤", "2024"},
		{"كِتَابٌ", "كتاب"},
		{"東京の天気は、晴れです。", "東京の天気は晴れです"},
		{"ｶﾞｽ", "ガス"},
		{"soft\u00adhyphen", "softhyphen"},
	} {
		a, b := splitWords(norm.NFKC.String(c[0])), splitWords(norm.NFKC.String(c[1]))
		if !slices.EqualFunc(a, b, func(a, b word) bool { return a.hash == b.hash }) {
			t.Errorf("%q and %q differ: %d and %d words", c[0], c[1], len(a), len(b))
		}
	}
}

func TestWordsOfScriptsWithoutSpaces(t *testing.T) {
	for _, text := range []string{
		"记者从市政府获悉，新的跨河大桥将于下个月正式通车，届时两岸居民的出行时间将缩短一半以上。",
		"市は月曜日、新しい橋が来月開通し、両岸の住民の移動時間が半分以下になると発表した。",
		"เทศบาลแจ้งว่าสะพานใหม่จะเปิดใช้งานในเดือนหน้าและจะช่วยลดเวลาเดินทางของประชาชนทั้งสองฝั่ง",
	} {
		words := splitWords(text)
		perWord := float64(len([]rune(text))) / float64(len(words))
		if perWord < 1.3 || perWord > 8 {
			t.Errorf("%.1f characters per word in %q", perWord, text)
		}
		// A passage is cut in the same way whatever precedes it.
		other := splitWords("天気" + text)
		same := 0
		for i := 1; i <= min(len(words), len(other)); i++ {
			if words[len(words)-i].hash != other[len(other)-i].hash {
				break
			}
			same++
		}
		if same < len(words)-1 {
			t.Errorf("%d of %d words at the end are the same after other text", same, len(words))
		}
	}
}

// TestHashes fails if hashes change: they are stored and exchanged.
func TestHashes(t *testing.T) {
	s := NewShingles("The ferry ran aground off Pellmouth on Monday, the coast guard said.")
	if got, want := fmt.Sprintf("%d %x", s.Len(), s.hashes[0]), "9 31c6f1c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// someWords returns n words of a vocabulary of 5000.
func someWords(r *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = letterWord(r.IntN(5000))
	}
	return words
}

// letterWord returns a number in letters: a number in digits would be a word of
// its own.
func letterWord(n int) string {
	b := fmt.Appendf(nil, "%04d", n)
	for i := range b {
		b[i] += 'a' - '0'
	}
	return string(b)
}

func shinglesOf(words ...[]string) *Shingles {
	return NewShingles(strings.Join(slices.Concat(words...), " "))
}

func TestShortTexts(t *testing.T) {
	for _, text := range []string{"", " ", "...", "\xff\xfe", "\n\n"} {
		s := NewShingles(text)
		if s.Len() != 0 || len(s.Keys()) != 0 {
			t.Errorf("%q has shingles", text)
		}
		if o := Compare(s, s); o != (Overlap{}) || o.IsCopy() || o.Score() != 0 {
			t.Errorf("%q is a copy of itself: %+v", text, o)
		}
	}
	a, b := NewShingles("For subscribers"), NewShingles("For subscribers only")
	if a.Len() != 1 || Compare(a, b).Shared != 0 || Compare(a, a).Score() != 1 || Compare(a, a).IsCopy() {
		t.Errorf("texts of a few words: %d shingles, %+v", a.Len(), Compare(a, b))
	}
	repeated := NewShingles(strings.Repeat("ha ", 1000))
	if repeated.Len() != 1 || Compare(repeated, repeated).IsCopy() {
		t.Errorf("one word repeated has %d shingles", repeated.Len())
	}
}

func TestIsCopy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) []string { return someWords(r, n) }
	story, other, brief := text(400), text(300), text(40)
	notice := text(60)
	background := text(110)
	lede := text(70)
	corrected := slices.Clone(brief)
	corrected[20] = "corrected"
	for _, c := range []struct {
		name string
		a, b *Shingles
		want bool
	}{
		{"the same", shinglesOf(story), shinglesOf(story), true},
		{"another story", shinglesOf(story), shinglesOf(other), false},
		{"the same words in another order", shinglesOf(story), shinglesOf(reversed(story)), false},
		{"an excerpt", shinglesOf(story), shinglesOf(story[:90]), true},
		{"without the beginning", shinglesOf(story), shinglesOf(story[200:]), true},
		{"a local lede", shinglesOf(story), shinglesOf(lede, story[:150]), true},
		{"two local ledes", shinglesOf(lede, story), shinglesOf(text(60), story), true},
		{"paragraphs in another order", shinglesOf(story), shinglesOf(story[300:], story[100:300], story[:100]), true},
		{"a longer version", shinglesOf(story[:200]), shinglesOf(story, other), true},
		{"a brief in a long story", shinglesOf(brief), shinglesOf(story, brief, other), true},
		{"a corrected brief", shinglesOf(brief), shinglesOf(corrected), true},
		{"a short notice", shinglesOf(brief[:22]), shinglesOf(brief[:22]), false},
		{"the notice of a paper at the end", shinglesOf(story[:50], notice), shinglesOf(other[:60], notice), false},
		{"the notice of a paper at the beginning", shinglesOf(notice, story), shinglesOf(notice, other), false},
		{"background", shinglesOf(story[:100], background), shinglesOf(other[:90], background), false},
		{"background and a notice", shinglesOf(story, background, notice), shinglesOf(other, background, notice), false},
	} {
		o, back := Compare(c.a, c.b), Compare(c.b, c.a)
		if o.IsCopy() != c.want {
			t.Errorf("%s: %+v", c.name, o)
		}
		if s := o.Score(); s < 0 || s > 1 || c.name != "a short notice" && (s >= .5) != c.want {
			t.Errorf("%s: score %.2f", c.name, s)
		}
		if back.IsCopy() != o.IsCopy() || back.Score() != o.Score() || back.InA != o.InB || back.Likeness != o.Likeness {
			t.Errorf("%s is not symmetric: %+v, %+v", c.name, o, back)
		}
	}
}

func reversed(words []string) []string {
	words = slices.Clone(words)
	slices.Reverse(words)
	return words
}

// TestCompare compares overlaps with those of sets of strings.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	set := func(words []string) map[string]bool {
		m := map[string]bool{}
		for i := 0; i+shingleWords <= len(words); i++ {
			m[strings.Join(words[i:i+shingleWords], " ")] = true
		}
		return m
	}
	for range 200 {
		a := someWords(r, shingleWords+r.IntN(300))
		b := slices.Concat(a[:r.IntN(len(a))], someWords(r, shingleWords+r.IntN(100)), a[:r.IntN(len(a))])
		x, y := set(a), set(b)
		shared := 0
		for s := range x {
			if y[s] {
				shared++
			}
		}
		o := Compare(shinglesOf(a), shinglesOf(b))
		n := float64(shared)
		if o.Shared != shared || o.InA != n/float64(len(x)) || o.InB != n/float64(len(y)) || o.Likeness != n/float64(len(x)+len(y)-shared) {
			t.Fatalf("%+v; %d shared of %d and %d", o, shared, len(x), len(y))
		}
	}
}

func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var total int
	const runs = 300
	for range runs {
		s := shinglesOf(someWords(r, 500))
		keys := s.Keys()
		total += len(keys)
		if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
			t.Fatal("keys are not distinct")
		}
		// A common passage of keyWindow shingles has a common key.
		passage := someWords(r, keyWindow+shingleWords-1)
		a, b := shinglesOf(someWords(r, 400), passage, someWords(r, 300)), shinglesOf(someWords(r, 50), passage)
		if sharedHashes(a.Keys(), b.Keys()) == 0 {
			t.Fatal("a common passage without a common key")
		}
	}
	if mean := float64(total) / runs; mean > 40.5 {
		t.Errorf("%.1f keys for 500 words", mean)
	}
	// Of a very long text few are kept, and copies of it have most of them.
	long := someWords(r, 200_000)
	changed := slices.Clone(long)
	for i := 0; i < len(changed); i += 50 {
		changed[i] = "changed"
	}
	a, b := shinglesOf(long).Keys(), shinglesOf(changed[1000:]).Keys()
	if len(a) != maxKeys || sharedHashes(a, b) < maxKeys/2 {
		t.Errorf("a long text has %d keys, its copy %d of them", len(a), sharedHashes(a, b))
	}
}
