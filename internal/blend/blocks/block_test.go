package blocks

import (
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

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

func TestNames(t *testing.T) {
	name := func(s string) (out []uint32) {
		eachName(s, func(p uint32) { out = append(out, p) })
		return out
	}
	for a, b := range map[string]string{
		"shareBar":      "share bar",
		"c-related_box": "related box",
		"Story3 BODY":   "story body",
		"x y z1":        "",
	} {
		if !slices.Equal(name(a), name(b)) {
			t.Errorf("%q and %q have other words", a, b)
		}
	}
	if len(name("story-body")) != 2 || slices.Equal(name("story"), name("body")) {
		t.Error("words of names are not told apart")
	}
}

func TestOpenings(t *testing.T) {
	open := func(s string) []uint32 { return appendOpenings(nil, s) }
	if !slices.Equal(open("Read MORE, 2019"), open("read more: 3147")) {
		t.Error("case, marks and digits are not the same")
	}
	if n := len(open("one two three")); n != 4 { // three words and a pair
		t.Errorf("%d places, want 4", n)
	}
	if n := len(open("one two three four five six seven eight nine")); n != openers+1+closers {
		t.Errorf("%d places, want %d", n, openers+1+closers)
	}
	if n := len(open("旧码头因木桩被蛀而关闭")); n != openers+1+closers {
		t.Errorf("%d places of ideographs, want %d", n, openers+1+closers)
	}
	if open("") != nil || open("— …") != nil {
		t.Error("a text without words has openings")
	}
}

func TestLook(t *testing.T) {
	var l look
	l.read("By Ann Lee, 14 May 2024, 6:30 am", new(Tables))
	if !l.year || !l.clock || l.first != upperKind || l.last != lowerKind || l.capital != 4 {
		t.Errorf("%+v", l)
	}
	l = look{}
	l.read("© the paper: 19 of 30 pages?", new(Tables))
	if l.year || l.clock || !l.copyright || l.last != stopKind || l.questions != 1 {
		t.Errorf("%+v", l)
	}
}

func TestOutside(t *testing.T) {
	tables := new(Tables)
	eachName("teaser", func(p uint32) { tables.Names[p] = -100 })
	d := parse(t, "<nav><img src=a></nav><div class=teaser><img src=b></div><div class=story><img src=c><p>x</p></div>")
	v := Read(d, tables)
	want := []bool{true, true, false}
	i := 0
	for n := range d.All(0, dom.Img) {
		if got := v.Outside(d.Parent(n)); got != want[i] {
			t.Errorf("%s: outside is %v", d.AttrOr(n, "src"), got)
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
