package measure

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// title measures headlines: exact is the share of those that differ in nothing but
// case, space and punctuation; F1 compares the bags of words, mean over pages.
var title = Measure{
	Name: "title", About: "headlines that are exact but for case, space and punctuation; F1 of their words",
	Figures: []string{"exact", "F1"},
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if g.Title == "" {
			return nil
		}
		return []float64{indicator(Letters(out.Title) == Letters(g.Title)), compare(Words(out.Title), Words(g.Title)).F1, 1}
	},
	Total: means,
}

// ownTitle measures the headlines that methods find by themselves, as their papers
// do. Within is the share of pages whose headline is part of what was found, such
// as a <title> with the name of the site.
var ownTitle = Measure{
	Name: "own-title", About: "headlines that the method itself found, before metadata: exact, F1, and contained in what was found",
	Figures: []string{"exact", "F1", "within"},
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if g.Title == "" || out.OwnTitle == nil {
			return nil
		}
		found, want := Letters(*out.OwnTitle), Letters(g.Title)
		f1 := compare(Words(*out.OwnTitle), Words(g.Title)).F1
		return []float64{indicator(found == want), f1, indicator(strings.Contains(found, want)), 1}
	},
	Total: means,
}

// author is the share of the gold's authors that were found, over all authors of
// all pages. A name may be part of a longer one, such as one with a job title.
var author = Measure{
	Name: "author", About: "share of the authors that were found",
	Figures: []string{"found"},
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if len(g.Authors) == 0 {
			return nil
		}
		all := Letters(strings.Join(out.Authors, " "))
		found := 0.0
		for _, name := range g.Authors {
			found += indicator(strings.Contains(all, Letters(name)))
		}
		return []float64{found, float64(len(g.Authors))}
	},
	Total: means,
}

// authors compares the names of authors, over all pages. Unlike author it counts
// names that are not authors, and a name must be exact.
var authors = Measure{
	Name: "authors", About: "exact names of authors, over those of all pages",
	Figures: figuresPRF, Main: 2,
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if len(g.Authors) == 0 {
			return nil
		}
		found, gold := make([]string, len(out.Authors)), make([]string, len(g.Authors))
		for i, name := range out.Authors {
			found[i] = Letters(name)
		}
		for i, name := range g.Authors {
			gold[i] = Letters(name)
		}
		return same(found, gold)
	},
	Total: countsPRF,
}

// date is the share of pages with the correct day.
var date = Measure{
	Name: "date", About: "share of the dates that were found, to the day",
	Figures: []string{"found"},
	Page: func(g *corpus.Gold, out *Output) []float64 {
		want := day.FindString(g.Date)
		if want == "" {
			return nil
		}
		return []float64{indicator(day.FindString(out.Date) == want), 1}
	},
	Total: means,
}

var day = regexp.MustCompile(`\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}`)

// confidence tells whether a low confidence warns of pages that are mostly wrong: the share of
// those with a confidence under 0.6, the share with more than 0.9, and how many pages they are.
var confidence = Measure{
	Name: "confidence", About: "pages with a bag F1 under 0.5: share with a confidence under 0.6 and over 0.9, share of all pages",
	Figures: []string{"low", "high", "pages"},
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if g.Text == "" || out.Confidence == nil {
			return nil
		}
		if Score(g, out.Title, out.Text).F1 >= 0.5 {
			return []float64{0, 0, 0, 1}
		}
		return []float64{indicator(*out.Confidence < 0.6), indicator(*out.Confidence > 0.9), 1, 1}
	},
	Total: func(s []float64) []float64 { return []float64{ratio(s[0], s[2]), ratio(s[1], s[2]), ratio(s[2], s[3])} },
}

// pageType measures the classification of pages. Accuracy is that of article or
// not; P and R are those of articles; kinds is the accuracy of article, index and
// other. An output with an error is always wrong; one without a type does not
// count.
var pageType = Measure{
	Name: "type", About: "classification of pages as article, index or other",
	Figures: []string{"accuracy", "P", "R", "kinds"},
	Page: func(g *corpus.Gold, out *Output) []float64 {
		if g.Type == "" || out.Type == "" && out.Error == "" {
			return nil
		}
		want := "other"
		switch {
		case g.Type == "article":
			want = "article"
		case slices.Contains([]string{"listing", "collection", "category", "index"}, g.Type):
			want = "index"
		}
		right := out.Error == "" && (out.Type == "article") == (want == "article")
		both := out.Type == "article" && want == "article"
		return []float64{
			indicator(right), indicator(out.Type == want), 1,
			indicator(both), indicator(out.Type == "article"), indicator(want == "article"),
		}
	},
	Total: func(s []float64) []float64 {
		m := microPRF(s[3:])
		return []float64{ratio(s[0], s[2]), m[0], m[1], ratio(s[1], s[2])}
	},
}

// pageTime is the time per page in milliseconds, mean over the pages with a known
// time, as in CoreEx (sections 3.3 and 5.1). The time for extraction is the total
// less that for parsing, which counts as 0 if it is unknown.
var pageTime = Measure{
	Name: "time", About: "milliseconds per page: total, parsing, extraction (CoreEx)",
	Figures: []string{"ms", "parse", "extract"}, Lower: true,
	Page: func(_ *corpus.Gold, out *Output) []float64 {
		if out.Time <= 0 {
			return nil
		}
		ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
		return []float64{ms(out.Time), ms(out.Parse), ms(out.Time - out.Parse), 1}
	},
	Total: means,
}
