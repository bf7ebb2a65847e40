package format

import (
	"strings"

	"github.com/lede-news/lede/article"
)

// inline writes spans that tidy has made ready.
func (h *htmlWriter) inline(spans []article.Span) {
	for _, e := range hoist(nest(spans)) {
		switch {
		case e.kind == words:
			h.lines(e.text)
		case e.kind == opening && e.wrap == link:
			h.raw("<a")
			h.attr("href", e.text)
			h.raw(">")
		case e.kind == opening:
			h.raw("<" + e.wrap.element() + ">")
		default:
			h.raw("</" + e.wrap.element() + ">")
		}
	}
}

// lines writes words with their line breaks.
func (h *htmlWriter) lines(s string) {
	first := true
	for l := range strings.SplitSeq(s, "\n") {
		if !first {
			h.raw("<br>\n")
		}
		first = false
		h.text(l)
	}
}

// element is the HTML element for a wrap.
func (w wrap) element() string {
	switch w {
	case link:
		return "a"
	case strong:
		return "strong"
	case emphasis:
		return "em"
	case strike:
		return "del"
	case subscript:
		return "sub"
	case superscript:
		return "sup"
	}
	return "code"
}
