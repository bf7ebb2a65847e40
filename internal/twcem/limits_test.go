package twcem_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/twcem"
	"github.com/lede-news/lede/method"
)

// TestLimits holds that no page costs more than its size is worth.
func TestLimits(t *testing.T) {
	words := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "word%d, ", i%1000)
		}
		return b.String()
	}
	for name, page := range map[string]string{
		"a title of 100 kB":   "<title>" + words(12_000) + "</title><h1>Alpha beta</h1><p>Alpha, beta and others.",
		"a heading of 100 kB": "<title>Alpha beta</title><h1>" + words(12_000) + "</h1><p>Alpha, beta and others.",
		"a row of 5 MB":       "<title>Word1 word2 word3</title><p>" + words(600_000),
		"many headings":       "<title>" + strings.Repeat("ab", 120) + "</title>" + strings.Repeat("<h2>"+strings.Repeat("ba", 120)+"</h2>", 5000) + "<p>Alpha, beta and others.",
		"many rows":           "<title>Word1 word2 word3</title>" + strings.Repeat("<p>Word1, other.", 50_000),
		"many rows in one":    "<title>Word1 word2 word3</title><pre>" + strings.Repeat("Word1, other.\n", 50_000) + "</pre>",
		"many title patterns": "<title>Other</title>" + strings.Repeat("<b class=title>", 300) + strings.Repeat("<b class=title>!</b>", 20_000) + "<p>Alpha, beta and others.",
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, page)
			c := twcem.Default()
			c.K = 1 << 20
			start := time.Now()
			_, err := twcem.New(c).Select(context.Background(), &method.Page{Doc: d, LinkText: strings.Repeat("~", 100_000)})
			if err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
		})
	}
}
