package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// comparedMethods are those that are compared by default: the default and the papers.
var comparedMethods = []string{lede.DefaultMethod, "nce", "coreex", "twcem", "stadynot", "wrapper"}

// comparison is what several methods make of one page.
type comparison struct {
	Blocks  []comparedBlock  `json:"blocks"`
	Methods []comparedMethod `json:"methods"`
	// Agreement is, for each pair of methods, the share of the characters of the page
	// that both keep or both drop.
	Agreement [][]float64 `json:"agreement"`
}

type comparedBlock struct {
	Text string `json:"text"`
	Kept []int  `json:"kept"` // indices of the methods that keep it
}

type comparedMethod struct {
	Name       string           `json:"name"`
	Title      string           `json:"title"`
	Words      int              `json:"words"`
	Type       article.PageType `json:"type,omitempty"`
	Confidence float64          `json:"confidence"`
	Error      string           `json:"error,omitempty"`
	Kind       string           `json:"kind,omitempty"`
}

// compare answers with what several methods make of a page.
func (s *server) compare(w http.ResponseWriter, r *http.Request) {
	q, out := s.process(w, r, compareOptions, (*pageRequest).checkCompare, func(ctx context.Context, out *bytes.Buffer, q *pageRequest) error {
		c, err := s.compareMethods(ctx, q)
		if err != nil {
			return err
		}
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(c)
	})
	if q == nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	send(w, out)
}

// checkCompare checks the methods of a comparison.
func (q *pageRequest) checkCompare() error {
	if len(q.Methods) == 0 {
		q.Methods = comparedMethods
	}
	seen := map[string]bool{}
	for _, name := range q.Methods {
		if seen[name] {
			return newProblem("option", "methods has %s twice; name it once", name)
		}
		seen[name] = true
		if _, err := lede.NewMethod(name); err != nil {
			return err
		}
	}
	if q.Memory == "learn" {
		return newProblem("option", "memory=learn: a comparison does not learn about sites; use memory=use or memory=off")
	}
	return nil
}

// compareMethods runs the methods on one document, within the time for one page.
func (s *server) compareMethods(ctx context.Context, q *pageRequest) (*comparison, error) {
	ctx, cancel := s.pages.WithPageTime(ctx)
	defer cancel()
	d, err := s.pages.Parse(ctx, &q.Page)
	if err != nil {
		return nil, err
	}
	c := &comparison{Blocks: []comparedBlock{}, Methods: make([]comparedMethod, len(q.Methods))}
	verdicts := make([][]lede.Decision, len(q.Methods))
	for i, name := range q.Methods {
		m := &c.Methods[i]
		m.Name = name
		opts := append(q.Options(), lede.WithMethod(name), lede.WithReasons(false))
		if known := s.pages.Memory(&q.Page); known != nil {
			opts = append(opts, lede.WithSite(known.Page(ctx, q.URL, "")))
		}
		x, err := s.ex.ExplainDocument(ctx, d, opts...)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		if err != nil {
			p := problemOf(err)
			m.Error, m.Kind = p.detail, p.kind
			continue
		}
		a := x.Article
		m.Title, m.Words, m.Type, m.Confidence = a.Title, a.WordCount(), a.Type, a.Confidence
		verdicts[i] = x.Decisions()
	}
	c.join(d, verdicts)
	return c, nil
}

// join cuts the page into blocks about which each method has one verdict, and counts
// the characters on which the methods agree. A method that failed keeps nothing.
func (c *comparison) join(d *dom.Document, verdicts [][]lede.Decision) {
	n := len(verdicts)
	same := make([][]int, n)
	for i := range same {
		same[i] = make([]int, n)
	}
	total := 0
	begins := map[dom.Node]bool{}
	for _, list := range verdicts {
		for _, v := range list {
			begins[v.First] = true
		}
	}
	at := make([]int, n) // index of the decision of each method about the node
	var kept []int
	var parts []string
	end := func() {
		if len(parts) == 0 {
			return
		}
		block := comparedBlock{Text: strings.Join(parts, " "), Kept: slices.Clone(kept)}
		c.Blocks = append(c.Blocks, block)
		size := utf8.RuneCountInString(block.Text)
		total += size
		for i := range n {
			for j := range n {
				if slices.Contains(kept, i) == slices.Contains(kept, j) {
					same[i][j] += size
				}
			}
		}
		parts = parts[:0]
	}
	for node := range dom.Node(d.Len()) {
		if !d.IsText(node) {
			continue
		}
		if begins[node] {
			end()
			kept = []int{}
			for i, list := range verdicts {
				for at[i]+1 < len(list) && list[at[i]+1].First <= node {
					at[i]++
				}
				if len(list) > 0 && list[at[i]].Role == "kept" {
					kept = append(kept, i)
				}
			}
		}
		if text := d.Text(node); len(begins) > 0 && text != "" && !d.Hidden(node) {
			parts = append(parts, text)
		}
	}
	end()
	c.Agreement = make([][]float64, n)
	for i := range n {
		c.Agreement[i] = make([]float64, n)
		for j := range n {
			if c.Agreement[i][j] = 1; total > 0 {
				c.Agreement[i][j] = float64(same[i][j]) / float64(total)
			}
		}
	}
}
