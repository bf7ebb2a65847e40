package article

import "testing"

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		in   []Block
		want string
	}{
		"nothing":         {nil, ""},
		"paragraphs":      {[]Block{words("a"), words("b")}, "a\nb"},
		"blank paragraph": {[]Block{words("a"), words(" \n"), words(" b ")}, "a\nb"},
		"spans":           {[]Block{{Kind: Paragraph, Spans: []Span{{Text: "a "}, {Text: "b", Mark: Strong}}}}, "a b"},
		"heading":         {[]Block{{Kind: Heading, Level: 2, Spans: []Span{{Text: "h"}}}, words("a")}, "h\na"},
		"list":            {[]Block{{Kind: List, Items: [][]Block{{words("a"), {Kind: List, Items: [][]Block{{words("b")}}}}, {words("c")}}}}, "a\nb\nc"},
		"quote":           {[]Block{{Kind: Quote, Blocks: []Block{words("a"), words("b")}}}, "a\nb"},
		"table": {[]Block{{Kind: Table, Spans: []Span{{Text: "T"}}, Rows: [][]Cell{
			{{Blocks: []Block{words("a"), words("b")}}, {}, {Blocks: []Block{words("c")}}}, {{}},
		}}}, "T\na b\tc"},
		"breaks in a field": {[]Block{{Kind: Table, Rows: [][]Cell{{{Blocks: []Block{words(" a\nb ")}}, {Blocks: []Block{words("c")}}}}}, words("d\ne")}, "a b\tc\nd\ne"},
		"table in a field": {[]Block{{Kind: Table, Rows: [][]Cell{
			{{Blocks: []Block{{Kind: Table, Rows: [][]Cell{{{Blocks: []Block{words("a")}}, {Blocks: []Block{words("b")}}}, {{Blocks: []Block{words("c")}}}}}}}, {Blocks: []Block{words("d")}}},
			{{Blocks: []Block{words("e")}}},
		}}}, "a\tb c\td\ne"},
		"blank spans": {[]Block{{Kind: Paragraph, Spans: []Span{{Text: " "}, {Text: " a"}, {Text: " "}, {Text: "b\u00a0"}, {Text: "\n"}}}}, "a b"},
		"code":        {[]Block{{Kind: Code, Code: "\nif x {\n\ty\n}\n"}}, "if x {\n\ty\n}"},
		"no captions": {[]Block{picture("a", "c"), {Kind: Video, Video: &Clip{Title: "t", Caption: "c"}}, {Kind: Rule}, words("a")}, "a"},
		"unknown":     {[]Block{{Spans: []Span{{Text: "a"}}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := TextLen(c.in); got != len(c.want) {
				t.Errorf("the length is %d, want %d", got, len(c.want))
			}
			if got := (&Article{Body: c.in}).Text(); got != c.want {
				t.Errorf("the article's text is %q, want %q", got, c.want)
			}
		})
	}
}
