package metadata

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// stretch is a part of the page's text.
type stretch struct{ from, to int }

// around is where byline and dateline may stand: a little before the
// headline, and from it into the first paragraphs of the body.
func (p *page) around() (before, after stretch) {
	const ahead, behind, longRow, longRows = 1500, 400, 250, 2
	all := p.d.AllText()
	from, to := 0, 0
	if p.headline != dom.None {
		from, to = p.d.Span(p.headline)
	}
	before = stretch{max(0, from-behind), from}
	after = stretch{to, min(len(all), to+ahead)}
	if p.opts.Body != dom.None {
		if at, _ := p.d.Span(p.opts.Body); at > to {
			after.to = min(len(all), at+200)
			return before, after
		}
	}
	seen := 0
	for at := to; at < after.to; {
		end := strings.IndexByte(all[at:], '\n')
		if end < 0 {
			break
		}
		if end >= longRow {
			if seen++; seen == longRows {
				after.to = at + end
				break
			}
		}
		at += end + 1
	}
	return before, after
}

// holds reports whether the text of n begins inside the stretch.
func (s stretch) holds(d *dom.Document, n dom.Node) bool {
	at, _ := d.Span(n)
	return s.from <= at && at < s.to
}

// rows goes through the rows of the stretch and where they begin. The first
// and the last may be cut, but never inside a character.
func (s stretch) rows(d *dom.Document) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		all := d.AllText()
		at, to := s.from, s.to
		for at < to && !utf8.RuneStart(all[at]) {
			at++
		}
		for at < to && to < len(all) && !utf8.RuneStart(all[to]) {
			to--
		}
		for at < to {
			row := all[at:to]
			if i := strings.IndexByte(row, '\n'); i >= 0 {
				row = row[:i]
			}
			if row != "" && !yield(at, row) {
				return
			}
			at += len(row) + 1
		}
	}
}
