package corpus

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Format is the file format of a corpus.
type Format struct {
	Name  string
	About string
	Files string // files in the folder
}

// Formats returns the formats that Open reads.
func Formats() []Format {
	var all []Format
	for _, f := range formats() {
		all = append(all, f.Format)
	}
	return all
}

type format struct {
	Format
	charset string
	is      func(*listing) bool // reports whether a folder has this format
	read    func(*reader) error
}

func formats() []format {
	return []format{
		{Format{"shared", "lede's own format, also written by lede-lab newsroom",
			"gold.jsonl with one page a line, and pages/ID.html or pages/ID.html.gz"}, "utf-8", isShared, readShared},
		{Format{"folder", "pages and their texts as plain files",
			"X.html or X.htm and X.txt, or html/X.html and text/X.txt or txt/X.txt, each with or without .gz"}, "", isFolder, readFolder},
		{Format{"cleaneval", "the CleanEval competition of 2007",
			"en_original/N.html and en_cleaned/N-cleaned.txt, or finalrun-input/ or input/ and GoldStandard/, or both kinds of files in one folder"}, "utf-8", isCleanEval, readCleanEval},
		{Format{"l3s", "the labelled Google News pages L3S-GN1",
			"original/ID.html and annotated/ID.html with labels as classes, and url-mapping.txt"}, "", isL3S, readL3S},
		{Format{"aeb", "the article-extraction-benchmark",
			"ground-truth.json and html/ID.html.gz"}, "utf-8", isAEB, readAEB},
		{Format{"evaldata", "trafilatura's evaluation",
			"evaldata.py or evaldata.json, with pages in cache/ and eval/"}, "", isEvalData, readEvalData},
	}
}

// chooseFormat returns the format with a name, or detects it by the files in the
// folder. The format folder is chosen only if no other one matches, because many
// folders contain pages and texts.
func chooseFormat(l *listing, name string) (*format, error) {
	var matching []format
	var names, known []string
	var plain *format
	for _, f := range formats() {
		known = append(known, f.Name)
		is := f.is(l)
		switch {
		case name == f.Name && !is:
			return nil, fmt.Errorf("%w of format %s: want %s", ErrNoCorpus, name, f.Files)
		case name == f.Name:
			return &f, nil
		case name == "" && is && f.Name == "folder":
			plain = &f
		case name == "" && is:
			matching = append(matching, f)
			names = append(names, f.Name)
		}
	}
	switch {
	case name != "":
		return nil, fmt.Errorf("unknown corpus format %q; available: %s", name, strings.Join(known, ", "))
	case len(matching) > 1:
		return nil, fmt.Errorf("the folder matches the formats %s; choose one", strings.Join(names, " and "))
	case len(matching) == 1:
		return &matching[0], nil
	case plain != nil:
		return plain, nil
	}
	var files []string
	for _, f := range formats() {
		files = append(files, f.Name+" has "+f.Files)
	}
	return nil, fmt.Errorf("%w of any format: %s", ErrNoCorpus, strings.Join(files, "; "))
}

func isShared(l *listing) bool { return l.hasFile("gold.jsonl") }

// readShared reads gold.jsonl, one object a line. Pages are UTF-8.
func readShared(r *reader) error {
	name := r.path("gold.jsonl")
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r.corpus.pages = []string{r.path("pages")}
	pages := map[string]string{}
	if l, err := list(r.path("pages")); err == nil {
		pages = pagesIn(l)
	}
	return EachLine(f, func(n int, row []byte, err error) error {
		if err != nil {
			return r.problem(name, n, err)
		}
		g, invalid, err := parseGold(row)
		if err != nil {
			return r.problem(name, n, err)
		}
		g.file, g.line, g.page = name, n, pages[g.ID]
		return r.add(g, invalid...)
	})
}

// parseGold parses a line of gold. Invalid are the errors of ignored fields.
func parseGold(row []byte) (g Gold, invalid []error, err error) {
	var f fields
	if err := json.Unmarshal(row, &f.values); err != nil {
		return g, nil, fmt.Errorf("invalid JSON: %w", err)
	}
	g = f.gold()
	id, ok := f.values["id"].(string)
	if v := f.values["id"]; v != nil && !ok {
		return g, nil, fmt.Errorf("id is %s, want a string", typeName(v))
	}
	g.ID = id
	return g, f.invalid, nil
}

func isFolder(l *listing) bool { return textDir(l) != "" || len(pairedNames(l)) > 0 }

// textDir returns the folder with the texts of the pages in html, if there is one.
func textDir(l *listing) string {
	for _, name := range []string{"text", "txt"} {
		if l.hasDir("html") && l.hasDir(name) {
			return name
		}
	}
	return ""
}

// pairedNames returns the names that both a page and a text have.
func pairedNames(l *listing) []string {
	var both []string
	texts := textsIn(l)
	for id := range pagesIn(l) {
		if _, ok := texts[id]; ok {
			both = append(both, id)
		}
	}
	slices.Sort(both)
	return both
}

// readFolder reads X.html with the body of its article in X.txt, which is assumed
// not to contain the headline.
func readFolder(r *reader) error {
	pages, texts := r.listing, r.listing
	if t := textDir(r.listing); t != "" {
		var err error
		if pages, err = list(r.path("html")); err != nil {
			return err
		}
		if texts, err = list(r.path(t)); err != nil {
			return err
		}
	}
	return r.readPairs(pages, pagesIn(pages), textsIn(texts), func(g *Gold, text string) { g.Text = strings.TrimSpace(text) })
}

// readPairs adds each text with the page of the same name. The function fill sets
// the fields of the gold from the text.
func (r *reader) readPairs(dir *listing, pages, texts map[string]string, fill func(g *Gold, text string)) error {
	r.corpus.pages = append(r.corpus.pages, dir.dir)
	both := maps.Clone(texts)
	maps.Copy(both, pages)
	for _, id := range slices.Sorted(maps.Keys(both)) {
		file, ok := texts[id]
		if !ok {
			if err := r.problem(pages[id], 0, fmt.Errorf("%w: no text file for the page", ErrNoText)); err != nil {
				return err
			}
			continue
		}
		text, err := readText(file)
		if err != nil {
			if err := r.problem(file, 0, err); err != nil {
				return err
			}
			continue
		}
		g := Gold{ID: id, file: file, page: pages[id]}
		fill(&g, text)
		if err := r.add(g); err != nil {
			return err
		}
	}
	return nil
}

func isAEB(l *listing) bool { return l.hasFile("ground-truth.json") }

// readAEB reads ground-truth.json, which has articleBody and url by page ID. The
// benchmark reads its pages as UTF-8.
func readAEB(r *reader) error {
	name := r.path("ground-truth.json")
	data, err := readFile(name, maxFile)
	if err != nil {
		return Problem{File: name, Err: err}
	}
	r.corpus.pages = []string{r.path("html")}
	pages := map[string]string{}
	if l, err := list(r.path("html")); err == nil {
		pages = pagesIn(l)
	}
	return r.entries(name, eachJSON(data), func(id string, line int, f *fields) error {
		g := Gold{ID: id, URL: f.text("url"), Text: f.text("articleBody"), file: name, line: line, page: pages[id]}
		return r.add(g, f.invalid...)
	})
}

func isEvalData(l *listing) bool { return l.hasFile("evaldata.py") || l.hasFile("evaldata.json") }

// readEvalData reads the gold of trafilatura's evaluation: by URL, the file of the
// page, snippets that must and must not be in its text, and title, author and
// date where known. The ID is the name of the file without .html, as in lede batch.
func readEvalData(r *reader) error {
	name, each := r.path("evaldata.json"), eachJSON
	if !r.hasFile("evaldata.json") {
		name, each = r.path("evaldata.py"), func(data []byte) func(func(entry) error) (int, error) {
			return eachPython(string(data), "EVAL_PAGES")
		}
	}
	data, err := readFile(name, maxFile)
	if err != nil {
		return Problem{File: name, Err: err}
	}
	pages := map[string]string{}
	for _, dir := range []string{"eval", "cache"} {
		r.corpus.pages = append(r.corpus.pages, r.path(dir))
		if l, err := list(r.path(dir)); err == nil {
			maps.Copy(pages, pagesIn(l))
		}
	}
	return r.entries(name, each(data), func(url string, line int, f *fields) error {
		g := f.gold()
		g.URL, g.file, g.line = url, name, line
		g.ID = f.text("file")
		for _, ext := range []string{".gz", ".html", ".htm", ".xhtml"} {
			g.ID = strings.TrimSuffix(g.ID, ext)
		}
		g.page = pages[g.ID]
		return r.add(g, f.invalid...)
	})
}
