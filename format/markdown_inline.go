package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// place says where inline Markdown will stand, which decides what has to be
// escaped and how a line can be broken.
type place uint8

const (
	inParagraph place = iota
	inHeading         // one line; a row of # at its end would vanish
	inCell            // one line, with <br>; a | would end the cell
	inLabel           // the words for a picture: one line without links
)

// inlineMarkdown writes spans as Markdown, or nothing if they are blank.
func inlineMarkdown(spans []article.Span, at place) string {
	spans = tidy(spans)
	if spans == nil {
		return ""
	}
	ps := pieces(hoist(nest(spans)), at)
	settleDelimiters(ps, at)
	var b strings.Builder
	for i := range ps {
		b.WriteString(ps[i].string())
	}
	return b.String()
}

// piece is a part of a line of Markdown.
type piece struct {
	text  string // as written, unless delim is set
	delim *delimiter
	open  bool
}

func (p *piece) string() string {
	if p.delim != nil {
		return p.delim.string(p.open)
	}
	return p.text
}

func (p *piece) first() rune { r, _ := utf8.DecodeRuneInString(p.string()); return r }

func (p *piece) last() rune { r, _ := utf8.DecodeLastRuneInString(p.string()); return r }

func pieces(events []event, at place) []piece {
	out := make([]piece, 0, len(events))
	var open []*delimiter
	inLink := false
	for i := 0; i < len(events); i++ {
		switch e := events[i]; {
		case e.kind == words:
			esc := escaper{at: at, inLink: inLink, lineStart: len(out) == 0, last: i == len(events)-1}
			out = append(out, piece{text: esc.escape(e.text)})
		case e.kind == opening && e.wrap == code:
			out = append(out, piece{text: codeMarkdown(events[i+1].text, at, inLink)})
			i += 2 // code holds words and nothing else
		case e.wrap == link && isAutolink(events[i:]):
			out = append(out, piece{text: "<" + e.text + ">"})
			i += 2
		case e.wrap == link:
			inLink = e.kind == opening
			text := "["
			if !inLink {
				text = "](" + destination(e.text) + ")"
			}
			out = append(out, piece{text: text})
		case e.kind == opening:
			d := &delimiter{wrap: e.wrap}
			d.nestIn(open)
			open = append(open, d)
			out = append(out, piece{delim: d, open: true})
		default:
			out = append(out, piece{delim: open[len(open)-1]})
			open = open[:len(open)-1]
		}
	}
	return out
}

// isAutolink reports whether a link opens here whose words are its URL.
func isAutolink(events []event) bool {
	url := events[0].text
	return events[0].kind == opening && events[1].kind == words && events[1].text == url && events[2].kind == closing &&
		strings.HasPrefix(url, "http") && urlStart(url) != "" && bareURL(url) == len(url)
}

// codeMarkdown puts each line of s between backticks, more of them than any
// run inside.
func codeMarkdown(s string, at place, inLink bool) string {
	if inLink && strings.Contains(s, "]") || at == inCell && strings.Contains(s, `\|`) {
		// [`]: x`](y) at the start of a paragraph defines a link and is none,
		// and readers do not agree on what `\\|` is in a table.
		esc := escaper{at: at, inLink: inLink}
		return "<code>" + esc.escape(s) + "</code>"
	}
	var b strings.Builder
	for l := range strings.SplitSeq(s, "\n") {
		if b.Len() > 0 {
			b.WriteString(at.lineBreak())
		}
		if l == "" {
			continue
		}
		fence := strings.Repeat("`", longestRun(l, '`')+1)
		if l[0] == '`' || l[len(l)-1] == '`' {
			l = " " + l + " "
		}
		if at == inCell {
			l = strings.ReplaceAll(l, "|", `\|`)
		}
		b.WriteString(fence + l + fence)
	}
	return b.String()
}

// destination escapes a URL that linkURL or imageURL has let through.
func destination(url string) string {
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		switch c := url[i]; {
		case c == '(' || c == ')' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '&' && isEntity(url[i:]):
			b.WriteString("&amp;") // some readers resolve an escaped one
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// delimiter is a pair of marks around words. Whether "**" opens or closes
// anything depends on the letters beside it, and in scripts without spaces
// it often does neither: CommonMark does not see the end of 「**強い。**と」.
// There the pair is written as HTML.
type delimiter struct {
	wrap   wrap
	html   bool
	nested bool // in or around another of the same sign
}

func (d *delimiter) sign() byte {
	switch d.wrap {
	case strong, emphasis:
		return '*'
	case strike:
		return '~'
	}
	return 0
}

// plain is the sign of a pair that is not written as HTML, or 0.
func (d *delimiter) plain() byte {
	if d == nil || d.html {
		return 0
	}
	return d.sign()
}

func (d *delimiter) nestIn(open []*delimiter) {
	for _, o := range open {
		if o.sign() == d.sign() {
			o.nested, d.nested = true, true
		}
	}
}

func (d *delimiter) string(open bool) string {
	if d.plain() != 0 {
		switch d.wrap {
		case strong:
			return "**"
		case emphasis:
			return "*"
		}
		return "~~"
	}
	if open {
		return "<" + d.wrap.element() + ">"
	}
	return "</" + d.wrap.element() + ">"
}

// settleDelimiters makes HTML of the delimiters that would be misread, and
// looks again until none is, since that changes what the others stand beside.
func settleDelimiters(ps []piece, at place) {
	for demoteMisread(ps, at) {
	}
}

func demoteMisread(ps []piece, at place) (changed bool) {
	for i := 0; i < len(ps); {
		sign := ps[i].delim.plain()
		if sign == 0 {
			i++
			continue
		}
		end := i + 1
		for end < len(ps) && ps[end].delim.plain() == sign {
			end++
		}
		if misread(ps, i, end, at) {
			changed = true
			for ; i < end; i++ {
				ps[i].delim.html = true
			}
		}
		i = end
	}
	return changed
}

// misread reports whether the run of delimiters ps[i:end] does not surely do
// what it should: see "left-flanking delimiter run" in the CommonMark
// specification, section 6.2.
func misread(ps []piece, i, end int, at place) bool {
	open, nested := ps[i].open, false
	for _, p := range ps[i:end] {
		if p.open != open {
			return true // "**one***two*" can be read in many ways
		}
		nested = nested || p.delim.nested
	}
	before, after := ' ', ' '
	if at == inCell { // perhaps between <br> and <br>
		before, after = '>', '<'
	}
	if i > 0 {
		before = ps[i-1].last()
	}
	if end < len(ps) {
		after = ps[end].first()
	}
	if before == '~' && ps[i].delim.sign() == '~' {
		return true // an escaped one, but some readers only see the sign
	}
	for _, b := range classes(before) {
		for _, a := range classes(after) {
			left, right := flanks(b, a), flanks(a, b)
			if open && !left || !open && !right || nested && left && right {
				return true
			}
		}
	}
	return false
}

// class is what CommonMark tells apart beside a delimiter.
type class uint8

const (
	letter class = iota
	space
	punct
)

// classes are what readers may take r for. Symbols are punctuation since
// version 0.31 of the specification, and some readers see only half of a
// character beyond the first 65536.
func classes(r rune) []class {
	switch {
	case unicode.IsSpace(r):
		return []class{space}
	case r < utf8.RuneSelf && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r):
		return []class{punct}
	case unicode.IsSymbol(r) || r > 0xFFFF && unicode.IsPunct(r):
		return []class{letter, punct}
	case unicode.IsPunct(r):
		return []class{punct}
	}
	return []class{letter}
}

// flanks reports whether a run with outer on one side and inner on the other
// clings to inner.
func flanks(outer, inner class) bool {
	return inner == letter || inner == punct && outer != letter
}

// escaper writes words so that a Markdown reader reads them as words.
type escaper struct {
	at        place
	inLink    bool
	lineStart bool // nothing stands before the words in their line
	last      bool // nothing follows the words in their paragraph
	out       strings.Builder

	wordEnd    int // of the last word with a URL in it
	wordMarked bool
}

func (at place) lineBreak() string {
	switch at {
	case inParagraph:
		return "\\\n"
	case inCell:
		return "<br>"
	}
	return " "
}

func (e *escaper) escape(s string) string {
	if e.lineStart && e.at == inParagraph {
		s = e.blockStart(s)
	}
	from, prev := 0, rune(0) // s[from:] is not written yet
	for i, r := range s {
		if i < from {
			prev = r
			continue
		}
		switch {
		case r == '\n':
			e.out.WriteString(s[from:i])
			e.out.WriteString(e.at.lineBreak())
			from = i + 1
			if e.at == inParagraph {
				from = len(s) - len(e.blockStart(s[i+1:]))
			}
		case e.special(r, prev, s[i:]):
			e.out.WriteString(s[from:i])
			if strings.HasPrefix(s[i:], "\\\n") {
				e.out.WriteString("&#92;") // not every reader counts the backslashes at the end of a line
			} else {
				e.out.WriteByte('\\')
				e.out.WriteRune(r)
			}
			from = i + utf8.RuneLen(r)
		case startsURL(s[i:], prev):
			e.out.WriteString(s[from:i])
			from = e.url(s, i)
		}
		prev = r
	}
	e.out.WriteString(s[from:])
	return e.out.String()
}

// special reports whether r, after prev and at the start of s, could be read
// as markup anywhere in a line.
func (e *escaper) special(r, prev rune, s string) bool {
	switch r {
	case '\\', '`', '*', '~', '[', ']', '<':
		return true
	case '_':
		next, _ := utf8.DecodeRuneInString(s[1:])
		return !isWordRune(prev) || !isWordRune(next) // snake_case is no emphasis
	case '&':
		return isEntity(s)
	case '!':
		return len(s) == 1 && !e.last // before a link it would make a picture
	case '#':
		return e.at == inHeading && !isWordRune(prev)
	case '|':
		return e.at == inCell
	}
	return false
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// blockStart writes what would start a block at the start of a line, and
// gives back the rest of s.
func (e *escaper) blockStart(s string) string {
	if s == "" {
		return s
	}
	next := byte(' ')
	if len(s) > 1 {
		next = s[1]
	}
	switch c := s[0]; {
	case c == '#' || c == '>' || c == '=' || c == '|':
	case c == '-' || c == '+' || c == ':': // lists, rules, underlines, columns of a table
		if isLetter(next) || isDigit(next) || next >= utf8.RuneSelf {
			return s
		}
	case isDigit(c):
		return e.numberStart(s)
	default:
		return s
	}
	e.out.WriteByte('\\')
	e.out.WriteByte(s[0])
	return s[1:]
}

// numberStart escapes the sign after a number that would start a list, as
// in "1986. A great year".
func (e *escaper) numberStart(s string) string {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n > 9 || n == len(s) || s[n] != '.' && s[n] != ')' {
		return s
	}
	if n+1 < len(s) && s[n+1] != ' ' && s[n+1] != '\n' {
		return s
	}
	e.out.WriteString(s[:n])
	e.out.WriteByte('\\')
	e.out.WriteByte(s[n])
	return s[n+1:]
}

// isEntity reports whether s starts as a character reference such as &amp;.
func isEntity(s string) bool {
	const longest = 40 // &CounterClockwiseContourIntegral; and some
	for i := 1; i < len(s) && i < longest; i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case c == '#' && i == 1, isLetter(c), isDigit(c):
		default:
			return false
		}
	}
	return false
}

// Many readers make links of bare URLs, and take them as they stand in the
// source, with every backslash that was put there to escape something. So a
// URL that would need one is written between < and >, where nothing is
// escaped; and where that cannot be, its start is escaped.

var urlStarts = [...]string{"https://", "http://", "ftp://", "www."}

// startsURL reports whether a reader could see a URL at the start of s.
func startsURL(s string, prev rune) bool {
	switch s[0] | 0x20 {
	case 'h', 'f':
		return urlStart(s) != "" // also after a letter, in scripts without spaces
	case 'w':
		return urlStart(s) != "" && !isWordRune(prev)
	}
	return false
}

func urlStart(s string) string {
	for _, p := range urlStarts {
		if len(s) > len(p) && strings.EqualFold(s[:len(p)], p) {
			return s[:len(p)]
		}
	}
	return ""
}

// url writes the URL at s[i:], or at least its start, and returns where it
// stopped.
func (e *escaper) url(s string, i int) int {
	start := urlStart(s[i:])
	if i >= e.wordEnd {
		e.word(s, i)
	}
	if !e.wordMarked {
		e.out.WriteString(s[i:e.wordEnd])
		return e.wordEnd
	}
	if start[0]|0x20 == 'h' && !e.inLink && e.at != inLabel {
		if n := bareURL(s[i:]); n > len(start) {
			e.out.WriteString("<" + s[i:i+n] + ">")
			return i + n
		}
	}
	sign := strings.IndexAny(start, ":.")
	e.out.WriteString(start[:sign] + `\` + start[sign:])
	return i + len(start)
}

// word looks for the end of the word at s[i:], once for all the URLs in it,
// and whether it has markup inside or right behind.
func (e *escaper) word(s string, i int) {
	n := strings.IndexAny(s[i:], " \n")
	if n < 0 {
		n = len(s) - i
	}
	e.wordEnd = i + n
	e.wordMarked = e.wordEnd == len(s) && !e.last || strings.ContainsAny(s[i:e.wordEnd], "\\`*_~[]<>&|!")
}

// bareURL is how much of s is a URL, without the punctuation that ends its
// sentence.
func bareURL(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || strings.IndexByte("-._~:/?#@!$&'()*+,;=%", s[n]) >= 0) {
		n++
	}
	spare := strings.Count(s[:n], ")") - strings.Count(s[:n], "(")
	for n > 0 && (strings.IndexByte("?!.,:;*_~'", s[n-1]) >= 0 || s[n-1] == ')' && spare > 0) {
		if s[n-1] == ')' {
			spare--
		}
		n--
	}
	return n
}
