package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// preformatted adds a <pre> as code, or as paragraphs if it is prose, as in wire
// copy.
func (c *composer) preformatted(n dom.Node) {
	c.flush()
	for m := n; m < c.doc.End(n); m++ {
		if c.texts[m] {
			c.nodes = append(c.nodes, m)
		}
	}
	var w rawText
	c.writeRaw(&w, n, c.doc.Raw(n), 0)
	raw := strings.ReplaceAll(w.String(), "\r\n", "\n")
	code := dom.None
	for code = range c.doc.All(n, dom.Code) {
		break
	}
	if code != dom.None || !isProse(raw) {
		raw = strings.TrimRight(strings.Trim(raw, "\n"), " \t\n")
		c.add(article.Block{Kind: article.Code, Code: raw, Lang: codeLang(c.doc, n, code)})
		return
	}
	for _, lines := range paragraphs(raw) {
		b := article.Block{Kind: article.Code, Code: strings.Join(lines, "\n")}
		if !isTabular(lines) {
			b = article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: collapseSpace(b.Code)}}}
		}
		c.add(b) // the first has all nodes
	}
}

// rawText builds the text of a <pre>.
type rawText struct {
	strings.Builder
	gap bool // something was left out here
}

func (w *rawText) write(s string) {
	if w.gap && words.EndsInWord(w.String()) && words.BeginsWithWord(s) {
		w.WriteByte(' ')
	}
	if s != "" {
		w.WriteString(s)
		w.gap = false
	}
}

func (w *rawText) newLine() {
	if w.Len() > 0 && !strings.HasSuffix(w.String(), "\n") {
		w.WriteByte('\n')
	}
}

// writeRaw writes the source text raw of n, without what is hidden or not
// selected, and with line breaks at block elements. White space between elements
// has no node; it is what is left of raw between them.
func (c *composer) writeRaw(w *rawText, n dom.Node, raw string, depth int) {
	d := c.doc
	if depth > maxDepth {
		w.write(raw)
		return
	}
	for k := range d.Children(n) {
		tag, part := d.Tag(k), d.Raw(k)
		at := max(0, strings.Index(raw, part))
		w.write(raw[:at])
		raw = raw[min(len(raw), at+len(part)):]
		switch {
		case tag == dom.Br:
			w.write("\n")
		case tag == dom.Text && c.texts[k]:
			w.write(part)
		case d.Words(k) == 0 && strings.TrimSpace(part) == "":
			w.write(part)
		case !c.hasText(k):
			w.gap = true
		case tag.IsBlock():
			w.newLine()
			c.writeRaw(w, k, part, depth+1)
			w.newLine()
		default:
			c.writeRaw(w, k, part, depth+1)
		}
	}
	if strings.TrimSpace(raw) == "" {
		w.write(raw)
	}
}

// paragraphs splits wire copy into paragraphs of lines: an empty line ends a
// paragraph, and a line that is indented more than the others begins one.
func paragraphs(raw string) [][]string {
	lines := strings.Split(strings.ReplaceAll(raw, "\t", "        "), "\n")
	margin := -1
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
		if in := indent(lines[i]); lines[i] != "" && (margin < 0 || in < margin) {
			margin = in
		}
	}
	var out [][]string
	open := false
	for _, l := range lines {
		if l == "" {
			open = false
			continue
		}
		if l = l[margin:]; !open || indent(l) > 1 && !isTabular([]string{l}) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], l)
		open = true
	}
	return out
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// isTabular reports whether most lines are columns separated by spaces.
func isTabular(lines []string) bool {
	var rows int
	for _, l := range lines {
		gaps := 0
		for f := range strings.SplitSeq(strings.TrimSpace(l), "  ") {
			// Two spaces may also follow a sentence.
			if f != "" && !strings.HasSuffix(f, ".") {
				gaps++
			}
		}
		if gaps > 1 {
			rows++
		}
	}
	return 2*rows > len(lines)
}

// isProse distinguishes prose from code: prose is nearly all letters, spaces and
// a little punctuation.
func isProse(s string) bool {
	var letters, signs int
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80:
			letters++
		case strings.ContainsRune("{}[]<>=;|\\#_+@`~^", r):
			signs += 4
		case strings.ContainsRune("()/*$%&", r): // also used in prose
			signs++
		}
	}
	const ratio = 10 // one code character in forty letters
	return letters > 0 && signs*ratio < letters
}

// codeLang returns the language in the class names for syntax highlighters of a
// <pre> and the <code> in it, if there is one.
func codeLang(d *dom.Document, pre, code dom.Node) string {
	classes := d.Attr(pre, "class")
	if code != dom.None {
		classes += " " + d.Attr(code, "class")
	}
	for class := range strings.FieldsSeq(classes) {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
			if lang, ok := strings.CutPrefix(class, prefix); ok && lang != "" {
				return lang
			}
		}
	}
	return ""
}
