package format

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// normalize prepares spans for writing: it keeps only safe links, removes white
// space at the ends and around line breaks, collapses spaces across spans and
// joins adjacent spans that look the same. White space between two spans has only
// the marks and the link of both, since Markdown does not recognize a delimiter
// next to white space. It returns nil for blank text.
func normalize(in []article.Span) []article.Span {
	var n normalizer
	for i := range in {
		n.add(&in[i])
	}
	n.flush()
	return n.out
}

type normalizer struct {
	out  []article.Span
	text strings.Builder // of the last span of out
	gap  []byte          // white space before the next word
}

func (n *normalizer) add(s *article.Span) {
	look := article.Span{Mark: s.Mark & allMarks, Href: linkURL(s.Href)}
	for rest := s.Text; rest != ""; {
		word := strings.TrimLeftFunc(rest, unicode.IsSpace)
		n.addSpace(rest[:len(rest)-len(word)])
		end := strings.IndexFunc(word, unicode.IsSpace)
		if end < 0 {
			end = len(word)
		}
		if end > 0 {
			if i := len(n.out) - 1; i >= 0 && len(n.gap) > 0 {
				n.write(string(n.gap), common(n.out[i], look))
			}
			n.write(word[:end], look)
			n.gap = n.gap[:0]
		}
		rest = word[end:]
	}
}

// addSpace adds white space that may be followed by more.
func (n *normalizer) addSpace(s string) {
	for _, r := range s {
		switch last := len(n.gap) - 1; {
		case r == '\n':
			n.gap = append(bytes.TrimRight(n.gap, " "), '\n')
		case r != ' ' || last < 0 || n.gap[last] != ' ' && n.gap[last] != '\n':
			n.gap = utf8.AppendRune(n.gap, r)
		}
	}
}

// common returns what two spans have in common.
func common(a, b article.Span) article.Span {
	c := article.Span{Mark: a.Mark & b.Mark}
	if a.Href == b.Href {
		c.Href = a.Href
	}
	return c
}

func (n *normalizer) write(s string, look article.Span) {
	if i := len(n.out) - 1; i < 0 || n.out[i].Mark != look.Mark || n.out[i].Href != look.Href {
		n.flush()
		n.out = append(n.out, look)
	}
	n.text.WriteString(s)
}

func (n *normalizer) flush() {
	if i := len(n.out) - 1; i >= 0 {
		n.out[i].Text = n.text.String()
		n.text = strings.Builder{}
	}
}

// isBlank reports whether s has only white space.
func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

func isBlankText(spans []article.Span) bool {
	return !slices.ContainsFunc(spans, func(s article.Span) bool { return !isBlank(s.Text) })
}

// link is the mark of a span with a link, beside the marks of its style.
const link article.Mark = 1 << 7

// nesting are the marks whose elements may contain one another. Monospace is always innermost,
// since in Markdown it contains only text.
var nesting = []article.Mark{link, article.Strong, article.Emphasis, article.Strike, article.Subscript, article.Superscript}

// elements are the HTML elements of marks.
var elements = map[article.Mark]string{
	link: "a", article.Strong: "strong", article.Emphasis: "em", article.Strike: "del",
	article.Subscript: "sub", article.Superscript: "sup", article.Monospace: "code",
}

const allMarks = article.Strong | article.Emphasis | article.Strike | article.Subscript | article.Superscript | article.Monospace

// event is a step through nested spans: a text, or the start or end of a mark.
type event struct {
	kind eventKind
	mark article.Mark // that opens or closes
	text string       // the text, or the URL of a link
}

type eventKind uint8

const (
	textEvent eventKind = iota
	openEvent
	closeEvent
)

// nestSpans turns flat spans into properly nested events. It opens as few marks as
// it can: the longest is outermost, and a link is never split.
func nestSpans(spans []article.Span) []event {
	return appendNested(make([]event, 0, 2*len(spans)), spans, 0)
}

func appendNested(out []event, spans []article.Span, used article.Mark) []event {
	for i := 0; i < len(spans); {
		mark, n := longestMark(spans[i:], used)
		switch {
		case mark == 0:
			out = appendText(out, spans[i].Text)
		case isBlankText(spans[i : i+n]):
			out = appendNested(out, spans[i:i+n], used|mark) // screen readers cannot name an empty link
		default:
			inner, before, after := trim(spans[i : i+n])
			out = append(appendText(out, before), event{openEvent, mark, spans[i].Href})
			out = append(appendNested(out, inner, used|mark), event{closeEvent, mark, spans[i].Href})
			out = appendText(out, after)
		}
		i += n
	}
	return out
}

// appendText appends a text, or joins it with the text before.
func appendText(out []event, s string) []event {
	if last := len(out) - 1; last >= 0 && out[last].kind == textEvent {
		out[last].text += s
		return out
	}
	if s == "" {
		return out
	}
	return append(out, event{kind: textEvent, text: s})
}

// trim returns spans without the white space at their ends, which is there where a link cuts a
// mark.
func trim(spans []article.Span) (inner []article.Span, before, after string) {
	first, last := &spans[0], &spans[len(spans)-1]
	left := strings.TrimLeftFunc(first.Text, unicode.IsSpace)
	right := strings.TrimRightFunc(last.Text, unicode.IsSpace)
	before, after = first.Text[:len(first.Text)-len(left)], last.Text[len(right):]
	if before == "" && after == "" {
		return spans, "", ""
	}
	inner = slices.Clone(spans)
	inner[0].Text = left
	inner[len(inner)-1].Text = strings.TrimRightFunc(inner[len(inner)-1].Text, unicode.IsSpace)
	return inner, before, after
}

// longestMark returns the unused mark of the first span that extends over the most
// spans, and their number.
func longestMark(spans []article.Span, used article.Mark) (best article.Mark, n int) {
	n = 1
	first := marks(&spans[0]) &^ used
	if first == article.Monospace {
		for n < len(spans) && marks(&spans[n])&^used == article.Monospace {
			n++
		}
		return article.Monospace, n
	}
	for _, mark := range nesting {
		if first&mark == 0 {
			continue
		}
		if m := markLength(spans, mark, used); best == 0 && m > 0 || m > n {
			best, n = mark, m
		}
	}
	return best, n
}

// markLength returns how many spans from the first on can be inside a mark.
func markLength(spans []article.Span, mark, used article.Mark) int {
	n := 1
	for n < len(spans) && marks(&spans[n])&mark != 0 && (mark != link || spans[n].Href == spans[0].Href) {
		n++
	}
	if used&link == 0 && mark != link && n < len(spans) && spans[n].Href != "" {
		for split := spans[n].Href; n > 0 && spans[n-1].Href == split; {
			n--
		}
	}
	return n
}

// marks returns the marks of a span, with link.
func marks(s *article.Span) article.Mark {
	if s.Href != "" {
		return s.Mark | link
	}
	return s.Mark
}
