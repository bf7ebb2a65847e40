package twcem

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// row is the text between two breaks of the rendered page (Definition 1): block elements and
// <br> break rows, so that a page in a single line of HTML has rows too.
type row struct {
	first, last dom.Node // text nodes
	from, to    int32    // in the text of the page
	length      int32    // characters without spaces (Definition 4)
	marks       int32    // punctuation
	lcs         int32    // longest common subsequence with the title, in words
	outcome     outcome
}

// outcome is the decision on a row.
type outcome uint8

const (
	tooShort    outcome = iota // δ1
	tooFewMarks                // δ2
	isTitle
	before
	inside
	extended
	after
)

func (f outcome) kept() bool { return f == inside || f == extended }

// split is Algorithm 1: the rows of the page without scripts, styles, comments
// and tags. The index has removed all these, and what a browser does not show.
func split(d *dom.Document) []row {
	all := d.AllText()
	rows := make([]row, 0, strings.Count(all, "\n")+1)
	end := 0 // of the previous text
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		from, to := d.Span(n)
		if !d.IsText(n) || d.Hidden(n) || from == to {
			continue
		}
		if len(rows) == 0 || strings.Contains(all[end:from], "\n") {
			rows = append(rows, row{first: n, from: int32(from)})
		}
		r := &rows[len(rows)-1]
		r.last, r.to, end = n, int32(to), to
	}
	for i := range rows {
		r := &rows[i]
		r.length, r.marks = measure(all[r.from:r.to])
	}
	return rows
}

// measure returns the number of characters of a row, without spaces, and of its
// punctuation marks. Hyphens, quotes and bars, which are common in menus, are none.
func measure(s string) (length, marks int32) {
	for _, r := range s {
		switch words.ClassOf(r) {
		case words.Space:
			continue
		case words.Comma, words.Stop:
			marks++
		}
		length++
	}
	return length, marks
}

// segment is Algorithm 3: it lists the rows that are long enough and have enough
// punctuation. The rows of the title are always listed, since they match the title
// best.
func (v *view) segment(minMarks int) {
	all := v.doc.AllText()
	from, to := -1, -1
	if v.title.node != dom.None && v.config.SkipTitle {
		from, to = v.doc.Span(v.title.node)
	}
	v.vocabulary = newVocabulary(v.title.text)
	v.list, v.head = make([]int32, 0, len(v.rows)), -1
	for i := range v.rows {
		r := &v.rows[i]
		text := all[r.from:r.to]
		r.lcs = 0
		switch {
		case int(r.from) >= from && int(r.to) <= to:
			r.outcome, v.head = isTitle, len(v.list)
		case v.config.SkipTitle && strings.EqualFold(text, v.title.text):
			r.outcome = isTitle
			if v.head < 0 && from < 0 {
				v.head = len(v.list)
			}
		case int(r.length) < v.config.D1:
			r.outcome = tooShort
			continue
		case int(r.marks) < minMarks:
			r.outcome = tooFewMarks
			continue
		default:
			r.outcome = before
		}
		v.list = append(v.list, int32(i))
		v.read(text)
	}
	v.settle(v.config.StopWords)
	for i, at := range v.list {
		v.rows[at].lcs = int32(v.lcs(i, i))
	}
}

// recognise is Algorithm 4: it searches from both ends for the first and the last
// block that share enough words with the title, each in its half of the list. It
// reports whether there is an article. The paper's rows count from 1, and the one where
// the end was found is lost; here it is in the article.
func (v *view) recognise() bool {
	n := len(v.list)
	v.start, v.end = 0, n-1
	v.opens, v.closes = false, false
	for i := 0; 2*i < n && !(v.opens && v.closes); i++ {
		if !v.opens && v.matches(i, i, min(i+v.config.K, n-1)) {
			v.opens, v.start = true, i
		}
		// The headline can only start the article.
		if j := n - 1 - i; !v.closes && j > v.head && v.matches(j, max(j-v.config.K, v.head+1), j) {
			v.closes, v.end = true, j
		}
	}
	v.skipTitle()
	v.last = v.end
	if v.closes && v.config.Extend {
		v.extend()
	}
	return v.mark()
}

// matches reports whether the block of row i, the rows from a to b (Definition 3),
// shares enough words with the title. Row i itself must share one, otherwise only
// rows further in match.
func (v *view) matches(i, a, b int) bool {
	least := v.config.D3
	return int(v.rows[v.list[i]].lcs) >= min(1, least) && v.lcs(a, b) >= least
}

// skipTitle moves the start of the article after its title, if the first block
// contains it. If no block in the first half matches, the article starts after a
// title in the second half, provided that a block after it matches.
func (v *view) skipTitle() {
	n := len(v.list)
	switch {
	case v.opens:
		for i := min(v.start+v.config.K, n-1); i >= v.start; i-- {
			if v.outcomeOf(i) == isTitle {
				v.start = i + 1
				if v.head > i && 2*v.head < n {
					v.start = v.head + 1 // the first was a copy of the headline in a menu
				}
				break
			}
		}
	case v.head >= 0 && v.closes:
		v.opens, v.start = true, v.head+1
	}
	if v.start > v.end {
		v.closes, v.end = false, n-1
	}
	if v.start == n {
		v.opens, v.start = false, 0 // nothing follows the title
	}
}

// extend continues after the last block that matches, where the paper ends the
// article, with rows that passed Algorithm 3, have at most K others between them,
// and are not mostly links.
func (v *view) extend() {
	for v.end+1 < len(v.list) {
		next := &v.rows[v.list[v.end+1]]
		gap := int(v.list[v.end+1]-v.list[v.end]) - 1
		if gap > v.config.K || v.doc.Between(next.first, next.last+1).LinkDensity() >= 0.5 {
			return
		}
		v.end++
	}
}

func (v *view) outcomeOf(i int) outcome { return v.rows[v.list[i]].outcome }

// mark sets the outcome of the listed rows and reports whether any is kept.
func (v *view) mark() (kept bool) {
	for i, at := range v.list {
		r := &v.rows[at]
		switch {
		case r.outcome == isTitle, i < v.start:
		case i > v.end:
			r.outcome = after
		case i > v.last:
			r.outcome, kept = extended, true
		default:
			r.outcome, kept = inside, true
		}
	}
	return kept
}
