package blend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/methodtest"
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
		v := blocks.Read(d, new(blocks.Tables))
		n := len(v.Blocks)
		choice := choice{View: v, page: d, prob: make([]float32, n), kept: make([]bool, n), excluded: make([]rule, n)}
		first := -1
		for i := range v.Blocks {
			choice.prob[i] = 0.9
			if choice.kept[i] = !v.IsHeading(i); !choice.kept[i] {
				choice.prob[i] = 0.3
			}
			if first < 0 && d.Tag(v.Blocks[i].Owner) == dom.H3 {
				first = i
			}
		}
		choice.keepEntryHeadings()
		if got := choice.kept[first]; got != c.want {
			t.Errorf("%s: the first heading is kept: %v, want %v", c.name, got, c.want)
		}
	}
}
