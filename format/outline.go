package format

import (
	"bufio"
	"strings"

	"github.com/lede-news/lede/article"
)

// outline writes lines that lie in quotes and lists: it knows what each line
// begins with and where a blank line is due.
type outline struct {
	w      *bufio.Writer
	prefix string  // of every line
	marker *string // instead of the prefix, for the next line only
	gap    *string // the prefix of a blank line that is due before the next line
	lines  int     // written so far
}

// text writes the lines of s.
func (o *outline) text(s string) {
	for l := range strings.SplitSeq(s, "\n") {
		o.line(l)
	}
}

func (o *outline) line(s string) {
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

// paragraph writes what f writes, and a blank line before whatever follows.
func (o *outline) paragraph(f func()) (written bool) {
	n := o.lines
	f()
	if o.lines == n {
		return false
	}
	gap := o.prefix
	o.gap = &gap
	return true
}

// within writes what f writes with first before its first line and rest
// before the others. If f writes nothing, neither does within.
func (o *outline) within(first, rest string, f func()) {
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

// tight reports whether the items of a list can follow each other without
// blank lines: none has more than a paragraph and the lists under it.
func tight(b *article.Block) bool {
	for _, it := range b.Items {
		for i := range it {
			switch b := &it[i]; {
			case i == 0 && (len(it) == 1 || b.Kind == article.Paragraph || b.Kind == article.Heading):
			case b.Kind == article.List && (!b.Ordered || b.Start == 0 || b.Start == 1):
				// Only a list from 1 can follow a paragraph without a blank line.
			default:
				return false
			}
		}
	}
	return true
}

// item writes the blocks of one item of a list.
func (o *outline) item(bs []article.Block, tight bool, write func(b *article.Block)) {
	for i := range bs {
		if o.paragraph(func() { write(&bs[i]) }) && tight {
			o.gap = nil
		}
	}
}
