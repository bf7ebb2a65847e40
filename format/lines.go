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
	self   writer  // the writer that has these lines
	prefix string  // of every line
	marker *string // replaces the prefix of the next line
	gap    *string // prefix of a blank line before the next line
	tight  bool    // no blank lines between the blocks of an item
	lines  int     // number of lines written
}

func (o *lineWriter) begin(*article.Article) {}

func (o *lineWriter) end() {}

func (o *lineWriter) comments(bs []article.Block) { writeBlocks(o.w, o.self, bs) }

func (o *lineWriter) post(p *article.Post) { o.self.quote(postBlocks(p)) }

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

// separate calls write. If it writes something, a blank line separates that from what follows.
func (o *lineWriter) separate(write func()) {
	n := o.lines
	write()
	if gap := o.prefix; o.lines > n && !o.tight {
		o.gap = &gap
	} else if o.lines > n {
		o.gap = nil
	}
}

// apart is separate also where there are no blank lines between blocks.
func (o *lineWriter) apart(write func()) {
	tight := o.tight
	o.tight = false
	o.separate(write)
	o.tight = tight
}

// within writes blocks with first added to the prefix of the first line and rest to
// those of the others. If tight is set, there are no blank lines between the blocks.
func (o *lineWriter) within(first, rest string, tight bool, bs []article.Block) {
	outer := *o
	start := o.prefix + first
	if o.marker != nil {
		start = *o.marker + first
	}
	o.marker, o.prefix, o.tight = &start, o.prefix+rest, tight
	writeBlocks(o.w, o.self, bs)
	o.prefix, o.tight = outer.prefix, outer.tight
	if o.lines == outer.lines {
		o.marker = outer.marker
	} else if o.gap != nil {
		o.gap = &outer.prefix
	}
}

// isTight reports whether the items of a list need no blank lines between them:
// none has more than a paragraph and nested lists.
func isTight(b *article.Block) bool {
	for _, it := range b.Items {
		for i := range it {
			switch b := &it[i]; {
			case i == 0 && (len(it) == 1 || b.Kind == article.Paragraph || b.Kind == article.Heading):
			case b.Kind == article.List && (!b.Ordered || firstNumber(b) == 1):
				// Only a list that starts at 1 needs no blank line after a paragraph.
			default:
				return false
			}
		}
	}
	return true
}
