package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// preformatted sets <pre>: as code, or as paragraphs when it is prose, since
// wire services send their stories so.
func (c *compositor) preformatted(n dom.Node) {
	var w typescript
	c.source(&w, n, c.doc.Raw(n), 0)
	raw := strings.ReplaceAll(w.String(), "\r\n", "\n")
	if !isProse(raw) || c.hasCode(n) {
		raw = strings.TrimRight(strings.Trim(raw, "\n"), " \t\n")
		c.add(article.Block{Kind: article.Code, Code: raw, Lang: c.codeLang(n)})
		return
	}
	c.flush()
	for _, lines := range paragraphs(raw) {
		if isTabular(lines) {
			c.add(article.Block{Kind: article.Code, Code: strings.Join(lines, "\n")})
			continue
		}
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		c.add(article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: text}}})
	}
}

// typescript is the text of a <pre> while it is written.
type typescript struct {
	strings.Builder
	cut bool // something was left out here
}

func (w *typescript) write(s string) {
	if w.cut && endsInWord(w.String()) && beginsWord(s) {
		w.WriteByte(' ')
	}
	if s != "" {
		w.WriteString(s)
		w.cut = false
	}
}

func (w *typescript) newLine() {
	if w.Len() > 0 && !strings.HasSuffix(w.String(), "\n") {
		w.WriteByte('\n')
	}
}

// source writes the text of n as it stands in the source, raw, without what is
// hidden or not kept and with line breaks where the page asks for them. White
// space between elements has no node; it is what is left of raw between them.
func (c *compositor) source(w *typescript, n dom.Node, raw string, depth int) {
	d := c.doc
	if c.kept.before(d.End(n))-c.kept.before(n) == int(d.End(n)-n) && !c.interrupted(n) || depth > maxDepth {
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
		case d.Hidden(k), isControl(tag), !c.touched(k), tag == dom.Img:
			w.cut = true
		case tag.IsBlock():
			w.newLine()
			c.source(w, k, part, depth+1)
			w.newLine()
		default:
			c.source(w, k, part, depth+1)
		}
	}
	if strings.TrimSpace(raw) == "" {
		w.write(raw)
	}
}

// interrupted reports whether there is anything but plain text below n.
func (c *compositor) interrupted(n dom.Node) bool {
	d := c.doc
	for m := n + 1; m < d.End(n); m++ {
		if tag := d.Tag(m); tag.IsBlock() || tag == dom.Img || isControl(tag) || d.Hidden(m) {
			return true
		}
	}
	return false
}

// paragraphs cuts the lines of a teleprinter: an empty line ends a paragraph
// and an indented one, measured by the rest, begins one.
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

// isTabular reports whether most lines are fields set apart by blanks, as in
// results and tables of figures.
func isTabular(lines []string) bool {
	var rows int
	for _, l := range lines {
		gaps := 0
		for f := range strings.SplitSeq(strings.TrimSpace(l), "  ") {
			// Typists leave two blanks after a sentence as well.
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

// isProse tells text from code by its characters: prose is nearly all letters,
// blanks and a little punctuation.
func isProse(s string) bool {
	var letters, signs int
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80:
			letters++
		case strings.ContainsRune("{}[]<>=;|\\#_+@`~^", r):
			signs += 4
		case strings.ContainsRune("()/*$%&", r): // these stand in prose as well
			signs++
		}
	}
	const fewSigns = 10 // one sign of code in forty letters
	return letters > 0 && signs*fewSigns < letters
}

func (c *compositor) hasCode(n dom.Node) bool {
	for range c.doc.All(n, dom.Code) {
		return true
	}
	return false
}

// codeLang reads the language that highlighters are told by a class.
func (c *compositor) codeLang(n dom.Node) string {
	nodes := []dom.Node{n}
	for k := range c.doc.All(n, dom.Code) {
		nodes = append(nodes, k)
		break
	}
	for _, m := range nodes {
		for w := range strings.FieldsSeq(c.doc.AttrOr(m, "class")) {
			for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
				if lang, ok := strings.CutPrefix(w, prefix); ok && lang != "" {
					return lang
				}
			}
		}
	}
	return ""
}
