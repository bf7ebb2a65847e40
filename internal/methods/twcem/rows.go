package twcem

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	mostlyLinks
	isTitle
	before
	inside
	extended
	after
)

func (f outcome) kept() bool { return f == inside || f == extended }

// split is Algorithm 1: the rows of the page without scripts, styles, comments
// and tags. The index has removed all these, and what a browser does not show.
func split(d *dom.Document, allMarks bool) []row {
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
		r.length, r.marks = measure(all[r.from:r.to], allMarks)
	}
	return rows
}

// measure returns the number of characters of a row, without spaces, and of its punctuation
// marks. Hyphens, quotes and bars, which are common in menus, are none; nor, unless all is set,
// are colons and marks that end nothing, as in "15.00" and "canada.com".
func measure(s string, all bool) (length, marks int32) {
	for i, r := range s {
		switch words.ClassOf(r) {
		case words.Space:
			continue
		case words.Comma, words.Stop:
			if all || r != ':' && r != '：' && (r >= utf8.RuneSelf || endsBefore(s[i+1:])) {
				marks++
			}
		}
		length++
	}
	return length, marks
}

// endsBefore reports whether a mark before s ends something: white space, a closing quote or
// bracket, or nothing follows. Marks that are not ASCII need none of these.
func endsBefore(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || words.ClassOf(r) == words.Space || r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pi)
}

// segment is Algorithm 3: it lists the rows that are long enough and have enough
// punctuation. The rows of the title are always listed, since they match the title
// best.
func (v *view) segment(minMarks int, noShort bool) {
	all := v.doc.AllText()
	from, to := -1, -1
	if v.title.node != dom.None && v.config.SkipTitle {
		from, to = v.doc.Span(v.title.node)
	}
	v.vocabulary = newVocabulary(v.title.text, noShort)
	v.list, v.head = make([]int32, 0, len(v.rows)), -1
	for i := range v.rows {
		r := &v.rows[i]
		r.lcs = 0
		switch {
		case int(r.from) >= from && int(r.to) <= to:
			r.outcome, v.head = isTitle, len(v.list)
		case int(r.length) < v.config.D1:
			r.outcome = tooShort
			continue
		case int(r.marks) < minMarks:
			r.outcome = tooFewMarks
			continue
		case v.config.SkipLinks && v.inLink(r):
			r.outcome = mostlyLinks
			continue
		default:
			r.outcome = before
		}
		v.list = append(v.list, int32(i))
		v.read(all[r.from:r.to])
		r.lcs = int32(v.lcs(len(v.list)-1, len(v.list)-1))
	}
}

// recognise is Algorithm 4: it searches the list from both ends for the first and the
// last block that share enough words with the title. It reports whether there is an
// article. The paper's rows count from 1, and the one where the end was found is lost;
// here it is in the article.
func (v *view) recognise() bool {
	n := len(v.list)
	reach := n
	if v.config.Halves {
		reach = (n + 1) / 2
	}
	v.start, v.end = 0, n-1
	v.opens, v.closes = false, false
	for i := 0; i < reach && !(v.opens && v.closes); i++ {
		if !v.opens && v.matches(i, i, min(i+v.config.K, n-1)) {
			v.opens, v.start = true, i
		}
		// The headline can only start the article.
		if j := n - 1 - i; !v.closes && j > v.head && v.matches(j, max(j-v.config.K, 0), j) {
			v.closes, v.end = true, j
		}
	}
	if v.opens && v.start <= v.head && v.head <= v.start+v.config.K {
		v.start = v.head + 1
	}
	if v.start == n {
		v.opens, v.start = false, 0 // nothing follows the title
	}
	v.last = v.end
	if v.config.Extend {
		v.extend()
	}
	if v.config.CheckTitle && 12*v.length(v.start, v.end) < v.length(0, n-1) {
		v.start, v.end, v.opens, v.closes = 0, n-1, false, false // it was another title
	}
	kept := v.mark()
	if v.config.Extend {
		v.fill()
	}
	return kept
}

// matches reports whether the block of row i, the rows from a to b (Definition 3),
// shares enough words with the title. Row i itself must share one, otherwise only
// rows further in match.
func (v *view) matches(i, a, b int) bool {
	least := v.config.D3
	return int(v.rows[v.list[i]].lcs) >= min(1, least) && v.lcs(a, b) >= least
}

// length returns the number of characters of the listed rows from a to b.
func (v *view) length(a, b int) (n int32) {
	for i := a; i <= b; i++ {
		n += v.rows[v.list[i]].length
	}
	return n
}

// near reports whether a listed row is near the one before: at most K were dropped between
// them, or their blocks are beside each other.
func (v *view) near(i int) bool {
	a, b := v.list[i-1], v.list[i]
	return int(b-a)-1 <= v.config.K || v.doc.Parent(v.block(a)) == v.doc.Parent(v.block(b))
}

// extend continues after the last block that matches, where the paper ends the article,
// while rows are near.
func (v *view) extend() {
	for v.end+1 < len(v.list) && v.near(v.end+1) {
		v.end++
	}
}

// fill keeps rows that were dropped inside the article, such as its headings, between two
// that are near each other.
func (v *view) fill() {
	for i := v.start + 1; i <= v.end; i++ {
		if !v.near(i) {
			continue
		}
		for at := v.list[i-1] + 1; at < v.list[i]; at++ {
			if r := &v.rows[at]; !v.inLink(r) {
				r.outcome = extended
			}
		}
	}
}

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
