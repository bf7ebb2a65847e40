package compose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// builder collects blocks. Text accumulates in a paragraph until flush ends it. The texts of all
// paragraphs lie one after the other, and so do their spans.
type builder struct {
	Body
	text    strings.Builder
	spans   []article.Span
	first   int       // where the paragraph begins in spans,
	start   int       // and in the text
	breaks  int       // line breaks since the last text
	pending []*medium // pictures inside the paragraph, which does not end there
}

// paragraph returns the spans of the current paragraph.
func (b *builder) paragraph() []article.Span { return b.spans[b.first:] }

// addText appends text to the paragraph. spaced reports whether a space precedes
// it. It reports whether the text begins a run.
func (b *builder) addText(s string, spaced bool, mark article.Mark, href string) bool {
	if b.breaks > 1 || b.breaks == 1 && b.isBreak(s) {
		b.flush() // older pages separate paragraphs by line breaks
	}
	if len(b.paragraph()) > 0 {
		switch {
		case b.breaks == 1:
			b.append("\n", 0, "")
		case spaced:
			b.space(mark, href)
		}
	}
	b.breaks = 0
	return b.append(s, mark, href)
}

// isBreak reports whether a line break before next separates two paragraphs: the
// line before it is a long one that ends with a sentence, and next begins one. Lines
// of poems and addresses do not.
func (b *builder) isBreak(next string) bool {
	const minLine = 40 // bytes
	line := b.text.String()[b.start:]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return len(line) >= minLine && endsSentence(line) && beginsSentence(next)
}

// endsSentence reports whether a text ends with a sentence, perhaps in quotation
// marks.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, " \"'”’»«“‘›‹)]」』")
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…。！？؟।", r)
}

// beginsSentence reports whether a text can begin a sentence.
func beginsSentence(s string) bool {
	s = strings.TrimLeft(s, " \"'“‘«»„‚‹›([–—-「『¿¡")
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
}

// space appends a space without style if the style changes here, so that no
// link or bold run begins or ends with a space.
func (b *builder) space(mark article.Mark, href string) {
	if strings.HasSuffix(b.text.String(), "\n") {
		return
	}
	if last := b.spans[len(b.spans)-1]; last.Mark != mark || last.Href != href {
		mark, href = 0, ""
	}
	b.append(" ", mark, href)
}

// append adds text to the last span, or begins one.
func (b *builder) append(s string, mark article.Mark, href string) (begins bool) {
	b.text.WriteString(s)
	all := b.text.String()
	if n := len(b.spans) - 1; n >= b.first && b.spans[n].Mark == mark && b.spans[n].Href == href {
		b.spans[n].Text = all[len(all)-len(s)-len(b.spans[n].Text):]
		return false
	}
	b.spans = append(b.spans, article.Span{Text: all[len(all)-len(s):], Mark: mark, Href: href})
	return true
}

func (b *builder) breakLine() {
	if len(b.paragraph()) > 0 {
		b.breaks++
	}
}

// flush ends the paragraph.
func (b *builder) flush() {
	spans := trim(slices.Clip(b.paragraph()))
	b.first, b.start, b.breaks = len(b.spans), b.text.Len(), 0
	if len(spans) > 0 {
		b.put(article.Block{Kind: article.Paragraph, Spans: spans})
	}
	for _, m := range b.pending {
		b.nodes = append(b.nodes, m.nodes...)
		b.put(m.block())
	}
	b.pending = b.pending[:0]
}

// put adds a block of the nodes since the last one, unless it is empty.
func (b *builder) put(block article.Block) {
	switch last := len(b.blocks) - 1; {
	case block.Kind == article.Quote && len(block.Blocks) == 0, block.Kind == article.List && len(block.Items) == 0,
		block.Kind == article.Table && len(block.Rows) == 0, block.Kind == article.Code && block.Code == "",
		block.Kind == article.Rule && (last < 0 || b.blocks[last].Kind == article.Rule): // none at the start, no two in a row
		return
	}
	b.blocks, b.ends = append(b.blocks, block), append(b.ends, len(b.nodes))
}

// add ends the paragraph and adds a block.
func (b *builder) add(block article.Block) {
	b.flush()
	b.put(block)
}

// addMedium adds a medium. A picture or video does not end the paragraph.
func (b *builder) addMedium(m *medium) {
	if !m.isShown() {
		b.flush()
	}
	b.pending = append(b.pending, m)
	if len(b.paragraph()) == 0 {
		b.flush()
	}
}

// finish ends the paragraph, and drops a rule at the end.
func (b *builder) finish() {
	b.flush()
	if last := len(b.blocks) - 1; last >= 0 && b.blocks[last].Kind == article.Rule {
		b.blocks, b.ends = b.blocks[:last], b.ends[:len(b.ends)-1]
		b.nodes = b.nodes[:b.ends[len(b.ends)-1]]
	}
}

// trim removes white space from both ends of a paragraph.
func trim(spans []article.Span) []article.Span {
	for len(spans) > 0 {
		if spans[0].Text = strings.TrimLeft(spans[0].Text, " \n"); spans[0].Text != "" {
			break
		}
		spans = spans[1:]
	}
	for len(spans) > 0 {
		last := &spans[len(spans)-1]
		if last.Text = strings.TrimRight(last.Text, " \n"); last.Text != "" {
			break
		}
		spans = spans[:len(spans)-1]
	}
	return spans
}
