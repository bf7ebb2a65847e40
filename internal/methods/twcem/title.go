package twcem

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// title is the title that rows are compared with.
type title struct {
	text string
	node dom.Node // that shows it, or dom.None
	from string   // where it was found, as reasons describe it
}

// isHeading reports whether the page marks the title as a heading.
func (t *title) isHeading(d *dom.Document) bool {
	return t.from == byHeading || t.from == byAttribute || t.node != dom.None && d.Tag(t.node).IsHeading()
}

// The sources of titles.
const (
	byLink      = "the link to the page"
	byHeading   = "the heading that is most like the title of the page"
	byAttribute = "its name on the page"
	byMeta      = "the title of the page"
)

const (
	// maxTitle is the maximum length of a title in characters. What is longer is a
	// paragraph, or an element that is never closed.
	maxTitle = 256
	// maxHeadings is the number of headings that are compared with the meta title.
	maxHeadings = 256
)

// findTitle is Algorithm 2. The text of the link to the page comes first; link is
// empty if it is not known. With check, a title on the page has to share words with
// the meta title, which is the title if none does: one of the headings is always
// the nearest, even if it is "Most popular".
func findTitle(d *dom.Document, link string, rows []row, check bool) title {
	if text := fold(link); !abnormal(text) {
		return title{text: text, node: shown(d, rows, text), from: byLink}
	}
	metas, headings := metasAndHeadings(d)
	n, from := dom.None, byHeading
	switch {
	case !check:
		// Without a meta title, the distance is the length of the heading.
		n, _ = nearest(d, strings.Join(metas[:min(1, len(metas))], ""), headings)
		metas = nil
	case len(metas) > 0:
		n = likeliest(d, metas, headings)
	default:
		n = highest(d, headings)
	}
	if n == dom.None {
		n, from = byName(d, metas), byAttribute
	}
	switch {
	case n != dom.None:
		return title{text: fold(d.Text(n)), node: n, from: from}
	case len(metas) > 0:
		return title{text: metas[0], node: shown(d, rows, metas[0]), from: byMeta}
	}
	return title{node: dom.None}
}

// metasAndHeadings returns the meta titles, the best first, and the headings. All
// that <meta> elements have are better than <title>, which contains the name of the
// site.
func metasAndHeadings(d *dom.Document) (metas []string, headings []dom.Node) {
	ranked := make([]string, len(metaNames)+1)
	offer := func(rank int, text string) {
		if ranked[rank] == "" {
			if text = fold(text); !abnormal(text) {
				ranked[rank] = text
			}
		}
	}
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		switch t := d.Tag(n); {
		case t == dom.Meta:
			if i := slices.Index(metaNames, strings.ToLower(cmp.Or(d.Attr(n, "property"), d.Attr(n, "name")))); i >= 0 {
				offer(i, d.Attr(n, "content"))
			}
		case t == dom.Title:
			offer(len(metaNames), d.Raw(n))
		case t.IsHeading() && len(headings) < maxHeadings && d.Chars(n) > 0 && !abnormal(d.Text(n)):
			headings = append(headings, n)
		}
	}
	return slices.DeleteFunc(ranked, func(s string) bool { return s == "" }), headings
}

// metaNames are the names of <meta> elements with a title, the best first. Read only.
var metaNames = []string{"title", "og:title", "twitter:title"}

// highest returns the first heading of the highest level.
func highest(d *dom.Document, headings []dom.Node) dom.Node {
	if len(headings) == 0 {
		return dom.None
	}
	return slices.MinFunc(headings, func(a, b dom.Node) int { return cmp.Compare(d.Tag(a), d.Tag(b)) })
}

// nearest returns the first heading with the smallest edit distance to a meta
// title, and the distance.
func nearest(d *dom.Document, meta string, headings []dom.Node) (best dom.Node, least int) {
	want := letters(meta)
	best, least = dom.None, 2*maxTitle
	for _, n := range headings {
		if e := editDistance(want, letters(d.Text(n))); e < least {
			best, least = n, e
		}
	}
	return best, least
}

// likeliest returns the heading that is nearest to a meta title: to the best one
// that a heading is like, or else to the best one if the two share words.
func likeliest(d *dom.Document, metas []string, headings []dom.Node) dom.Node {
	for _, meta := range metas {
		if n, e := nearest(d, meta, headings); n != dom.None && 3*e <= utf8.RuneCountInString(meta) {
			return n
		}
	}
	if n, _ := nearest(d, metas[0], headings); n != dom.None && share(metas[0], d.Text(n)) {
		return n
	}
	return dom.None
}

// share reports whether a text has two of the words of a title that count, all of them if they
// are fewer, or more than half of its words from it.
func share(title, text string) bool {
	v := newVocabulary(title, true)
	counting, _ := v.compare(text)
	same, of := newVocabulary(title, false).compare(text)
	return counting >= min(2, v.size) || 2*same > of
}

// byName returns the first element that matches [id^=title], [id$=title] or
// [class^=title] and shares words with the best meta title, if there is one.
func byName(d *dom.Document, metas []string) dom.Node {
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Chars(n) == 0 {
			continue
		}
		id, class := strings.ToLower(d.Attr(n, "id")), strings.ToLower(d.Attr(n, "class"))
		if (strings.HasPrefix(id, "title") || strings.HasSuffix(id, "title") || strings.HasPrefix(class, "title")) && !abnormal(d.Text(n)) &&
			(len(metas) == 0 || share(metas[0], d.Text(n))) {
			return n
		}
	}
	return dom.None
}

// shown finds the element that shows a title which was found elsewhere. The title
// may be longer by the name of the site: so of the rows that have only words of
// the title, and at least half of them, it is the one with the most. A heading may
// also have more words than the title.
func shown(d *dom.Document, rows []row, text string) dom.Node {
	all, title := d.AllText(), newVocabulary(text, false)
	best, fewest := dom.None, maxTitle
	for i := range rows {
		r := &rows[i]
		if r.length > maxTitle {
			continue
		}
		same, of := title.compare(all[r.from:r.to])
		if same == 0 || 2*same < max(of, title.size) || same < of && same < title.size {
			continue
		}
		n := element(d, r)
		if n == dom.None || same < of && !d.Tag(n).IsHeading() {
			continue
		}
		if others := of + title.size - 2*same; others < fewest {
			best, fewest = n, others
		}
	}
	return best
}

// element returns the heading around a row, or otherwise the smallest node that
// shows the row and nothing else.
func element(d *dom.Document, r *row) dom.Node {
	if h := d.Closest(r.first, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6); h != dom.None && d.Contains(h, r.last) {
		return h
	}
	if n := d.CommonAncestor(r.first, r.last); len(d.Text(n)) <= int(r.to-r.from) {
		return n
	}
	return dom.None
}

// abnormal reports whether s cannot be a title (the AbnormalCharString of Algorithm
// 2): it is empty, wrongly decoded, a number, mostly signs, or too long.
func abnormal(s string) bool {
	var letters, digits, all int
	for _, r := range s {
		switch {
		case r == ' ', r == '\n':
			continue
		case r == utf8.RuneError, unicode.Is(unicode.Co, r), unicode.IsControl(r):
			return true
		case unicode.IsDigit(r):
			digits++
		case words.IsWord(r):
			letters++
		}
		if all++; all > maxTitle {
			return true
		}
	}
	return letters == 0 || 2*(letters+digits) < all
}

// fold replaces white space by single spaces, and truncates what is too long.
func fold(s string) string {
	if len(s) > 4*maxTitle {
		s = strings.ToValidUTF8(s[:4*maxTitle], "")
	}
	return strings.Join(strings.Fields(s), " ")
}

// letters returns the characters by which titles are compared.
func letters(s string) []rune {
	out := []rune(strings.ToLower(strings.ReplaceAll(s, "\n", " ")))
	return out[:min(len(out), maxTitle)]
}

// editDistance returns the Levenshtein distance between a and b. A match costs nothing; in
// formula (1) it costs 1, which is not the distance that the text names.
func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1) // of the table: the distances of a so far from the beginnings of b
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		corner := row[0]
		row[0] = i + 1
		for j, y := range b {
			e := corner
			if x != y {
				e++
			}
			corner = row[j+1]
			row[j+1] = min(e, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
