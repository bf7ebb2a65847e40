package visual

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/wrapper"
)

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
		if d.AttrOr(dom.Node(n), "id") == id {
			return dom.Node(n)
		}
	}
	t.Fatalf("there is no #%s", id)
	return dom.None
}

const sentence = "The old mill at the river opens its doors again on Saturday, and visitors can watch the wheel turn. "

// page is one of a made-up site with the story in a place of its own.
func page(i int) (string, *corpus.Gold) {
	text := strings.TrimSpace(strings.Repeat(fmt.Sprintf("%sThis is story %d of the year.\n", sentence, i), 5))
	title := fmt.Sprintf("Old mill opens its doors for the %d. time", i)
	html := fmt.Sprintf(`<title>%s</title><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul><h1 id=title>%[1]s</h1>
		<div id=body><p>%s</p></div><div><p>Most read</p><a href=/1>Ferry runs again</a></div><footer><p>Printed in the town of Weir by hand and by day.</p></footer>`,
		title, strings.ReplaceAll(text, "\n", "</p><p>"))
	return html, &corpus.Gold{ID: fmt.Sprint(i), Site: fmt.Sprintf("site%d.example", i%3), Title: title, Text: text}
}

func examples(t testing.TB, n int) []*Example {
	t.Helper()
	var all []*Example
	for i := range n {
		html, g := page(i)
		x, err := NewExample(context.Background(), Estimated(wrapper.Default()), []byte(html), g, "made")
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
	all, err := FromNewsroom(context.Background(), s, from, n, Estimated(wrapper.Default()))
	if err != nil {
		t.Fatal(err)
	}
	return all
}
