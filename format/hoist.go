package format

import (
	"bytes"
	"strings"
	"unicode"
)

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
