package format

import "github.com/lede-news/lede/article"

// wrap is one thing that can stand around text; a span's marks and its link
// are a set of them.
type wrap uint8

const (
	link wrap = 1 << iota
	strong
	emphasis
	strike
	subscript
	superscript
	code // always innermost: Markdown can put nothing inside
)

var markWraps = [...]struct {
	mark article.Mark
	wrap wrap
}{
	{article.Strong, strong}, {article.Emphasis, emphasis}, {article.Strike, strike},
	{article.Subscript, subscript}, {article.Superscript, superscript}, {article.Monospace, code},
}

// event is a step through nested spans: a text, or where a wrap opens or closes.
type event struct {
	kind eventKind
	wrap wrap   // of an opening or closing
	text string // the words, or the URL of a link
}

type eventKind uint8

const (
	words eventKind = iota
	opening
	closing
)

// nest turns flat spans into properly nested events with as few wraps as it
// can: what lasts longest goes outside, and a link is never cut in two.
func nest(spans []article.Span) []event {
	return appendNested(make([]event, 0, 2*len(spans)), spans, 0)
}

func appendNested(out []event, spans []article.Span, used wrap) []event {
	for i := 0; i < len(spans); {
		w, n := widest(spans[i:], used)
		switch {
		case w == 0:
			out = append(out, event{kind: words, text: spans[i].Text})
		case blankSpans(spans[i : i+n]):
			out = appendNested(out, spans[i:i+n], used|w) // a link on nothing is a trap for screen readers
		default:
			out = append(out, event{opening, w, spans[i].Href})
			out = appendNested(out, spans[i:i+n], used|w)
			out = append(out, event{closing, w, spans[i].Href})
		}
		i += n
	}
	return out
}

// widest is the unused wrap of the first span that lasts for the most spans,
// and how many these are.
func widest(spans []article.Span, used wrap) (best wrap, n int) {
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
		if m := lasts(spans, w, used); best == 0 && m > 0 || m > n {
			best, n = w, m
		}
	}
	return best, n
}

// lasts is how many spans from the first on can stand in w.
func lasts(spans []article.Span, w, used wrap) int {
	n := 1
	for n < len(spans) && wraps(&spans[n])&w != 0 && (w != link || spans[n].Href == spans[0].Href) {
		n++
	}
	if used&link == 0 && w != link && n < len(spans) && spans[n].Href != "" {
		for cut := spans[n].Href; n > 0 && spans[n-1].Href == cut; {
			n--
		}
	}
	return n
}

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

func blankSpans(spans []article.Span) bool {
	for i := range spans {
		if !blank(spans[i].Text) {
			return false
		}
	}
	return true
}
