// Package report makes one HTML file of a run: a ranking with error bars, the
// figures of every site, a scatter of precision and recall, and for every page
// what each system missed and what it took too much, beside the page's outline.
//
// The file needs nothing but a browser: no network, no other file. Whatever a
// page holds is data in it, packed until somebody opens it, and only ever
// becomes text, never markup; a policy in the file forbids all scripts but its own.
package report

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/lede-news/lede/internal/eval"
)

// Options say what goes into a report.
type Options struct {
	// Title is the headline; empty means a plain one.
	Title string
	// MaxPages is how many pages can be opened, those that are worst by the first
	// measure; 0 means all. The figures of all pages are in the report anyway.
	MaxPages int
}

// Report gathers pages while a run goes on.
type Report struct {
	opts Options

	mu     sync.Mutex
	packed map[pageKey][]byte
}

type pageKey struct{ corpus, id string }

// New begins a report.
func New(opts Options) *Report {
	if opts.Title == "" {
		opts.Title = "How well stories are extracted"
	}
	return &Report{opts: opts, packed: map[pageKey][]byte{}}
}

// Add takes what is needed to show a page and packs it at once, so that thousands
// of pages fit into memory. It keeps nothing of p. Several goroutines may add
// pages at once.
func (r *Report) Add(p *eval.Page) {
	packed := pack(newPage(p))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packed[pageKey{p.Corpus, p.ID}] = packed
}

// Write makes the file of the pages that were added and the figures of res. All
// adding must be done.
func (r *Report) Write(w io.Writer, res *eval.Result) error {
	return write(w, r.opts.Title, res, r.opened(res))
}

// opened are the packed pages by row; nil for those that cannot be opened.
func (r *Report) opened(res *eval.Result) [][]byte {
	all := make([][]byte, len(res.Rows))
	var rows []int
	for i, row := range res.Rows {
		if all[i] = r.packed[pageKey{row.Corpus, row.ID}]; all[i] != nil {
			rows = append(rows, i)
		}
	}
	if r.opts.MaxPages <= 0 || len(rows) <= r.opts.MaxPages {
		return all
	}
	bad := make([]float64, len(all))
	for _, i := range rows {
		bad[i] = badness(res, res.Rows[i])
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(bad[b], bad[a]) })
	for _, i := range rows[r.opts.MaxPages:] {
		all[i] = nil
	}
	return all
}

// badness is how badly the systems did on a page, by the first measure.
func badness(res *eval.Result, row *eval.Row) float64 {
	if len(res.Measures) == 0 {
		return 0
	}
	m, sum := res.Measures[0], 0.0
	for s := range res.Systems {
		if v := mainFigure(m, sums(row, s, 0)); m.Lower {
			sum += v
		} else {
			sum -= v
		}
	}
	return sum
}

//go:embed web
var web embed.FS

// scripts make one script, in this order, in one closure.
var scripts = []string{
	"element", "data", "state", "number", "table", "ranking", "groups", "scatter", "pages",
	"diff", "paragraphs", "outline", "page", "main",
}

// summary is what the browser needs at once.
type summary struct {
	Title    string       `json:"title"`
	Systems  []string     `json:"systems"`
	Corpora  []corpusHead `json:"corpora"`
	Measures []measured   `json:"measures"`
	Ranking  [][][]cell   `json:"ranking"`
	Problems []string     `json:"problems"`
	Pages    int          `json:"pages"`
	Opened   int          `json:"opened"` // pages that can be opened
}

type corpusHead struct {
	Name  string `json:"name"`
	Pages int    `json:"pages"`
}

type measured struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Figures []string `json:"figures"`
	Main    int      `json:"main"`
	Lower   bool     `json:"lower"`
}

// table is what is known of the pages, by column.
type table struct {
	Corpus []int        `json:"corpus"`
	ID     []string     `json:"id"`
	URL    []string     `json:"url"`
	Site   []string     `json:"site"`
	Lang   []string     `json:"lang"`
	Type   []string     `json:"type"`
	Year   []string     `json:"year"`
	Opens  []int        `json:"opens"` // 1 when the page can be opened
	Failed []failedPage `json:"failed"`
}

type failedPage struct {
	Row    int    `json:"row"`
	System int    `json:"system"`
	Error  string `json:"error"`
}

func write(w io.Writer, title string, res *eval.Result, pages [][]byte) error {
	t, err := template.ParseFS(web, "web/report.html")
	if err != nil {
		return err
	}
	style, err := web.ReadFile("web/report.css")
	if err != nil {
		return err
	}
	script, err := script()
	if err != nil {
		return err
	}
	corpora := byCorpus(res.Rows)
	details := []chunk{{"rows", pack(newTable(res, corpora, pages))}}
	for m := range res.Measures {
		details = append(details, chunk{"m" + strconv.Itoa(m), pack(newDetail(res, corpora, m))})
	}
	var chunks []chunk
	for i, p := range pages {
		if p != nil {
			chunks = append(chunks, chunk{"p" + strconv.Itoa(i), p})
		}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := t.Execute(b, map[string]any{
		"Title": title,
		"Style": template.CSS(style), "StyleHash": hash(style),
		"Script": template.JS(script), "ScriptHash": hash(script),
		"Data":    template.JS(encode(newSummary(title, res, corpora, len(chunks)))),
		"Details": details,
		"Pages":   chunks,
	}); err != nil {
		return err
	}
	return b.Flush()
}

// script puts the files together, in a closure so that nothing of them is global.
func script() ([]byte, error) {
	b := bytes.NewBufferString("\n(() => {\n\"use strict\";\n")
	for _, name := range scripts {
		file, err := web.ReadFile("web/" + name + ".js")
		if err != nil {
			return nil, err
		}
		b.Write(file)
		b.WriteByte('\n')
	}
	b.WriteString("})();\n")
	return b.Bytes(), nil
}

// hash lets the browser tell our script and style from any other.
func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func newSummary(title string, res *eval.Result, corpora []corpusPages, opened int) *summary {
	s := &summary{
		Title: title, Systems: res.Systems, Pages: len(res.Rows), Opened: opened,
		Ranking: ranking(res, corpora),
	}
	for _, c := range corpora {
		s.Corpora = append(s.Corpora, corpusHead{c.name, len(c.rows)})
	}
	for _, m := range res.Measures {
		s.Measures = append(s.Measures, measured{m.Name, m.About, m.Figures, m.Main, m.Lower})
	}
	for _, p := range res.Problems {
		text, _ := cut(p.Error(), maxError)
		s.Problems = append(s.Problems, text)
	}
	return s
}

// maxError is how many characters of an error are shown.
const maxError = 500

func newTable(res *eval.Result, corpora []corpusPages, pages [][]byte) *table {
	t := &table{}
	number := map[string]int{}
	for i, c := range corpora {
		number[c.name] = i
	}
	for i, r := range res.Rows {
		t.Corpus = append(t.Corpus, number[r.Corpus])
		t.ID = append(t.ID, r.ID)
		t.URL = append(t.URL, r.URL)
		t.Site = append(t.Site, r.Site)
		t.Lang = append(t.Lang, r.Lang)
		t.Type = append(t.Type, r.Type)
		t.Year = append(t.Year, r.Year)
		opens := 0
		if pages[i] != nil {
			opens = 1
		}
		t.Opens = append(t.Opens, opens)
		for s, why := range r.Errors {
			if why != "" {
				why, _ = cut(why, maxError)
				t.Failed = append(t.Failed, failedPage{i, s, why})
			}
		}
	}
	return t
}

// pack makes JSON of a value and deflates it.
func pack(v any) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	// Neither can fail: the values are ours, and a buffer takes all.
	_, _ = z.Write(encode(v))
	_ = z.Close()
	return b.Bytes()
}

// encode makes JSON that can stand in a script element: encoding/json spells
// out <, >, & and the line separators of Unicode, and mends broken UTF-8.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("report: " + err.Error())
	}
	return b
}

// chunk is packed data as an element of the file.
type chunk struct {
	ID   string
	data []byte
}

// Data is in an alphabet that has no meaning in HTML.
func (c chunk) Data() template.HTML {
	return template.HTML(base64.StdEncoding.EncodeToString(c.data))
}

// numbers are figures with four digits after the point, as in the tables of
// papers; those that do not exist are null.
type numbers []float64

func (n numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, math.Round(v*1e4)/1e4, 'f', -1, 64)
		}
	}
	return append(b, ']'), nil
}
