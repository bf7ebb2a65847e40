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

	gap     []byte       // white space before the next word
	gapLook article.Span // of the white space other than line breaks
	anyLook bool         // there are only line breaks, which look as what they separate
}

func (n *normalizer) add(s *article.Span) {
	look := article.Span{Mark: s.Mark & allMarks, Href: linkURL(s.Href)}
	for rest := s.Text; rest != ""; {
		word := strings.TrimLeftFunc(rest, unicode.IsSpace)
		n.addSpace(rest[:len(rest)-len(word)], look)
		end := strings.IndexFunc(word, unicode.IsSpace)
		if end < 0 {
			end = len(word)
		}
		if end > 0 {
			n.word(word[:end], look)
		}
		rest = word[end:]
	}
}

// addSpace adds white space that may be followed by more.
func (n *normalizer) addSpace(s string, look article.Span) {
	for _, r := range s {
		switch last := len(n.gap) - 1; {
		case r == '\n':
			n.gap = append(bytes.TrimRight(n.gap, " "), '\n')
			n.anyLook = n.anyLook || len(n.gap) == 1
		case r == ' ' && last >= 0 && (n.gap[last] == ' ' || n.gap[last] == '\n'):
		default:
			if last < 0 || n.anyLook {
				n.gapLook, n.anyLook = look, false
			}
			n.gap, n.gapLook = utf8.AppendRune(n.gap, r), common(n.gapLook, look)
		}
	}
}

// word adds a word after the white space before it.
func (n *normalizer) word(w string, look article.Span) {
	if i := len(n.out) - 1; i >= 0 && len(n.gap) > 0 {
		between := common(n.out[i], look)
		if !n.anyLook {
			between = common(between, n.gapLook)
		}
		n.write(string(n.gap), between)
	}
	n.write(w, look)
	n.gap, n.anyLook = n.gap[:0], false
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

// wrap is a set of elements around a text: those of a span's marks and its link.
type wrap uint8

const (
	link wrap = 1 << iota
	strong
	emphasis
	strike
	subscript
	superscript
	code // always innermost, since in Markdown it contains only text
)

const allMarks = article.Strong | article.Emphasis | article.Strike | article.Subscript | article.Superscript | article.Monospace

var markWraps = [...]struct {
	mark article.Mark
	wrap wrap
}{
	{article.Strong, strong}, {article.Emphasis, emphasis}, {article.Strike, strike},
	{article.Subscript, subscript}, {article.Superscript, superscript}, {article.Monospace, code},
}

// event is a step through nested spans: a text, or the start or end of a wrap.
type event struct {
	kind eventKind
	wrap wrap   // that opens or closes
	text string // the text, or the URL of a link
}

type eventKind uint8

const (
	textEvent eventKind = iota
	openEvent
	closeEvent
)

// nestSpans turns flat spans into properly nested events. It uses as few wraps as
// it can: the longest is outermost, and a link is never split.
func nestSpans(spans []article.Span) []event {
	return appendNested(make([]event, 0, 2*len(spans)), spans, 0)
}

func appendNested(out []event, spans []article.Span, used wrap) []event {
	for i := 0; i < len(spans); {
		w, n := longestWrap(spans[i:], used)
		switch {
		case w == 0:
			out = appendText(out, spans[i].Text)
		case isBlankText(spans[i : i+n]):
			out = appendNested(out, spans[i:i+n], used|w) // screen readers cannot name an empty link
		default:
			inner, before, after := trim(spans[i : i+n])
			out = append(appendText(out, before), event{openEvent, w, spans[i].Href})
			out = append(appendNested(out, inner, used|w), event{closeEvent, w, spans[i].Href})
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
// wrap.
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

// longestWrap returns the unused wrap of the first span that extends over the most
// spans, and their number.
func longestWrap(spans []article.Span, used wrap) (best wrap, n int) {
	n = 1
	first := wraps(&spans[0]) &^ used
	if first == code {
		for n < len(spans) && wraps(&spans[n])&^used == code {
			n++
		}
		return code, n
	}
	for w := link; w < code; w <<= 1 {
		if first&w == 0 {
			continue
		}
		if m := wrapLength(spans, w, used); best == 0 && m > 0 || m > n {
			best, n = w, m
		}
	}
	return best, n
}

// wrapLength returns how many spans from the first on can be inside w.
func wrapLength(spans []article.Span, w, used wrap) int {
	n := 1
	for n < len(spans) && wraps(&spans[n])&w != 0 && (w != link || spans[n].Href == spans[0].Href) {
		n++
	}
	if used&link == 0 && w != link && n < len(spans) && spans[n].Href != "" {
		for split := spans[n].Href; n > 0 && spans[n-1].Href == split; {
			n--
		}
	}
	return n
}

// wraps returns the wraps of a span.
func wraps(s *article.Span) wrap {
	var w wrap
	if s.Href != "" {
		w = link
	}
	for _, mw := range markWraps {
		if s.Mark&mw.mark != 0 {
			w |= mw.wrap
		}
	}
	return w
}
