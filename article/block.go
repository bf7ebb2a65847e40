package article

import (
	"fmt"
	"slices"
	"strings"
)

// Block is a part of the body, such as a paragraph or a list. Its Kind says
// which of the other fields are used.
type Block struct {
	Kind Kind `json:"kind"`
	// Level is the level of a heading, from 1 to 6.
	Level int `json:"level,omitempty"`
	// Spans are the text of a paragraph or heading, or the caption of a table.
	Spans []Span `json:"spans,omitempty"`
	// Ordered is set for a numbered list.
	Ordered bool `json:"ordered,omitempty"`
	// Start is the first number of an ordered list; 0 means 1.
	Start int `json:"start,omitempty"`
	// Items are the items of a list. A nested list is a block of its item.
	Items [][]Block `json:"items,omitempty"`
	// Blocks are the content of a quote.
	Blocks []Block `json:"blocks,omitempty"`
	// Rows are the rows of a table.
	Rows [][]Cell `json:"rows,omitempty"`
	// Code is the text of a code block.
	Code string `json:"code,omitempty"`
	// Lang is the programming language of a code block, if the page names it.
	Lang string `json:"lang,omitempty"`
	// Image is the image of a picture block.
	Image *Image `json:"image,omitempty"`
	// Video is the media of a video block.
	Video *Media `json:"video,omitempty"`
	// Embed is the post of an embed block.
	Embed *Post `json:"embed,omitempty"`
}

// Kind is the kind of a block.
type Kind uint8

// The kinds of blocks, with the fields of [Block] that each uses.
const (
	Paragraph Kind = iota + 1 // Spans
	Heading                   // Spans, Level
	List                      // Items, Ordered, Start
	Quote                     // Blocks
	Table                     // Rows, Spans
	Code                      // Code, Lang
	Picture                   // Image
	Video                     // Video
	Rule                      // none; a thematic break
	Embed                     // Embed; a post of a social network
)

var kindNames = [...]string{
	Paragraph: "paragraph", Heading: "heading", List: "list", Quote: "quote", Table: "table",
	Code: "code", Picture: "picture", Video: "video", Rule: "rule", Embed: "embed",
}

// String returns the name of the kind, such as "paragraph".
func (k Kind) String() string {
	if int(k) < len(kindNames) && k > 0 {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText parses the name of a kind.
func (k *Kind) UnmarshalText(b []byte) error {
	i := slices.Index(kindNames[:], string(b))
	if i < 1 {
		return fmt.Errorf("article: unknown block kind %q", b)
	}
	*k = Kind(i)
	return nil
}

// Span is a run of text with the same style and the same link target. White
// space is collapsed to single spaces; "\n" is a line break.
type Span struct {
	Text string `json:"text"`
	Mark Mark   `json:"mark,omitempty"`
	// Href is the address that the text links to.
	Href string `json:"href,omitempty"`
}

// Mark is a set of inline styles.
type Mark uint8

// The inline styles. They can be combined.
const (
	Strong Mark = 1 << iota
	Emphasis
	Monospace
	Subscript
	Superscript
	Strike
)

var markNames = [...]string{"strong", "emphasis", "monospace", "subscript", "superscript", "strike"}

// MarshalText returns the names of the styles, separated by spaces.
func (m Mark) MarshalText() ([]byte, error) {
	var names []string
	for i, name := range markNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return []byte(strings.Join(names, " ")), nil
}

// UnmarshalText parses names of styles, separated by spaces.
func (m *Mark) UnmarshalText(b []byte) error {
	*m = 0
	for name := range strings.FieldsSeq(string(b)) {
		i := slices.Index(markNames[:], name)
		if i < 0 {
			return fmt.Errorf("article: unknown mark %q", name)
		}
		*m |= 1 << i
	}
	return nil
}

// Cell is a cell of a table.
type Cell struct {
	Header bool `json:"header,omitempty"`
	// ColSpan and RowSpan are the numbers of columns and rows that the cell
	// covers; 0 means 1.
	ColSpan int     `json:"colspan,omitempty"`
	RowSpan int     `json:"rowspan,omitempty"`
	Blocks  []Block `json:"blocks,omitempty"`
}

// Image is an image with its alternative text, caption and credit.
type Image struct {
	URL     string `json:"url"`
	Alt     string `json:"alt,omitempty"`
	Caption string `json:"caption,omitempty"`
	Credit  string `json:"credit,omitempty"`
	// Width and Height are in pixels, or 0 if unknown.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

// Media is a video or an audio recording.
type Media struct {
	URL   string `json:"url,omitempty"`
	Title string `json:"title,omitempty"`
	// Poster is the address of the image that is shown before the video plays.
	Poster  string `json:"poster,omitempty"`
	Caption string `json:"caption,omitempty"`
}

// Post is a post of a social network that the article quotes. Its words are not
// those of the article.
type Post struct {
	// URL is the address of the post.
	URL string `json:"url,omitempty"`
	// Author is the author as the page names them, such as "Ann Lee (@annlee)".
	Author string `json:"author,omitempty"`
	Date   Date   `json:"date,omitzero"`
	// Text is the text of the post, if the page has it.
	Text string `json:"text,omitempty"`
}
