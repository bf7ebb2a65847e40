package visual

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/label"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

func TestLabelTitle(t *testing.T) {
	t.Parallel()
	const story = `<div id=b><p>` + sentence + `</p><p>` + sentence + sentence + `</p></div>`
	for _, x := range []struct{ name, page, want string }{
		{"smallest", `<div><h1><span id=x>Old mill</span></h1></div>` + story, "x"},
		{"heading before crumb", `<b>Old mill</b><h2 id=x>OLD  MILL!</h2><i>Old mill</i>` + story, "x"},
		{"highest heading", `<h3>Old mill</h3><h1 id=x>Old mill</h1><h2>Old mill</h2>` + story, "x"},
		{"no link", `<p id=x>Old mill</p><h1><a href=/y><b>Old mill</b></a></h1>` + story, "x"},
		{"not below the body", story + `<h1>Old mill</h1>`, ""},
		{"not with more words", `<h1>Local: old mill</h1>` + story, ""},
	} {
		d := parse(t, x.page)
		got, _ := labels(d, &corpus.Gold{Title: "Old mill", Text: sentence + "\n" + sentence + sentence})
		want := dom.None
		if x.want != "" {
			want = byID(t, d, x.want)
		}
		if got != want {
			t.Errorf("%s: node %d, want %d", x.name, got, want)
		}
	}
}

func TestLabelBody(t *testing.T) {
	t.Parallel()
	const p = `<p>` + sentence + `</p>`
	text := sentence + "\n" + sentence + "\n" + sentence
	for _, x := range []struct{ name, page, want string }{
		{"around sections", `<p>Menu</p><div id=x><div>` + p + `</div><div>` + p + p + `</div></div>`, "x"},
		{"innermost", `<div><div id=x>` + p + p + p + `</div></div>`, "x"},
		{"nothing like it", `<div><p>Somewhere else, in another town, a bridge was closed.</p></div>`, ""},
		{"too much around", `<div>` + p +
			`<p>One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen.</p></div>`, ""},
	} {
		d := parse(t, x.page)
		want := dom.None
		if x.want != "" {
			want = byID(t, d, x.want)
		}
		if _, got := labels(d, &corpus.Gold{Text: text}); got != want {
			t.Errorf("%s: node %d, want %d", x.name, got, want)
		}
	}
	if title, body := labels(parse(t, p), new(corpus.Gold)); title != dom.None || body != dom.None {
		t.Errorf("title %d and body %d without gold", title, body)
	}
}

// The subtrees by the paper's definition contain the whole title and body, whatever
// else is in them.
func TestSubtrees(t *testing.T) {
	t.Parallel()
	const p = `<p>` + sentence + `</p>`
	const noise = `<div><p>One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen.</p></div>`
	html := `<h1 id=title><span>Rivers</span> Old mill</h1><div id=body><div>` + p + `</div>` + noise + noise + noise + `<div>` + p + p + `</div></div>`
	g := &corpus.Gold{Title: "Old mill", Text: sentence + "\n" + sentence + "\n" + sentence}
	x, err := newExample(t.Context(), []byte(html), g, "made")
	if err != nil {
		t.Fatal(err)
	}
	if want := (Subtrees{byID(t, x.Doc, "title"), byID(t, x.Doc, "body")}); x.Subtrees != want || x.Title != dom.None || x.Body == want.Body {
		t.Errorf("subtrees %v, want %v; labels %d, %d", x.Subtrees, want, x.Title, x.Body)
	}
	d := parse(t, `<p>Old mill in the news: what is known of it, and what is not</p>`+p+p+p)
	if n := titleAround(d, g.Title, d.First(dom.Body)); n != dom.None {
		t.Errorf("a sentence with the words of the title is the title: %s", d.Text(n))
	}
	if _, whole := labelBody(parse(t, p), g.Text); whole != dom.None {
		t.Error("a third of the text is the whole text")
	}
}

func TestSplitGold(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		gold        corpus.Gold
		title, body string
	}{
		{corpus.Gold{Title: "Old mill", Text: "It turns.\nAgain."}, "Old mill", "It turns.\nAgain."},
		{corpus.Gold{Title: "Old mill", Text: "Old  mill \nIt turns.\nAgain.", TitleInText: true}, "Old mill", "It turns.\nAgain."},
		{corpus.Gold{Title: "Old mill", Text: "It turns.\nAgain.", TitleInText: true}, "Old mill", "It turns.\nAgain."},
		{corpus.Gold{Text: "Old mill\nIt turns.\nAgain.", TitleInText: true}, "Old mill", "It turns.\nAgain."},
		{corpus.Gold{Text: "Old mill\n opens\n \n\nIt turns.\n\nAgain.", TitleInText: true}, "Old mill  opens", " \n\nIt turns.\n\nAgain."},
	} {
		if title, body := splitGold(&x.gold); title != x.title || body != x.body {
			t.Errorf("%+v: %q and %q", x.gold, title, body)
		}
	}
}

// labels returns the labels of a page by its gold.
func labels(d *dom.Document, g *corpus.Gold) (title, body dom.Node) {
	body, _ = labelBody(d, g.Text)
	return labelTitle(d, g.Title, body), body
}

// Labels by people give the same examples as gold does.
func TestFromLabels(t *testing.T) {
	t.Parallel()
	html, _ := page(1)
	d := parse(t, html)
	mark := func(id string) *label.Mark {
		m := label.NewMark(d, byID(t, d, id))
		return &m
	}
	lost := mark("body")
	lost.Hash = "0123456789abcdef"
	list := []label.Label{
		{Page: "a", URL: "https://weir.example/a", Title: mark("title"), Body: mark("body"), Done: true},
		{Page: "no title", Body: mark("body"), Done: true},
		{Page: "not done", Body: mark("body")},
		{Page: "skipped", Done: true, Skipped: true},
		{Page: "lost", Body: lost, Done: true},
		{Page: "gone", Body: mark("body"), Done: true},
	}
	var problems []error
	got, err := FromLabels(context.Background(), list, func(page string) ([]byte, error) {
		if page == "gone" {
			return nil, errors.New("no such page")
		}
		return []byte(html), nil
	}, func(err error) { problems = append(problems, err) })
	if err != nil || len(got) != 2 || len(problems) != 2 || !errors.Is(problems[0], ErrLost) {
		t.Fatalf("%d examples, %v, %v", len(got), problems, err)
	}
	if got[0].Title != byID(t, d, "title") || got[0].Body != byID(t, d, "body") || got[0].Site != "weir.example" {
		t.Errorf("%+v", got[0])
	}
	if got[1].Title != dom.None || got[1].Site != "no title" {
		t.Errorf("%+v", got[1])
	}
	a, err := MeasureSubtrees(context.Background(), wrapper.New(wrapper.Default()), got)
	if err != nil || a.Pages != 2 || a.Title != 1 || a.Body != 1 {
		t.Errorf("measured by labels: %+v, %v", a, err)
	}
}

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func byID(t testing.TB, d *dom.Document, id string) dom.Node {
	t.Helper()
	for n := range d.Len() {
		if d.Attr(dom.Node(n), "id") == id {
			return dom.Node(n)
		}
	}
	t.Fatalf("no element with id %s", id)
	return dom.None
}

const sentence = "The old mill at the river opens its doors again on Saturday, and visitors can watch the wheel turn. "

// page returns a page with its body in an element of its own.
func page(i int) (string, *corpus.Gold) {
	text := strings.TrimSpace(strings.Repeat(fmt.Sprintf("%sThis is story %d of the year.\n", sentence, i), 5))
	title := fmt.Sprintf("Old mill opens its doors for the %d. time", i)
	html := fmt.Sprintf(`<title>%s</title><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul><h1 id=title>%[1]s</h1>
		<div id=body><p>%s</p></div><div><p>Most read</p><a href=/1>Ferry runs again</a></div>
		<footer><p>Printed in the town of Weir by hand and by day.</p></footer>`,
		title, strings.ReplaceAll(text, "\n", "</p><p>"))
	return html, &corpus.Gold{ID: fmt.Sprint(i), Site: fmt.Sprintf("site%d.example", i%3), Title: title, Text: text}
}

func examples(t testing.TB, n int) []*Example {
	t.Helper()
	var all []*Example
	for i := range n {
		html, g := page(i)
		x, err := newExample(context.Background(), []byte(html), g, "made")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

func newsroomPages(t testing.TB, site string, from, n int) []*Example {
	t.Helper()
	s, ok := newsroom.New(1).Site(site)
	if !ok {
		t.Fatal("no such site")
	}
	all, err := FromNewsroom(context.Background(), s, from, n)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
