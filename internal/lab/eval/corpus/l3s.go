package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

func isL3S(l *listing) bool { return l.hasDir("original") && l.hasDir("annotated") }

// The labels of L3S-GN1, by the number at the end of the class. Text with label 0
// or without a label is not part of the article.
const (
	notLabelled = iota
	headline
	fullText
	supplemental
	relatedContent
	userComments
	labels
)

// readL3S reads pages and their annotated copies. The headline becomes Title and
// is not in Text, the full text becomes Text, supplemental text becomes Extra.
func readL3S(r *reader) error {
	r.corpus.pages = []string{r.path("original")}
	original, err := list(r.path("original"))
	if err != nil {
		return err
	}
	annotated, err := list(r.path("annotated"))
	if err != nil {
		return err
	}
	urls, err := r.urlMapping()
	if err != nil {
		return err
	}
	pages, labelled := pagesIn(original), pagesIn(annotated)
	for _, id := range slices.Sorted(maps.Keys(labelled)) {
		g, err := readLabelled(labelled[id])
		if err != nil {
			if err := r.problem(labelled[id], 0, err); err != nil {
				return err
			}
			continue
		}
		g.ID, g.URL, g.Type, g.file, g.page = id, urls[id], "article", labelled[id], pages[id]
		if err := r.add(g); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(pages)) {
		if labelled[id] == "" {
			if err := r.problem(pages[id], 0, fmt.Errorf("%w: no such page in annotated", ErrNoText)); err != nil {
				return err
			}
		}
	}
	return nil
}

// urlMapping reads url-mapping.txt, whose lines are <urn:uuid:ID> URL.
func (r *reader) urlMapping() (map[string]string, error) {
	urls := map[string]string{}
	if !r.hasFile("url-mapping.txt") {
		return urls, nil
	}
	name := r.path("url-mapping.txt")
	text, err := readText(name)
	if err != nil {
		return nil, Problem{File: name, Err: err}
	}
	return urls, EachLine(strings.NewReader(text), func(n int, row []byte, err error) error {
		f := strings.Fields(string(row))
		if err == nil && len(f) != 2 {
			err = errors.New("want <urn:uuid:ID> and a URL")
		}
		if err != nil {
			return r.problem(name, n, err)
		}
		urls[strings.TrimSuffix(strings.TrimPrefix(f[0], "<urn:uuid:"), ">")] = f[1]
		return nil
	})
}

func readLabelled(name string) (Gold, error) {
	page, err := readFile(name, maxPage)
	if err != nil {
		return Gold{}, err
	}
	d, err := dom.Parse(context.Background(), page, dom.Options{})
	if err != nil {
		return Gold{}, err
	}
	text := labelledText(d)
	g := Gold{Title: strings.Join(strings.Fields(text[headline]), " "), Text: text[fullText]}
	for to, label := range map[*[]string]int{&g.Extra: supplemental, &g.Related: relatedContent, &g.Comments: userComments} {
		if text[label] != "" {
			*to = []string{text[label]}
		}
	}
	return g, nil
}

// labelledText returns the visible text of each label. Of nested labels, the inner
// one counts. Adjacent text of one label is kept as it is on the page; otherwise
// pieces are separated by a newline.
func labelledText(d *dom.Document) [labels]string {
	var (
		found [labels]strings.Builder
		open  []dom.Node // labelled ancestors of the node
		last  = notLabelled
		end   int // of the last text
	)
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		for len(open) > 0 && d.End(open[len(open)-1]) <= n {
			open = open[:len(open)-1]
		}
		if !d.IsText(n) {
			if label(d, n) >= 0 {
				open = append(open, n)
			}
			continue
		}
		if d.Text(n) == "" {
			continue
		}
		in := notLabelled
		if len(open) > 0 {
			in = label(d, open[len(open)-1])
		}
		from, to := d.Span(n)
		if in == last && in != notLabelled {
			from = end
		} else if found[in].Len() > 0 {
			found[in].WriteByte('\n')
		}
		_, _ = io.WriteString(&found[in], d.AllText()[from:to])
		last, end = in, to
	}
	var text [labels]string
	for i := range found {
		text[i] = strings.TrimSpace(found[i].String())
	}
	return text
}

// label returns the label of an element, or -1.
func label(d *dom.Document, n dom.Node) int {
	for word := range strings.FieldsSeq(d.Attr(n, "class")) {
		if no, ok := strings.CutPrefix(word, "x-nc-sel"); ok && len(no) == 1 && no[0] >= '0' && no[0] < '0'+labels {
			return int(no[0] - '0')
		}
	}
	return -1
}
