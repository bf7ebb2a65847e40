package label

import (
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/lede-news/lede/dom"
)

// Mark says which element of a page is meant, in more than one way, so that
// one of them still holds after the page has changed.
type Mark struct {
	// Path is as PathOf gives it.
	Path string `json:"path"`
	// Hash is that of the letters of the element's text.
	Hash string `json:"hash"`
	// Chars is how many letters that are: characters without white space.
	Chars int `json:"chars"`
	// Text is how the text begins, for people who read the file, and to compare with.
	Text string `json:"text"`
	// Sketch tells how alike another text is; a text that Text holds in full has none.
	Sketch string `json:"sketch,omitempty"`
	// Box is where the element stood on the page when it was chosen.
	Box Box `json:"box,omitzero"`
}

// Box is x, y, width and height in pixels of the page, from its upper left corner.
type Box [4]int

const markText = 80 // characters of Mark.Text

// NewMark is the mark of an element; a run of text stands for its element.
func NewMark(d *dom.Document, n dom.Node, box Box) Mark {
	if d.IsText(n) {
		n = d.Parent(n)
	}
	text := d.Text(n)
	m := Mark{
		Path:  PathOf(d, n),
		Hash:  hashText(text),
		Chars: countLetters(text),
		Text:  beginning(text, markText),
		Box:   box,
	}
	if !m.complete() {
		m.Sketch = newSketch(text).String()
	}
	return m
}

// complete tells whether Text is all of the text.
func (m Mark) complete() bool { return countLetters(m.Text) >= m.Chars }

// check tells what is wrong with a mark that somebody wrote.
func (m Mark) check() error {
	if _, err := parsePath(m.Path); err != nil {
		return err
	}
	if b, err := hex.DecodeString(m.Hash); err != nil || len(b) != hashBytes {
		return fmt.Errorf("hash %q is not %d hexadecimal digits", m.Hash, 2*hashBytes)
	}
	if m.Chars < 0 {
		return fmt.Errorf("%d chars", m.Chars)
	}
	if m.Sketch != "" {
		if _, ok := parseSketch(m.Sketch); !ok {
			return errors.New("the sketch is broken")
		}
	}
	if m.Box[2] < 0 || m.Box[3] < 0 {
		return fmt.Errorf("box %v has a side below 0", m.Box)
	}
	return nil
}
