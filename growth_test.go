package lede_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// growthSizes are the sizes of BenchmarkGrowth: all are within the default limits.
var growthSizes = []struct {
	name  string
	bytes int
}{{"10KB", 10_000}, {"100KB", 100_000}, {"1MB", 1_000_000}, {"10MB", 10_000_000}}

// BenchmarkGrowth extracts pages of one kind and of growing size. It reports the
// processor time for each byte by size, with that of the garbage collector, and as
// "spread" the largest of these figures divided by the smallest. Cost that is
// linear in the size has a spread near 1; the goal is at most 1.5.
//
// Sizes take turns, and the least time of each counts, so that other load on the
// machine affects all alike; -benchtime 5x is enough for that. Small pages are extracted
// many times for one figure, so that each size pays for its own garbage.
func BenchmarkGrowth(b *testing.B) {
	for _, kind := range grownKinds() {
		b.Run(kind.name, func(b *testing.B) { benchmarkGrowth(b, kind) })
	}
}

func benchmarkGrowth(b *testing.B, kind grownKind) {
	const least = 2_000_000 // bytes that are timed together
	sizes := growthSizes
	if testing.Short() {
		sizes = sizes[:3]
	}
	e := newExtractor(b, lede.WithLimits(lede.Limits{Time: time.Hour}))
	pages := make([][]byte, len(sizes))
	total := 0
	for i, s := range sizes {
		pages[i] = kind.page(s.bytes)
		total += max(least, s.bytes)
		extractWhole(b, e, pages[i])
	}
	cost := make([]float64, len(sizes))
	b.SetBytes(int64(total))
	for b.Loop() {
		for i, page := range pages {
			times := max(1, least/len(page))
			start := testkit.ProcessTime()
			for range times {
				e.Extract(b.Context(), bytes.NewReader(page))
			}
			took := float64(testkit.ProcessTime()-start) / float64(times*len(page))
			if cost[i] == 0 || took < cost[i] {
				cost[i] = took
			}
		}
	}
	low, high := cost[0], cost[0]
	for i, c := range cost {
		b.ReportMetric(c, sizes[i].name+"-ns/B")
		low, high = min(low, c), max(high, c)
	}
	b.ReportMetric(high/low, "spread")
}

// extractWhole checks that a page is extracted and that no limit cuts it off.
func extractWhole(tb testing.TB, e *lede.Extractor, page []byte) {
	tb.Helper()
	a, err := e.Extract(tb.Context(), bytes.NewReader(page))
	if err != nil {
		tb.Fatal(err)
	}
	if a.Partial {
		tb.Fatalf("a page of %d bytes is cut off: %s", len(page), a.PartialReason)
	}
}

// A grownKind is a kind of made-up page of any size.
type grownKind struct {
	name  string
	parts []grownPart
}

// A grownPart fills a share of a page with items.
type grownPart struct {
	share       float64
	open, close string
	item        func(w *strings.Builder, i int)
}

// page returns a page of about the given size.
func (k grownKind) page(size int) []byte {
	var w strings.Builder
	w.Grow(size + 4000)
	w.WriteString(grownHead)
	body := size - len(grownHead)
	for _, p := range k.parts {
		end := w.Len() + int(p.share*float64(body))
		w.WriteString(p.open)
		for i := 0; w.Len() < end; i++ {
			p.item(&w, i)
		}
		w.WriteString(p.close)
	}
	w.WriteString("</body></html>\n")
	return []byte(w.String())
}

const grownHead = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The flood wall of Lower Quay - Marston Gazette</title>
<meta property="og:type" content="article"><meta property="og:site_name" content="Marston Gazette">
<meta name="author" content="Ann Quay"><link rel="canonical" href="https://www.marston-gazette.example/news/wall">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"The flood wall of Lower Quay",
"datePublished":"2026-03-02T08:52:00Z","author":{"@type":"Person","name":"Ann Quay"}}</script></head><body>
`

// grownKinds returns the kinds of pages: a long article, a list of teasers, boxes in
// boxes, and a short article with many comments.
func grownKinds() []grownKind {
	text := grownTexts()
	script := grownPart{.2, "<script>", "</script>\n", func(w *strings.Builder, i int) {
		fmt.Fprintf(w, "window.dataLayer.push({event:\"view\",slot:%d,label:%q});\n", i, text.title(i))
	}}
	menu := grownPart{.1, `<nav class="menu"><ul>`, "</ul></nav>\n", func(w *strings.Builder, i int) {
		fmt.Fprintf(w, "<li class=\"menu-item\"><a href=\"/section/%d\">%.20s</a></li>\n", i, text.title(i))
	}}
	story := func(share float64) grownPart {
		return grownPart{share, `<main><article class="story"><h1>The flood wall of Lower Quay</h1>`, "</article></main>\n", func(w *strings.Builder, i int) {
			if i%7 == 6 {
				fmt.Fprintf(w, "<h2>%s</h2>\n", text.title(i))
			}
			if i%11 == 10 {
				fmt.Fprintf(w, "<figure><img src=\"/pictures/%d.jpg\" width=\"720\" height=\"480\" alt=\"\"><figcaption>%s</figcaption></figure>\n", i, text.title(i))
			}
			fmt.Fprintf(w, "<p>%s <a href=\"/news/%d\">%s</a></p>\n", text.paragraph(i), i, text.title(i))
		}}
	}
	teasers := func(share float64) grownPart {
		return grownPart{share, `<section class="teasers">`, "</section>\n", func(w *strings.Builder, i int) {
			fmt.Fprintf(w, "<div class=\"teaser\"><a href=\"/news/%d\"><img src=\"/thumbs/%d.jpg\" width=\"160\" height=\"90\"></a><h3><a href=\"/news/%d\">%s</a></h3><p class=\"summary\">%.120s …</p></div>\n", i, i, i, text.title(i), text.paragraph(i))
		}}
	}
	comments := func(share float64) grownPart {
		return grownPart{share, `<section id="comments"><h2>Comments</h2><ol class="commentlist">`, "</ol></section>\n", func(w *strings.Builder, i int) {
			fmt.Fprintf(w, "<li class=\"comment\" id=\"comment-%d\"><div class=\"comment-author\"><b>reader%d</b> <time datetime=\"2026-03-0%dT10:00:00Z\">%d March 2026</time></div><p>%s</p><a class=\"reply\" href=\"#reply-%d\">Reply</a></li>\n", i, i*7919%9973, i%9+1, i%9+1, text.comment(i), i)
		}}
	}
	boxes := grownPart{.6, `<main>`, "</main>\n", func(w *strings.Builder, i int) {
		const depth = 60
		for d := range depth {
			fmt.Fprintf(w, "<div class=\"box-%d\">", d%5)
			if d%10 == 9 {
				fmt.Fprintf(w, "<p>%s</p>\n", text.paragraph(i+d))
			}
		}
		w.WriteString(strings.Repeat("</div>", depth) + "\n")
	}}
	footer := grownPart{.05, `<footer>`, "</footer>\n", func(w *strings.Builder, i int) {
		fmt.Fprintf(w, "<div><a href=\"/about/%d\">%.30s</a> | © Marston Gazette %d</div>\n", i, text.title(i), 1900+i%120)
	}}
	return []grownKind{
		{"article", []grownPart{script, menu, story(.5), teasers(.1), comments(.05), footer}},
		{"teasers", []grownPart{script, menu, teasers(.65), footer}},
		{"boxes", []grownPart{script, menu, boxes, footer}},
		{"comments", []grownPart{script, menu, story(.1), comments(.55), footer}},
	}
}

// words are made-up texts for grown pages. There are enough of them that repetition does
// not make a page cheap.
type words struct{ titles, paragraphs, comments []string }

func (t *words) title(i int) string     { return t.titles[i%len(t.titles)] }
func (t *words) paragraph(i int) string { return t.paragraphs[i%len(t.paragraphs)] }
func (t *words) comment(i int) string   { return t.comments[i%len(t.comments)] }

var grownTexts = sync.OnceValue(func() *words {
	t := new(words)
	for _, s := range newsroom.New(1).Sites() {
		if s.Lang != "en" {
			continue
		}
		for i := range 100 {
			gold := s.Page(i).Gold
			t.titles = append(t.titles, gold.Title)
			t.comments = append(t.comments, gold.Comments...)
			for line := range strings.SplitSeq(gold.Text, "\n") {
				if len(line) > 80 {
					t.paragraphs = append(t.paragraphs, line)
				}
			}
		}
	}
	return t
})
