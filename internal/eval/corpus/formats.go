package corpus

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Form is a way in which pages and their gold lie in a folder.
type Form struct {
	Name  string
	About string // what it is, in a few words
	Look  string // what is in the folder
}

// Forms lists the forms that Open reads.
func Forms() []Form {
	var all []Form
	for _, f := range forms() {
		all = append(all, f.Form)
	}
	return all
}

type form struct {
	Form
	charset string
	is      func(*listing) bool // whether a folder looks like it
	read    func(*reader) error
}

func forms() []form {
	return []form{
		{Form{"shared", "lede's own form, which lede newsroom writes too",
			"gold.jsonl, a page a line, and pages/ID.html or pages/ID.html.gz"}, "utf-8", isShared, readShared},
		{Form{"folder", "pages and their texts as plain files",
			"X.html or X.htm beside X.txt, or html/X.html and text/X.txt or txt/X.txt, packed or not"}, "", isFolder, readFolder},
		{Form{"cleaneval", "the CleanEval competition of 2007",
			"en_original/N.html and en_cleaned/N-cleaned.txt, or finalrun-input/ or input/ and GoldStandard/, or both kinds of files side by side"}, "utf-8", isCleanEval, readCleanEval},
		{Form{"l3s", "the labelled Google News pages L3S-GN1",
			"original/ID.html and annotated/ID.html with labels as classes, and url-mapping.txt"}, "", isL3S, readL3S},
		{Form{"aeb", "the article-extraction-benchmark",
			"ground-truth.json and html/ID.html.gz"}, "utf-8", isAEB, readAEB},
		{Form{"evaldata", "trafilatura's evaluation",
			"evaldata.py or evaldata.json, with pages in cache/ and eval/"}, "", isEvalData, readEvalData},
	}
}

// choose finds the form by its name, or by the look of the folder. The plain folder
// asks for so little that it counts only when nothing else is there.
func choose(l *listing, name string) (*form, error) {
	var alike []form
	var names, known []string
	var plain *form
	for _, f := range forms() {
		known = append(known, f.Name)
		is := f.is(l)
		switch {
		case name == f.Name && !is:
			return nil, fmt.Errorf("%w of the form %s: there must be %s", ErrNoCorpus, name, f.Look)
		case name == f.Name:
			return &f, nil
		case name == "" && is && f.Name == "folder":
			plain = &f
		case name == "" && is:
			alike = append(alike, f)
			names = append(names, f.Name)
		}
	}
	switch {
	case name != "":
		return nil, fmt.Errorf("no form of corpora is called %q; there is %s", name, strings.Join(known, ", "))
	case len(alike) > 1:
		return nil, fmt.Errorf("the folder looks like corpora of the forms %s; say which it is", strings.Join(names, " and "))
	case len(alike) == 1:
		return &alike[0], nil
	case plain != nil:
		return plain, nil
	}
	var looks []string
	for _, f := range Forms() {
		looks = append(looks, f.Name+" has "+f.Look)
	}
	return nil, fmt.Errorf("%w of any form: %s", ErrNoCorpus, strings.Join(looks, "; "))
}

func isShared(l *listing) bool { return l.hasFile("gold.jsonl") }

// readShared reads gold.jsonl, an object a line, and finds its pages. Every page of
// this form is UTF-8.
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
	return eachLine(f, maxLine, func(n int, row []byte, err error) error {
		if err != nil {
			return r.problem(name, n, err)
		}
		g, wrong, err := parseGold(row)
		if err != nil {
			return r.problem(name, n, err)
		}
		g.file, g.line, g.page = name, n, pages[g.ID]
		return r.add(g, wrong...)
	})
}

// parseGold reads a line of gold. Wrong are fields that it goes on without.
func parseGold(row []byte) (g Gold, wrong []error, err error) {
	var f fields
	if err := json.Unmarshal(row, &f.values); err != nil {
		return g, nil, fmt.Errorf("a broken line: %w", err)
	}
	g = f.gold()
	id, ok := f.values["id"].(string)
	if v := f.values["id"]; v != nil && !ok {
		return g, nil, fmt.Errorf("the id is %s, want a string", kind(v))
	}
	g.ID = id
	return g, f.wrong, nil
}

// isFolder asks for one page with its text.
func isFolder(l *listing) bool {
	if p, t := halves(l); p != "" && t != "" {
		return true
	}
	return len(paired(l)) > 0
}

// halves are the folders of pages and of texts, where they are apart.
func halves(l *listing) (pages, texts string) {
	if !l.hasDir("html") {
		return "", ""
	}
	for _, name := range []string{"text", "txt"} {
		if l.hasDir(name) {
			return "html", name
		}
	}
	return "html", ""
}

// paired are the names that both a page and a text have.
func paired(l *listing) []string {
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

// readFolder reads X.html with the body of its story in X.txt. Whether
// that has the headline in it nobody says; it is taken to have none.
func readFolder(r *reader) error {
	pages, texts := r.listing, r.listing
	if p, t := halves(r.listing); t != "" {
		var err error
		if pages, err = list(r.path(p)); err != nil {
			return err
		}
		if texts, err = list(r.path(t)); err != nil {
			return err
		}
	}
	return r.readPairs(pages, pagesIn(pages), textsIn(texts), func(g *Gold, text string) { g.Text = strings.TrimSpace(text) })
}

// readPairs takes each text with the page of its name; fill puts the text into the gold.
func (r *reader) readPairs(dir *listing, pages, texts map[string]string, fill func(g *Gold, text string)) error {
	r.corpus.pages = append(r.corpus.pages, dir.dir)
	both := maps.Clone(texts)
	maps.Copy(both, pages)
	for _, id := range slices.Sorted(maps.Keys(both)) {
		file, ok := texts[id]
		if !ok {
			if err := r.problem(pages[id], 0, fmt.Errorf("%w: there is no text file for the page", ErrNoText)); err != nil {
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

// readAEB reads ground-truth.json, which has articleBody and url by id. The
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
		return r.add(g, f.wrong...)
	})
}

func isEvalData(l *listing) bool { return l.hasFile("evaldata.py") || l.hasFile("evaldata.json") }

// readEvalData reads the gold of trafilatura's evaluation: by address, the file of the page, snippets
// that must and must not be in its text, and what is known of title, author and date. An
// id is the name of the file without .html, as lede batch has it.
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
		return r.add(g, f.wrong...)
	})
}
