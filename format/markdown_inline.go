package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// context is where inline Markdown is written. It decides what must be escaped and
// how lines are broken.
type context uint8

const (
	inParagraph context = iota
	inHeading           // one line; # at its end would be dropped
	inCell              // one line with <br>; a | would end the cell
	inLabel             // the alternative text of a picture: one line without links
)

// inlineMarkdown returns spans as Markdown, or "" if they are blank.
func inlineMarkdown(spans []article.Span, at context) string {
	spans = normalize(spans)
	if spans == nil {
		return ""
	}
	pieces := inlinePieces(moveSpaces(nestSpans(spans)), at)
	for replaceAmbiguous(pieces, at) {
	}
	var b strings.Builder
	for i := range pieces {
		b.WriteString(pieces[i].string())
	}
	return b.String()
}

// piece is a part of inline Markdown.
type piece struct {
	text  string // unless delim is set
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

func inlinePieces(events []event, at context) []piece {
	out := make([]piece, 0, len(events))
	var open []*delimiter
	inLink := false
	for i := 0; i < len(events); i++ {
		switch e := events[i]; {
		case e.kind == textEvent:
			esc := escaper{at: at, inLink: inLink, lineStart: len(out) == 0, last: i == len(events)-1}
			out = append(out, piece{text: esc.escape(e.text)})
		case e.kind == openEvent && e.wrap == code:
			out = append(out, piece{text: codeMarkdown(events[i+1].text, at, inLink)})
			i += 2 // code contains only text
		case e.wrap == link && isAutolink(events[i:]):
			out = append(out, piece{text: "<" + e.text + ">"})
			i += 2
		case e.wrap == link:
			inLink = e.kind == openEvent
			text := "["
			if !inLink {
				text = "](" + escapeDestination(e.text) + ")"
			}
			out = append(out, piece{text: text})
		case e.kind == openEvent:
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

// isAutolink reports whether the events begin with a link whose text is its URL.
func isAutolink(events []event) bool {
	url := events[0].text
	return events[0].kind == openEvent && events[1].kind == textEvent && events[1].text == url && events[2].kind == closeEvent &&
		strings.HasPrefix(url, "http") && urlStart(url) != "" && bareURL(url) == len(url)
}

// codeMarkdown encloses each line of s in more backticks than any run inside has.
func codeMarkdown(s string, at context, inLink bool) string {
	if inLink && strings.Contains(s, "]") || at == inCell && strings.Contains(s, `\|`) {
		// [`]: x`](y) at the start of a paragraph would define a link, and
		// parsers do not agree on what `\\|` means in a table.
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

// escapeDestination escapes a URL that linkURL or imageURL allows.
func escapeDestination(url string) string {
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		switch c := url[i]; {
		case c == '(' || c == ')' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '&' && isEntity(url[i:]):
			b.WriteString("&amp;") // some parsers resolve an escaped one
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// delimiter is a pair of delimiters around text. Whether "**" opens or closes
// emphasis depends on the characters next to it. In scripts without spaces it often
// does neither: CommonMark does not recognize the end of 「**強い。**と」. Such a pair
// is written as HTML.
type delimiter struct {
	wrap   wrap
	html   bool
	nested bool // inside or around another one with the same sign
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

// markdownSign returns the sign of a pair, or 0 if it is written as HTML.
func (d *delimiter) markdownSign() byte {
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
	if d.markdownSign() != 0 {
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

// replaceAmbiguous replaces ambiguous delimiters by HTML and reports whether there
// were any. Then others may have become ambiguous, since the characters next to
// them are different.
func replaceAmbiguous(pieces []piece, at context) (changed bool) {
	for i := 0; i < len(pieces); {
		sign := pieces[i].delim.markdownSign()
		if sign == 0 {
			i++
			continue
		}
		end := i + 1
		for end < len(pieces) && pieces[end].delim.markdownSign() == sign {
			end++
		}
		if isAmbiguous(pieces, i, end, at) {
			changed = true
			for ; i < end; i++ {
				pieces[i].delim.html = true
			}
		}
		i = end
	}
	return changed
}

// isAmbiguous reports whether the run of delimiters pieces[i:end] may not open or
// close as intended. See "left-flanking delimiter run" in the CommonMark
// specification, section 6.2.
func isAmbiguous(pieces []piece, i, end int, at context) bool {
	open, nested := pieces[i].open, false
	for _, p := range pieces[i:end] {
		if p.open != open {
			return true // "**one***two*" is ambiguous
		}
		nested = nested || p.delim.nested
	}
	before, after := ' ', ' '
	if at == inCell { // it may be between <br> and <br>
		before, after = '>', '<'
	}
	if i > 0 {
		before = pieces[i-1].last()
	}
	if end < len(pieces) {
		after = pieces[end].first()
	}
	if before == '~' && pieces[i].delim.sign() == '~' {
		return true // an escaped one, but some parsers ignore the backslash
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

// class is what CommonMark distinguishes next to a delimiter.
type class uint8

const (
	letter class = iota
	space
	punct
)

// classes returns the classes that parsers may assign to r. Symbols are punctuation
// since version 0.31 of the specification, and some parsers see only half of a
// surrogate pair.
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

// flanks reports whether a run of delimiters between outer and inner is flanking on
// the side of inner.
func flanks(outer, inner class) bool {
	return inner == letter || inner == punct && outer != letter
}

// escaper escapes text for Markdown.
type escaper struct {
	at        context
	inLink    bool
	lineStart bool // the text begins a line
	last      bool // the text ends a paragraph
	out       strings.Builder

	wordEnd    int  // end of the last word that contains a URL
	wordMarked bool // whether it needs escapes
}

func (at context) lineBreak() string {
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
	from, prev := 0, rune(0) // s[:from] is written
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
				e.out.WriteString("&#92;") // not all parsers count the backslashes at the end of a line
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

// special reports whether r, which follows prev and begins s, could be markup
// anywhere in a line.
func (e *escaper) special(r, prev rune, s string) bool {
	switch r {
	case '\\', '`', '*', '~', '[', ']', '<':
		return true
	case '_':
		next, _ := utf8.DecodeRuneInString(s[1:])
		return !isWordRune(prev) || !isWordRune(next) // snake_case is not emphasis
	case '&':
		return isEntity(s)
	case '!':
		return len(s) == 1 && !e.last // before a link it would be a picture
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

// blockStart escapes what would begin a block at the start of a line. It returns
// the rest of s.
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

// numberStart escapes the sign after a number that would begin a list, as in
// "1986. A great year".
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

// isEntity reports whether s begins with a character reference such as &amp;.
func isEntity(s string) bool {
	const longest = 40 // longer than &CounterClockwiseContourIntegral;
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

// urlStarts are how bare URLs begin. Many parsers make links of them and do not
// remove the backslashes of escapes. So a URL that needs escapes is written
// between < and >, or, if that is not possible, its start is escaped.
var urlStarts = [...]string{"https://", "http://", "ftp://", "www."}

// startsURL reports whether s begins with a bare URL.
func startsURL(s string, prev rune) bool {
	switch s[0] | 0x20 {
	case 'h', 'f':
		return urlStart(s) != "" // even after a letter, in scripts without spaces
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

// url writes the URL at s[i:], or at least its start. It returns the end of what it
// wrote.
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

// word finds the end of the word at s[i:] and whether it contains or precedes
// markup. It is called once for all URLs in the word.
func (e *escaper) word(s string, i int) {
	n := strings.IndexAny(s[i:], " \n")
	if n < 0 {
		n = len(s) - i
	}
	e.wordEnd = i + n
	e.wordMarked = e.wordEnd == len(s) && !e.last || strings.ContainsAny(s[i:e.wordEnd], "\\`*_~[]<>&|!")
}

// bareURL returns the length of the URL at the start of s, without the punctuation
// that ends its sentence.
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
