package dom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestHostilePages checks that hostile pages are parsed in linear time, with their
// text and with a bounded amount of memory.
func TestHostilePages(t *testing.T) {
	const mb = 1 << 20
	size := 20_000 // things on a page
	switch {
	case testing.Short() || testkit.Race:
		size = 5_000
	case testkit.Step(2, 2) == 1:
		size = 200_000
	}
	manyAttrs := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d=x", i)
		}
		return b.String()
	}
	fonts := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<font size=%d>", i)
		}
		return b.String()
	}
	fill := func(s string, bytes int) string { return strings.Repeat(s, bytes/len(s)) }
	bomb := func(n int) string { return "<p>" + fonts(400) + strings.Repeat("<p>x", n) }
	for _, c := range []struct {
		name string
		page func(n int) string
	}{
		{"many nested div", func(n int) string { return nested("<div>", "<p>story</p>", "</div>", 2*n) }},
		{"many nested div, cut off", func(n int) string { return "<p>story</p>" + strings.Repeat("<div>", 5*n) }},
		{"many self-closing div", func(n int) string { return "<p>story</p>" + strings.Repeat("<div/>", 5*n) }},
		{"many unclosed p", func(n int) string { return strings.Repeat("<p>x", n) + "<p>story" }},
		{"many unclosed p span", func(n int) string { return strings.Repeat("<p><span>x", n) + "<p>story" }},
		{"many siblings", func(n int) string { return "<p>story</p>" + strings.Repeat("<i>x</i>", 5*n) }},
		{"many attributes", func(n int) string { return "<p" + manyAttrs(5*n) + ">story" }},
		{"many attributes twice", func(n int) string {
			a := manyAttrs(2 * n)
			return "<b" + a + ">x<b" + a + ">story"
		}},
		{"formatting bomb", func(n int) string { return bomb(n/2) + "story" }},
		{"bomb with font in every p", func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "<p><font size=%d>x</p>", i)
			}
			return b.String() + "story"
		}},
		{"bomb in rt", func(n int) string { return "<p>" + fonts(400) + "</p>" + strings.Repeat("<rt>x</rt>", n) + "story" }},
		{"bomb behind a quoted script", func(n int) string { return `<i title="><script>">` + bomb(n/2) + "story" }},
		{"bomb behind an odd comment", func(n int) string { return "<!-->" + bomb(n/2) + "story" }},
		{"bomb behind a comment with a bang", func(n int) string { return "<!-- --!>" + bomb(n/2) + "story" }},
		{"bomb behind a declaration", func(n int) string { return "<!x <script >" + bomb(n/2) + "story" }},
		{"bomb behind a custom element", func(n int) string { return "<title-card>" + bomb(n/2) + "story" }},
		{"bomb in an SVG style", func(n int) string { return "<svg><style>" + bomb(n/2) + "story" }},
		{"bomb in a script's script", func(n int) string {
			return "<script><!--<script></script><textarea>--></script>" + bomb(n/2) + "story"
		}},
		{"bomb after a stray cell", func(n int) string { return fonts(400) + "<td>" + strings.Repeat("<p>x", n) + "story" }},
		{"bomb after a table", func(n int) string {
			return "<p>" + fonts(400) + "<table><td></table>" + strings.Repeat("<p>x", n) + "story"
		}},
		{"bytes of <", func(n int) string { return "<p>story</p>" + fill("<", 90*n) }},
		{"bytes of <a", func(n int) string { return "<p>story</p>" + fill("<a", 90*n) }},
		{"bytes of <a>", func(n int) string { return "<p>story</p>" + fill("<a>", 90*n) }},
		{"bytes of </", func(n int) string { return "<p>story</p>" + fill("</", 90*n) }},
		{"bytes of &", func(n int) string { return "<p>story</p>" + fill("&", 90*n) }},
		{"bytes of <!--", func(n int) string { return "<p>story</p>" + fill("<!--", 20*n) }},
		{"bytes of <!-- ->", func(n int) string { return "<p>story</p>" + fill("<!-- ->", 20*n) }},
		{"bytes of <script>", func(n int) string { return "<p>story</p>" + fill("<script><!--", 20*n) }},
		{"</x in a textarea", func(n int) string { return "<p>story</p><textarea>" + fill("</x", 20*n) }},
		{"stray end tags", func(n int) string { return "<p>story</p>" + fill("x</x>", 20*n) }},
		{"text in a table", func(n int) string { return "<p>story</p><table>" + fill("x<tr>", 20*n) }},
		{"quotes", func(n int) string { return "<p>story</p>" + fill(`<a b='"`, 20*n) }},
		{"NULs everywhere", func(n int) string { return strings.ReplaceAll("<p>story</p>", "s", "\x00s\x00") + fill("\x00", 20*n) }},
		{"many lines", func(n int) string { return "<p>story</p>" + fill("<br>", 20*n) }},
		{"nested tables", func(n int) string { return nested("<table><tr><td>x", "story", "</table>", n) }},
		{"nested lists of links", func(n int) string { return nested("<ul><li><a href=x>x", "story", "", n) }},
		{"nested select", func(n int) string { return nested("<select><option>", "story", "", n) }},
		{"nested svg", func(n int) string { return nested("<svg><g>", "<p>story", "", n) }},
		{"nested template", func(n int) string { return nested("<template>", "x", "</template>", n) + "story" }},
		{"nested forms and buttons", func(n int) string { return nested("<form><button>", "story", "", n) }},
		{"b and p crossed", func(n int) string { return nested("<b><p>", "story", "</b></p>", n) }},
		{"a and table crossed", func(n int) string { return nested("<a><table>", "story", "", n) }},
		{"framesets", func(n int) string { return "story<p>" + strings.Repeat("<frameset>", n) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.Linear(t, size, func(n int) func() {
				page := []byte(c.page(n))
				return func() {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					d, err := Parse(context.Background(), page, Options{})
					runtime.ReadMemStats(&after)
					if err != nil {
						t.Fatal(err)
					}
					atEnd := !bytes.HasPrefix(page, []byte("<p>story")) // where the limit of nodes cuts it off
					if !strings.Contains(d.Text(0), "story") && !(atEnd && d.Truncated()) {
						t.Errorf("the text is lost (truncated %v)", d.Truncated())
					}
					if d.Len() > DefaultNodes {
						t.Errorf("%d nodes", d.Len())
					}
					if mem := after.TotalAlloc - before.TotalAlloc; mem > 2500*mb {
						t.Errorf("allocated %d MB", mem/mb)
					}
				}
			})
		})
	}
}

func TestNodeLimit(t *testing.T) {
	page := []byte("<p>" + strings.Repeat("one <b>two</b> ", 1000))
	d, err := Parse(context.Background(), page, Options{Limits: Limits{Nodes: 100}})
	if err != nil || !d.Truncated() || d.Len() > 100 || d.Len() < 50 {
		t.Fatalf("%d nodes, truncated %v: %v", d.Len(), d.Truncated(), err)
	}
	if err := checkTree(d); err != nil {
		t.Error(err)
	}
	for n := range 12 { // also where the limit falls between the first nodes
		d, err := Parse(context.Background(), page, Options{Limits: Limits{Nodes: n + 1}})
		if err != nil || d.Len() > n+1 {
			t.Errorf("limit %d: %v", n+1, err)
		} else if err := checkTree(d); err != nil {
			t.Errorf("limit %d: %v", n+1, err)
		}
	}
}

func TestByteLimit(t *testing.T) {
	_, err := Parse(context.Background(), make([]byte, 101), Options{Limits: Limits{Bytes: 100}})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("limit of 100 bytes: %v", err)
	}
	if _, err = Parse(context.Background(), make([]byte, 100<<20), Options{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("100 MB: %v", err)
	}
}

// countdown is a context that is done after a number of calls of Err.
type countdown struct {
	context.Context
	asked, left int
}

func (p *countdown) Err() error {
	if p.asked++; p.asked > p.left {
		return context.DeadlineExceeded
	}
	return nil
}

// TestContextEndsParsing checks that Parse checks the context often and ends soon
// after it is done.
func TestContextEndsParsing(t *testing.T) {
	page := []byte(strings.Repeat("<p>one <b>two</b></p>\n", 10_000))
	all := &countdown{Context: context.Background(), left: 1 << 30}
	if _, err := Parse(all, page, Options{}); err != nil {
		t.Fatal(err)
	}
	if all.asked < 20 {
		t.Errorf("%d checks in %d bytes", all.asked, len(page))
	}
	short := &countdown{Context: context.Background(), left: all.asked / 2}
	if _, err := Parse(short, page, Options{}); err == nil {
		t.Error("no error")
	}
	if after := short.asked - short.left; after > 5 {
		t.Errorf("%d more checks after the end", after)
	}

	cause := errors.New("out of time")
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Nanosecond, cause)
	defer cancel()
	if _, err := Parse(ctx, page, Options{}); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

// TestTruncatedAnywhere cuts a page at every byte.
func TestTruncatedAnywhere(t *testing.T) {
	page := `<!DOCTYPE html><html><head><meta charset="utf-8"><title>T</title><script>a<b</script></head><body>` +
		`<p class="x y">été &eacute; <b>中</b><!-- c --><table><tr><td>x</table><svg><path d="M"/></svg><textarea>q</textarea>`
	for i := 1; i <= len(page); i++ {
		d, err := Parse(context.Background(), []byte(page[:i]), Options{})
		if err != nil {
			t.Errorf("cut at %d: %v", i, err)
		} else if err := checkTree(d); err != nil {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
}
