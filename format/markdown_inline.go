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

// inlineMarkdown returns normalized spans as Markdown.
func inlineMarkdown(spans []article.Span, at context) string {
	pieces := inlinePieces(nestSpans(spans), at)
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
		case e.kind == openEvent && e.mark == article.Monospace:
			out = append(out, piece{text: codeMarkdown(events[i+1].text, at, inLink)})
			i += 2 // code contains only text
		case e.mark == link && isAutolink(events[i:]):
			out = append(out, piece{text: "<" + e.text + ">"})
			i += 2
		case e.mark == link:
			inLink = e.kind == openEvent
			text := "["
			if !inLink {
				text = "](" + escapeDestination(e.text) + ")"
			}
			out = append(out, piece{text: text})
		case e.kind == openEvent:
			d := &delimiter{mark: e.mark, html: signs[e.mark] == ""}
			for _, o := range open {
				if d.sign() != 0 && o.sign() == d.sign() {
					o.nested, d.nested = true, true
				}
			}
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
		strings.HasPrefix(url, "http") && urlStart(url) != "" && bareURL(url) == len(url) && !entity.MatchString(url)
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

// delimiter is a pair of delimiters around text. Whether "**" opens or closes
// emphasis depends on the characters next to it. In scripts without spaces it often
// does neither: CommonMark does not recognize the end of 「**強い。**と」. Such a pair
// is written as HTML.
type delimiter struct {
	mark   article.Mark
	html   bool
	nested bool // inside or around another one with the same sign
}

// signs are the Markdown of marks. Others are written as HTML.
var signs = map[article.Mark]string{article.Strong: "**", article.Emphasis: "*", article.Strike: "~~"}

// sign returns the character of a pair, or 0 if it is written as HTML.
func (d *delimiter) sign() byte {
	if d == nil || d.html {
		return 0
	}
	return signs[d.mark][0]
}

func (d *delimiter) string(open bool) string {
	switch {
	case !d.html:
		return signs[d.mark]
	case open:
		return "<" + elements[d.mark] + ">"
	}
	return "</" + elements[d.mark] + ">"
}

// replaceAmbiguous replaces ambiguous delimiters by HTML and reports whether there
// were any. Then others may have become ambiguous, since the characters next to
// them are different.
func replaceAmbiguous(pieces []piece, at context) (changed bool) {
	for i := 0; i < len(pieces); {
		sign := pieces[i].delim.sign()
		if sign == 0 {
			i++
			continue
		}
		end := i + 1
		for end < len(pieces) && pieces[end].delim.sign() == sign {
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
