package placing

import (
	"cmp"
	"slices"

	"github.com/lede-news/lede/stories"
)

const (
	maxPapers = 1000 // of a story
	maxTerms  = 8
	// maxDescribed is how many articles are compared to find the headline.
	maxDescribed = 16
	// MaxMembers is how many articles of a story are listed.
	MaxMembers = 10_000
)

// Outline collects the papers and languages of a story from its articles, in order of
// time.
type Outline struct {
	Papers    []string // in order of their first article
	languages []string
	counts    map[string]int
}

// Add adds an article.
func (o *Outline) Add(site, lang string) {
	if site != "" && len(o.Papers) < maxPapers && !slices.Contains(o.Papers, site) {
		o.Papers = append(o.Papers, site)
	}
	if lang == "" {
		return
	}
	if o.counts == nil {
		o.counts = map[string]int{}
	}
	if o.counts[lang]++; o.counts[lang] == 1 {
		o.languages = append(o.languages, lang)
	}
}

// Languages returns the languages, the most frequent first.
func (o *Outline) Languages() []string {
	slices.SortStableFunc(o.languages, func(a, b string) int { return cmp.Compare(o.counts[b], o.counts[a]) })
	return o.languages
}

// Sample returns which of n articles that are no copies are compared to describe a story.
func Sample(n int) []int {
	list := make([]int, min(n, maxDescribed))
	for i := range list {
		list[i] = i * n / len(list)
	}
	return list
}

// Describe returns the headline and the terms of a story: a sample of its articles are
// compared with one another, and the one that is most like the others represents it.
func Describe(titles []string, vectors []*stories.Vector) (headline string, terms []string) {
	likeness := make([]float64, len(titles))
	for i := range titles {
		for j := range i {
			score := stories.Likeness(vectors[i], vectors[j])
			likeness[i] += score
			likeness[j] += score
		}
	}
	best := 0
	for i, title := range titles {
		if title != "" && (likeness[i] > likeness[best] || titles[best] == "") {
			best = i
		}
	}
	counts := map[string]int{}
	for i := range titles {
		words := vectors[best].Words(maxTerms)
		if i != best {
			words = stories.Shared(vectors[best], vectors[i], maxTerms)
		}
		for _, t := range words {
			if counts[t]++; counts[t] == 1 {
				terms = append(terms, t)
			}
		}
	}
	slices.SortStableFunc(terms, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	return titles[best], terms[:min(len(terms), maxTerms)]
}
