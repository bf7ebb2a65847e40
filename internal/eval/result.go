package eval

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// Page is a page that every system has done. The row outlives it.
type Page struct {
	*Row
	Gold    *corpus.Gold
	Doc     *dom.Document     // nil when it cannot be parsed
	Outputs []*measure.Output // by system
}

// Row is what stays of a page: the figures.
type Row struct {
	Corpus, ID, URL        string
	Site, Lang, Type, Year string
	// Sums are what the page adds, by system and by measure; nil when the
	// page's gold does not say what the measure needs.
	Sums [][][]float64
	// Errors are why systems gave nothing, by system; empty when they gave something.
	Errors []string
}

// Result is the outcome of a run.
type Result struct {
	Systems  []string
	Measures []measure.Measure
	Rows     []*Row // in the order of the corpora
	Problems []corpus.Problem
}
