package format

import (
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
