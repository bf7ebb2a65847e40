package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
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
	s.process(w, r, request.CompareOptions, func(ctx context.Context, out *bytes.Buffer, q *request.Page) (media string, err error) {
		if err := checkCompare(q); err != nil {
			return "", err
		}
		c, err := s.compareMethods(ctx, q)
		if err != nil {
			return "", err
		}
		return jsonType, render.Lines(out, c)
	})
}

// checkCompare checks the methods of a comparison.
func checkCompare(q *request.Page) error {
	if len(q.Methods) == 0 {
		q.Methods = comparedMethods
	}
	for _, name := range q.Methods {
		if _, err := lede.NewMethod(name); err != nil {
			return err
		}
	}
	if q.Memory == "learn" {
		return request.Errorf("option", "memory=learn: a comparison does not learn about sites; use memory=use or memory=off")
	}
	return nil
}

// compareMethods runs the methods on one document, within the time for one page.
func (s *server) compareMethods(ctx context.Context, q *request.Page) (*comparison, error) {
	ctx, cancel := s.pages.WithPageTime(ctx)
	defer cancel()
	d, err := s.pages.Parse(ctx, q)
	if err != nil {
		return nil, err
	}
	c := &comparison{Blocks: []comparedBlock{}, Methods: make([]comparedMethod, len(q.Methods))}
	verdicts := make([][]lede.Decision, len(q.Methods))
	for i, name := range q.Methods {
		m := &c.Methods[i]
		m.Name = name
		opts := append(q.Options(), lede.WithMethod(name), lede.WithReasons(false))
		if known := s.pages.Memory(q); known != nil {
			opts = append(opts, lede.WithSite(known.Page(ctx, q.URL, "")))
		}
		x, err := s.ex.ExplainDocument(ctx, d, opts...)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		if err != nil {
			p := problemOf(err)
			m.Error, m.Kind = p.Detail, p.Kind
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
	begins := map[dom.Node]bool{}
	for _, list := range verdicts {
		for _, v := range list {
			begins[v.First] = true
		}
	}
	n := len(verdicts)
	at := make([]int, n) // index of the decision of each method about the node
	var parts []string
	kept := []int{}
	end := func() {
		if len(parts) > 0 {
			c.Blocks = append(c.Blocks, comparedBlock{Text: strings.Join(parts, " "), Kept: kept})
		}
		parts, kept = nil, []int{}
	}
	for node := range dom.Node(d.Len()) {
		if !d.IsText(node) {
			continue
		}
		if begins[node] {
			end()
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
			c.Agreement[i][j] = c.agreement(i, j)
		}
	}
}

// agreement returns the share of characters that two methods both keep or both drop.
func (c *comparison) agreement(i, j int) float64 {
	same, total := 0, 0
	for _, b := range c.Blocks {
		size := utf8.RuneCountInString(b.Text)
		if total += size; slices.Contains(b.Kept, i) == slices.Contains(b.Kept, j) {
			same += size
		}
	}
	if total == 0 {
		return 1
	}
	return float64(same) / float64(total)
}
