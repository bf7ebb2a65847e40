package layout_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/method"
)

var screen = method.Screen{Width: 1280, Height: 800}

// realPages returns pages of the corpora beside the repository, if there are any.
func realPages(tb testing.TB, most int) [][]byte {
	tb.Helper()
	var pages [][]byte
	for _, name := range []string{"wcxb", "fundus-publishers"} {
		files, _ := filepath.Glob(testkit.Shared("corpora", name, "pages", "*.html.gz"))
		for i := 0; i < len(files); i += max(1, len(files)/most) {
			pages = append(pages, testkit.Gunzip(tb, files[i]))
		}
	}
	return pages
}

func newsroomPages() [][]byte {
	var pages [][]byte
	for _, s := range newsroom.New(1).Sites() {
		pages = append(pages, s.Page(0).HTML, s.Page(1).HTML)
	}
	return pages
}

// BenchmarkEstimate reports the time of Estimate relative to parsing the page as
// "x-parse". The two take turns page by page, and the best time of each page
// counts; x-parse-most is the worst page.
func BenchmarkEstimate(b *testing.B) {
	for _, set := range []struct {
		name  string
		pages [][]byte
	}{{"newsroom", newsroomPages()}, {"real", realPages(b, 100)}} {
		if len(set.pages) == 0 {
			continue
		}
		b.Run(set.name, func(b *testing.B) {
			parse := make([]time.Duration, len(set.pages))
			estimate := make([]time.Duration, len(set.pages))
			b.ReportAllocs()
			for b.Loop() {
				for i, p := range set.pages {
					start := time.Now()
					d, err := dom.Parse(context.Background(), p, dom.Options{Charset: "utf-8"})
					if err != nil {
						continue
					}
					mid := time.Now()
					layout.Estimate(d, screen)
					keepBest(&parse[i], mid.Sub(start))
					keepBest(&estimate[i], time.Since(mid))
				}
			}
			var sumP, sumE time.Duration
			var ratios, most float64
			for i := range parse {
				if parse[i] == 0 {
					continue
				}
				sumP, sumE = sumP+parse[i], sumE+estimate[i]
				r := float64(estimate[i]) / float64(parse[i])
				ratios, most = ratios+r, max(most, r)
			}
			b.ReportMetric(float64(sumE)/float64(sumP), "x-parse")
			b.ReportMetric(ratios/float64(len(parse)), "x-parse-mean")
			b.ReportMetric(most, "x-parse-most")
			b.ReportMetric(sumE.Seconds()*1e3/float64(len(parse)), "ms/page")
		})
	}
}

func keepBest(best *time.Duration, d time.Duration) {
	if *best == 0 || d < *best {
		*best = d
	}
}
