package coreex

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
)

func load(t testing.TB, name string) *dom.Document {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return methodtest.Parse(t, string(b))
}

// spell names a node of the worked example.
func spell(t *tree, n dom.Node) string {
	d := t.doc
	if d.IsText(n) {
		return d.Text(n)
	}
	if d.Tag(n) == dom.Li {
		return "li " + d.Text(n)
	}
	return d.Name(n)
}

// TestWorkedExample is the running example of Figures 3 to 6. The pictures do
// not give the items of the list, so two of two words each stand in for them;
// the rest is in the text of section 2: the paragraph "A paragraph" with the
// link "with a link" one level further down, the text node "Note:", a <ul>,
// and <body> on top.
func TestWorkedExample(t *testing.T) {
	d := load(t, "figure3.html")
	basic, weighted := Row(1), Row(2)
	b, w := newTree(d, &basic), newTree(d, &weighted)
	want := []struct {
		node            string
		text, link      int32
		basic, weighted float64
	}{
		{"body", 8, 1, 0.875, 0.87625},
		{"p", 3, 1, 2.0 / 3, 0.66375},
		{"A paragraph", 2, 0, 1, 0.9925},
		{"a", 1, 1, 0, 0.00125},
		{"Note:", 1, 0, 1, 0.99125},
		{"ul", 4, 0, 1, 0.995},
		{"li First item", 2, 0, 1, 0.9925},
		{"First item", 2, 0, 1, 0.9925},
		{"li Second item", 2, 0, 1, 0.9925},
		{"Second item", 2, 0, 1, 0.9925},
	}
	i := 0
	for n := b.top; int(n) < d.Len(); n++ {
		if d.InLink(n) && d.Tag(n) != dom.A {
			continue // inside the link
		}
		if i == len(want) {
			t.Fatalf("one node too many: %s", spell(b, n))
		}
		x := want[i]
		i++
		if got := spell(b, n); got != x.node {
			t.Fatalf("node %d is %s, want %s", i, got, x.node)
		}
		if b.text[n] != x.text || b.link[n] != x.link {
			t.Errorf("%s: textCnt %d, linkCnt %d, want %d, %d", x.node, b.text[n], b.link[n], x.text, x.link)
		}
		if got := b.score(n); math.Abs(got-x.basic) > 1e-12 {
			t.Errorf("%s: basic score %v, want %v", x.node, got, x.basic)
		}
		if got := w.score(n); math.Abs(got-x.weighted) > 1e-12 {
			t.Errorf("%s: weighted score %v, want %v", x.node, got, x.weighted)
		}
	}
	if i != len(want) {
		t.Errorf("only %d nodes, want %d", i, len(want))
	}
	// "Note:" and <ul> are equal under the basic scheme; the first is taken.
	if got := spell(b, b.best()); got != "Note:" {
		t.Errorf("basic scoring takes %s, want Note:", got)
	}
	if got := spell(w, w.best()); got != "ul" {
		t.Errorf("weighted scoring takes %s, want ul", got)
	}
}

func TestTies(t *testing.T) {
	c := Row(1)
	for _, x := range []struct{ name, page, want string }{
		{"higher", `<div><p>one two</p></div><a href=x>x</a>`, "div"},
		{"higher, though later", `<div><p><i>one</i></p><a href=x>x</a></div><p>two</p>`, "p two"},
		{"first of siblings", `<a href=x>x</a><p>one</p><p>two</p>`, "p one"},
		{"the top of the page", `<p>one</p><p>two</p>`, "body one\ntwo"},
	} {
		d := methodtest.Parse(t, x.page)
		n := newTree(d, &c).best()
		if got := d.Name(n); got != x.want && got+" "+d.Text(n) != x.want {
			t.Errorf("%s: got %s %q, want %s", x.name, got, d.Text(n), x.want)
		}
	}
}

// TestCounts checks the rules of section 2.1 for terminal nodes.
func TestCounts(t *testing.T) {
	c := Default()
	for page, want := range map[string][2]int32{
		`<p>one two three</p>`:                             {3, 0},
		`<a href=x>many words of a link</a>`:               {1, 1},
		`<a href=x><img src=y></a>`:                        {1, 1},
		`<a href=x></a>`:                                   {0, 0},
		`<a name=x>an anchor</a>`:                          {2, 0},
		`<img src=y>`:                                      {0, 0},
		`<p>one <a href=x>two <b>three</b></a> four</p>`:   {3, 1},
		`<div hidden>one <a href=x>y</a></div>two`:         {1, 0},
		`<p>河边的磨坊</p>`:                                     {5, 0},
		`<form>one <a href=x>y</a></form>two three four`:   {3, 0},
		`one<select><option>two</select><textarea>three`:   {1, 0},
		`<script>one two three</script>four`:               {1, 0},
		`<style>p { top: 0 }</style><noscript>x</noscript`: {0, 0},
	} {
		tr := newTree(methodtest.Parse(t, page), &c)
		if got := [2]int32{tr.text[tr.top], tr.link[tr.top]}; got != want {
			t.Errorf("%s: %d words and %d links, want %d and %d", page, got[0], got[1], want[0], want[1])
		}
	}
}

// TestIdeographs: the share of the text has half the weight where a character counts
// as a word.
func TestIdeographs(t *testing.T) {
	for page, want := range map[string]float64{
		`<p>The mill at the river opens. <a href=x>Flour for all</a></p>`: 0.04,
		`<p>河边的磨坊周六开放。<a href=x>面粉</a></p>`:                               0.02,
		`<p>川沿いの水車小屋が開きます。<a href=x>小麦粉</a></p>`:                          0.02,
		`<p>강가의 방앗간이 토요일에 문을 엽니다. <a href=x>밀가루 판매</a></p>`:               0.04,
	} {
		d := methodtest.Parse(t, page)
		own, paper := Default(), Paper()
		if got := newTree(d, &own).weightText; got != want {
			t.Errorf("%s: weight %v, want %v", page, got, want)
		}
		if got := newTree(d, &paper).weightText; got != 0.01 {
			t.Errorf("%s: weight %v in the paper, want 0.01", page, got)
		}
	}
}

// TestThreshold: a child must exceed the threshold, not only reach it.
func TestThreshold(t *testing.T) {
	c := Paper()
	page := `<p id=even>1 2 3 4 5 6 7 8 9 <a href=x>y</a></p><p id=over>1 2 3 4 5 6 7 8 9 10 <a href=x>y</a></p>`
	tr := newTree(methodtest.Parse(t, page), &c)
	if tr.setText[tr.top] != 11 || tr.setLink[tr.top] != 1 {
		t.Errorf("setTextCnt %d, setLinkCnt %d, want 11, 1", tr.setText[tr.top], tr.setLink[tr.top])
	}
}
