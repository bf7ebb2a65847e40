package dom

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/testkit"
)

// TestHostilePages checks that hostile pages are parsed soon, with their text and
// with a bounded amount of memory.
func TestHostilePages(t *testing.T) {
	mb := 1 << 20
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
	fill := func(s string, size int) string { return strings.Repeat(s, size/len(s)) }
	bomb := "<p>" + fonts(400) + strings.Repeat("<p>x", 20_000)
	for _, c := range []struct {
		name string
		page func() string
		want string // in the text
		slow bool
	}{
		{"490,000 nested div", func() string { return nested("<div>", "<p>story</p>", "</div>", 490_000) }, "story", false},
		{"1e6 nested div, cut off", func() string { return "<p>story</p>" + strings.Repeat("<div>", 1_000_000) }, "story", false},
		{"1e6 self-closing div", func() string { return "<p>story</p>" + strings.Repeat("<div/>", 1_000_000) }, "story", false},
		{"1e5 unclosed p", func() string { return strings.Repeat("<p>x", 100_000) + "<p>story" }, "story", false},
		{"1e5 unclosed p span", func() string { return strings.Repeat("<p><span>x", 100_000) + "<p>story" }, "story", false},
		{"1e6 siblings", func() string { return "<p>story</p>" + strings.Repeat("<i>x</i>", 1_000_000) }, "story", false},
		{"1e6 attributes", func() string { return "<p" + manyAttrs(1_000_000) + ">story" }, "story", true},
		{"1e6 attributes twice", func() string {
			a := manyAttrs(500_000)
			return "<b" + a + ">x<b" + a + ">story"
		}, "story", true},
		{"formatting bomb", func() string { return bomb + "story" }, "story", false},
		{"bomb with font in every p", func() string {
			var b strings.Builder
			for i := range 50_000 {
				fmt.Fprintf(&b, "<p><font size=%d>x</p>", i)
			}
			return b.String() + "story"
		}, "story", false},
		{"bomb in rt", func() string { return "<p>" + fonts(400) + "</p>" + strings.Repeat("<rt>x</rt>", 50_000) + "story" }, "story", false},
		{"bomb behind a quoted script", func() string { return `<i title="><script>">` + bomb + "story" }, "story", false},
		{"bomb behind an odd comment", func() string { return "<!-->" + bomb + "story" }, "story", false},
		{"bomb behind a comment with a bang", func() string { return "<!-- --!>" + bomb + "story" }, "story", false},
		{"bomb behind a declaration", func() string { return "<!x <script >" + bomb + "story" }, "story", false},
		{"bomb behind a custom element", func() string { return "<title-card>" + bomb + "story" }, "story", false},
		{"bomb in an SVG style", func() string { return "<svg><style>" + bomb + "story" }, "story", false},
		{"bomb in a script's script", func() string {
			return "<script><!--<script></script><textarea>--></script>" + bomb + "story"
		}, "story", false},
		{"bomb after a stray cell", func() string { return fonts(400) + "<td>" + strings.Repeat("<p>x", 50_000) + "story" }, "story", false},
		{"bomb after a table", func() string {
			return "<p>" + fonts(400) + "<table><td></table>" + strings.Repeat("<p>x", 50_000) + "story"
		}, "story", false},
		{"19 MB of <", func() string { return "<p>story</p>" + fill("<", 19*mb) }, "story", true},
		{"19 MB of <a", func() string { return "<p>story</p>" + fill("<a", 19*mb) }, "story", true},
		{"19 MB of <a>", func() string { return "<p>story</p>" + fill("<a>", 19*mb) }, "story", true},
		{"19 MB of </", func() string { return "<p>story</p>" + fill("</", 19*mb) }, "story", true},
		{"19 MB of &", func() string { return "<p>story</p>" + fill("&", 19*mb) }, "story", true},
		{"4 MB of <!--", func() string { return "<p>story</p>" + fill("<!--", 4*mb) }, "story", false},
		{"4 MB of <!-- ->", func() string { return "<p>story</p>" + fill("<!-- ->", 4*mb) }, "story", false},
		{"4 MB of <script>", func() string { return "<p>story</p>" + fill("<script><!--", 4*mb) }, "story", false},
		{"4 MB of </x in a textarea", func() string { return "<p>story</p><textarea>" + fill("</x", 4*mb) }, "story", false},
		{"4 MB of stray end tags", func() string { return "<p>story</p>" + fill("x</x>", 4*mb) }, "story", false},
		{"4 MB of text in a table", func() string { return "<p>story</p><table>" + fill("x<tr>", 4*mb) }, "story", false},
		{"4 MB of quotes", func() string { return "<p>story</p>" + fill(`<a b='"`, 4*mb) }, "story", false},
		{"NULs everywhere", func() string { return strings.ReplaceAll("<p>story</p>", "s", "\x00s\x00") + fill("\x00", mb) }, "story", false},
		{"a million lines", func() string { return "<p>story</p>" + fill("<br>", 4*mb) }, "story", false},
		{"nested tables", func() string { return nested("<table><tr><td>x", "story", "</table>", 50_000) }, "story", false},
		{"nested lists of links", func() string { return nested("<ul><li><a href=x>x", "story", "", 50_000) }, "story", false},
		{"nested select", func() string { return nested("<select><option>", "story", "", 20_000) }, "story", false},
		{"nested svg", func() string { return nested("<svg><g>", "<p>story", "", 50_000) }, "story", false},
		{"nested template", func() string { return nested("<template>", "x", "</template>", 20_000) + "story" }, "story", false},
		{"nested forms and buttons", func() string { return nested("<form><button>", "story", "", 20_000) }, "story", false},
		{"b and p crossed", func() string { return nested("<b><p>", "story", "</b></p>", 20_000) }, "story", false},
		{"a and table crossed", func() string { return nested("<a><table>", "story", "", 20_000) }, "story", false},
		{"framesets", func() string { return "story<p>" + strings.Repeat("<frameset>", 20_000) }, "story", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && (testing.Short() || testkit.Race) {
				t.Skip("slow; scripts/test.sh runs it without the race detector")
			}
			page := []byte(c.page())
			// This only catches hangs and quadratic time; the benchmarks measure
			// speed.
			limit := 2 * time.Minute
			if testkit.Race { // ten times as slow, on busy machines
				limit = 8 * time.Minute
			}
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			d, err := Parse(ctx, page, Options{})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(d.Text(0), c.want) {
				t.Errorf("no %q in the text (flattened %v, truncated %v)", c.want, d.flattened, d.Truncated())
			}
			if d.Len() > DefaultNodes {
				t.Errorf("%d nodes", d.Len())
			}
			if mem := int(after.TotalAlloc-before.TotalAlloc) / mb; mem > 2500 {
				t.Errorf("allocated %d MB", mem)
			} else {
				t.Logf("%d bytes took %v and allocated %d MB for %d nodes", len(page), took.Round(time.Millisecond), mem, d.Len())
			}
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
