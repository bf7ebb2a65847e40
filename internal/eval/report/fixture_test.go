package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// hostile is what a page may hold to break out of the file.
const hostile = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> ]]> & \u2028\u2029 \xff\xfe \x00 end"

// madeUp is the gold of a made-up page.
func madeUp(n int) *corpus.Gold {
	return &corpus.Gold{
		ID: fmt.Sprintf("tide-%02d", n), URL: fmt.Sprintf("https://quay%d.example/tide/%d", n%3, n), Lang: "en", Type: "article",
		Title: fmt.Sprintf("Harbour wall %d mended before the tide", n), Authors: []string{"Ann Marsh"}, Date: "2024-05-14",
		Text: fmt.Sprintf("Masons finished wall number %d on Tuesday evening.\n"+
			"Fishermen had waited eleven weeks for calm water.\nThe council paid half of the costs.", n),
	}
}

func madeUpHTML(g *corpus.Gold) string {
	var b strings.Builder
	b.WriteString(`<html><body><nav id="menu"><ul><li>Weather</li><li>Sport</li><li>Letters</li><li>Tickets</li></ul></nav>`)
	fmt.Fprintf(&b, `<main class="story wide"><h1>%s</h1>`, g.Title)
	for line := range strings.Lines(g.Text) {
		fmt.Fprintf(&b, "<p>%s</p>", strings.TrimSpace(line))
	}
	b.WriteString(`<div class="promo">Subscribe today for cheap herring</div></main><footer>Printed upriver</footer></body></html>`)
	return b.String()
}

// fast misses a paragraph of every second page and takes the promotion; slow
// misses the middle of every third and fails on the last.
func madeUpOutputs(g *corpus.Gold, n, last int) []*measure.Output {
	lines := strings.Split(g.Text, "\n")
	fast := &measure.Output{Title: g.Title, Authors: g.Authors, Date: g.Date, Type: "article", Text: g.Text}
	slow := &measure.Output{Title: "The Daily Quay", Date: "2024-05-15", Type: "article", Text: g.Text}
	if n%2 == 0 {
		fast.Text = lines[0] + "\n" + lines[2] + "\nSubscribe today for cheap herring"
	}
	if n%3 == 0 {
		slow.Text = lines[0]
	}
	if n == last {
		slow = &measure.Output{Error: "timeout: not done after 10s"}
	}
	return []*measure.Output{fast, slow}
}

// size is a measure of which less is better, for pages with a date only.
func size() measure.Measure {
	return measure.Measure{
		Name: "size", About: "characters of the output, mean over pages", Figures: []string{"characters"}, Lower: true,
		Page: func(c *measure.Case) []float64 {
			if c.Gold.Date == "" {
				return nil
			}
			return []float64{float64(len(c.Out.Text)), 1}
		},
		Total: func(s []float64) []float64 { return []float64{s[0] / s[1]} },
	}
}

// run makes a report of made-up pages in two corpora, the last of them hostile.
func run(t *testing.T, pages int, opts Options) (*Report, *eval.Result) {
	t.Helper()
	bag, err := measure.Find("bag")
	if err != nil {
		t.Fatal(err)
	}
	res := &eval.Result{
		Systems: []string{"fast", "slow"}, Measures: append(bag, size()),
		Problems: []corpus.Problem{{File: "harbour/gold.jsonl", Line: 3, Err: errors.New("bad line: " + hostile)}},
	}
	r := New(opts)
	for n := range pages {
		g := madeUp(n)
		html := madeUpHTML(g)
		outputs := madeUpOutputs(g, n, pages-1)
		if n == pages-2 {
			g.Title += hostile
			g.URL = "javascript:alert(3)"
			g.Date = ""
			outputs[0].Text += "\n" + hostile
			html = strings.Replace(html, "Weather", strings.ReplaceAll(strings.ReplaceAll(hostile, "&", "&amp;"), "<", "&lt;"), 1)
		}
		name := "harbour"
		if n%5 == 4 {
			name = "pier"
		}
		doc, err := dom.Parse(context.Background(), []byte(html), dom.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		p := &eval.Page{Gold: g, Doc: doc, Outputs: outputs, Row: &eval.Row{
			Corpus: name, ID: g.ID, URL: g.URL, Site: fmt.Sprintf("quay%d.example", n%3), Lang: g.Lang, Type: g.Type, Year: "2024",
		}}
		sheet := measure.NewPage(g, doc)
		for _, o := range outputs {
			var sums [][]float64
			for _, m := range res.Measures {
				sums = append(sums, m.Page(sheet.Case(o)))
			}
			p.Sums = append(p.Sums, sums)
			p.Errors = append(p.Errors, o.Error)
		}
		res.Rows = append(res.Rows, p.Row)
		r.Add(p)
	}
	return r, res
}

func file(t *testing.T, pages int, opts Options) ([]byte, *eval.Result) {
	t.Helper()
	r, res := run(t, pages, opts)
	var b bytes.Buffer
	if err := r.Write(&b, res); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), res
}
