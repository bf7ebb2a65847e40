package format

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
)

// normalize prepares spans for writing: it keeps only safe links, removes white
// space at the ends and around line breaks, collapses spaces across spans and
// joins adjacent spans that look the same. It returns nil for blank text.
func normalize(in []article.Span) []article.Span {
	n := normalizer{lineStart: true}
	for i := range in {
		n.add(&in[i])
	}
	return n.finish()
}

type normalizer struct {
	out  []article.Span
	text strings.Builder // of the last span of out
	// What is written before the next word.
	breaks    int
	space     bool
	spaceSpan article.Span // the space may be part of a link
	lineStart bool
}

func (n *normalizer) add(s *article.Span) {
	look := article.Span{Mark: s.Mark, Href: linkURL(s.Href)}
	rest := s.Text
	for rest != "" {
		switch rest[0] {
		case '\n':
			n.breaks++
			n.space = false
			rest = rest[1:]
		case ' ':
			if n.breaks == 0 && !n.space {
				n.space, n.spaceSpan = true, look
			}
			rest = rest[1:]
		default:
			end := strings.IndexAny(rest, " \n")
			if end < 0 {
				end = len(rest)
			}
			n.word(rest[:end], look)
			rest = rest[end:]
		}
	}
}

func (n *normalizer) word(w string, look article.Span) {
	if !n.lineStart {
		if n.breaks > 0 {
			n.write(strings.Repeat("\n", n.breaks), look)
		} else if n.space {
			n.write(" ", n.spaceSpan)
		}
	}
	n.write(w, look)
	n.breaks, n.space, n.lineStart = 0, false, false
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

// finish removes other white space, such as no-break spaces, at the ends.
func (n *normalizer) finish() []article.Span {
	n.flush()
	out := n.out
	for len(out) > 0 {
		if out[0].Text = strings.TrimLeftFunc(out[0].Text, unicode.IsSpace); out[0].Text != "" {
			break
		}
		out = out[1:]
	}
	for n := len(out); n > 0; n-- {
		if out[n-1].Text = strings.TrimRightFunc(out[n-1].Text, unicode.IsSpace); out[n-1].Text != "" {
			return out[:n]
		}
	}
	return nil
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
			out = append(out, event{kind: textEvent, text: spans[i].Text})
		case isBlankText(spans[i : i+n]):
			out = appendNested(out, spans[i:i+n], used|w) // screen readers cannot name an empty link
		default:
			out = append(out, event{openEvent, w, spans[i].Href})
			out = appendNested(out, spans[i:i+n], used|w)
			out = append(out, event{closeEvent, w, spans[i].Href})
		}
		i += n
	}
	return out
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

// moveSpaces moves white space out of wraps, since Markdown does not recognize a
// delimiter next to white space, and joins adjacent texts. No wrap becomes empty,
// since nestSpans makes none around blank text.
func moveSpaces(in []event) []event {
	var m spaceMover
	for _, e := range in {
		switch e.kind {
		case textEvent:
			m.add(e.text)
		case openEvent:
			m.flush()
			m.out = append(m.out, e)
		case closeEvent:
			m.close(e)
		}
	}
	m.flush()
	return m.out
}

type spaceMover struct {
	out  []event
	text []byte // not in out yet
}

func (m *spaceMover) add(s string) {
	if len(m.text) > 0 {
		m.text = append(m.text, s...)
		return
	}
	word := strings.TrimLeftFunc(s, unicode.IsSpace)
	m.addBeforeOpen(s[:len(s)-len(word)])
	m.text = append(m.text, word...)
}

// addBeforeOpen inserts white space before the wraps that have just opened.
func (m *spaceMover) addBeforeOpen(space string) {
	i := len(m.out)
	for i > 0 && m.out[i-1].kind == openEvent {
		i--
	}
	switch {
	case space == "":
	case i == len(m.out):
		m.text = append(m.text, space...)
	case i > 0 && m.out[i-1].kind == textEvent:
		m.out[i-1].text += space
	default:
		m.out = slices.Insert(m.out, i, event{kind: textEvent, text: space})
	}
}

func (m *spaceMover) flush() {
	if len(m.text) > 0 {
		m.out = append(m.out, event{kind: textEvent, text: string(m.text)})
		m.text = m.text[:0]
	}
}

// close closes a wrap before its trailing white space.
func (m *spaceMover) close(e event) {
	word := bytes.TrimRightFunc(m.text, unicode.IsSpace)
	space := string(m.text[len(word):])
	m.text = word
	m.flush()
	m.out = append(m.out, e)
	m.text = append(m.text, space...)
}
