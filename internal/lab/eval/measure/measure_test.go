package measure

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

func figuresOf(t testing.TB, name string, examples []example) []float64 {
	t.Helper()
	m, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	var pages [][]float64
	for _, x := range examples {
		if v := m[0].Page(&x.gold, &x.out); v != nil {
			pages = append(pages, v)
		}
	}
	return Figures(m[0], pages)
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

func text(gold, found string) example {
	return example{gold: corpus.Gold{Text: gold}, out: Output{Text: found}}
}

// TestMeasures has figures computed by hand.
func TestMeasures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, measure string
		examples      []example
		want          []float64
	}{
		// P, R and F1 of the pages are 1 2/3 4/5, 1 1 1 and 0 0 0; only the second has F1 ≥ 0.9.
		{"three pages", "bag", []example{text("a b c", "a b"), text("a", "a"), text("a", "")}, []float64{2. / 3, (2./3 + 1) / 3, (0.8 + 1) / 3, 1. / 3}},
		{"a bag has no order", "bag", []example{text("the gull sat", "sat gull the")}, []float64{1, 1, 1, 1}},
		{"repeated words", "bag", []example{text("the gull sat down", "the the the gull")}, []float64{0.5, 0.5, 0.5, 0}},
		{"no gold text", "bag", []example{text("", "a")}, nil},
		{"the headline counts", "bag", []example{{gold: corpus.Gold{Text: "A tide\nb", TitleInText: true}, out: Output{Title: "A tide", Text: "b"}}}, []float64{1, 1, 1, 1}},
		{"but once", "bag", []example{{gold: corpus.Gold{Text: "A tide\nb", TitleInText: true}, out: Output{Title: "A TIDE!", Text: "a tide b"}}}, []float64{1, 1, 1, 1}},

		// abcd bcde of abcd bcde cdef; the empty page counts for recall only.
		{"two pages", "shingle", []example{text("a b c d e f", "a b c d e"), text("a b c d", "")}, []float64{1, 1. / 3, 0.5, 0}},
		{"case is kept", "shingle", []example{text("A b c d", "a b c d")}, []float64{0, 0, 0, 0}},
		{"punctuation is not", "shingle", []example{text("A b, c d.", "A b c d")}, []float64{1, 1, 1, 1}},
		{"few words are one shingle", "shingle", []example{text("a b", "a b"), text("a b", "a b c")}, []float64{0.5, 0.5, 0.5, 0.5}},
		// aaaa twice in the gold and three times in the output.
		{"repeated shingle", "shingle", []example{text("a a a a a", "a a a a a a")}, []float64{2. / 3, 1, 0.8, 0}},

		// True positives: tide, gull. False positive: cookies. False negative: fog.
		{"over all pages", "snippet", []example{
			{gold: corpus.Gold{With: []string{"The  TIDE", "fog"}}, out: Output{Text: "the tide\nis out"}},
			{gold: corpus.Gold{With: []string{"gull"}, Without: []string{"cookies", "sign up"}}, out: Output{Text: "Gull. Cookies!"}},
			{gold: corpus.Gold{Text: "a"}, out: Output{Text: "cookies"}},
		}, []float64{2. / 3, 2. / 3, 2. / 3}},

		{"exact or not", "title", []example{
			{gold: corpus.Gold{Title: "Ferry: late!"}, out: Output{Title: "FERRY LATE"}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{Title: "Ferry late | The Post"}}, // 2 of 4, 2 of 2
			{out: Output{Title: "Low"}},
		}, []float64{0.5, (1 + 2./3) / 2}},
		// Exact, within a longer one (2 of 4, 2 of 2), an error; one does not tell and one has no gold.
		{"the method's own", "own-title", []example{
			{gold: corpus.Gold{Title: "Ferry: late!"}, out: Output{Title: "Other", OwnTitle: new("FERRY LATE")}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{OwnTitle: new("Ferry late | The Post")}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{OwnTitle: new(""), Error: "too slow"}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{Title: "Ferry late"}},
			{out: Output{OwnTitle: new("Low")}},
		}, []float64{1. / 3, (1 + 2./3) / 3, 2. / 3}},
		{"two of three", "author", []example{
			{gold: corpus.Gold{Authors: []string{"Ann Quay", "Bo"}}, out: Output{Authors: []string{"Dr. ann quay"}}},
			{gold: corpus.Gold{Authors: []string{"Cy"}}, out: Output{Authors: []string{"By", "Cy"}}},
			{out: Output{Authors: []string{"Dee"}}},
		}, []float64{2. / 3}},
		{"to the day", "date", []example{
			{gold: corpus.Gold{Date: "2024-05-14"}, out: Output{Date: "2024-05-14T10:00:00Z"}},
			{gold: corpus.Gold{Date: "2024-05-14"}, out: Output{Date: "2024-05-13"}},
			{gold: corpus.Gold{Date: "2024-05-14"}},
			{gold: corpus.Gold{Date: "in May"}, out: Output{Date: "2024-05-14"}},
		}, []float64{1. / 3}},
		// Article or not: 1, 2 and 5 are right. Kinds: 1 and 5.
		{"kinds of pages", "type", []example{
			{gold: corpus.Gold{Type: "article"}, out: Output{Type: "article"}},
			{gold: corpus.Gold{Type: "forum"}, out: Output{Type: "index"}},
			{gold: corpus.Gold{Type: "listing"}, out: Output{Type: "article"}},
			{gold: corpus.Gold{Type: "product"}, out: Output{Error: "too slow"}},
			{gold: corpus.Gold{Type: "collection"}, out: Output{Type: "index"}},
			{gold: corpus.Gold{Type: "article"}, out: Output{Type: "other"}},
			{gold: corpus.Gold{Type: "article"}},
			{out: Output{Type: "article"}},
		}, []float64{3. / 6, 1. / 2, 1. / 2, 2. / 6}},

		// Two of three are mostly wrong: one of them with a low confidence, one with a high one.
		{"warnings", "confidence", []example{
			{gold: corpus.Gold{Text: "a b"}, out: Output{Text: "a b", Confidence: new(0.3)}},
			{gold: corpus.Gold{Text: "a b"}, out: Output{Text: "c", Confidence: new(0.5)}},
			{gold: corpus.Gold{Text: "a b"}, out: Output{Text: "d", Confidence: new(0.95)}},
			{gold: corpus.Gold{Text: "a b"}, out: Output{Text: "d"}},
		}, []float64{0.5, 0.5, 2. / 3}},

		{"milliseconds", "time", []example{
			{out: Output{Time: 6 * time.Millisecond, Parse: 4 * time.Millisecond}},
			{out: Output{Time: 2 * time.Millisecond, Error: "not an article"}},
			{out: Output{}},
		}, []float64{4, 2, 2}},
	} {
		if got := figuresOf(t, c.measure, c.examples); !near(got, c.want) {
			t.Errorf("%s, %s: got %v, want %v", c.measure, c.name, got, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	if _, err := Find("bag", "luck"); err == nil || !strings.Contains(err.Error(), "luck") || !strings.Contains(err.Error(), "shingle") {
		t.Errorf("got %v", err)
	}
	seen := map[string]bool{}
	for _, m := range All() {
		if seen[m.Name] || m.About == "" || m.Main >= len(m.Figures) {
			t.Errorf("%+v", m)
		}
		seen[m.Name] = true
	}
}

// TestBootstrap compares with the standard error of a proportion, √(p(1−p)/n).
func TestBootstrap(t *testing.T) {
	t.Parallel()
	var pages [][]float64
	for i := range 400 {
		pages = append(pages, []float64{indicator(i%4 == 0), 1})
	}
	got := Bootstrap(date, pages)
	if want := math.Sqrt(0.25 * 0.75 / 400); len(got) != 1 || math.Abs(got[0]-want) > 0.05*want {
		t.Errorf("got %v, want about %v", got, want)
	}
	if got := Bootstrap(date, [][]float64{{1, 1}, {1, 1}}); !near(got, []float64{0}) {
		t.Errorf("equal pages: %v", got)
	}
	if got := Bootstrap(date, nil); got != nil {
		t.Errorf("no page: %v", got)
	}
}
