package corpus

import (
	"encoding/json"
	"fmt"
	"os"
)

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
