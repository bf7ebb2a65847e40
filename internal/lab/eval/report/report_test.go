package report

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// elements returns the contents of the script and style elements of a file by ID.
func elements(t *testing.T, file []byte) map[string]string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style") {
			id := n.Data
			for _, a := range n.Attr {
				if a.Key == "id" {
					id = a.Val
				}
				if a.Key == "src" {
					t.Errorf("script with src %s", a.Val)
				}
			}
			if _, twice := all[id]; twice {
				t.Errorf("repeated element %s", id)
			}
			all[id] = ""
			if n.FirstChild != nil {
				all[id] = n.FirstChild.Data
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return all
}

// unpack decodes a compressed element.
func unpack[T any](t *testing.T, all map[string]string, id string) (v T) {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(all[id])
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	b, err := io.ReadAll(z)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return v
}

func TestWrite(t *testing.T) {
	out, res := file(t, 12, "A <b>trial</b>")
	all := elements(t, out)
	var s summary
	if err := json.Unmarshal([]byte(all["data"]), &s); err != nil {
		t.Fatal(err)
	}
	if s.Title != "A <b>trial</b>" || !slices.Equal(s.Systems, res.Systems) || s.Pages != 12 || s.Opened != 12 {
		t.Errorf("summary %+v", s)
	}
	if bytes.Contains(out, []byte("<b>trial")) {
		t.Error("the title is markup")
	}
	rows := unpack[table](t, all, "rows")
	for i, row := range res.Rows {
		if rows.ID[i] != row.ID || s.Corpora[rows.Corpus[i]].Name != row.Corpus || rows.Site[i] != row.Site {
			t.Errorf("row %d is %s of %s", i, rows.ID[i], rows.Site[i])
		}
	}
	if len(rows.Failed) != 1 || rows.Failed[0] != (failedPage{11, 1, "timeout: not done after 10s"}) {
		t.Errorf("failed %+v", rows.Failed)
	}
}

func TestFigures(t *testing.T) {
	out, res := file(t, 12, "")
	all := elements(t, out)
	var s summary
	if err := json.Unmarshal([]byte(all["data"]), &s); err != nil {
		t.Fatal(err)
	}
	total := func(m measure.Measure, rows []*eval.Row, sys, k int) []float64 {
		var pages [][]float64
		for _, row := range rows {
			pages = append(pages, row.Sums[sys][k])
		}
		return measure.Figures(m, pages)
	}
	corpora := byCorpus(res.Rows)
	for k, m := range res.Measures {
		d := unpack[detail](t, all, "m"+strconv.Itoa(k))
		for sys := range res.Systems {
			sum := make([]float64, len(m.Figures))
			for c := range corpora {
				want := total(m, corpora[c].rows, sys, k)
				near(t, m.Name, s.Ranking[c][k][sys].Values, want)
				for i := range sum {
					sum[i] += want[i] / float64(len(corpora))
				}
			}
			near(t, m.Name+" of all", s.Ranking[len(corpora)][k][sys].Values, sum)
			for i, row := range res.Rows {
				if row.Sums[sys][k] == nil {
					continue
				}
				for f, v := range m.Total(row.Sums[sys][k]) {
					near(t, m.Name+" of "+row.ID, numbers{d.Pages[f][sys][i]}, []float64{v})
				}
			}
			for _, g := range d.Groups["site"] {
				var rows []*eval.Row
				for _, row := range res.Rows {
					if row.Site == g.Key && (g.Corpus < 0 || row.Corpus == corpora[g.Corpus].name) {
						rows = append(rows, row)
					}
				}
				near(t, m.Name+" of "+g.Key, g.Values[sys:sys+1], total(m, rows, sys, k)[m.Main:m.Main+1])
			}
		}
	}
	if len(s.Ranking) != 3 || len(s.Ranking[0][0][0].Errors) != len(res.Measures[0].Figures) {
		t.Errorf("%d rankings, errors %v", len(s.Ranking), s.Ranking[0][0][0].Errors)
	}
	// The page without a date lacks the measure size.
	if raw := unpack[struct{ Pages [][][]*float64 }](t, all, "m1"); raw.Pages[0][0][10] != nil {
		t.Errorf("a page without the measure has the figure %v", *raw.Pages[0][0][10])
	}
}

func near(t *testing.T, what string, got numbers, want []float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-4 }) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestHostileText(t *testing.T) {
	out, res := file(t, 12, hostile)
	if n := bytes.Count(out, []byte("<script>")); n != 1 {
		t.Errorf("%d scripts run", n)
	}
	// Headlines are escaped as HTML. All other text of pages is encoded.
	rest := regexp.MustCompile(`(?s)<title>.*?</title>|<h1>.*?</h1>|<script>.*?</script>`).ReplaceAll(out, nil)
	for _, bad := range []string{"<!--", "<img", "onerror=alert(2)>", "\u2028", "\u2029", "\x00"} {
		if i := bytes.Index(rest, []byte(bad)); i >= 0 {
			t.Errorf("%q is in the file: %q", bad, rest[max(0, i-40):i+20])
		}
	}
	all := elements(t, out)
	if len(all) != 12+2+len(res.Measures)+2 {
		t.Errorf("%d elements", len(all))
	}
	// Text is unchanged except for invalid UTF-8.
	p := unpack[page](t, all, "p10")
	mended := strings.ToValidUTF8(strings.ReplaceAll(hostile, "\xff\xfe", "\xff"), "\ufffd\ufffd")
	if !strings.HasSuffix(p.Gold.Title, mended) || !strings.HasSuffix(p.Outputs[p.By[0]].Text, mended) {
		t.Errorf("title %q", p.Gold.Title)
	}
}

func TestPolicy(t *testing.T) {
	out, _ := file(t, 3, "")
	all := elements(t, out)
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(string(out))[1])
	for _, want := range []string{
		"default-src 'none'", "base-uri 'none'", "form-action 'none'",
		"script-src '" + hash([]byte(all["script"])) + "'", "style-src '" + hash([]byte(all["style"])) + "'",
	} {
		if !strings.Contains(policy, want) {
			t.Errorf("no %s in %s", want, policy)
		}
	}
	if m := regexp.MustCompile(`(?i)\b(src|href|action|url)\s*[=(]\s*["']?(https?:|//|data:)`).Find(out); m != nil {
		t.Errorf("the file requests %s", m)
	}
}

func TestPage(t *testing.T) {
	out, _ := file(t, 12, "")
	all := elements(t, out)
	p := unpack[page](t, all, "p0") // the first output misses a paragraph and has the promotion
	if len(p.Outputs) != 2 || !slices.Equal(p.By, []int{0, 1}) || p.Gold.Date != "2024-05-14" || p.Gold.Authors[0] != "Ann Marsh" {
		t.Errorf("page %+v", p)
	}
	in := map[string]uint64{}
	for _, it := range p.Outline.Items {
		for _, text := range it.Text {
			in[strings.TrimSpace(text.Text)] = text.In
		}
	}
	for text, want := range map[string]uint64{
		"Masons finished wall number 0 on Tuesday evening.": 0b111,
		"Fishermen had waited eleven weeks for calm water.": 0b001,
		"The council paid half of the costs.":               0b011,
		"Subscribe today for cheap herring":                 0b010,
		"Weather":                                           0,
	} {
		if got, ok := in[text]; !ok || got != want {
			t.Errorf("%s: %b (%v), want %b", text, got, ok, want)
		}
	}
}

func TestEqualOutputs(t *testing.T) {
	g := newGold(1)
	o := &measure.Output{Title: g.Title, Text: g.Text, Authors: []string{"Ann"}}
	other := *o
	other.Authors = []string{"Bob"}
	p := newPage(&eval.Page{Gold: g, Outputs: []*measure.Output{o, &other, {Title: o.Title, Text: o.Text, Authors: []string{"Ann"}}, nil}})
	if len(p.Outputs) != 3 || !slices.Equal(p.By, []int{0, 1, 0, 2}) {
		t.Errorf("%d outputs, %v", len(p.Outputs), p.By)
	}
}

func TestNoPages(t *testing.T) {
	_, res := run(t, 3, "")
	var b bytes.Buffer
	if err := New("").Write(&b, res); err != nil {
		t.Fatal(err)
	}
	if err := New("").Write(&b, &eval.Result{}); err != nil {
		t.Fatal(err)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		out  string
		more bool
	}{
		{"", 0, "", false}, {"ice", 3, "ice", false}, {"ice", 2, "ic", true}, {"Ölöl", 3, "Ölö", true}, {"Öl", 2, "Öl", false},
	} {
		if out, more := cut(c.in, c.n); out != c.out || more != c.more {
			t.Errorf("%q: %q, %v", c.in, out, more)
		}
	}
}

// hostile is text that must not become markup.
const hostile = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> ]]> & \u2028\u2029 \xff\xfe \x00 end"

// newGold returns the gold of a made-up page.
func newGold(n int) *corpus.Gold {
	return &corpus.Gold{
		ID: fmt.Sprintf("tide-%02d", n), URL: fmt.Sprintf("https://quay%d.example/tide/%d", n%3, n), Lang: "en", Type: "article",
		Title: fmt.Sprintf("Harbour wall %d mended before the tide", n), Authors: []string{"Ann Marsh"}, Date: "2024-05-14",
		Text: fmt.Sprintf("Masons finished wall number %d on Tuesday evening.\n"+
			"Fishermen had waited eleven weeks for calm water.\nThe council paid half of the costs.", n),
	}
}

func newHTML(g *corpus.Gold) string {
	var b strings.Builder
	b.WriteString(`<html><body><nav id="menu"><ul><li>Weather</li><li>Sport</li><li>Letters</li><li>Tickets</li></ul></nav>`)
	fmt.Fprintf(&b, `<main class="story wide"><h1>%s</h1>`, g.Title)
	for line := range strings.Lines(g.Text) {
		fmt.Fprintf(&b, "<p>%s</p>", strings.TrimSpace(line))
	}
	b.WriteString(`<div class="promo">Subscribe today for cheap herring</div></main><footer>Printed upriver</footer></body></html>`)
	return b.String()
}

// newOutputs returns the outputs of two systems. The first misses a paragraph of
// every second page and adds the promotion; the second misses two paragraphs of
// every third page and fails on the last.
func newOutputs(g *corpus.Gold, n, last int) []*measure.Output {
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

// size is a measure for pages with a date, for which lower is better.
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

// run returns a report of made-up pages in two corpora. The last but one has
// hostile text.
func run(t *testing.T, pages int, title string) (*Report, *eval.Result) {
	t.Helper()
	bag, err := measure.Find("bag")
	if err != nil {
		t.Fatal(err)
	}
	res := &eval.Result{
		Systems: []string{"fast", "slow"}, Measures: append(bag, size()),
		Problems: []corpus.Problem{{File: "harbour/gold.jsonl", Line: 3, Err: errors.New("bad line: " + hostile)}},
	}
	r := New(title)
	for n := range pages {
		g := newGold(n)
		html := newHTML(g)
		outputs := newOutputs(g, n, pages-1)
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
		page := measure.NewPage(g, doc)
		for _, o := range outputs {
			var sums [][]float64
			for _, m := range res.Measures {
				sums = append(sums, m.Page(page.Case(o)))
			}
			p.Sums = append(p.Sums, sums)
			p.Errors = append(p.Errors, o.Error)
		}
		res.Rows = append(res.Rows, p.Row)
		r.Add(p)
	}
	return r, res
}

func file(t *testing.T, pages int, title string) ([]byte, *eval.Result) {
	t.Helper()
	r, res := run(t, pages, title)
	var b bytes.Buffer
	if err := r.Write(&b, res); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), res
}
