package blocks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// TestReadAgain checks that a reused view describes a page like a new one.
func TestReadAgain(t *testing.T) {
	pages := []string{
		`<title>The bridge is open</title><nav><a href=x>Home</a><a href=y>News</a></nav><h1>The bridge is open</h1>` +
			`<div class="story body"><p>The old bridge, built in 1931, was opened on Monday at 9:30.<p>“It holds,” said the mayor.</div>` +
			`<div class=comments><p>First!<p>First!</div>`,
		`<p>One.`,
		`<title>Storm</title><h2>Weather</h2><ul class=teaser><li>Rain<li>Wind<li>Snow</ul><p>A storm, the third of the year, has come. Trees fell.`,
		`<table><tr><td>a<td>b<tr><td>c</table>`,
	}
	tables := new(Tables)
	eachName("story comments teaser", func(word uint32) { tables.Names.Set(word, int8(word%99)-50) })
	var used View
	for range 2 {
		for _, page := range pages {
			d := parse(t, page)
			used.Read(d, tables)
			fresh := Read(d, tables)
			if !slices.Equal(used.Rows(Signals{}), fresh.Rows(Signals{})) || used.Headline != fresh.Headline || used.main != fresh.main {
				t.Errorf("%.60s…: features differ from those of a new view", page)
			}
			if !used.Release() || used.Doc != nil {
				t.Error("the page is not released")
			}
		}
	}
}

func TestReleaseHuge(t *testing.T) {
	v := Read(parse(t, strings.Repeat("<p>x", 40_000)), new(Tables))
	if v.Release() {
		t.Error("the memory of a huge page is kept")
	}
}

func TestSimilarSiblings(t *testing.T) {
	var b strings.Builder
	b.WriteString("<ul><li class=a>one<li class=b>two<li class=a>three<li class=a><li>four</ul><section>")
	for i := range 1000 { // a class for every two
		fmt.Fprintf(&b, "<div class=%s>x</div>", strings.Repeat("c", i/2+2))
	}
	d := parse(t, b.String())
	v := Read(d, new(Tables))
	var got []int32
	for n := range d.All(0, dom.Li) {
		got = append(got, v.elements[n].similar)
	}
	// The fourth has no text and is not counted. A class that no other element has
	// makes no difference.
	if want := []int32{2, 2, 2, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("%d similar, want %d", got, want)
	}
	for n := range d.All(0, dom.Div) {
		if v.elements[n].similar != 2 {
			t.Errorf("%s: %d similar", d.Attr(n, "class"), v.elements[n].similar)
		}
	}
}

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCut(t *testing.T) {
	for page, want := range map[string]string{
		"<p>one<p>two":                          "one|two",
		"<p>one <b>two</b> three":               "one two three",
		"<div>one<br>two<br><br>three</div>":    "one two|three",
		"<div>one<p>two</p>three</div>":         "one|two|three",
		"<div>one<div hidden>no</div>two</div>": "onetwo",
		"<ul><li>one<li>two <ul><li>three</ul>": "one|two|three",
		"<table><tr><td>one<td>two</table>":     "one|two",
		"<p> <p>&nbsp;<p>one":                   "one",
		"<article><h1>one</h1>two<hr>three":     "one|two|three",
	} {
		v := Read(parse(t, page), new(Tables))
		var got []string
		for i := range v.Blocks {
			got = append(got, strings.Join(strings.Fields(v.Text(i)), " "))
		}
		if g := strings.Join(got, "|"); g != want {
			t.Errorf("%s: %s, want %s", page, g, want)
		}
	}
}

func TestOpenings(t *testing.T) {
	open := func(s string) []uint32 { return appendOpenings(nil, s) }
	if !slices.Equal(open("Read MORE, 2019"), open("read more: 3147")) {
		t.Error("case, punctuation or digits make a difference")
	}
	if n := len(open("one two three")); n != 4 { // three words and a pair
		t.Errorf("%d slots, want 4", n)
	}
	if n := len(open("one two three four five six seven eight nine")); n != headWords+1+tailWords {
		t.Errorf("%d slots, want %d", n, headWords+1+tailWords)
	}
	if n := len(open("旧码头因木桩被蛀而关闭")); n != headWords+1+tailWords {
		t.Errorf("%d slots of ideographs, want %d", n, headWords+1+tailWords)
	}
	if open("") != nil || open("— …") != nil {
		t.Error("slots of a text without words")
	}
}

func TestTextStats(t *testing.T) {
	var l textStats
	l.read("By Ann Lee, 14 May 2024, 6:30 am", new(Tables))
	if !l.year || !l.clock || l.last != lowerKind || l.capitalized != 4 {
		t.Errorf("%+v", l)
	}
	l = textStats{}
	l.read("© the paper: 19 of 30 pages?", new(Tables))
	if l.year || l.clock || l.last != stopKind || l.questions != 1 {
		t.Errorf("%+v", l)
	}
}

func TestIsOutside(t *testing.T) {
	tables := new(Tables)
	eachName("teaser", func(word uint32) { tables.Names.Set(word, -100) })
	d := parse(t, "<nav><img src=a></nav><div class=teaser><img src=b></div><div class=story><img src=c><p>x</p></div>")
	v := Read(d, tables)
	want := []bool{true, true, false}
	i := 0
	for n := range d.All(0, dom.Img) {
		if got := v.IsOutside(d.Parent(n)); got != want[i] {
			t.Errorf("%s: IsOutside is %v", d.Attr(n, "src"), got)
		}
		i++
	}
}

func TestKinds(t *testing.T) {
	kinds := func(page, url string) int {
		n := 0
		EachKind(parse(t, page), url, func(uint32) { n++ })
		return n
	}
	if n := kinds(`<body class="single post"><script type="application/ld+json">{"@type": "NewsArticle", "x": {"@type":"Person"}}</script>`, "https://paper.example/news/a-storm?x=1"); n != 2+2+2 {
		t.Errorf("%d words, want 6", n)
	}
	if n := kinds(`<script type="application/ld+json">{"@type`, ""); n != 0 {
		t.Errorf("%d words of broken JSON", n)
	}
}

func TestEveryFeatureHasAName(t *testing.T) {
	d, err := dom.Parse(t.Context(), []byte("<title>A storm</title><h1>A storm</h1><p>The harbour was closed, as the wind rose to a storm.</p><ul><li><a href=x>Home</a></ul>"), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := Read(d, new(Tables))
	if got, want := len(v.Rows(Signals{})), len(v.Blocks)*len(Features); got != want || len(v.Blocks) != 3 {
		t.Errorf("%d numbers for %d blocks, want %d: features.txt and Rows differ", got, len(v.Blocks), want)
	}
}

// TestDescribe checks that blocks have the same features whether they are described at
// once or some at a time.
func TestDescribe(t *testing.T) {
	var page strings.Builder
	for i := range 40 {
		fmt.Fprintf(&page, "<h2>Part %d</h2><div><p>The ferry left the pier at six, with %d passengers.</p><ul><li><a href=x>Home</a><li>By bus</ul></div>", i, i)
	}
	v := Read(parse(t, page.String()), new(Tables))
	all := v.Rows(Signals{})
	for _, n := range []int{1, 7, 64, len(v.Blocks) + 1} {
		var got []float32
		for d := v.Describe(Signals{}); len(got) < len(all); {
			got = append(got, d.Append(nil, n)...)
		}
		if !slices.Equal(got, all) {
			t.Errorf("described %d at a time, blocks have other features", n)
		}
	}
}

// TestTinyBlocks checks that the number of blocks is bounded by the size of the page,
// and that no text is lost.
func TestTinyBlocks(t *testing.T) {
	for _, piece := range []string{"<p>x", "<table><tr><td>x<td>y</table>", "<div>x<b>y</b></div>", "x<br><br>", "<li><a href=x>x</a>"} {
		page := strings.Repeat(piece, 20_000)
		v := Read(parse(t, page), new(Tables))
		if most := 1024 + len(page)/64; len(v.Blocks) > most || len(v.Blocks) < most/3 {
			t.Errorf("%s: %d blocks in %d bytes", piece, len(v.Blocks), len(page))
		}
		words, last := 0, dom.Node(-1)
		for _, b := range v.Blocks {
			words += b.Words()
			if b.First <= last || b.Last < b.First || !v.Doc.Contains(b.Owner, b.First) || !v.Doc.Contains(b.Owner, b.Last) || !v.Doc.Tag(b.Owner).IsBlock() {
				t.Fatalf("%s: block %+v after node %d", piece, b, last)
			}
			last = b.Last
		}
		if words != v.Doc.Words(0) {
			t.Errorf("%s: %d words in blocks of %d", piece, words, v.Doc.Words(0))
		}
	}
}

// TestStories checks the features that tell a second story from the first.
func TestStories(t *testing.T) {
	const text = "<p>The ferry left the pier at six, with a hundred passengers, and came back at nine in the evening, the harbour master said.</p>"
	d := parse(t, "<title>The ferry is back</title><article><h1>The ferry is back</h1><p>14 May 2024</p>"+text+text+
		"</article><article><h1>The mill is open</h1><p>13 May 2024</p>"+text+"</article>")
	v := Read(d, new(Tables))
	rows := v.Rows(Signals{})
	value := func(i int, name string) float32 { return rows[i*len(Features)+slices.Index(Features, name)] }
	for _, c := range []struct {
		feature       string
		first, second float32 // of the last paragraph of each story
	}{
		{"storyNumber", 1, 2}, {"headlines", 0, 1}, {"topRanks", 1, 2}, {"dates", 1, 2},
		{"firstUp", 1, 2}, {"firstDown", 1, 2}, {"sinceFirst", 0, log(7)}, {"longestGap", 0, log(7)},
	} {
		if a, b := value(3, c.feature), value(6, c.feature); a != c.first || b != c.second {
			t.Errorf("%s: %v and %v, want %v and %v", c.feature, a, b, c.first, c.second)
		}
	}
}
