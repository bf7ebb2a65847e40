package compose

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// builder collects blocks. Text accumulates in a paragraph until flush ends it.
type builder struct {
	blocks  Body
	nodes   []dom.Node // of all blocks so far; each block has a part of them
	text    []byte     // of the current paragraph
	runs    []run      // styles of text
	first   int        // where nodes of the paragraph begin
	breaks  int        // line breaks since the last text
	pending Body       // media inside the paragraph, which does not end there
}

// run is a part of the paragraph with the same style, up to end.
type run struct {
	end  int
	mark article.Mark
	href string
}

// addText appends text to the paragraph. spaced reports whether a space precedes
// it. It reports whether the text begins a run.
func (b *builder) addText(s string, spaced bool, mark article.Mark, href string) bool {
	if b.breaks > 1 || b.breaks == 1 && b.isBreak(s) {
		b.flush() // older pages separate paragraphs by line breaks
	}
	if len(b.runs) > 0 {
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
	line := b.text[bytes.LastIndexByte(b.text, '\n')+1:]
	return len(line) >= minLine && endsSentence(line) && beginsSentence(next)
}

// endsSentence reports whether a text ends with a sentence, perhaps in quotation
// marks.
func endsSentence(text []byte) bool {
	text = bytes.TrimRight(text, " \"'”’»«“‘›‹)]」』")
	r, _ := utf8.DecodeLastRune(text)
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
	if bytes.HasSuffix(b.text, []byte("\n")) {
		return
	}
	if last := b.runs[len(b.runs)-1]; last.mark != mark || last.href != href {
		mark, href = 0, ""
	}
	b.append(" ", mark, href)
}

func (b *builder) append(s string, mark article.Mark, href string) (begins bool) {
	b.text = append(b.text, s...)
	if n := len(b.runs) - 1; n >= 0 && b.runs[n].mark == mark && b.runs[n].href == href {
		b.runs[n].end = len(b.text)
		return false
	}
	b.runs = append(b.runs, run{len(b.text), mark, href})
	return true
}

func (b *builder) breakLine() {
	if len(b.runs) > 0 {
		b.breaks++
	}
}

// flush ends the paragraph.
func (b *builder) flush() {
	if spans := trim(b.spans()); len(spans) > 0 {
		b.add(article.Block{Kind: article.Paragraph, Spans: spans}, b.first)
	}
	b.blocks = append(b.blocks, b.pending...)
	b.text, b.runs, b.pending, b.breaks = b.text[:0], b.runs[:0], b.pending[:0], 0
	b.first = len(b.nodes)
}

// begin ends the paragraph and returns where the nodes of the next block begin.
func (b *builder) begin() int {
	b.flush()
	return b.first
}

// spans returns the paragraph as spans.
func (b *builder) spans() []article.Span {
	if len(b.runs) == 0 {
		return nil
	}
	all, from := string(b.text), 0
	spans := make([]article.Span, len(b.runs))
	for i, r := range b.runs {
		spans[i] = article.Span{Text: all[from:r.end], Mark: r.mark, Href: r.href}
		from = r.end
	}
	return spans
}

// add adds a block with the nodes since from, unless it is empty.
func (b *builder) add(block article.Block, from int) {
	b.first = len(b.nodes)
	switch {
	case block.Kind == article.Quote && len(block.Blocks) == 0, block.Kind == article.List && len(block.Items) == 0,
		block.Kind == article.Table && len(block.Rows) == 0, block.Kind == article.Code && block.Code == "":
		return
	}
	b.blocks = append(b.blocks, Block{&block, slices.Clip(b.nodes[from:])})
}

// addInside adds a picture or video without ending the paragraph.
func (b *builder) addInside(block article.Block, nodes []dom.Node) {
	b.nodes = append(b.nodes, nodes...)
	if len(b.runs) > 0 {
		b.pending = append(b.pending, Block{&block, nodes})
		return
	}
	b.add(block, len(b.nodes)-len(nodes))
}

// finish ends the paragraph and returns all blocks, without leading, trailing and
// repeated rules.
func (b *builder) finish() Body {
	b.flush()
	out := b.blocks[:0]
	for i := range b.blocks {
		rule := b.blocks[i].Kind == article.Rule
		if !rule || len(out) > 0 && out[len(out)-1].Kind != article.Rule {
			out = append(out, b.blocks[i])
		}
	}
	if n := len(out); n > 0 && out[n-1].Kind == article.Rule {
		out = out[:n-1]
	}
	return out
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
