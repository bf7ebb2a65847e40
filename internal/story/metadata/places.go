package metadata

import (
	"bytes"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Shown is what is known about an article, to find where its page shows it.
type Shown struct {
	Headline   dom.Node // that shows the title, or dom.None
	Body, End  dom.Node // first and last node of the body, or dom.None
	Standfirst string
	Authors    []article.Author
	Published  article.Date
	Lang       string
	Site       string // an author of this name is not looked for far from the headline
}

// Places returns the nodes that show the title, authors, published and
// standfirst of an article, whatever source the values came from. What the page
// does not show is left out. A byline and a date are short lines, nearest to the
// headline. Places takes linear time.
func Places(d *dom.Document, s Shown) map[string]dom.Node {
	p := &places{page: page{d: d, headline: s.Headline, opts: Options{Body: s.Body, End: s.End}}}
	out := map[string]dom.Node{}
	set := func(name string, n dom.Node) {
		if n != dom.None {
			out[name] = n
		}
	}
	set("title", s.Headline)
	set("standfirst", p.standfirst(s.Standfirst))
	set("authors", p.authors(s.Authors, s.Site))
	set("published", p.date(s.Published, s.Lang))
	return out
}

// places finds values in the lines of a page.
type places struct {
	page
	line    string // that was read last
	key     []byte // of the line, as fold has it
	offsets []int  // in the line, of the runes that the bytes of key are from
}

// ranges returns the parts of the page in the order in which a byline or a date
// is looked for: after the headline, before it, around the end of the body, and
// anywhere.
func (p *places) ranges() []textRange {
	before, after := p.nearHeadline()
	out := []textRange{after, before}
	if p.opts.End != dom.None {
		const around = 300
		from, to := p.d.Span(p.opts.End)
		out = append(out, textRange{max(from, to-around), min(to+2*around, len(p.d.AllText()))})
	}
	const most = 1 << 20 // bytes
	return append(out, textRange{0, min(len(p.d.AllText()), most)})
}

// readLine folds a line, for find.
func (p *places) readLine(line string) {
	p.line, p.key, p.offsets = line, p.key[:0], p.offsets[:0]
	for i, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) {
			p.key = utf8.AppendRune(p.key, unicode.ToLower(r))
		}
		for len(p.offsets) < len(p.key) {
			p.offsets = append(p.offsets, i)
		}
	}
}

// find returns the range of the folded text key in the line, or -1, -1. It
// begins and ends with whole words.
func (p *places) find(key string) (from, to int) {
	i := bytes.Index(p.key, []byte(key))
	if i < 0 {
		return -1, -1
	}
	from, to = p.offsets[i], p.offsets[i+len(key)-1]
	first, _ := utf8.DecodeRuneInString(p.line[from:])
	last, size := utf8.DecodeRuneInString(p.line[to:])
	to += size
	before, _ := utf8.DecodeLastRuneInString(p.line[:from])
	after, _ := utf8.DecodeRuneInString(p.line[to:])
	if inWord(before, first) || inWord(last, after) {
		return -1, -1
	}
	return from, to
}

// inWord reports whether two letters that follow each other are in one word.
func inWord(a, b rune) bool {
	return unicode.IsLetter(a) && unicode.IsLetter(b) && !isIdeograph(a) && !isIdeograph(b)
}

// nodeOf returns the outermost node that shows the text between two positions
// and hardly more, or else the innermost one that shows all of it.
func (p *places) nodeOf(from, to int) dom.Node {
	n := p.nodeAt(from)
	for up := p.d.Parent(n); up != dom.None; up = p.d.Parent(n) {
		_, end := p.d.Span(n)
		if end >= to && p.d.Chars(up) > p.d.Chars(n) {
			break
		}
		n = up
	}
	return n
}

// authors returns the node of the short line that shows most of the names.
func (p *places) authors(authors []article.Author, site string) dom.Node {
	const maxLine, maxNames = 160, 16 // characters
	var keys []string
	for _, a := range authors[:min(len(authors), maxNames)] {
		if key := fold(a.Name); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	ranges, own := p.ranges(), fold(site)
	for i, in := range ranges {
		if i == len(ranges)-1 {
			keys = slices.DeleteFunc(keys, func(key string) bool { return key == own })
		}
		best, most := dom.None, 0
		for at, line := range in.lines(p.d) {
			if most == len(keys) || isLonger(line, maxLine) {
				continue
			}
			p.readLine(line)
			first, last, found := -1, -1, 0
			for _, key := range keys {
				if from, to := p.find(key); from >= 0 {
					if found == 0 || from < first {
						first = from
					}
					last = max(last, to)
					found++
				}
			}
			if found > most {
				best, most = p.nodeOf(at+first, at+last), found
			}
		}
		if most > 0 {
			return best
		}
	}
	return dom.None
}

// date returns the node that shows the day of a date: a <time> element or a
// short line.
func (p *places) date(date article.Date, lang string) dom.Node {
	if date.IsZero() {
		return dom.None
	}
	const maxLine, maxChars = 100, 60 // characters
	islamic, thai := hasHijraYears(lang), primaryLang(lang) == "th"
	parsers := [...]*dateParser{{islamic: islamic, thai: thai}, {islamic: islamic, thai: thai, monthFirst: true}}
	// isDay compares days in the time zone of the page, which may be another one
	// than that of the value.
	isDay := func(text string, exact bool) (at int, ok bool) {
		for _, dates := range parsers {
			d, at := dates.find(text)
			if at < 0 {
				break
			}
			gap := d.Time.Sub(date.Time).Abs()
			if exact && dayOf(d) == dayOf(date) || !exact && gap <= 24*time.Hour {
				return at, true
			}
		}
		return -1, false
	}
	near := p.ranges()
	for _, exact := range [...]bool{true, false} {
		for i, in := range near {
			far := i == len(near)-1
			if far && !exact {
				break // another day far from the headline is another story's
			}
			for at, line := range in.lines(p.d) {
				if isLonger(line, maxLine) {
					continue
				}
				from, ok := isDay(line, exact)
				if !ok {
					continue
				}
				n := p.nodeAt(at + from)
				if far && p.d.InLink(n) {
					continue // a teaser of another story
				}
				for up := p.d.Parent(n); up != dom.None; up = p.d.Parent(n) {
					if _, ok := isDay(p.d.Text(n), exact); ok && p.d.Chars(up) > p.d.Chars(n) || p.d.Chars(up) > maxChars {
						break
					}
					n = up
				}
				return n
			}
			for n := range p.d.All(p.d.Root(), dom.Time) { // "two hours ago"
				if p.d.Chars(n) == 0 || p.d.Chars(n) > maxChars || !in.contains(p.d, n) {
					continue
				}
				if _, ok := isDay(p.d.Attr(n, "datetime"), exact); ok {
					return n
				}
			}
		}
	}
	return dom.None
}

// standfirst returns the node of the line that is the standfirst. A line that is
// much longer only begins with it.
func (p *places) standfirst(text string) dom.Node {
	key := fold(text)
	if key == "" {
		return dom.None
	}
	start := 0
	if p.headline != dom.None {
		_, start = p.d.Span(p.headline)
	}
	all := len(p.d.AllText())
	for _, in := range [...]textRange{{start, all}, {0, start}} {
		for at, line := range in.lines(p.d) {
			if len(line) < len(key) || len(line) > 2*len(key)+len(text) {
				continue
			}
			p.readLine(line)
			if from, to := p.find(key); from >= 0 && 4*len(key) >= 3*len(p.key) {
				return p.nodeOf(at+from, at+to)
			}
		}
	}
	return dom.None
}
