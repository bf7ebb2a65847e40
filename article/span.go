package article

import (
	"fmt"
	"strings"
)

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
