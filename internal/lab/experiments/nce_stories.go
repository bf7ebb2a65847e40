package experiments

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/stories"
)

// storyPair is a pair of pages and how different people find their stories.
type storyPair struct {
	A, B, Lang string
	Overall    float64 // 1 for the same story, 4 for unrelated ones
}

// readPairs reads the pairs of a folder and the names of their pages.
func readPairs(folder string) (pairs []storyPair, pages []string, err error) {
	file, err := os.Open(filepath.Join(folder, "pairs.jsonl"))
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	err = corpus.EachLine(file, func(n int, row []byte, err error) error {
		var p storyPair
		if err == nil {
			err = json.Unmarshal(row, &p)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", file.Name(), n, err)
		}
		pairs, pages = append(pairs, p), append(pages, p.A, p.B)
		return nil
	})
	slices.Sort(pages)
	return pairs, slices.Compact(pages), err
}

// The texts that are compared: those of methods, and these.
const (
	wholePage    = "the whole page"
	headlineOnly = "the headline alone"
)

// nceTexts are the rows of the table.
var nceTexts = []string{wholePage, "coreex:paper", "coreex", "nce:paper", "nce", "blend", headlineOnly}

// nceStories puts the claim of NCE to the test that clean text is needed to cluster
// stories and to find copies (§1).
func nceStories(ctx context.Context, in *Input) ([]*Table, error) {
	pairs, pages, err := readPairs(in.Pairs)
	if err != nil {
		return nil, err
	}
	if in.Quick {
		pairs = pairs[:min(quickPages, len(pairs))]
		pages = slices.DeleteFunc(pages, func(id string) bool {
			return !slices.ContainsFunc(pairs, func(p storyPair) bool { return p.A == id || p.B == id })
		})
	}
	extractors := map[string]*lede.Extractor{}
	for _, name := range nceTexts {
		if name == wholePage || name == headlineOnly {
			continue
		}
		if extractors[name], err = lede.New(lede.WithMethod(name)); err != nil {
			return nil, err
		}
	}
	progress := func(done int) { in.Report("stories", done, len(pages)) }
	articles, err := parallel.Map(ctx, len(pages), 0, progress, func(i int) (map[string]*stories.Article, error) {
		return textsOf(ctx, extractors, filepath.Join(in.Pairs, "pages", pages[i]+".html.gz"))
	})
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:  "Likeness of stories, by what is compared",
		Corpus: fmt.Sprintf("%d pairs of news pages with people's judgement", len(pairs)),
		Notes: []string{
			"The figures are Pearson's correlations of a likeness with minus the judgement: lede's over all pairs and in each language, and a plain cosine of TF-IDF vectors over all pairs.",
			"Headline, date and language are those of the default in all rows, so that rows differ in the text alone. lede's likeness gives more weight to the beginning of a text, where a whole page has its menus; the plain cosine does not.",
			"The paper gives no figures: it wants clean text \"to cluster and detect near-duplicate news stories\".",
		},
	}
	langs := languagesOf(pairs)
	t.Columns = []Column{{"all", Ratio}}
	for _, lang := range langs {
		t.Columns = append(t.Columns, Column{lang, Ratio})
	}
	t.Columns = append(t.Columns, Column{"plain cosine", Ratio}, Column{"words", Count})
	for _, name := range nceTexts {
		set := map[string]*stories.Article{}
		words := 0
		for i, id := range pages {
			set[id] = articles[i][name]
			words += len(strings.Fields(set[id].Text))
		}
		ours := likenesses(pairs, set)
		row := Row{Name: name, Cells: []Cell{Ours(pearson(pairs, ours, ""))}}
		for _, lang := range langs {
			row.Cells = append(row.Cells, Ours(pearson(pairs, ours, lang)))
		}
		row.Cells = append(row.Cells, Ours(pearson(pairs, cosines(pairs, set), "")), Ours(float64(words)/float64(len(pages))))
		t.Rows = append(t.Rows, row)
	}
	return []*Table{t}, nil
}

// textsOf returns the article of a page for each row of the table.
func textsOf(ctx context.Context, extractors map[string]*lede.Extractor, file string) (map[string]*stories.Article, error) {
	page, err := readGzip(file)
	if err != nil {
		return nil, err
	}
	doc, err := dom.Parse(ctx, page, dom.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var known stories.Article
	if a, err := extractors["blend"].ExtractDocument(ctx, doc); err == nil {
		known = stories.Article{Title: a.Title, Lang: a.Lang, Published: a.Published.Time}
	}
	out := map[string]*stories.Article{}
	for _, name := range nceTexts {
		article := known
		switch ex := extractors[name]; {
		case ex != nil:
			if a, err := ex.ExtractDocument(ctx, doc); err == nil {
				article.Text = a.Text()
			}
		case name == wholePage:
			article.Text = doc.AllText()
		}
		out[name] = &article
	}
	return out, ctx.Err()
}

func readGzip(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return page, nil
}

// languagesOf returns the languages of the pairs.
func languagesOf(pairs []storyPair) []string {
	var langs []string
	for _, p := range pairs {
		langs = append(langs, p.Lang)
	}
	slices.Sort(langs)
	return slices.Compact(langs)
}

// likenesses returns lede's likeness of each pair.
func likenesses(pairs []storyPair, set map[string]*stories.Article) []float64 {
	var f stories.Frequencies
	terms := map[string]*stories.Terms{}
	for id, a := range set {
		terms[id] = stories.NewTerms(a)
		f.Add(terms[id])
	}
	vectors := map[string]*stories.Vector{}
	for id, t := range terms {
		vectors[id] = f.Weigh(t)
	}
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		scores[i] = stories.Likeness(vectors[p.A], vectors[p.B])
	}
	return scores
}

// cosines returns the plain cosine of TF-IDF vectors of each pair.
func cosines(pairs []storyPair, set map[string]*stories.Article) []float64 {
	counts, articles := map[string]map[string]float64{}, map[string]float64{}
	for id, a := range set {
		words := strings.FieldsFunc(strings.ToLower(a.Title+"\n"+a.Text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		counts[id] = map[string]float64{}
		for _, w := range words {
			counts[id][w]++
		}
		for w := range counts[id] {
			articles[w]++
		}
	}
	dot := func(a, b map[string]float64) (sum float64) {
		for w, n := range a {
			rare := math.Log(float64(len(set)+1) / articles[w])
			sum += n * b[w] * rare * rare
		}
		return sum
	}
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		a, b := counts[p.A], counts[p.B]
		if length := math.Sqrt(dot(a, a) * dot(b, b)); length > 0 {
			scores[i] = dot(a, b) / length
		}
	}
	return scores
}

// pearson returns the correlation of scores with minus the judgement of the pairs of a
// language, or of all.
func pearson(pairs []storyPair, scores []float64, lang string) float64 {
	var n, x, y, xx, yy, xy float64
	for i, p := range pairs {
		if lang == "" || p.Lang == lang {
			s, j := scores[i], -p.Overall
			n, x, y, xx, yy, xy = n+1, x+s, y+j, xx+s*s, yy+j*j, xy+s*j
		}
	}
	return (xy - x*y/n) / math.Sqrt((xx-x*x/n)*(yy-y*y/n))
}
