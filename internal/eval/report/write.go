package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strconv"

	"github.com/lede-news/lede/internal/eval"
)

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
