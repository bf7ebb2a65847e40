// Package report writes the result of an evaluation as one HTML file: a ranking
// with error bars, the figures of every site, a scatter plot of precision and
// recall, and for every page a comparison of gold and outputs and its outline.
//
// The file needs no network and no other file. The contents of pages are
// compressed data in it, which only ever becomes text, never markup. A content
// security policy in the file forbids all scripts but its own.
package report

import (
	"bufio"
	"bytes"
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

	sharedweb "github.com/lede-news/lede/internal/api/web"
	"github.com/lede-news/lede/internal/lab/eval"
)

// Report collects pages during a run.
type Report struct {
	title string

	mu    sync.Mutex
	pages map[pageKey][]byte // compressed
}

type pageKey struct{ corpus, id string }

// New returns an empty report.
func New(title string) *Report { return &Report{title: title, pages: map[pageKey][]byte{}} }

// Add adds a page. It compresses what it keeps, so that thousands of pages fit
// into memory, and does not retain p. It is safe for concurrent use.
func (r *Report) Add(p *eval.Page) {
	data := pack(newPage(p))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages[pageKey{p.Corpus, p.ID}] = data
}

// Write writes the report of a result after all of its pages have been added.
func (r *Report) Write(w io.Writer, res *eval.Result) error {
	pages := make([][]byte, len(res.Rows)) // nil for pages that were not added
	for i, row := range res.Rows {
		pages[i] = r.pages[pageKey{row.Corpus, row.ID}]
	}
	return write(w, r.title, res, pages)
}

//go:embed web
var web embed.FS

// scripts are concatenated in this order.
var scripts = []string{"core", "tables", "charts", "diff", "page", "main"}

// summary is the uncompressed data of the report.
type summary struct {
	Title    string       `json:"title"`
	Systems  []string     `json:"systems"`
	Corpora  []corpusHead `json:"corpora"`
	Measures []measured   `json:"measures"`
	Ranking  [][][]cell   `json:"ranking"`
	Problems []string     `json:"problems"`
	Pages    int          `json:"pages"`
	Opened   int          `json:"opened"` // number of pages that can be opened
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

// table has the properties of the pages by column.
type table struct {
	Corpus []int        `json:"corpus"`
	ID     []string     `json:"id"`
	URL    []string     `json:"url"`
	Site   []string     `json:"site"`
	Lang   []string     `json:"lang"`
	Type   []string     `json:"type"`
	Year   []string     `json:"year"`
	Opens  []int        `json:"opens"` // 1 if the page can be opened
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
	style, err := style()
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

// style concatenates the styles.
func style() ([]byte, error) {
	base, err := sharedweb.Read("base.css")
	if err != nil {
		return nil, err
	}
	own, err := web.ReadFile("web/report.css")
	return slices.Concat(base, own), err
}

// script concatenates the scripts in a closure, so that they define no globals.
func script() ([]byte, error) {
	b := bytes.NewBufferString("\n(() => {\n\"use strict\";\n")
	elements, err := sharedweb.Script("element.js")
	if err != nil {
		return nil, err
	}
	b.Write(elements)
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

// hash returns the hash of a script or style for the content security policy.
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

// maxError is the number of characters of an error that are shown.
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

// pack returns a value as compressed JSON.
func pack(v any) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	// Writing to a buffer cannot fail.
	_, _ = z.Write(encode(v))
	_ = z.Close()
	return b.Bytes()
}

// encode returns JSON that is safe in a script element: encoding/json escapes <,
// >, & and the line separators of Unicode, and replaces invalid UTF-8.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("report: " + err.Error())
	}
	return b
}

// chunk is compressed data in an element of the file.
type chunk struct {
	ID   string
	data []byte
}

// Data returns the data in Base64, which needs no escaping in HTML.
func (c chunk) Data() template.HTML {
	return template.HTML(base64.StdEncoding.EncodeToString(c.data))
}

// numbers are rounded to four decimals in JSON; NaN and infinity are null.
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
