package label

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/lede-news/lede/dom"
)

// Mark identifies an element of a page.
type Mark struct {
	Path string `json:"path"` // such as /html[1]/body[1]/div[3]/h1[1]
	Hash string `json:"hash"` // of the text without white space
	Text string `json:"text"` // beginning of the text, for people
}

// NewMark returns the mark of an element.
func NewMark(d *dom.Document, n dom.Node) Mark {
	return Mark{Path: pathOf(d, n), Hash: hashText(d.Text(n)), Text: snippet(d.Text(n), 80)}
}

// Find returns the element of a mark, or dom.None if the page has changed and the
// element is not there or has another text.
func Find(d *dom.Document, m Mark) dom.Node {
	n := d.Root()
	for step := range strings.SplitSeq(strings.TrimPrefix(m.Path, "/"), "/") {
		next := dom.None
		for c := range d.Children(n) {
			if !d.IsText(c) && stepOf(d, c) == step {
				next = c
				break
			}
		}
		if n = next; n == dom.None {
			return dom.None
		}
	}
	if hashText(d.Text(n)) != m.Hash {
		return dom.None
	}
	return n
}

// stepOf returns the last step of the path of an element: its name and its number among
// the siblings of that name.
func stepOf(d *dom.Document, n dom.Node) string {
	name, number := d.Name(n), 1
	for p := d.Prev(n); p != dom.None; p = d.Prev(p) {
		if !d.IsText(p) && d.Name(p) == name {
			number++
		}
	}
	return name + "[" + strconv.Itoa(number) + "]"
}

func pathOf(d *dom.Document, n dom.Node) string {
	var steps []string
	for ; n > d.Root(); n = d.Parent(n) {
		steps = append(steps, "/"+stepOf(d, n))
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

// hashText returns a hash of the visible characters of a text.
func hashText(text string) string {
	h := sha256.New()
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }) {
		_, _ = io.WriteString(h, run)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// snippet returns the beginning of a text on one line, with an ellipsis if there is more.
func snippet(text string, chars int) string {
	var line []rune
	for word := range strings.FieldsSeq(text) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		if line = append(line, []rune(word)...); len(line) > chars {
			return strings.TrimSpace(string(line[:chars])) + "…"
		}
	}
	return string(line)
}
