package measure

import (
	"slices"
	"strings"
	"unicode"
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
	doc   *dom.Document
	gold  *corpus.Gold
	title []string    // words of the gold's headline
	text  *vocabulary // of the gold's text
	at    []int32     // by node: index of its first word; one more than nodes
	words []int32     // words of the page by their numbers in text
}

// NewScorer returns a Scorer for a page.
func NewScorer(d *dom.Document, g *corpus.Gold) *Scorer {
	s := &Scorer{doc: d, gold: g, title: Words(g.Title), text: &vocabulary{number: map[string]int32{}}, at: make([]int32, d.Len()+1)}
	for _, w := range Words(g.Text) {
		s.text.add(w)
	}
	// A chunk between white space belongs to the node in which it begins.
	text, pos := d.AllText(), 0
	for n := range s.at[1:] {
		s.at[n] = int32(len(s.words))
		if !d.IsText(dom.Node(n)) {
			continue
		}
		for _, end := d.Span(dom.Node(n)); pos < end; {
			var chunk string
			chunk, pos = cutChunk(text, pos)
			for _, w := range Words(chunk) {
				s.words = append(s.words, s.text.find(w))
			}
		}
	}
	s.at[d.Len()] = int32(len(s.words))
	return s
}

// cutChunk returns the next chunk between white space, and where it ends.
func cutChunk(text string, pos int) (chunk string, next int) {
	i := strings.IndexFunc(text[pos:], func(r rune) bool { return !unicode.IsSpace(r) })
	if i < 0 {
		return "", len(text)
	}
	pos += i
	next = len(text)
	if j := strings.IndexFunc(text[pos:], unicode.IsSpace); j >= 0 {
		next = pos + j
	}
	return text[pos:next], next
}

// Score compares the text of the selected nodes, and a headline if the gold has
// it in its text, with the gold.
func (s *Scorer) Score(selected []bool, title string) PRF {
	left := slices.Clone(s.text.counts)
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
			count(s.text.find(w))
		}
	}
	for n, is := range selected {
		if is {
			for _, w := range s.words[s.at[n]:s.at[n+1]] {
				count(w)
			}
		}
	}
	return prf(right, found-right, len(s.text.words)-right)
}

// head returns the beginning of the text of the selected nodes.
func (s *Scorer) head(selected []bool) string {
	var head []byte
	chars := 0
	for n, is := range selected {
		if !is || !s.doc.IsText(dom.Node(n)) {
			continue
		}
		for _, r := range s.doc.Text(dom.Node(n)) {
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
