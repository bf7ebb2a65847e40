package article

import (
	"fmt"
	"strings"
)

// Kind says what a block is.
type Kind uint8

// The kinds of blocks. The comment names the fields that a kind uses.
const (
	Paragraph Kind = iota + 1 // Spans
	Heading                   // Spans, Level
	List                      // Items, Ordered, Start
	Quote                     // Blocks
	Table                     // Rows, Spans (the table's caption)
	Code                      // Code, Lang
	Picture                   // Image
	Video                     // Video
	Rule                      // nothing: a break between two parts of the story
)

var kindNames = [...]string{
	Paragraph: "paragraph", Heading: "heading", List: "list", Quote: "quote", Table: "table",
	Code: "code", Picture: "picture", Video: "video", Rule: "rule",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) && k > 0 {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a kind's name.
func (k *Kind) UnmarshalText(b []byte) error {
	for i, n := range kindNames {
		if i > 0 && n == string(b) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("article: unknown kind of block %q", b)
}

// Block is one piece of the body.
type Block struct {
	Kind    Kind      `json:"kind"`
	Level   int       `json:"level,omitempty"` // 1 to 6
	Spans   []Span    `json:"spans,omitempty"`
	Ordered bool      `json:"ordered,omitempty"`
	Start   int       `json:"start,omitempty"` // first number of an ordered list; 0 means 1
	Items   [][]Block `json:"items,omitempty"` // a list inside a list is a block of its item
	Blocks  []Block   `json:"blocks,omitempty"`
	Rows    [][]Cell  `json:"rows,omitempty"`
	Code    string    `json:"code,omitempty"`
	Lang    string    `json:"lang,omitempty"` // programming language
	Image   *Image    `json:"image,omitempty"`
	Video   *Clip     `json:"video,omitempty"`
}

// Cell is a field of a table.
type Cell struct {
	Header  bool    `json:"header,omitempty"`
	ColSpan int     `json:"colspan,omitempty"`
	RowSpan int     `json:"rowspan,omitempty"`
	Blocks  []Block `json:"blocks,omitempty"`
}

// Image is a picture with its words.
type Image struct {
	URL     string `json:"url"`
	Alt     string `json:"alt,omitempty"`
	Caption string `json:"caption,omitempty"`
	Credit  string `json:"credit,omitempty"`
	Width   int    `json:"width,omitempty"`
	Height  int    `json:"height,omitempty"`
}

// Clip stands where the page plays a video, a sound or an embedded post.
type Clip struct {
	URL     string `json:"url,omitempty"`
	Title   string `json:"title,omitempty"`
	Poster  string `json:"poster,omitempty"`
	Caption string `json:"caption,omitempty"`
}

// Walk calls f for every block in reading order, outer before inner.
func Walk(blocks []Block, f func(*Block)) {
	for i := range blocks {
		b := &blocks[i]
		f(b)
		Walk(b.Blocks, f)
		for _, it := range b.Items {
			Walk(it, f)
		}
		for _, row := range b.Rows {
			for j := range row {
				Walk(row[j].Blocks, f)
			}
		}
	}
}

// Mark is the set of ways in which a span stands out.
type Mark uint8

// The marks of a span.
const (
	Strong Mark = 1 << iota
	Emphasis
	Monospace
	Subscript
	Superscript
	Strike
)

var markNames = []struct {
	mark Mark
	name string
}{
	{Strong, "strong"}, {Emphasis, "emphasis"}, {Monospace, "monospace"},
	{Subscript, "subscript"}, {Superscript, "superscript"}, {Strike, "strike"},
}

// MarshalText writes the marks' names, separated by spaces.
func (m Mark) MarshalText() ([]byte, error) {
	var names []string
	for _, n := range markNames {
		if m&n.mark != 0 {
			names = append(names, n.name)
		}
	}
	return []byte(strings.Join(names, " ")), nil
}

// UnmarshalText reads what MarshalText wrote.
func (m *Mark) UnmarshalText(b []byte) error {
	*m = 0
next:
	for _, w := range strings.Fields(string(b)) {
		for _, n := range markNames {
			if n.name == w {
				*m |= n.mark
				continue next
			}
		}
		return fmt.Errorf("article: unknown mark %q", w)
	}
	return nil
}

// Span is a run of text that looks the same and leads to the same place.
// White space is folded to single spaces; a "\n" is a line break that the
// page asks for.
type Span struct {
	Text string `json:"text"`
	Mark Mark   `json:"mark,omitempty"`
	Href string `json:"href,omitempty"`
}

// Plain joins the text of spans.
func Plain(spans []Span) string {
	if len(spans) == 1 {
		return spans[0].Text
	}
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
