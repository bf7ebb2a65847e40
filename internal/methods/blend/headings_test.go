package blend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
)

// TestKeepEntryHeadings checks headings of probability .3 between texts that are
// kept.
func TestKeepEntryHeadings(t *testing.T) {
	const (
		entry   = `<article><header><h3><a href=#%[1]d>Heron seen at mill %[1]d</a></h3></header><p>The heron of mill %[1]d was seen at noon, said the miller.</p></article>`
		related = `<p>The heron of mill %[1]d was seen at noon, said the miller.</p><div><h3><a href=/%[1]d>Heron seen at mill %[1]d</a></h3></div>`
		flat    = `<h3><a href=/%[1]d>Heron seen at mill %[1]d</a></h3><p>The heron of mill %[1]d was seen at noon, said the miller.</p>`
		story   = "<p>The mills of Marston have had herons for as long as anybody can remember, and nobody knows why they came.</p>"
	)
	for _, c := range []struct {
		name          string
		form          string
		entries       int
		before, after string
		want          bool
	}{
		{"entries", entry, 4, "", "", true},
		{"entries after an introduction", entry, 4, story, "", true},
		{"few entries", entry, 2, "", "", false},
		{"links to other stories between paragraphs", related, 4, "", "", false},
		{"headings without elements of their own", flat, 4, "", "", false},
		{"entries are not the story", entry, 3, strings.Repeat(story, 3), "", false},
		{"most headings have no text", entry, 3, "", strings.Repeat("<article><header><h3>Heron</h3></header></article>", 3), false},
	} {
		page := "<title>Herons, live</title><main><h1>Herons, live</h1>" + c.before
		for i := range c.entries {
			page += fmt.Sprintf(c.form, i)
		}
		d := methodtest.Parse(t, page+c.after+"</main>")
		choice := choiceOf(d, func(v *blocks.View, i int) bool { return !v.IsHeading(i) })
		first := slices.IndexFunc(choice.Blocks, func(b blocks.Block) bool { return d.Tag(b.Owner) == dom.H3 })
		choice.keepEntryHeadings()
		if got := choice.kept[first]; got != c.want {
			t.Errorf("%s: the first heading is kept: %v, want %v", c.name, got, c.want)
		}
	}
}

// choiceOf keeps some blocks of a page. Those that are not kept have a
// probability of .3.
func choiceOf(d *dom.Document, keep func(v *blocks.View, i int) bool) *choice {
	v := blocks.Read(d, new(blocks.Tables))
	n := len(v.Blocks)
	c := &choice{View: v, page: d, prob: make([]float32, n), kept: make([]bool, n), excluded: make([]rule, n)}
	for i := range c.prob {
		c.prob[i] = 0.9
		if c.kept[i] = keep(v, i); !c.kept[i] {
			c.prob[i] = 0.3
		}
	}
	return c
}

func TestKeepListLabels(t *testing.T) {
	const list = "<ul><li>Herons came back to the mill<li>Nobody knows why<li>The miller is glad</ul>"
	for _, c := range []struct {
		name, page string
		want       bool
	}{
		{"the heading of a box", "<p>Text.</p><aside><p><b>Key points</b></p>" + list + "</aside><p>Text.</p>", true},
		{"in an element of its own", "<p>Text.</p><section><div><div><b>In brief</b></div></div>" + list + "</section>", true},
		{"a line of the story", "<p>Text.</p><p><b>Menu</b></p>" + list + "<p>Text.</p>", false},
		{"a sentence", "<div><p><b>The page may earn a commission from links to the shops below</b></p>" + list + "</div>", false},
		{"a link", "<div><p><b><a href=/a>Key points</a></b></p>" + list + "</div>", false},
		{"one item", "<div><p><b>Herons</b></p><ul><li>Herons came back to the mill</ul></div><p>Text.</p>", false},
		{"other text in the box", "<div><p><b>Share</b></p>" + list + "<p>Text.</p></div>", false},
		{"a list that is dropped", "<div><p><b>More</b></p><ul><li><b>Herons</b><li><b>Mills</b></ul></div><p>Text.</p>", false},
	} {
		d := methodtest.Parse(t, "<main>"+c.page+"</main>")
		isBold := func(v *blocks.View, i int) bool { return d.Closest(v.Blocks[i].First, dom.B) != dom.None }
		choice := choiceOf(d, func(v *blocks.View, i int) bool { return !isBold(v, i) })
		choice.keepListLabels()
		first := slices.IndexFunc(choice.prob, func(p float32) bool { return p < 0.5 })
		if got := choice.kept[first]; got != c.want {
			t.Errorf("%s: the line is kept: %v, want %v", c.name, got, c.want)
		}
	}
}
