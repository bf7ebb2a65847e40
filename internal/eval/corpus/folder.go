package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
