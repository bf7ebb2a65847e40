package measure

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// Scorer scores selections of nodes of one page against its gold in microseconds,
// for searches that try thousands of them.
//
// It approximates Score: it does not see what package compose does to a text,
// such as leaving out captions.
type Scorer struct {
	page   *pageWords
	gold   *corpus.Gold
	title  []string // words of the gold's headline
	counts []int32  // by the number of a word: how often it is in the gold
	words  int      // of the gold
}

// NewScorer returns a Scorer for a page.
func NewScorer(d *dom.Document, g *corpus.Gold) *Scorer {
	s := &Scorer{page: newPageWords(d), gold: g, title: Words(g.Title)}
	words := Words(g.Text)
	for _, w := range words {
		s.page.add(w)
	}
	s.counts, s.words = make([]int32, len(s.page.vocabulary)), len(words)
	for _, w := range words {
		s.counts[s.page.find(w)]++
	}
	return s
}

// Score compares the text of the selected nodes, and a headline if the gold has
// it in its text, with the gold.
func (s *Scorer) Score(selected []bool, title string) PRF {
	left := slices.Clone(s.counts)
	var found, right int
	count := func(w int32) {
		found++
		if w >= 0 && left[w] > 0 {
			left[w]--
			right++
		}
	}
	if s.gold.TitleInText && !strings.Contains(Letters(s.head(selected)), Letters(title)) {
		for _, w := range Words(title) {
			count(s.page.find(w))
		}
	}
	for n, is := range selected {
		if is {
			for _, w := range s.page.words[s.page.at[n]:s.page.at[n+1]] {
				count(w)
			}
		}
	}
	return prf(right, found-right, s.words-right)
}

// head returns the beginning of the text of the selected nodes.
func (s *Scorer) head(selected []bool) string {
	var head []byte
	chars := 0
	for n, is := range selected {
		if !is || !s.page.doc.IsText(dom.Node(n)) {
			continue
		}
		for _, r := range s.page.doc.Text(dom.Node(n)) {
			if chars++; chars > beginning {
				return string(head)
			}
			head = utf8.AppendRune(head, r)
		}
		head = append(head, ' ')
		chars++
	}
	return string(head)
}

// Title compares a headline with the gold's. It returns false if the gold has
// none.
func (s *Scorer) Title(title string) (PRF, bool) {
	return compare(Words(title), s.title), len(s.title) > 0
}
