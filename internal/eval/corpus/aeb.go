package corpus

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
