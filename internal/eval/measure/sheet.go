package measure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
)

// Sheet is a page with its words sorted out beforehand, so that one selection
// after the other can be scored against the gold in microseconds. A search for
// parameters looks at every page thousands of times.
//
// It stands in for Score on the text that a reader would get: what
// composing does to a text, such as leaving out captions, it does not see.
type Sheet struct {
	doc    *dom.Document
	gold   *corpus.Gold
	title  []string         // words of the gold's headline
	number map[string]int32 // of the words of the gold's text
	counts []int32          // by number: how often a word is there
	total  int              // words of the gold's text
	at     []int32          // by node: where its words begin; one more than nodes
	words  []int32          // the words of the page by number, or -1 when the gold has none such
}

// NewSheet sorts out the words of a page.
func NewSheet(d *dom.Document, g *corpus.Gold) *Sheet {
	s := &Sheet{doc: d, gold: g, title: Words(g.Title), number: map[string]int32{}, at: make([]int32, d.Len()+1)}
	for _, w := range Words(g.Text) {
		i, known := s.number[w]
		if !known {
			i = int32(len(s.counts))
			s.number[w] = i
			s.counts = append(s.counts, 0)
		}
		s.counts[i]++
		s.total++
	}
	// A chunk between white space belongs to the node that it begins in.
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
				s.words = append(s.words, s.find(w))
			}
		}
	}
	s.at[d.Len()] = int32(len(s.words))
	return s
}

func (s *Sheet) find(word string) int32 {
	if i, known := s.number[word]; known {
		return i
	}
	return -1
}

// cutChunk is what stands between white space from pos on, and where it ends.
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

// Score measures the nodes of a mask, and a headline, against the gold.
func (s *Sheet) Score(mask []bool, title string) PRF {
	left := append([]int32(nil), s.counts...)
	var found, right int
	count := func(w int32) {
		found++
		if w >= 0 && left[w] > 0 {
			left[w]--
			right++
		}
	}
	if s.gold.TitleInText && !strings.Contains(fold(s.head(mask)), fold(title)) {
		for _, w := range Words(title) {
			count(s.find(w))
		}
	}
	for n, kept := range mask {
		if kept {
			for _, w := range s.words[s.at[n]:s.at[n+1]] {
				count(w)
			}
		}
	}
	return prf(right, found-right, s.total-right)
}

// head is how the text of a mask begins.
func (s *Sheet) head(mask []bool) string {
	var head []byte
	chars := 0
	for n, kept := range mask {
		if !kept || !s.doc.IsText(dom.Node(n)) {
			continue
		}
		for _, r := range s.doc.Text(dom.Node(n)) {
			if chars++; chars > top {
				return string(head)
			}
			head = utf8.AppendRune(head, r)
		}
		head = append(head, ' ')
		chars++
	}
	return string(head)
}

// Title measures a headline against the gold's; false when that is unknown.
func (s *Sheet) Title(title string) (PRF, bool) {
	return Compare(Words(title), s.title), len(s.title) > 0
}
