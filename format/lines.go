package format

import (
	"bufio"
	"strings"

	"github.com/lede-news/lede/article"
)

// lineWriter writes lines inside quotes and lists. It adds the prefix of each line
// and blank lines between paragraphs.
type lineWriter struct {
	w      *bufio.Writer
	prefix string  // of every line
	marker *string // replaces the prefix of the next line
	gap    *string // prefix of a blank line before the next line
	lines  int     // number of lines written
}

// failed reports whether an earlier write failed, so that the rest of a long article
// need not be written.
func failed(w *bufio.Writer) bool {
	_, err := w.Write(nil)
	return err != nil
}

// text writes the lines of s.
func (o *lineWriter) text(s string) {
	for l := range strings.SplitSeq(s, "\n") {
		o.line(l)
	}
}

func (o *lineWriter) line(s string) {
	if o.gap != nil {
		o.w.WriteString(strings.TrimRight(*o.gap, " "))
		o.w.WriteByte('\n')
		o.gap = nil
	}
	prefix := o.prefix
	if o.marker != nil {
		prefix, o.marker = *o.marker, nil
	}
	if s == "" {
		prefix = strings.TrimRight(prefix, " ")
	}
	o.w.WriteString(prefix)
	o.w.WriteString(s)
	o.w.WriteByte('\n')
	o.lines++
}

// paragraph calls f and reports whether it wrote something. If so, a blank line
// separates it from what follows.
func (o *lineWriter) paragraph(f func()) (written bool) {
	n := o.lines
	f()
	if o.lines == n {
		return false
	}
	gap := o.prefix
	o.gap = &gap
	return true
}

// within calls f with first added to the prefix of its first line and rest to
// those of the others.
func (o *lineWriter) within(first, rest string, f func()) {
	prefix, marker, n := o.prefix, o.marker, o.lines
	start := prefix + first
	if marker != nil {
		start = *marker + first
	}
	o.marker = &start
	o.prefix += rest
	f()
	o.prefix = prefix
	if o.lines == n {
		o.marker = marker
	} else if o.gap != nil {
		o.gap = &prefix
	}
}

// isTight reports whether the items of a list need no blank lines between them:
// none has more than a paragraph and nested lists.
func isTight(b *article.Block) bool {
	for _, it := range b.Items {
		for i := range it {
			switch b := &it[i]; {
			case i == 0 && (len(it) == 1 || b.Kind == article.Paragraph || b.Kind == article.Heading):
			case b.Kind == article.List && (!b.Ordered || b.Start == 0 || b.Start == 1):
				// Only a list that starts at 1 needs no blank line after a paragraph.
			default:
				return false
			}
		}
	}
	return true
}

// item writes the blocks of one item of a list.
func (o *lineWriter) item(bs []article.Block, tight bool, write func(b *article.Block)) {
	for i := range bs {
		if o.paragraph(func() { write(&bs[i]) }) && tight {
			o.gap = nil
		}
	}
}
