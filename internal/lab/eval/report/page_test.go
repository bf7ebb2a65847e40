package report

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

func parse(t *testing.T, html string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(html), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// format writes an outline with one item a line.
func format(o outline) string {
	var b strings.Builder
	for _, it := range o.Items {
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", it.Depth), it.Label)
		for _, p := range it.Text {
			fmt.Fprintf(&b, " [%s]%d", p.Text, p.In)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestOutline(t *testing.T) {
	d := parse(t, `<body><div id=top><div class="nav wide blue"><ul><li>Sport<li>Ice</ul></div></div>
		<article>Before <b>the</b> storm<p>Gulls <i>flew</i>.<p>They came back.</p>and after</article>
		<p style="display:none">hidden</p>`)
	want := `html › body
  div#top › div.nav.wide › ul
    li [Sport]0
    li [Ice]0
  article [Before the storm]0
    p [Gulls flew.]0
    p [They came back.]0
    text [and after]0
`
	if got := format(newOutline(d, nil)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestOutlineMarks(t *testing.T) {
	d := parse(t, `<body><p>The ferry sailed at noon with forty passengers. <a href=x>Buy our calendar now please</a></p><p>Nobody saw the lighthouse keeper again.</p>`)
	o := newOutline(d, []string{
		"The ferry sailed at noon with forty passengers.\nNobody saw the lighthouse keeper again.",
		"The ferry sailed at noon with forty passengers. Buy our calendar now please",
	})
	want := `html › body
  p [The ferry sailed at noon with forty passengers.]3 [ Buy our calendar now please]2
  p [Nobody saw the lighthouse keeper again.]1
`
	if got := format(o); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestOutlineLimits(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "word%d ", i)
	}
	long := b.String()
	b.Reset()
	for i := range 3 * maxBlocks {
		fmt.Fprintf(&b, "<li>link %d", i)
	}
	d := parse(t, `<body><ul>`+b.String()+`</ul><p class="`+strings.Repeat("x", 100)+`">`+long+`</p>`)
	o := newOutline(d, []string{long})
	blocks := 0
	for _, it := range o.Items {
		if it.Text != nil {
			blocks++
		}
	}
	if blocks != maxBlocks || o.Left != 2*maxBlocks+1 {
		t.Errorf("%d blocks, %d left", blocks, o.Left)
	}
	last := o.Items[len(o.Items)-1]
	if len(last.Text) != 1 || last.Text[0].In != 1 || len([]rune(last.Text[0].Text)) != maxBlock+1 || len([]rune(last.Label)) > 41 {
		t.Errorf("the article is %+v", last)
	}
}

func TestOutlineOfDeepPage(t *testing.T) {
	d := parse(t, strings.Repeat("<div>", 100_000)+"deep")
	if got := format(newOutline(d, nil)); !strings.Contains(got, "[deep]") {
		t.Errorf("got %q", got)
	}
}
