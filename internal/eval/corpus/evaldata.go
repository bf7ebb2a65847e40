package corpus

import (
	"maps"
	"strings"
)

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
