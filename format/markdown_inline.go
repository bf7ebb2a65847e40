package format

import (
	"strings"
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
