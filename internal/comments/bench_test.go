package comments

import (
	"os"
	"strings"
	"testing"
)

// BenchmarkFind reads a usual page, and pages that are all headings, all gaps
// or all nested comments: ten times as many must cost ten times as much.
func BenchmarkFind(b *testing.B) {
	usual, err := os.ReadFile("testdata/threaded-list.html")
	if err != nil {
		b.Fatal(err)
	}
	pages := map[string]string{"usual": string(usual)}
	for size, n := range map[string]int{"1000": 1000, "10000": 10000} {
		story := `<p id="story">The heron is back.</p>`
		pages["headings-"+size] = story + strings.Repeat("<div>Comments</div>", n)
		pages["gaps-"+size] = story + `<div id="comments">` + strings.Repeat(`<p>a<i>b</i></p><div class="comment">c</div><p>d</p>`, n) + "</div>"
		pages["nested-"+size] = story + `<div id="comments">` + strings.Repeat(strings.Repeat(`<div class="comment">x `, 100)+strings.Repeat("</div>", 100), n/100) + "</div>"
	}
	for name, page := range pages {
		b.Run(name, func(b *testing.B) {
			d, story := read(b, []byte(page))
			for b.Loop() {
				Find(d, story)
			}
		})
	}
}
