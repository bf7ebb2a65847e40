package format

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
)

// tidy makes spans ready to be written: only safe links, no white space at
// the ends or around line breaks, none doubled across spans, and neighbours
// that look the same joined. Blank text gives nil.
func tidy(in []article.Span) []article.Span {
	t := tidier{lineStart: true}
	for i := range in {
		t.add(&in[i])
	}
	return t.finish()
}

type tidier struct {
	out  []article.Span
	text strings.Builder // of the last span of out
	// What is kept back until a word follows.
	breaks    int
	space     bool
	spaceSpan article.Span // where the space was, as it may be part of a link
	lineStart bool
}

func (t *tidier) add(s *article.Span) {
	look := article.Span{Mark: s.Mark, Href: linkURL(s.Href)}
	rest := s.Text
	for rest != "" {
		switch rest[0] {
		case '\n':
			t.breaks++
			t.space = false
			rest = rest[1:]
		case ' ':
			if t.breaks == 0 && !t.space {
				t.space, t.spaceSpan = true, look
			}
			rest = rest[1:]
		default:
			n := strings.IndexAny(rest, " \n")
			if n < 0 {
				n = len(rest)
			}
			t.word(rest[:n], look)
			rest = rest[n:]
		}
	}
}

func (t *tidier) word(w string, look article.Span) {
	if !t.lineStart {
		if t.breaks > 0 {
			t.write(strings.Repeat("\n", t.breaks), look)
		} else if t.space {
			t.write(" ", t.spaceSpan)
		}
	}
	t.write(w, look)
	t.breaks, t.space, t.lineStart = 0, false, false
}

func (t *tidier) write(s string, look article.Span) {
	n := len(t.out)
	if n == 0 || t.out[n-1].Mark != look.Mark || t.out[n-1].Href != look.Href {
		t.flush()
		t.out = append(t.out, look)
	}
	t.text.WriteString(s)
}

func (t *tidier) flush() {
	if n := len(t.out); n > 0 {
		t.out[n-1].Text = t.text.String()
		t.text = strings.Builder{}
	}
}

// finish drops the hard spaces that are left at the ends.
func (t *tidier) finish() []article.Span {
	t.flush()
	out := t.out
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

// blank reports whether s has nothing but white space, of any script.
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

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

// hoist moves white space out of wraps, as a delimiter of Markdown beside
// white space is none, and joins neighbouring words. No wrap ends up empty:
// nest makes none around blank words.
func hoist(in []event) []event {
	var h hoister
	for _, e := range in {
		switch e.kind {
		case words:
			h.words(e.text)
		case opening:
			h.flush()
			h.out = append(h.out, e)
		case closing:
			h.close(e)
		}
	}
	h.flush()
	return h.out
}

type hoister struct {
	out  []event
	text []byte // words that are not in out yet
}

func (h *hoister) words(s string) {
	if len(h.text) > 0 {
		h.text = append(h.text, s...)
		return
	}
	word := strings.TrimLeftFunc(s, unicode.IsSpace)
	h.beforeOpenings(s[:len(s)-len(word)])
	h.text = append(h.text, word...)
}

// beforeOpenings puts white space before the wraps that have just opened.
func (h *hoister) beforeOpenings(space string) {
	i := len(h.out)
	for i > 0 && h.out[i-1].kind == opening {
		i--
	}
	switch {
	case space == "":
	case i == len(h.out):
		h.text = append(h.text, space...)
	case i > 0 && h.out[i-1].kind == words:
		h.out[i-1].text += space
	default:
		h.out = append(h.out, event{})
		copy(h.out[i+1:], h.out[i:])
		h.out[i] = event{kind: words, text: space}
	}
}

func (h *hoister) flush() {
	if len(h.text) > 0 {
		h.out = append(h.out, event{kind: words, text: string(h.text)})
		h.text = h.text[:0]
	}
}

// close ends a wrap before the white space at its end.
func (h *hoister) close(e event) {
	word := bytes.TrimRightFunc(h.text, unicode.IsSpace)
	space := string(h.text[len(word):])
	h.text = word
	h.flush()
	h.out = append(h.out, e)
	h.text = append(h.text, space...)
}
