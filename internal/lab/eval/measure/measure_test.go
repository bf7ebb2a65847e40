package measure

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// example is a page with the output of an extractor.
type example struct {
	gold corpus.Gold
	out  Output
	html string
}

func figuresOf(t testing.TB, name string, examples []example) []float64 {
	t.Helper()
	m, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	var pages [][]float64
	for _, x := range examples {
		var d *dom.Document
		if x.html != "" {
			d = parse(t, x.html)
		}
		pages = append(pages, m[0].Page(NewPage(&x.gold, d).Case(&x.out)))
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
	const nodes = `<p>one two three four</p><p>five six seven eight nine ten</p><p>a b c d e</p><p>v w x y z</p>`
	const body = "one two three four\nfive six seven eight nine ten"
	for _, c := range []struct {
		name, measure string
		examples      []example
		want          []float64
	}{
		// P, R and F1 of the pages are 1 2/3 4/5, 1 1 1 and 0 0 0; only the second has F1 ≥ 0.9.
		{"three pages", "bag", []example{text("a b c", "a b"), text("a", "a"), text("a", "")}, []float64{2. / 3, (2./3 + 1) / 3, (0.8 + 1) / 3, 1. / 3}},
		{"an error is an empty output", "bag", []example{{gold: corpus.Gold{Text: "a"}, out: Output{Text: "a", Error: "too slow"}}}, []float64{0, 0, 0, 0}},
		{"no gold text", "bag", []example{text("", "a")}, nil},
		{"the headline counts", "bag", []example{{gold: corpus.Gold{Text: "A tide\nb", TitleInText: true}, out: Output{Title: "A tide", Text: "b"}}}, []float64{1, 1, 1, 1}},

		// abcd bcde of abcd bcde cdef; the empty page counts for recall only.
		{"two pages", "shingle", []example{text("a b c d e f", "a b c d e"), text("a b c d", "")}, []float64{1, 1. / 3, 0.5, 0}},
		{"case is kept", "shingle", []example{text("A b c d", "a b c d")}, []float64{0, 0, 0, 0}},
		{"punctuation is not", "shingle", []example{text("A b, c d.", "A b c d")}, []float64{1, 1, 1, 1}},
		{"few words are one shingle", "shingle", []example{text("a b", "a b"), text("a b", "a b c")}, []float64{0.5, 0.5, 0.5, 0.5}},
		// aaaa twice in the gold and three times in the output.
		{"repeated shingle", "shingle", []example{text("a a a a a", "a a a a a a")}, []float64{2. / 3, 1, 0.8, 0}},

		// LCS of "a b c d" with "a c x" is a c, with "d b" it is d or b; the later one, d, is chosen.
		{"union over lines", "rouge", []example{text("a b c d", "a c x\nd b")}, []float64{3. / 5, 3. / 4, 2 * 0.6 * 0.75 / 1.35}},
		{"not more often than found", "rouge", []example{text("a b\na c", "a")}, []float64{1, 1. / 4, 0.4}},
		{"order matters", "rouge", []example{text("a b c", "c b a")}, []float64{1. / 3, 1. / 3, 1. / 3}},
		{"nothing", "rouge", []example{text("a", ""), text("…", "")}, []float64{0.5, 0.5, 0.5}},

		// True positives: tide, gull. False positive: cookies. False negative: fog.
		{"over all pages", "snippet", []example{
			{gold: corpus.Gold{With: []string{"The  TIDE", "fog"}}, out: Output{Text: "the tide\nis out"}},
			{gold: corpus.Gold{With: []string{"gull"}, Without: []string{"cookies", "sign up"}}, out: Output{Text: "Gull. Cookies!"}},
			{gold: corpus.Gold{Text: "a"}, out: Output{Text: "cookies"}},
		}, []float64{2. / 3, 2. / 3, 2. / 3}},

		// {a b x y} and {a b c}.
		{"each word once", "set", []example{text("a b b b c", "a a b x x y")}, []float64{2. / 4, 2. / 3, 4. / 7}},

		{"exact or not", "title", []example{
			{gold: corpus.Gold{Title: "Ferry: late!"}, out: Output{Title: "FERRY LATE"}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{Title: "Ferry late | The Post"}}, // 2 of 4, 2 of 2
			{out: Output{Title: "Low"}},
		}, []float64{0.5, (1 + 2./3) / 2}},
		// Exact, within a longer one (2 of 4, 2 of 2), an error; one does not tell and one has no gold.
		{"the method's own", "own-title", []example{
			{gold: corpus.Gold{Title: "Ferry: late!"}, out: Output{Title: "Other", OwnTitle: new("FERRY LATE")}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{OwnTitle: new("Ferry late | The Post")}},
			{gold: corpus.Gold{Title: "Ferry late"}, out: Output{OwnTitle: new("Ferry late"), Error: "too slow"}},
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
		{"title, body, both", "page", []example{
			{gold: corpus.Gold{Title: "T", Text: "a b"}, out: Output{Title: "t", Text: "a b"}},
			{gold: corpus.Gold{Title: "T", Text: "a b"}, out: Output{Title: "t", Text: "a"}},
			{gold: corpus.Gold{Title: "T", Text: "a b"}, out: Output{Title: "U", Text: "a b"}},
			{gold: corpus.Gold{Title: "T", Text: "a b"}},
			{gold: corpus.Gold{Text: "a b"}, out: Output{Text: "a b"}},
		}, []float64{0.5, 0.5, 0.25}},

		// Page 1: nodes 1 and 2 are gold, 2 and 3 were found, so 1 of 2 and 1 of 2. Page 2: both
		// are gold and found. By words: 6 of 11 and 6 of 10, and 10 of 10.
		{"by nodes", "node", []example{
			{corpus.Gold{Text: body}, Output{Text: "five six seven eight nine ten\na b c d e"}, nodes},
			{corpus.Gold{Text: body}, Output{Text: body}, nodes},
		}, []float64{3. / 4, 3. / 4, 3. / 4}},
		{"by words", "nodetext", []example{
			{corpus.Gold{Text: body}, Output{Text: "five six seven eight nine ten\na b c d e"}, nodes},
			{corpus.Gold{Text: body}, Output{Text: body}, nodes},
		}, []float64{16. / 21, 16. / 20, 32. / 41}},
		{"gold is not on the page", "node", []example{{corpus.Gold{Text: "The moon is up"}, Output{Text: body}, nodes}}, nil},
		{"no page", "node", []example{text("a b c d", "a b c d")}, nil},

		// Article or not: 1, 2 and 5 are right. Kinds: 1 and 5.
		{"kinds of pages", "type", []example{
			{gold: corpus.Gold{Type: "article"}, out: Output{Type: "article"}},
			{gold: corpus.Gold{Type: "forum"}, out: Output{Type: "index"}},
			{gold: corpus.Gold{Type: "listing"}, out: Output{Type: "article"}},
			{gold: corpus.Gold{Type: "product"}, out: Output{Type: "other", Error: "too slow"}},
			{gold: corpus.Gold{Type: "collection"}, out: Output{Type: "index"}},
			{gold: corpus.Gold{Type: "article"}, out: Output{Type: "other"}},
			{gold: corpus.Gold{Type: "article"}},
			{out: Output{Type: "article"}},
		}, []float64{3. / 6, 1. / 2, 1. / 2, 2. / 6}},

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

// TestRougeScore has results of rougeLsum of the Python package rouge_score 0.1.2,
// without stemming.
func TestRougeScore(t *testing.T) {
	var long, other []string
	for i := range 150 {
		long = append(long, "w"+string(rune('0'+i*7%97/10))+string(rune('0'+i*7%97%10)))
	}
	for i := range 140 {
		other = append(other, "w"+string(rune('0'+i*5%89/10))+string(rune('0'+i*5%89%10)))
	}
	for _, c := range []struct {
		gold, found string
		want        []float64
	}{
		{"the gull sat on the pier\nthe ferry was late\nfog lay on the harbour", "the ferry was late for the fog\na gull sat near the old pier", []float64{0.7142857142857143, 0.6666666666666666, 0.689655172413793}},
		{"one two three four five", "five four three two one\none three five", []float64{0.375, 0.6, 0.4615384615384615}},
		{"tide and tide and tide\nlow tide", "tide tide low and and tide low\nand low tide tide", []float64{0.6363636363636364, 1, 0.7777777777777778}},
		{"a b c a b b a\nb c a\nc", "c b a b a c\na a b\nb b c c", []float64{0.6923076923076923, 0.8181818181818182, 0.7500000000000001}},
		{"the boats come home at noon\n\nthe boats come home at night", "the boats come home\nat noon or at night the boats come home", []float64{0.6153846153846154, 0.6666666666666666, 0.64}},
		{strings.Join(long, " "), strings.Join(other, " ") + "\n" + strings.Join(long[20:90], " "), []float64{0.38095238095238093, 0.5333333333333333, 0.4444444444444444}},
	} {
		if got := figuresOf(t, "rouge", []example{text(c.gold, c.found)}); !near(got, c.want) {
			t.Errorf("%.40q: got %v, want %v", c.gold, got, c.want)
		}
	}
}

func TestConfusion(t *testing.T) {
	m := pageType()
	var pages [][]float64
	for _, x := range [][2]string{{"article", "article"}, {"article", "article"}, {"listing", "article"}, {"listing", "index"}, {"recipe", "other"}} {
		pages = append(pages, m.Page(NewPage(&corpus.Gold{Type: x[0]}, nil).Case(&Output{Type: x[1]})))
	}
	pages = append(pages, m.Page(NewPage(&corpus.Gold{Type: "article"}, nil).Case(&Output{Error: "too slow"})))
	got := NewConfusion(Sum(pages))
	if !slices.Equal(got.Found, []string{"article", "index", "other", "error"}) || !slices.Equal(got.Gold, []string{"article", "listing", "other"}) ||
		!slices.Equal(got.Kinds, []string{"article", "index", "other"}) {
		t.Errorf("got %+v", got)
	}
	for row, want := range [][]float64{{2, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}} {
		if !slices.Equal(got.Pages[row], want) {
			t.Errorf("%s: got %v, want %v", got.Found[row], got.Pages[row], want)
		}
	}
}

func TestFigures(t *testing.T) {
	m := bag()
	if got := Figures(m, [][]float64{nil, nil}); got != nil {
		t.Errorf("no page: %v", got)
	}
	if got := Sum([][]float64{{1, 2}, nil, {3, 4}}); !near(got, []float64{4, 6}) {
		t.Errorf("got %v", got)
	}
}

func TestFind(t *testing.T) {
	if _, err := Find("bag", "luck"); err == nil || !strings.Contains(err.Error(), "luck") || !strings.Contains(err.Error(), "rouge") {
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

// TestSharedPage checks that the values kept in a Page do not change the figures.
func TestSharedPage(t *testing.T) {
	g := corpus.Gold{Text: "one two three four\nfive six", Title: "One", With: []string{"two"}}
	shared := NewPage(&g, parse(t, "<p>one two three four</p><p>five six</p>"))
	for _, found := range []string{"one two three four", "", "five six", "one two three four five six seven"} {
		for _, m := range All() {
			alone := NewPage(&g, shared.Doc).Case(&Output{Text: found})
			if got, want := m.Page(shared.Case(&Output{Text: found})), m.Page(alone); !slices.Equal(got, want) {
				t.Errorf("%s of %q: got %v, want %v", m.Name, found, got, want)
			}
		}
	}
}

// FuzzMeasures checks that all figures but times are between 0 and 1.
func FuzzMeasures(f *testing.F) {
	f.Add("Ferry late\nThe ferry is late", "The ferry", "Ferry late", "Ann", "2024-05-14", "article", true)
	f.Add("渡轮今天晚点", "渡轮\n今天", "", "", "", "listing", false)
	f.Add("a a a a\na a", "a\na a a a a", "a", "a", "a", "other", true)
	f.Fuzz(func(t *testing.T, gold, found, title, author, date, kind string, inText bool) {
		g := corpus.Gold{
			Text: gold, Title: title, TitleInText: inText, Authors: []string{author, found}, Date: date, Type: kind,
			With: []string{title, author}, Without: []string{date},
		}
		var d *dom.Document
		if strings.TrimSpace(gold) != "" {
			var err error
			if d, err = dom.Parse(t.Context(), []byte("<p>"+gold+"<p>"+found), dom.Options{Charset: "utf-8"}); err != nil {
				d = nil
			}
		}
		p := NewPage(&g, d)
		outs := []*Output{
			{Title: author, Text: found, Authors: []string{title}, Date: date, Type: kind, Time: time.Second},
			{Title: title, Text: gold, Authors: g.Authors, Date: date, Type: "article", Time: time.Second, Parse: time.Second},
			{Error: "nothing"},
		}
		for _, m := range All() {
			var pages [][]float64
			for _, out := range outs {
				pages = append(pages, m.Page(p.Case(out)))
			}
			figures := Figures(m, pages)
			if figures != nil && len(figures) != len(m.Figures) {
				t.Errorf("%s: %d figures for %d names", m.Name, len(figures), len(m.Figures))
			}
			for i, x := range slices.Concat(figures, Bootstrap(m, pages, 5, 1)) {
				if math.IsNaN(x) || x < 0 || x > 1 && m.Name != "time" {
					t.Errorf("%s: figure %d is %v", m.Name, i, x)
				}
			}
		}
	})
}

func BenchmarkMeasures(b *testing.B) {
	page, story := largePage(200)
	d := parse(b, page)
	g := corpus.Gold{Text: story, Title: "Tide", With: []string{"tide"}, Type: "article", Date: "2024-05-14", Authors: []string{"Ann"}}
	for _, m := range All() {
		b.Run(m.Name, func(b *testing.B) {
			p := NewPage(&g, d)
			out := &Output{Title: "Tide", Text: story[:len(story)*3/4] + " fog and rope\n", Type: "article", Time: time.Second}
			for b.Loop() {
				m.Page(p.Case(out))
			}
		})
	}
}

func BenchmarkRouge(b *testing.B) {
	_, lines := largePage(5000) // some 18,000 words
	for name, story := range map[string]string{"lines": lines, "one line": strings.ReplaceAll(lines, "\n", " ")} {
		b.Run(name, func(b *testing.B) {
			p := NewPage(&corpus.Gold{Text: story}, nil)
			b.ReportMetric(float64(len(Words(story))), "words")
			for b.Loop() {
				p.Case(&Output{Text: story[len(story)/9:]}).rougeLsum()
			}
		})
	}
}

// TestBootstrap compares with the standard error of a proportion, √(p(1−p)/n).
func TestBootstrap(t *testing.T) {
	m := date()
	var pages [][]float64
	for i := range 400 {
		pages = append(pages, []float64{indicator(i%4 == 0), 1}, nil)
	}
	got := Bootstrap(m, pages, 2000, 7)
	if want := math.Sqrt(0.25 * 0.75 / 400); len(got) != 1 || math.Abs(got[0]-want) > 0.05*want {
		t.Errorf("got %v, want about %v", got, want)
	}
	if again := Bootstrap(m, pages, 2000, 7); !slices.Equal(got, again) {
		t.Errorf("the same seed gives %v and %v", got, again)
	}
	if other := Bootstrap(m, pages, 2000, 8); slices.Equal(got, other) {
		t.Errorf("another seed also gives %v", other)
	}
	same := m.Page(NewPage(&corpus.Gold{Date: "2024-05-14"}, nil).Case(&Output{Date: "2024-05-14"}))
	if got := Bootstrap(m, [][]float64{same, same, same}, 100, 1); !near(got, []float64{0}) {
		t.Errorf("equal pages: %v", got)
	}
	if got := Bootstrap(m, [][]float64{nil}, 100, 1); got != nil {
		t.Errorf("no page: %v", got)
	}
	for _, rounds := range []int{0, 1} {
		if got := Bootstrap(m, pages, rounds, 1); !near(got, []float64{0}) {
			t.Errorf("%d rounds: %v", rounds, got)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	m := shingle()
	var pages [][]float64
	for i := range 1000 {
		pages = append(pages, []float64{float64(i) / 1000, 1, 0.5, 1, indicator(i%2 == 0), 1})
	}
	for b.Loop() {
		Bootstrap(m, pages, 1000, 1)
	}
}
