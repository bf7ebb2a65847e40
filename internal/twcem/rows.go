package twcem

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// row is the text between two breaks (Definition 1): whole text nodes, but for
// preformatted text, where a node may hold several rows.
type row struct {
	first, last dom.Node // text nodes
	from, to    int32    // in the text of the page
	length      int32    // characters without blanks (Definition 4)
	marks       int32    // punctuation
	lcs         int32    // words of the title, in their order
	fate        fate
}

// fate is what became of a row.
type fate uint8

const (
	tooShort fate = iota // δ1
	tooBare              // δ2
	isTitle
	before
	inside
	extended
	behind
)

func (f fate) kept() bool { return f == inside || f == extended }

// split is Algorithm 1: what is left of the page when scripts, styles, comments
// and tags are gone, in rows. The index has removed all these.
func split(d *dom.Document) []row {
	all := d.AllText()
	rows := make([]row, 0, strings.Count(all, "\n")+1)
	end := 0 // of the text before
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if !d.IsText(n) || d.Hidden(n) {
			continue
		}
		from, to := d.Span(n)
		if from == to {
			continue
		}
		if len(rows) == 0 || strings.IndexByte(all[end:from], '\n') >= 0 {
			rows = append(rows, row{first: n, from: int32(from)})
		}
		r := &rows[len(rows)-1]
		r.last, r.to, end = n, int32(to), to
		if !d.Preformatted(n) {
			continue
		}
		for {
			i := strings.IndexByte(all[from:to], '\n')
			if i < 0 {
				break
			}
			rows[len(rows)-1].to = int32(from + i)
			from += i + 1
			rows = append(rows, row{first: n, last: n, from: int32(from), to: int32(to)})
		}
	}
	for i := range rows {
		r := &rows[i]
		r.length, r.marks = measure(all[r.from:r.to])
	}
	return rows
}

// measure counts the characters of a row, blanks aside, and its punctuation.
func measure(s string) (length, marks int32) {
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		switch {
		case r == ' ':
			i++
			continue
		case r >= utf8.RuneSelf:
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		length++
		if isMark(r) {
			marks++
		}
	}
	return length, marks
}

// isMark tells punctuation that ends a sentence or a part of one, in any
// script. Hyphens, quotes and bars, which menus are full of, do not.
func isMark(r rune) bool {
	switch {
	case r > '?' && r < 0x37E: // Latin
		return false
	case r < 0x80:
		return r == '.' || r == ',' || r == ';' || r == ':' || r == '!' || r == '?'
	case r >= 0x400 && r < 0x530, r >= 0x4E00 && r < 0xA000, r >= 0xAC00 && r < 0xD7A4:
		return false // Cyrillic, Han, Hangul
	}
	return r == '…' || unicode.Is(unicode.Terminal_Punctuation, r)
}
