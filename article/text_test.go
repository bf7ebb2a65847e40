package article

import "testing"

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		in   []Block
		want string
	}{
		"nothing":         {nil, ""},
		"paragraphs":      {[]Block{paragraph("a"), paragraph("b")}, "a\nb"},
		"blank paragraph": {[]Block{paragraph("a"), paragraph(" \n"), paragraph(" b ")}, "a\nb"},
		"spans":           {[]Block{{Kind: Paragraph, Spans: []Span{{Text: "a "}, {Text: "b", Mark: Strong}}}}, "a b"},
		"heading":         {[]Block{{Kind: Heading, Level: 2, Spans: []Span{{Text: "h"}}}, paragraph("a")}, "h\na"},
		"list":            {[]Block{{Kind: List, Items: [][]Block{{paragraph("a"), {Kind: List, Items: [][]Block{{paragraph("b")}}}}, {paragraph("c")}}}}, "a\nb\nc"},
		"quote":           {[]Block{{Kind: Quote, Blocks: []Block{paragraph("a"), paragraph("b")}}}, "a\nb"},
		"table": {[]Block{{Kind: Table, Spans: []Span{{Text: "T"}}, Rows: [][]Cell{
			{{Blocks: []Block{paragraph("a"), paragraph("b")}}, {}, {Blocks: []Block{paragraph("c")}}}, {{}},
		}}}, "T\na b\tc"},
		"line breaks in a cell": {[]Block{{Kind: Table, Rows: [][]Cell{{{Blocks: []Block{paragraph(" a\nb ")}}, {Blocks: []Block{paragraph("c")}}}}}, paragraph("d\ne")}, "a b\tc\nd\ne"},
		"table in a cell": {[]Block{{Kind: Table, Rows: [][]Cell{
			{{Blocks: []Block{{Kind: Table, Rows: [][]Cell{{{Blocks: []Block{paragraph("a")}}, {Blocks: []Block{paragraph("b")}}}, {{Blocks: []Block{paragraph("c")}}}}}}}, {Blocks: []Block{paragraph("d")}}},
			{{Blocks: []Block{paragraph("e")}}},
		}}}, "a\tb c\td\ne"},
		"blank spans": {[]Block{{Kind: Paragraph, Spans: []Span{{Text: " "}, {Text: " a"}, {Text: " "}, {Text: "b\u00a0"}, {Text: "\n"}}}}, "a b"},
		"code":        {[]Block{{Kind: Code, Code: "\nif x {\n\ty\n}\n"}}, "if x {\n\ty\n}"},
		"no captions": {[]Block{picture("a", "c"), {Kind: Video, Video: &Media{Title: "t", Caption: "c"}}, {Kind: Rule}, {Kind: Embed, Embed: &Post{Author: "p", Text: "t"}}, paragraph("a")}, "a"},
		"unknown":     {[]Block{{Spans: []Span{{Text: "a"}}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if len(c.in) == 1 {
				if got := c.in[0].Text(); got != c.want {
					t.Errorf("the block's text is %q, want %q", got, c.want)
				}
			}
			if got := (&Article{Body: c.in}).Text(); got != c.want {
				t.Errorf("the article's text is %q, want %q", got, c.want)
			}
		})
	}
}
